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

// lineTime is how long a batch starts attempts to one receiver. The remaining ones return to the queue,
// where they block no others.
const lineTime = time.Second

// An attempt over the budget is retried after about firstWait, and after twice the time at each further try.
// Queues round up to whole seconds, so the first two waits are one second.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// A received message is a message of a batch.
type received struct {
	delivery.Message
	id string // on the queue
}

// limits returns the limits of a workspace's item, those of the cheapest plan if it has none.
func limits(account table.Item) delivery.Limits {
	plan := auth.PlanOf(account)
	return delivery.Limits{
		AtOnce: plan.DeliveriesAtOnce, PerReceiver: min(plan.DeliveriesAtOnce, auth.ReceiverDeliveriesAtOnce),
		PerMinute: plan.DeliveriesPerMinute,
	}
}

// handleLine processes the messages for one receiver, as many concurrently as the budget allows, and records
// their outcomes. It sends the rest to left, once, as soon as it is known.
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
				s.Budget.Ended(loan)
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
	case <-time.After(lineTime): // the remaining attempts may hang
	}
	var over []received
	for m := range next {
		over = append(over, m)
	}
	left <- over
	<-ended
}

// putOff requeues messages with a delay that grows with the number of their deferrals.
func (s *Service) putOff(ctx context.Context, messages []received) error {
	if len(messages) == 0 {
		return nil
	}
	out := make([]queue.Outgoing, len(messages))
	for i, m := range messages {
		wait := min(firstWait<<min(m.Deferrals, 10), longestWait)
		m.Deferrals++
		body, err := json.Marshal(m.Message)
		if err != nil {
			return err
		}
		out[i] = queue.Outgoing{Body: string(body), Delay: wait/2 + rand.N(wait), Group: m.Group()}
	}
	return s.Queue.Send(ctx, out...)
}
