// Package deliver makes attempts to deliver events to webhooks. Each message of its queue asks for one
// attempt. The stored delivery decides what to do for a message (see package delivery), so duplicate and
// late messages are harmless.
package deliver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/agent"
	"frontdesk/shared/auth"
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
)

// Service handles the messages.
type Service struct {
	Table   table.Table
	Now     func() time.Time
	Secrets *secret.Keys
	Web     *egress.Client
	Log     *slog.Logger
	// Queue is the queue of attempts. The next attempt of a delivery waits on it.
	Queue queue.Sender
	// Budget limits the attempts of each workspace and receiver by the workspace's plan.
	Budget delivery.Budget
	// Timeout limits an attempt. It is webhook.Timeout except in tests.
	Timeout time.Duration
	// AloneSince is when this process became the only one that makes attempts: earlier claims are void. It
	// is zero if other processes make attempts too, as on Lambda.
	AloneSince time.Time
}

// Handle processes a batch of messages. Those for different receivers run concurrently, so that a slow
// receiver does not delay others. Failed messages are returned for redelivery.
func (s *Service) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	var response events.SQSEventResponse
	var mu sync.Mutex
	note := func(id string, err error) {
		if err == nil {
			return
		}
		level := slog.LevelError
		if err == errUnderWay {
			level = slog.LevelInfo
		}
		s.Log.LogAttrs(ctx, level, "delivery put off",
			slog.String("message_id", id), slog.String("error", err.Error()))
		mu.Lock()
		defer mu.Unlock()
		response.BatchItemFailures = append(response.BatchItemFailures,
			events.SQSBatchItemFailure{ItemIdentifier: id})
	}
	lines := map[delivery.Receiver][]received{}
	var accounts []table.Key
	for _, message := range batch.Records {
		var m delivery.Message
		if err := json.Unmarshal([]byte(message.Body), &m); err != nil {
			note(message.MessageId, fmt.Errorf("deliver: message: %w", err))
			continue
		}
		lines[m.Receiver] = append(lines[m.Receiver], received{m, message.MessageId})
		accounts = append(accounts, auth.AccountKey(m.AccountID))
	}
	items, err := s.Table.BatchGet(ctx, accounts...)
	if err != nil {
		return events.SQSEventResponse{}, err
	}
	var wg sync.WaitGroup
	left := make(chan []received)
	for to, line := range lines {
		wg.Go(func() {
			s.handleLine(ctx, to, limits(items[auth.AccountKey(to.AccountID)]), line, left,
				note)
		})
	}
	var all []received
	for range lines {
		all = append(all, <-left...)
	}
	err = s.putOff(ctx, all)
	for _, m := range all {
		note(m.id, err)
	}
	wg.Wait()
	return response, nil
}

// errUnderWay reports that another worker is making the attempt. The message stays on the queue in case that
// worker is interrupted.
var errUnderWay = errors.New("deliver: the attempt is under way")

// handle does what a message requires of its delivery.
func (s *Service) handle(ctx context.Context, m delivery.Message) error {
	d, to, err := s.load(ctx, m)
	if err != nil || to == nil {
		return err
	}
	d.DropClaim(s.AloneSince)
	switch d.Step(m.Attempt, s.Now()) {
	case delivery.Wait:
		return errUnderWay
	case delivery.SendAgain:
		return s.sendNext(ctx, d)
	case delivery.Try:
		return s.try(ctx, d, to)
	}
	return nil
}

// load reads a delivery and its receiver. The receiver is nil if either was deleted, so that there is
// nothing left to do.
func (s *Service) load(ctx context.Context, m delivery.Message) (*delivery.Delivery, receiver, error) {
	keys := []table.Key{m.Key(m.DeliveryID), receiverKey(m.Receiver), agent.Key(m.AccountID, m.AgentID)}
	items, err := s.Table.BatchGet(ctx, keys...)
	if err != nil {
		return nil, nil, err
	}
	for _, key := range keys {
		if _, ok := items[key]; !ok {
			return nil, nil, nil
		}
	}
	d, err := delivery.Read(items[keys[0]])
	if err != nil {
		return nil, nil, err
	}
	to, err := readReceiver(m.Receiver, items[keys[1]])
	return &d, to, err
}

