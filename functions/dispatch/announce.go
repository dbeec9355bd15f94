package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/delivery"
	"frontdesk/shared/outbox"
	"frontdesk/shared/webhook"
)

// An agentDay is what events have in common that are announced together: their agent and the day, in UTC, of which the
// deliveries count.
type agentDay struct {
	account, agent int64
	day            string
}

func agentDayOf(e outbox.Event) agentDay {
	return agentDay{e.AccountID, e.AgentID, e.At.UTC().Format(time.DateOnly)}
}

// announce stores a delivery for each event and webhook that is to hear of it, and then puts its first attempt into the
// mail. The order matters: whoever gets the message finds the delivery, and when this is cut off in between, the events
// come again, find their deliveries there, and the messages are sent after all.
func (s *Service) announce(ctx context.Context, of agentDay, events []placed, attempts *mail) error {
	page, err := s.Table.Query(ctx, webhook.Query(of.account, of.agent))
	if err != nil {
		return err
	}
	for _, item := range page.Items {
		w, err := webhook.Read(item)
		if err != nil {
			return err
		}
		to := delivery.Receiver{AccountID: of.account, AgentID: of.agent, WebhookID: w.ID}
		var deliveries []delivery.Delivery
		var places []int
		for _, e := range events {
			if !w.Subscribed(webhook.Event(e.Kind)) {
				continue
			}
			d, err := deliveryOf(e.Event, to)
			if err != nil {
				return err
			}
			deliveries, places = append(deliveries, d), append(places, e.place)
		}
		if err := delivery.Announce(ctx, s.Table, deliveries); err != nil {
			return err
		}
		for i, d := range deliveries {
			if err := attempts.add(places[i], d.Next(), 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// deliveryOf is the delivery of an event to a webhook. Its id is the event's, so that an event that is read twice leads
// to one delivery; receivers know the event by it, whichever of an agent's webhooks brings it.
func deliveryOf(e outbox.Event, to delivery.Receiver) (delivery.Delivery, error) {
	data := e.Data
	if data == nil {
		data = json.RawMessage("{}")
	}
	body, err := webhook.Body(webhook.Event(e.Kind), e.AgentID, data)
	return delivery.New(to, e.ID, e.Kind, messageID(e), body, e.At), err
}

// messageID names an event for its receivers.
func messageID(e outbox.Event) string { return fmt.Sprintf("msg_%d", e.ID) }
