// Package purge deletes the data below deleted resources. It is unreadable since the deletion; the purge
// removes it from the table, in steps that may be repeated.
package purge

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/merge"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// Service handles the jobs that delete something, and what the daily schedule asks for.
type Service struct {
	Table table.Table
	Queue queue.Sender // the same queue, for work that outlasts the budget
	Log   *slog.Logger
	Now   func() time.Time
	IDs   *id.Source
	// Staleness is that of knowledge.Merger.
	Staleness time.Duration
	// Budget is how long one message may be worked on before the rest is put back on the queue.
	Budget time.Duration
}

// Handle does the work that an event asks for. After an error the event is to come again.
func (s *Service) Handle(ctx context.Context, e event.Event) error {
	switch e.Kind {
	case event.DocumentDeleted:
		if err := knowledge.Purge(ctx, s.Table, e.AccountID, e.DocumentID); err != nil {
			return err
		}
		return s.index(ctx, e)
	case event.DocumentIndexed:
		return s.index(ctx, e)
	case event.WebhookDeleted:
		to := delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID, WebhookID: e.WebhookID}
		return to.Purge(ctx, s.Table)
	case event.ActionDeleted:
		to := delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID, ActionID: e.ActionID}
		return to.Purge(ctx, s.Table)
	case event.ContactErased:
		return s.contact(ctx, e)
	case event.RetentionDue:
		return s.retention(ctx, e)
	case event.APIKeyExpiring:
		return s.warnOfKeys(ctx)
	case event.AgentDeleted:
		return s.agent(ctx, e)
	case event.ContactMerged:
		store := &merge.Store{Table: s.Table, Now: time.Now}
		done, err := store.MoveRest(ctx, e.AccountID, e.AgentID, e.ContactID, time.Now().Add(s.Budget))
		if err != nil || done {
			return err
		}
		return s.again(ctx, e)
	}
	return fmt.Errorf("purge: no event is called %q", e.Kind)
}

// agent deletes what every resource has below the agent, step by step until nothing is left or the time is
// up.
func (s *Service) agent(ctx context.Context, e event.Event) error {
	deadline := time.Now().Add(s.Budget)
	for _, r := range resources() {
		for _, step := range r.Purge {
			for more := true; more; {
				var err error
				if more, err = step(ctx, s.Table, e.AccountID, e.AgentID); err != nil {
					return fmt.Errorf("purge: %s: %w", r.Name, err)
				}
				if time.Now().After(deadline) {
					return s.again(ctx, e)
				}
			}
		}
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "agent purged", slog.Int64("account", e.AccountID),
		slog.Int64("agent", e.AgentID))
	return nil
}

// index merges what is pending of an agent's index.
func (s *Service) index(ctx context.Context, e event.Event) error {
	merger := knowledge.Merger{Table: s.Table, Now: s.Now, Staleness: s.Staleness}
	wait, err := merger.Merge(ctx, e.AccountID, e.AgentID, s.Now().Add(s.Budget))
	if err != nil || wait == 0 {
		return err
	}
	return s.after(ctx, e, wait)
}

// again puts the work back on the queue. It continues where it stopped, since deleted items are not found
// again.
func (s *Service) again(ctx context.Context, e event.Event) error { return s.after(ctx, e, 0) }

// after puts the work back on the queue with a delay.
func (s *Service) after(ctx context.Context, e event.Event, wait time.Duration) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return s.Queue.Send(ctx, queue.Outgoing{Body: string(body), Delay: wait})
}
