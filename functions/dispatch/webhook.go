package dispatch

import (
	"context"
	"fmt"
	"time"

	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/webhook"
)

// An agentDay groups events: by agent and by the UTC day under which their deliveries are counted.
type agentDay struct {
	account, agent int64
	day            string
}

func agentDayOf(e event.Event) agentDay {
	return agentDay{e.AccountID, e.AgentID, e.At.UTC().Format(time.DateOnly)}
}

// notifyWebhooks stores a delivery for each event and subscribed webhook, and then adds its first attempt to
// the batch. Because of this order, the delivery exists when the message arrives. If the function is
// interrupted in between, the events are read again, the deliveries are found, and the messages are sent.
func (s *Service) notifyWebhooks(
	ctx context.Context, of agentDay, events []placed, attempts *outgoing,
) error {
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

// A dueDelivery is a delivery of the event at an index of the batch.
type dueDelivery struct {
	delivery.Delivery
	place  int
	stored bool // already stored by the caller
}

// deliver stores deliveries, fifty in a transaction, and then adds their first attempts.
func (s *Service) deliver(ctx context.Context, due []dueDelivery, attempts *outgoing) error {
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

// deliveryOf returns the delivery of an event to a webhook. It has the id of the event, so that reading the
// event twice creates one delivery. Receivers recognise the event by it on all webhooks of an agent.
func deliveryOf(e event.Event, to delivery.Receiver) (delivery.Delivery, error) {
	data, err := e.WebhookData()
	if err != nil {
		return delivery.Delivery{}, err
	}
	body, err := webhook.Body(e.Kind, e.AgentID, data)
	return delivery.New(to, e.ID, string(e.Kind), messageID(e), body, e.At), err
}

// messageID returns the id of an event for its receivers.
func messageID(e event.Event) string { return fmt.Sprintf("msg_%d", e.ID) }
