package deliver

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"frontdesk/shared/auth"
	"frontdesk/shared/delivery"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// lineTime is how long a batch keeps starting attempts to one receiver, one after the other. What is left
// then goes back to the queue, where it blocks nobody.
const lineTime = time.Second

// An attempt that is over the budget waits for about firstWait before it is looked at again, and twice as
// long each time after that. SQS knows whole seconds only; elsewhere a receiver that is merely busy, as in a
// burst of events, gets what was put off before it has nothing to do.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// A received message is one of a batch.
type received struct {
	delivery.Message
	id string // of the queue
}

// limits returns the limits of the workspace that an item holds; those of the cheapest plan where it holds
// none.
func limits(account table.Item) delivery.Limits {
	plan := auth.PlanOf(account)
	return delivery.Limits{
		AtOnce: plan.DeliveriesAtOnce, PerReceiver: min(plan.DeliveriesAtOnce, auth.ReceiverDeliveriesAtOnce),
		PerMinute: plan.DeliveriesPerMinute,
	}
}

// handleLine handles the messages of a batch for one receiver, as many at a time as the budget allows, and
// notes the outcome of each. The others it sends to left, once, as soon as it knows them.
func (s *Service) handleLine(
	ctx context.Context, to delivery.Receiver, limits delivery.Limits, line []received,
	left chan<- []received,
	note func(id string, err error),
) {
	loan, err := s.Budget.Take(ctx, to, limits, len(line))
	if err != nil {
		for _, m := range line {
			note(m.id, err)
		}
		left <- nil
		return
	}
	next := make(chan received, len(line))
	for _, m := range line {
		next <- m
	}
	close(next)
	begun := time.Now()
	var lanes sync.WaitGroup
	for range loan.Lanes {
		lanes.Go(func() {
			for time.Since(begun) < lineTime {
				m, ok := <-next
				if !ok {
					break
				}
				note(m.id, s.handle(ctx, m.Message))
			}
			if err := s.Budget.Return(context.WithoutCancel(ctx), loan); err != nil {
				s.Log.LogAttrs(ctx, slog.LevelError, "delivery budget not returned",
					slog.String("error", err.Error()))
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		lanes.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(lineTime): // the lanes are at their last attempts, which may hang
	}
	var over []received
	for m := range next {
		over = append(over, m)
	}
	left <- over
	<-ended
}

// putOff has messages come again later, each the longer the more often it was put off.
func (s *Service) putOff(ctx context.Context, messages []received) error {
	if len(messages) == 0 {
		return nil
	}
	out := make([]queue.Outgoing, len(messages))
	for i, m := range messages {
		wait := min(firstWait<<min(m.Waits, 10), longestWait)
		m.Waits++
		body, err := json.Marshal(m.Message)
		if err != nil {
			return err
		}
		out[i] = queue.Outgoing{Body: string(body), Delay: wait/2 + rand.N(wait), Group: m.Group()}
	}
	return s.Queue.Send(ctx, out...)
}
