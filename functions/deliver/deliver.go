// Package deliver makes the attempts to deliver events to webhooks: each message of its queues is one. What a
// message means is decided by the delivery as it is stored (see package delivery), so that it does no harm
// when one comes twice or late.
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
	// Second and Third are the queues of the second and the third attempt, each with the delay that the
	// attempt waits.
	Second, Third queue.Sender
	// Timeout bounds an attempt; it is webhook.Timeout but in tests.
	Timeout time.Duration
	// AloneSince is from when on nobody but this process makes attempts: who claimed one before has ended. It
	// is the zero time where others may be at work, as on Lambda.
	AloneSince time.Time
}

// Handle takes a batch of messages, all at the same time: a receiver that is slow to answer holds up nobody
// else's. Messages that fail come again.
func (s *Service) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	failed := make([]error, len(batch.Records))
	var wg sync.WaitGroup
	for i, message := range batch.Records {
		wg.Go(func() { failed[i] = s.handle(ctx, message.Body) })
	}
	wg.Wait()
	var response events.SQSEventResponse
	for i, err := range failed {
		if err == nil {
			continue
		}
		id := batch.Records[i].MessageId
		level := slog.LevelError
		if err == errUnderWay {
			level = slog.LevelInfo
		}
		s.Log.LogAttrs(ctx, level, "delivery put off", slog.String("message_id", id),
			slog.String("error", err.Error()))
		response.BatchItemFailures = append(response.BatchItemFailures,
			events.SQSBatchItemFailure{ItemIdentifier: id})
	}
	return response, nil
}

// errUnderWay says that somebody else is making the attempt. The message stays on the queue, for they may be
// cut off.
var errUnderWay = errors.New("deliver: the attempt is under way")

func (s *Service) handle(ctx context.Context, body string) error {
	var m delivery.Message
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		return fmt.Errorf("deliver: message: %w", err)
	}
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

// load reads a delivery and its receiver. The receiver is nil where there is nothing to do any more, because
// one of them is gone.
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

// try makes the attempt that is due, stores how it came out, and asks for the next one where there is one. Of
// those who try at the same time one gets to make it.
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
		return ctx.Err() // the time of this function is over, which says nothing of the receiver
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

// conclude stores how an attempt came out and, where the delivery ended with it, what that says of the
// receiver.
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

// store stores a delivery as it is now.
func (s *Service) store(ctx context.Context, d *delivery.Delivery) error {
	put, err := d.Put()
	if err != nil {
		return err
	}
	return s.transact(ctx, []table.Write{put})
}

// transact carries out writes of which the first is that of a delivery. errUnderWay where somebody else
// changed the delivery since it was read.
func (s *Service) transact(ctx context.Context, writes []table.Write) error {
	err := s.Table.Transact(ctx, writes...)
	if table.FailedAt(err, 0) {
		return errUnderWay
	}
	return err
}

// sendNext asks for the attempt after the last one that was made.
func (s *Service) sendNext(ctx context.Context, d *delivery.Delivery) error {
	next := d.Next()
	body, err := json.Marshal(next)
	if err != nil {
		return err
	}
	to := s.Third
	if d.Round(next.Attempt) == 2 {
		to = s.Second
	}
	return to.Send(ctx, queue.Outgoing{Body: string(body)})
}
