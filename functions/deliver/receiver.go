package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/playbook"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
)

// A receiver is the webhook or action that gets a delivery.
type receiver interface {
	// refuses returns why no further attempt may be made, "" if it may.
	refuses() string
	// call returns the request of an attempt.
	call(ctx context.Context, keys *secret.Keys, d *delivery.Delivery, s webhook.Signature) (egress.Call,
		error)
	// learn returns the writes that record the end of the delivery in the receiver; usually none.
	learn(ctx context.Context, t table.Table, d *delivery.Delivery, now time.Time) ([]table.Write, error)
}

// receiverKey returns the key of a receiver.
func receiverKey(r delivery.Receiver) table.Key {
	if r.ActionID != 0 {
		return playbook.Key(r.AccountID, r.AgentID, string(playbook.Actions), r.ActionID)
	}
	return webhook.Key(r.AccountID, r.AgentID, r.WebhookID)
}

func readReceiver(r delivery.Receiver, item table.Item) (receiver, error) {
	if r.ActionID != 0 {
		a, err := playbook.Read[playbook.Action](item)
		return &action{a}, err
	}
	w, err := webhook.Read(item)
	return &hook{w}, err
}

// A hook is a webhook as a receiver.
type hook struct{ webhook.Webhook }

func (h *hook) refuses() string {
	if !h.Active {
		return "The webhook is switched off."
	}
	return ""
}

func (h *hook) call(ctx context.Context, keys *secret.Keys, d *delivery.Delivery,
	s webhook.Signature) (egress.Call, error) {
	var err error
	s.Secrets, err = h.Secrets(ctx, keys, s.At)
	return webhook.Live(h.URL, event.Kind(d.Event), d.AgentID, d.Body, s), err
}

// learn records since when a webhook has been failing. Only the first failure and the first success after it
// are written. The webhook is read again before that, since it may have changed during the attempt.
func (h *hook) learn(ctx context.Context, t table.Table, d *delivery.Delivery, now time.Time) ([]table.Write,
	error) {
	if w := h.Webhook; !noteEnd(&w, d, now) {
		return nil, nil
	}
	item, err := t.Get(ctx, receiverKey(d.Receiver))
	if errors.Is(err, table.ErrNotFound) {
		return nil, nil // it was deleted
	}
	if err != nil {
		return nil, err
	}
	w, err := webhook.Read(item)
	if err != nil || !noteEnd(&w, d, now) {
		return nil, err
	}
	put, err := w.Put()
	return []table.Write{put}, err
}

// noteEnd records the outcome of a delivery in a webhook, and reports whether the webhook changed.
func noteEnd(w *webhook.Webhook, d *delivery.Delivery, now time.Time) bool {
	if d.Status == delivery.Delivered {
		return w.Succeeded()
	}
	return w.Failed(now)
}

// An action is an action of type fire_webhook as a receiver.
type action struct{ playbook.Action }

func (a *action) refuses() string {
	if !a.IsActive || !a.Configured || a.ActionType != playbook.FireWebhook {
		return "The action is switched off, or calls no webhook any more."
	}
	return ""
}

func (a *action) call(ctx context.Context, keys *secret.Keys, d *delivery.Delivery,
	s webhook.Signature) (egress.Call, error) {
	s.Bare = true
	if a.Config.Secret != "" {
		place := a.SecretPlace(d.AccountID)
		text, err := keys.Open(ctx, place, a.Config.Secret)
		if err != nil {
			return egress.Call{}, fmt.Errorf("deliver: %s: %w", place, err)
		}
		s.Secrets = []secret.Plain{text}
	}
	return webhook.Live(a.Config.URL, event.Kind(d.Event), d.AgentID, d.Body, s), nil
}

func (a *action) learn(context.Context, table.Table, *delivery.Delivery, time.Time) ([]table.Write, error) {
	return nil, nil
}
