// Package inbox processes the updates of channels' platforms. It passes messages to agents, those of one
// person in order and one at a time, and stores statuses, echoes and changed addresses.
package inbox

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/assistant"
	"frontdesk/shared/channel"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/message"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

const (
	// patience is the limit of pauses that a group waits while further messages keep arriving.
	patience = 5
	// tolerance is the allowed difference between the clocks of two machines.
	tolerance = 250 * time.Millisecond
	// giveUp is the age at which an update that cannot be processed is dropped and logged, so that later
	// messages of the person are answered.
	giveUp = 15 * time.Minute
	// statusTime is how long a status waits until its message is stored as accepted.
	statusTime = time.Minute
	// together is the limit of messages that one reply answers. It keeps the transaction below its limit of
	// 100 writes.
	together = 15
)

// Service handles the messages of the inbox queue.
type Service struct {
	Table     table.Table
	Now       func() time.Time
	IDs       *id.Source
	Secrets   *secret.Keys
	Channels  *channel.Registry
	Inbox     *inbox.Store
	Assistant *assistant.Assistant
	Sender    *message.Sender
	Queue     queue.Sender // the same queue, for lanes to process later
	Outbound  queue.Sender // for messages that are sent again
	Log       *slog.Logger
}

// Handle processes a batch of lanes concurrently. Failed ones are returned for redelivery.
func (s *Service) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	var response events.SQSEventResponse
	var mu sync.Mutex
	var wait sync.WaitGroup
	for _, message := range batch.Records {
		wait.Go(func() {
			var lane inbox.Lane
			err := json.Unmarshal([]byte(message.Body), &lane)
			if err == nil {
				err = s.process(ctx, lane)
			}
			if err == nil {
				return
			}
			s.Log.LogAttrs(ctx, slog.LevelError, "inbox failed", slog.Int64("account", lane.AccountID),
				slog.Int64("agent", lane.AgentID),
				slog.String("channel", string(lane.Channel)), slog.String("message_id",
					message.MessageId), slog.String("error", err.Error()))
			mu.Lock()
			defer mu.Unlock()
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		})
	}
	wait.Wait()
	return response, nil
}

// process processes a lane until it is empty. It does nothing if another worker has the lane, which then
// processes the new updates too.
func (s *Service) process(ctx context.Context, lane inbox.Lane) error {
	hold, taken, err := s.Inbox.Take(ctx, lane)
	if err != nil || !taken {
		return err
	}
	for {
		failed := s.drain(ctx, lane)
		again, err := s.Inbox.Release(ctx, &hold)
		switch {
		case failed != nil:
			return failed
		case err != nil:
			return err
		case !again:
			return nil
		}
	}
}

// drain processes the updates of a lane until only statuses that wait for their messages are left, or until
// the next message may be followed by more.
func (s *Service) drain(ctx context.Context, lane inbox.Lane) error {
	var wait time.Duration // until the postponed statuses are due
	putOff := map[string]bool{}
	for {
		pending, err := s.Inbox.Pending(ctx, lane)
		if err != nil {
			return err
		}
		pending = slices.DeleteFunc(pending, func(e inbox.Entry) bool {
			return e.Kind == channel.StatusUpdate && putOff[e.ID]
		})
		if len(pending) == 0 {
			if wait == 0 {
				return nil
			}
			return s.later(ctx, lane, wait)
		}
		group := first(pending)
		if wait := s.pause(group); wait > 0 {
			return s.later(ctx, lane, wait)
		}
		again, err := s.handle(ctx, lane, group)
		if err != nil {
			if s.Now().Sub(group[0].ReceivedAt) < giveUp {
				return err
			}
			s.Log.LogAttrs(ctx, slog.LevelError, "inbound update dropped", slog.Int64("account",
				lane.AccountID),
				slog.Int64("agent", lane.AgentID), slog.String("kind",
					string(group[0].Kind)), slog.String("error", err.Error()))
			for _, entry := range group {
				if err := s.Inbox.Remove(ctx, entry); err != nil {
					return err
				}
			}
		}
		if again > 0 {
			wait, putOff[group[0].ID] = again, true
		}
	}
}

// later queues the lane to be processed after a delay.
func (s *Service) later(ctx context.Context, lane inbox.Lane, wait time.Duration) error {
	body, err := json.Marshal(lane)
	if err != nil {
		return err
	}
	return s.Queue.Send(ctx, queue.Outgoing{Body: string(body), Delay: wait})
}

// first returns the updates at the front of a lane that are processed together: consecutive messages, or a
// single update of another kind. Statuses that wait for their message are skipped.
func first(pending []inbox.Entry) []inbox.Entry {
	if pending[0].Kind == channel.StatusUpdate {
		for i, entry := range pending {
			if entry.Kind != channel.StatusUpdate {
				return first(pending[i:])
			}
		}
	}
	n := 1
	if pending[0].Mail != nil {
		return pending[:n] // the next may belong to another thread
	}
	for n < len(pending) && n < together && pending[0].Kind == channel.MessageUpdate &&
		pending[n].Kind == channel.MessageUpdate {
		n++
	}
	return pending[:n]
}

// pause returns how long the messages of a group wait for more.
func (s *Service) pause(group []inbox.Entry) time.Duration {
	now, oldest, due, longest := s.Now(), group[0].ReceivedAt, group[0].Due(), group[0].Pause
	for _, entry := range group[1:] {
		if entry.ReceivedAt.Before(oldest) {
			oldest = entry.ReceivedAt
		}
		if entry.Due().After(due) {
			due = entry.Due()
		}
		longest = max(longest, entry.Pause)
	}
	wait := due.Sub(now)
	if wait <= tolerance || now.Sub(oldest) >= patience*longest {
		return 0
	}
	return wait
}

// handle processes a group. If it returns a delay, the group stays in the lane and is processed after it.
func (s *Service) handle(ctx context.Context, lane inbox.Lane, group []inbox.Entry) (wait time.Duration,
	err error) {
	switch group[0].Kind {
	case channel.MessageUpdate:
		return 0, s.answer(ctx, lane, group)
	case channel.StatusUpdate:
		return s.status(ctx, lane, group[0])
	case channel.EchoUpdate:
		err = s.echo(ctx, lane, group[0])
	case channel.IdentityUpdate:
		err = s.move(ctx, lane, group[0])
	case channel.ConsentUpdate:
		err = s.consent(ctx, lane, group[0])
	default:
		err = fmt.Errorf("inbox: no update is called %q", group[0].Kind)
	}
	if err != nil {
		return 0, err
	}
	return 0, s.Inbox.Remove(ctx, group[0])
}
