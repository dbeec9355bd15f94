package purge

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/queue"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
)

// expireAtOnce is how many conversations are deleted between two checks of the deadline.
const expireAtOnce = 50

// retention deletes the conversations of an agent that are older than its retention. Without an agent, as the
// daily schedule calls it, it puts a message on the queue for each agent that has a retention.
func (s *Service) retention(ctx context.Context, e event.Event) error {
	if e.AgentID == 0 {
		return s.retentionOfAll(ctx, e)
	}
	deadline := s.Now().Add(s.Budget)
	for s.Now().Before(deadline) {
		more, err := s.expireSome(ctx, e.AccountID, e.AgentID)
		if err != nil || !more {
			return err
		}
	}
	return s.again(ctx, e)
}

// retentionOfAll puts a message on the queue for each agent with a retention, of all workspaces. One agent
// that fails so does not delay the others.
func (s *Service) retentionOfAll(ctx context.Context, e event.Event) error {
	return resource.Each(ctx, s.Table, agent.RetentionQuery(), func(item table.Item) error {
		of, err := agent.ReadRef(item)
		if err != nil {
			return err
		}
		e.AccountID, e.AgentID = of.AccountID, of.AgentID
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		return s.Queue.Send(ctx, queue.Outgoing{Body: string(body)})
	})
}

// expireSome deletes some conversations of an agent, and reports whether there may be more.
func (s *Service) expireSome(ctx context.Context, account, agentID int64) (more bool, err error) {
	of, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, agentID)
	if errors.Is(err, agent.ErrNotFound) || err == nil && of.RetentionDays == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	since := s.Now().AddDate(0, 0, -of.RetentionDays)
	var due []conversation.Conversation
	errEnough := errors.New("enough")
	err = conversation.Idle(ctx, s.Table, account, agentID, since, func(c conversation.Conversation) error {
		if due = append(due, c); len(due) == expireAtOnce {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) || len(due) == 0 {
		return false, err
	}
	ids := map[int64]bool{}
	for _, c := range due {
		ids[c.ID] = true
	}
	if err := unanswered.Erase(ctx, s.Table, account, agentID, ids); err != nil {
		return false, err
	}
	// Older deliveries have expired in the table.
	if s.Now().Sub(since) < delivery.Lifetime {
		if err := s.eraseDeliveries(ctx, event.Event{AccountID: account, AgentID: agentID}, ids); err != nil {
			return false, err
		}
	}
	return len(due) == expireAtOnce, s.expire(ctx, account, due, since)
}

// expire deletes conversations that are due, each with its files first: a file is found by its conversation.
func (s *Service) expire(
	ctx context.Context, account int64, due []conversation.Conversation, since time.Time,
) error {
	for _, c := range due {
		if err := s.eraseFiles(ctx, account, c); err != nil {
			return err
		}
		if err := conversation.Expire(ctx, s.Table, s.IDs, account, c.ID, since); err != nil {
			return err
		}
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "conversations expired", slog.Int64("account", account),
		slog.Int64("agent", due[0].AgentID), slog.Int("conversations", len(due)))
	return nil
}
