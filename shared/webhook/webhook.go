// Package webhook is the addresses that a business has its agents' events sent to: their registration, the
// bytes and the signatures of what is sent, and the requests that carry it.
//
// Package delivery keeps what becomes of each event, functions/dispatch chooses the webhooks of an event, and
// functions/deliver calls them.
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

// A Webhook is an address that events of an agent are sent to.
type Webhook struct {
	ID        int64        `json:"id"`
	AgentID   int64        `json:"agent_id"`
	Name      string       `json:"name"`
	URL       string       `json:"url"`
	Events    []event.Kind `json:"events"`
	Active    bool         `json:"active"`
	CreatedAt time.Time    `json:"created_at"`
	// FailingSince is when the first of the deliveries failed after which none succeeded; zero where the
	// latest succeeded.
	FailingSince time.Time `json:"failing_since,omitzero"`
	// DisabledAt and DisabledReason say when and why the service switched the webhook off. They are empty
	// where it did not, also where somebody else did.
	DisabledAt     time.Time `json:"disabled_at,omitzero"`
	DisabledReason string    `json:"disabled_reason,omitempty"`
	// PreviousUntil is until when the secret before this one signs too; the zero time where there is none.
	PreviousUntil time.Time `json:"previous_until,omitzero"`

	account          int64
	version          int64
	secret, previous secret.Sealed
}

// Subscribed reports whether the webhook is to be told of events of a kind.
func (w *Webhook) Subscribed(to event.Kind) bool { return w.Active && slices.Contains(w.Events, to) }

// maxFailing is how long all deliveries of a webhook may fail before it is switched off.
const maxFailing = 5 * 24 * time.Hour

// Failed notes that a delivery failed for good, and switches the webhook off where all have for too long. It
// reports whether the webhook changed.
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

// Succeeded notes that a delivery succeeded. It reports whether the webhook changed.
func (w *Webhook) Succeeded() bool {
	changed := !w.FailingSince.IsZero()
	w.FailingSince = time.Time{}
	return changed
}

// MoveTo gives the webhook another address, at which nothing has failed yet. One that is switched off stays
// so, and says why as before.
func (w *Webhook) MoveTo(url string) {
	if url == w.URL {
		return
	}
	w.URL = url
	if w.Active {
		w.FailingSince = time.Time{}
	}
}

// Switch has somebody switch the webhook on or off. What failed before is then forgotten, and with it what
// the service had to say about it.
func (w *Webhook) Switch(active bool) {
	if active == w.Active {
		return
	}
	w.Active = active
	w.FailingSince, w.DisabledAt, w.DisabledReason = time.Time{}, time.Time{}, ""
}

// Secrets opens the secrets that sign at that time: the webhook's own and, during the overlap after a
// rotation, the one before it.
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

// Fields of a stored webhook that are sealed.
const (
	ofSecret   = "secret"
	ofPrevious = "previous_secret"
)

// place is what one of the webhook's secrets is sealed for.
func (w *Webhook) place(field string) string { return secret.Place(w.key().PK, w.key().SK, field) }

// stored is the document of a webhook's item.
type stored struct {
	Webhook
	AccountID int64         `json:"account_id"`
	Secret    secret.Sealed `json:"secret"`
	Previous  secret.Sealed `json:"previous_secret,omitempty"`
}

// Read is the webhook that an item under Key holds.
func Read(item table.Item) (Webhook, error) {
	var s stored
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Webhook{}, fmt.Errorf("webhook: %s/%s: %w", item.PK, item.SK, err)
	}
	w := s.Webhook
	w.account, w.version, w.secret, w.previous = s.AccountID, item.Version, s.Secret, s.Previous
	return w, nil
}

// Put is the write that stores the webhook as it is now. It fails where somebody else changed it since it was
// read, or deleted it.
func (w *Webhook) Put() (table.Write, error) {
	doc, err := wire.Marshal(stored{*w, w.account, w.secret, w.previous})
	return table.PutAsRead(table.Item{Key: w.key(), Doc: doc, Version: w.version}), err
}
