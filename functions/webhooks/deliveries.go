package webhooks

import (
	"context"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
)

// A Delivery is the JSON form of a delivery.
type Delivery struct {
	ID        int64           `json:"id" example:"219482113093632"`
	Event     event.Kind      `json:"event" example:"conversation.resolved"`
	Status    delivery.Status `json:"status" example:"delivered"`
	CreatedAt time.Time       `json:"created_at" doc:"When the event happened."`
	Attempts  []Attempt       `json:"attempts" doc:"In the order in which they were made."`
	Error     *string         `json:"error" doc:"Why no further attempt was made, where that has another cause than the last one." example:"The webhook is switched off."`
}

// An Attempt is the JSON form of an attempt.
type Attempt struct {
	Time       time.Time `json:"time" doc:"When it was made."`
	HTTPStatus *int      `json:"http_status" doc:"Of the answer; null where there was none." example:"200"`
	Error      *string   `json:"error" doc:"Why there was no answer." example:"The address did not answer in time."`
	DurationMS int64     `json:"duration_ms" doc:"How long it took, in milliseconds." example:"84"`
}

// showDelivery returns a delivery as callers see it. Fields without a value are null, and attempts an empty
// list before the first one.
func showDelivery(d delivery.Delivery) Delivery {
	shown := Delivery{ID: d.ID, Event: event.Kind(d.Event), Status: d.Status, CreatedAt: d.CreatedAt,
		Attempts: []Attempt{}}
	if d.Reason != "" {
		shown.Error = &d.Reason
	}
	for _, a := range d.Attempts {
		attempt := Attempt{Time: a.At, DurationMS: a.Duration.Milliseconds()}
		if a.HTTPStatus != 0 {
			attempt.HTTPStatus = &a.HTTPStatus
		}
		if a.Error != "" {
			attempt.Error = &a.Error
		}
		shown.Attempts = append(shown.Attempts, attempt)
	}
	return shown
}

type deliveriesIn struct {
	webhookIn
	api.PageIn
}

// deliveries lists a webhook's deliveries. Loading the webhook refuses one of another workspace.
func (s *Service) deliveries(ctx context.Context, in deliveriesIn) (api.List[Delivery], error) {
	to := in.receiver(ctx)
	return api.Paginate(ctx, s.Table, in.PageIn, api.Listing[Delivery]{
		Query: delivery.Query(to),
		Count: func(ctx context.Context) (count int64, err error) {
			err = table.Parallel(ctx, func(ctx context.Context) error {
				_, err := s.store().Load(ctx, to.AccountID, to.AgentID, to.WebhookID)
				return err
			}, func(ctx context.Context) (err error) {
				count, err = delivery.Count(ctx, s.Table, to)
				return err
			})
			return count, err
		},
		Item: func(item table.Item) (Delivery, error) {
			d, err := delivery.Read(item)
			return showDelivery(d), err
		},
	})
}

type deliveryIn struct {
	webhookIn
	DeliveryID int64 `path:"delivery_id"`
}

// redeliver makes a delivery pending again. The message for its next attempt goes through the outbox, in the
// same transaction, so that neither exists without the other.
func (s *Service) redeliver(ctx context.Context, in deliveryIn) (Delivery, error) {
	to := in.receiver(ctx)
	var d delivery.Delivery
	err := table.Retry(ctx, func() error {
		var w webhook.Webhook
		err := table.Parallel(ctx, func(ctx context.Context) (err error) {
			w, err = s.store().Load(ctx, to.AccountID, to.AgentID, to.WebhookID)
			return err
		}, func(ctx context.Context) (err error) {
			d, err = delivery.Load(ctx, s.Table, to, in.DeliveryID)
			return err
		})
		switch {
		case err != nil:
			return err
		case !w.Active:
			return fault.New(fault.Unprocessable, "The webhook is not active.")
		// Another request has made it pending already: repeating the call changes nothing.
		case d.Status == delivery.Pending:
			return nil
		}
		writes, err := d.Again(s.IDs, s.Now().UTC().Truncate(time.Millisecond))
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, writes...)
	})
	return showDelivery(d), err
}