// try makes the attempt that is due, stores its outcome, and queues the next attempt if there is one. Of
// concurrent callers one makes the attempt.
func (s *Service) try(ctx context.Context, d *delivery.Delivery, to receiver) error {
	if reason := to.refuses(); reason != "" {
		d.GiveUp(reason)
		return s.store(ctx, d)
	}
	now := s.Now().UTC()
	number := len(d.Attempts) + 1
	call, err := to.call(ctx, s.Secrets, d, webhook.Signature{ID: d.MessageID, At: now,
		Attempt: d.Round(number)})
	if err != nil {
		return err
	}
	call.Timeout = s.Timeout
	d.Claim(now)
	if err := s.store(ctx, d); err != nil {
		return err
	}
	begun := s.Now()
	answer, failure := s.Web.Do(ctx, call)
	if ctx.Err() != nil {
		return ctx.Err() // this function ran out of time; the receiver did not fail
	}
	made := delivery.Attempt{At: now.Truncate(time.Millisecond), HTTPStatus: answer.Status,
		Duration: s.Now().Sub(begun)}
	if failure != nil {
		made.Error = failure.Error()
	}
	d.Add(made, failure == nil && webhook.Delivered(answer.Status))
	if err := s.conclude(ctx, d, to); err != nil {
		return err
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "attempt", slog.Int64("account", d.AccountID),
		slog.Int64("agent", d.AgentID),
		slog.Int64("webhook", d.WebhookID), slog.Int64("action", d.ActionID), slog.Int64("delivery", d.ID),
		slog.String("event", d.Event), slog.Int("attempt", number), slog.Int("http_status", made.HTTPStatus),
		slog.String("failure", made.Error), slog.Int64("duration_ms", made.Duration.Milliseconds()),
		slog.String("status", string(d.Status)))
	if d.Status == delivery.Pending {
		return s.sendNext(ctx, d)
	}
	return nil
}

// conclude stores the outcome of an attempt and, if the delivery ended with it, updates the receiver.
func (s *Service) conclude(ctx context.Context, d *delivery.Delivery, to receiver) error {
	if d.Status == delivery.Pending {
		return s.store(ctx, d)
	}
	put, err := d.Put()
	if err != nil {
		return err
	}
	return table.Retry(ctx, func() error {
		health, err := to.learn(ctx, s.Table, d, s.Now().UTC().Truncate(time.Millisecond))
		if err != nil {
			return err
		}
		return s.transact(ctx, append([]table.Write{put}, health...))
	})
}

// store stores the current state of a delivery.
func (s *Service) store(ctx context.Context, d *delivery.Delivery) error {
	put, err := d.Put()
	if err != nil {
		return err
	}
	return s.transact(ctx, []table.Write{put})
}

// transact carries out writes, the first of which is the delivery's. It returns errUnderWay if the delivery
// was changed concurrently.
func (s *Service) transact(ctx context.Context, writes []table.Write) error {
	err := s.Table.Transact(ctx, writes...)
	if table.ConditionErrorAt(err, 0) {
		return errUnderWay
	}
	return err
}

// sendNext queues the next attempt.
func (s *Service) sendNext(ctx context.Context, d *delivery.Delivery) error {
	next := d.Next()
	body, err := json.Marshal(next)
	if err != nil {
		return err
	}
	wait := delivery.ThirdAfter
	if d.Round(next.Attempt) == 2 {
		wait = delivery.SecondAfter
	}
	return s.Queue.Send(ctx, queue.Outgoing{Body: string(body), Delay: wait, Group: next.Group()})
}
