// Package webhook manages the addresses that receive an agent's events: their registration, the bodies and
// signatures of deliveries, and the requests.
//
// Package delivery stores the state of each delivery, functions/dispatch selects the webhooks of an event,
// and functions/deliver calls them.
package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A Webhook is an address that receives events of an agent.
type Webhook struct {
	ID        int64        `json:"id"`
	AgentID   int64        `json:"agent_id"`
	Name      string       `json:"name"`
	URL       string       `json:"url"`
	Events    []event.Kind `json:"events"`
	Active    bool         `json:"active"`
	CreatedAt time.Time    `json:"created_at"`
	// FailingSince is when the first delivery after the last success failed; zero if the latest one
	// succeeded.
	FailingSince time.Time `json:"failing_since,omitzero"`
	// DisabledAt and DisabledReason are when and why the service switched the webhook off. They are empty if
	// a user switched it off.
	DisabledAt     time.Time `json:"disabled_at,omitzero"`
	DisabledReason string    `json:"disabled_reason,omitempty"`
	// PreviousUntil is how long the previous secret signs too; zero without one.
	PreviousUntil time.Time `json:"previous_until,omitzero"`

	account          int64
	version          int64
	secret, previous secret.Sealed
}

// Subscribed reports whether the webhook is active and subscribed to events of a kind.
func (w *Webhook) Subscribed(to event.Kind) bool { return w.Active && slices.Contains(w.Events, to) }

// maxFailing is how long all deliveries may fail before the webhook is switched off.
const maxFailing = 5 * 24 * time.Hour

// Failed records that a delivery failed for good, and switches the webhook off if all have failed for
// maxFailing. It reports whether the webhook changed.
func (w *Webhook) Failed(now time.Time) bool {
	switch {
	case !w.Active:
		return false
	case w.FailingSince.IsZero():
		w.FailingSince = now
	case now.Sub(w.FailingSince) < maxFailing:
		return false
	default:
		w.Active, w.DisabledAt = false, now
		w.DisabledReason = "Every delivery failed for 5 days."
	}
	return true
}

// Succeeded records that a delivery succeeded. It reports whether the webhook changed.
func (w *Webhook) Succeeded() bool {
	changed := !w.FailingSince.IsZero()
	w.FailingSince = time.Time{}
	return changed
}

// MoveTo sets another URL, and resets FailingSince unless the webhook is switched off.
func (w *Webhook) MoveTo(url string) {
	if url == w.URL {
		return
	}
	w.URL = url
	if w.Active {
		w.FailingSince = time.Time{}
	}
}

// Switch lets a user switch the webhook on or off. It clears FailingSince and the reason why the service
// switched it off.
func (w *Webhook) Switch(active bool) {
	if active == w.Active {
		return
	}
	w.Active = active
	w.FailingSince, w.DisabledAt, w.DisabledReason = time.Time{}, time.Time{}, ""
}

// Secrets opens the secrets that sign at that time: the current one and, during the overlap after a rotation,
// the previous one.
func (w *Webhook) Secrets(ctx context.Context, keys *secret.Keys, now time.Time) ([]secret.Plain, error) {
	newest, err := w.open(ctx, keys, ofSecret, w.secret)
	if err != nil || !now.Before(w.PreviousUntil) {
		return []secret.Plain{newest}, err
	}
	previous, err := w.open(ctx, keys, ofPrevious, w.previous)
	return []secret.Plain{newest, previous}, err
}

func (w *Webhook) open(
	ctx context.Context, keys *secret.Keys, field string, sealed secret.Sealed,
) (secret.Plain, error) {
	plain, err := keys.Open(ctx, w.place(field), sealed)
	if err != nil {
		return "", fmt.Errorf("webhook: %s: %w", w.place(field), err)
	}
	return plain, nil
}

func (w *Webhook) key() table.Key { return Key(w.account, w.AgentID, w.ID) }

// Names of the sealed fields of a stored webhook.
const (
	ofSecret   = "secret"
	ofPrevious = "previous_secret"
)

// place returns the place that a secret is sealed for.
func (w *Webhook) place(field string) string { return secret.Place(w.key().PK, w.key().SK, field) }

// stored is the JSON document of a webhook.
type stored struct {
	Webhook
	AccountID int64         `json:"account_id"`
	Secret    secret.Sealed `json:"secret"`
	Previous  secret.Sealed `json:"previous_secret,omitempty"`
}

// Read decodes an item under Key.
func Read(item table.Item) (Webhook, error) {
	var s stored
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Webhook{}, fmt.Errorf("webhook: %s/%s: %w", item.PK, item.SK, err)
	}
	w := s.Webhook
	w.account, w.version, w.secret, w.previous = s.AccountID, item.Version, s.Secret, s.Previous
	return w, nil
}

// Put returns the write that stores the webhook. Its condition fails if the webhook was changed or deleted
// since it was read.
func (w *Webhook) Put() (table.Write, error) {
	doc, err := wire.Marshal(stored{*w, w.account, w.secret, w.previous})
	return table.PutAsRead(table.Item{Key: w.key(), Doc: doc, Version: w.version}), err
}
