package webhook

import (
	"context"
	"errors"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// ErrNotFound says that the workspace has no such agent, or the agent no such webhook. It is the API's
// not_found fault, so handlers return it unchanged.
var ErrNotFound error = fault.NotFound()

// Max is the limit of webhooks of an agent. Each event reads all of them.
const Max = 50

// count is the number in the agent's summary that counts its webhooks.
const count = "webhooks"

// overlap is how long the previous secret signs after a rotation.
const overlap = 24 * time.Hour

// A Store stores the webhooks of agents. It is safe for concurrent use.
type Store struct {
	Table   table.Table
	Now     func() time.Time
	IDs     *id.Source   // for Create and Delete
	Secrets *secret.Keys // for Create and Rotate
}

// Query reads an agent's webhooks, newest first.
func Query(account, agentID int64) table.Query {
	return table.Query{PK: agent.Partition(account, agentID), Prefix: KeyPrefix, Descending: true}
}

// Count returns the number of an agent's webhooks. It returns ErrNotFound if the workspace has no such
// agent.
func (s *Store) Count(ctx context.Context, account, agentID int64) (int64, error) {
	summary, err := s.Table.Get(ctx, agent.Key(account, agentID))
	if errors.Is(err, table.ErrNotFound) {
		return 0, ErrNotFound
	}
	return summary.Numbers[count], err
}

// NewSecret returns a random secret of 64 hexadecimal digits.
func NewSecret() secret.Plain { return secret.Plain(randomHex(32)) }

// Create stores a webhook with its secret, and sets its id, time and, if it is empty, its name. It returns
// ErrNotFound if the workspace has no such agent, and a *fault.Error where the agent has Max webhooks.
func (s *Store) Create(ctx context.Context, account int64, w Webhook, text secret.Plain) (Webhook, error) {
	w.account, w.CreatedAt = account, s.now()
	if w.Name == "" {
		w.Name = w.DefaultName()
	}
	err := table.Retry(ctx, func() (err error) {
		w.ID = s.IDs.Next()
		if w.secret, err = s.Secrets.Seal(ctx, w.place(ofSecret), text); err != nil {
			return err
		}
		put, err := w.Put()
		if err != nil {
			return err
		}
		err = s.Table.Transact(ctx, table.AddAtMost(agent.Key(account, w.AgentID), count, 1, Max).Existing(),
			put)
		if table.ConditionErrorAt(err, 0) {
			return s.refusal(ctx, account, w.AgentID)
		}
		return err // a failed condition means that the id is taken
	})
	return w, err
}

// DefaultName returns the name of a webhook without one.
func (w *Webhook) DefaultName() string { return "Webhook " + w.CreatedAt.UTC().Format(time.DateOnly) }

// refusal returns why the agent cannot have another webhook.
func (s *Store) refusal(ctx context.Context, account, agent int64) error {
	if _, err := s.Count(ctx, account, agent); err != nil {
		return err
	}
	return fault.New(fault.ValidationError, "An agent may have at most %d webhooks.", Max)
}

// Load reads a webhook in one round trip. It returns ErrNotFound if the agent has no such webhook.
func (s *Store) Load(ctx context.Context, account, agentID, webhook int64) (Webhook, error) {
	summary, key := agent.Key(account, agentID), Key(account, agentID, webhook)
	items, err := s.Table.BatchGet(ctx, summary, key)
	if err != nil {
		return Webhook{}, err
	}
	item, ok := items[key]
	if _, lives := items[summary]; !ok || !lives {
		return Webhook{}, ErrNotFound
	}
	return Read(item)
}

// Change edits a webhook. edit is called again after a conflict with another change; its error ends the
// change. It must not change id, agent and times. Change returns ErrNotFound if the agent has no such
// webhook.
func (s *Store) Change(ctx context.Context, account, agent, webhook int64,
	edit func(*Webhook) error) (Webhook, error) {
	var w Webhook
	err := table.Retry(ctx, func() (err error) {
		if w, err = s.Load(ctx, account, agent, webhook); err != nil {
			return err
		}
		w.Events = slices.Clone(w.Events)
		if err := edit(&w); err != nil {
			return err
		}
		put, err := w.Put()
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, put)
	})
	return w, err
}

// Rotate replaces a webhook's secret. The previous one also signs for 24 hours; one from an earlier rotation
// stops at once. It returns ErrNotFound if the agent has no such webhook.
func (s *Store) Rotate(ctx context.Context, account, agent, webhook int64, text secret.Plain) (Webhook,
	error) {
	return s.Change(ctx, account, agent, webhook, func(w *Webhook) (err error) {
		w.previous, w.PreviousUntil = "", time.Time{}
		// A secret that cannot be opened cannot sign either, so it is replaced without an overlap.
		if before, err := w.open(ctx, s.Secrets, ofSecret, w.secret); err == nil {
			if w.previous, err = s.Secrets.Seal(ctx, w.place(ofPrevious), before); err != nil {
				return err
			}
			w.PreviousUntil = s.now().Add(overlap)
		}
		w.secret, err = s.Secrets.Seal(ctx, w.place(ofSecret), text)
		return err
	})
}

// Delete removes a webhook. Its deliveries are inaccessible at once and deleted in the background. It returns
// ErrNotFound if the agent has no such webhook.
func (s *Store) Delete(ctx context.Context, account, agentID, webhook int64) error {
	deleted := event.Event{Kind: event.WebhookDeleted, At: s.now(), AgentID: agentID, WebhookID: webhook}
	published, err := event.Publish(s.IDs, account, nil, deleted)
	if err != nil {
		return err
	}
	writes := []table.Write{
		table.Add(agent.Key(account, agentID), count, -1).Existing(),
		table.DeleteIfExists(Key(account, agentID, webhook)),
	}
	err = s.Table.Transact(ctx, append(writes, published...)...)
	if table.ConditionErrorAt(err, 0) || table.ConditionErrorAt(err, 1) {
		return ErrNotFound
	}
	return err
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
