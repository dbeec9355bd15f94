package dispatch

import (
	"context"
	"fmt"
	"time"

	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/webhook"
)

// An agentDay is what events have in common that are handed on together: their agent, and the day in UTC
// whose deliveries they count among.
type agentDay struct {
	account, agent int64
	day            string
}

func agentDayOf(e event.Event) agentDay {
	return agentDay{e.AccountID, e.AgentID, e.At.UTC().Format(time.DateOnly)}
}

// tellWebhooks stores a delivery for each event and webhook that subscribes to it, and then adds its first
// attempt to the mail. The order matters: whoever gets the message finds the delivery, and when this is cut
// off in between, the events come again, find their deliveries there, and the messages are sent after all.
func (s *Service) tellWebhooks(ctx context.Context, of agentDay, events []placed, attempts *mail) error {
	page, err := s.Table.Query(ctx, webhook.Query(of.account, of.agent))
	if err != nil {
		return err
	}
	var due []dueDelivery
	for _, item := range page.Items {
		w, err := webhook.Read(item)
		if err != nil {
			return err
		}
		to := delivery.Receiver{AccountID: of.account, AgentID: of.agent, WebhookID: w.ID}
		for _, e := range events {
			if !w.Subscribed(e.Kind) {
				continue
			}
			d, err := deliveryOf(e.Event, to)
			if err != nil {
				return err
			}
			due = append(due, dueDelivery{d, e.place, false})
		}
	}
	return s.deliver(ctx, due, attempts)
}

// A dueDelivery is one of an event at a place of the batch.
type dueDelivery struct {
	delivery.Delivery
	place  int
	stored bool // by the caller already
}

// deliver stores deliveries that are due, fifty in a transaction, and then adds their first attempts to the
// mail.
func (s *Service) deliver(ctx context.Context, due []dueDelivery, attempts *mail) error {
	var unstored []delivery.Delivery
	for _, d := range due {
		if !d.stored {
			unstored = append(unstored, d.Delivery)
		}
	}
	if err := delivery.Create(ctx, s.Table, unstored); err != nil {
		return err
	}
	for _, d := range due {
		if err := attempts.add(d.place, d.Next(), 0); err != nil {
			return err
		}
	}
	return nil
}

// deliveryOf is the delivery of an event to a webhook. Its id is the event's, so that an event that is read
// twice leads to one delivery; receivers know the event by it, whichever of an agent's webhooks brings it.
func deliveryOf(e event.Event, to delivery.Receiver) (delivery.Delivery, error) {
	data, err := e.WebhookData()
	if err != nil {
		return delivery.Delivery{}, err
	}
	body, err := webhook.Body(e.Kind, e.AgentID, data)
	return delivery.New(to, e.ID, string(e.Kind), messageID(e), body, e.At), err
}

// messageID names an event for its receivers.
func messageID(e event.Event) string { return fmt.Sprintf("msg_%d", e.ID) }
