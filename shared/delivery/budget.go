package delivery

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Limits limit the attempts of one workspace, so that receivers which do not answer delay no other
// workspace.
type Limits struct {
	AtOnce      int // concurrent attempts to all receivers of the workspace
	PerReceiver int // concurrent attempts to one receiver
	PerMinute   int // attempts begun in a calendar minute
}

// Reserve is the number of attempts beyond AtOnce that may go to receivers without another attempt in
// progress, one to each. It is more than an agent's webhooks: if all of them hang, the workspace's other
// receivers do not wait for them.
const Reserve = 60

// A Budget tracks the attempts in progress and grants further ones.
type Budget interface {
	// Take requests n attempts to a receiver and returns how many may run concurrently, at most MaxLanes.
	// Zero lanes mean that the workspace or the receiver is over its limits and the attempts must be
	// deferred.
	Take(ctx context.Context, to Receiver, limits Limits, n int) (Loan, error)
	// Ended reports the end of an attempt. The loan continues until Return.
	Ended(loan Loan)
	// Return returns one lane of a loan.
	Return(ctx context.Context, loan Loan) error
}

// A Loan permits a number of concurrent attempts to a receiver.
type Loan struct {
	To     Receiver
	Lanes  int // concurrent attempts
	window int64
}

// MaxLanes is the limit of concurrent attempts of one loan. Other loans may have attempts to the same
// receiver.
const MaxLanes = 5

// lanes returns how many of n attempts may run concurrently, given the numbers in progress for the workspace
// and the receiver and the number begun in this minute.
func (l Limits) lanes(n, workspace, receiver, minute int) int {
	free := min(n, MaxLanes, l.AtOnce-workspace, l.PerReceiver-receiver)
	if free < 1 && receiver == 0 && workspace < l.AtOnce+Reserve {
		free = 1
	}
	return max(0, min(free, l.PerMinute-minute))
}

// LocalBudget is a Budget for workers of a single process. Calls of Take are served in order, as far as the
// limits allow.
type LocalBudget struct {
	Now func() time.Time // current time
	// Patience is how long a Take over the limit waits for an attempt to its receiver to end. Each end
	// extends the wait, up to mostPatience in total. So a receiver that answers is used fully, and one that
	// hangs delays nobody.
	Patience time.Duration

	mu         sync.Mutex
	workspaces map[int64]*workspace
}

// mostPatience is the total limit of a Take's wait. It leaves a worker time for the attempts themselves.
const mostPatience = 2 * time.Second

// A workspace has the state of one workspace in a LocalBudget.
type workspace struct {
	underWay  int
	receivers map[Receiver]int
	minute    int64
	begun     int       // in that minute
	waiting   []*waiter // in order of arrival
}

// A waiter is a Take that waits for the limits to allow it.
type waiter struct {
	to      Receiver
	limits  Limits
	n       int
	granted chan int      // receives the number of lanes once
	ended   chan struct{} // receives a value after an attempt to the receiver has ended
}

// Take implements Budget.
func (b *LocalBudget) Take(ctx context.Context, to Receiver, limits Limits, n int) (Loan, error) {
	w := &waiter{to: to, limits: limits, n: n, granted: make(chan int, 1), ended: make(chan struct{}, 1)}
	if lanes := b.take(w); lanes > 0 {
		return Loan{To: to, Lanes: lanes}, nil
	}
	deadline := time.Now().Add(mostPatience)
	patience := time.NewTimer(b.Patience)
	defer patience.Stop()
	for {
		select {
		case lanes := <-w.granted:
			return Loan{To: to, Lanes: lanes}, nil
		case <-w.ended:
			patience.Reset(min(b.Patience, time.Until(deadline)))
		case <-patience.C:
			return Loan{To: to, Lanes: b.leave(w)}, nil
		case <-ctx.Done():
			if lanes := b.leave(w); lanes > 0 {
				return Loan{To: to, Lanes: lanes}, nil
			}
			return Loan{}, ctx.Err()
		}
	}
}

// take returns the lanes for a waiter, or 0 and adds it to the waiting ones.
func (b *LocalBudget) take(of *waiter) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, ok := b.workspaces[of.to.AccountID]
	if !ok {
		if b.workspaces == nil {
			b.workspaces = map[int64]*workspace{}
		}
		w = &workspace{receivers: map[Receiver]int{}}
		b.workspaces[of.to.AccountID] = w
	}
	lanes := w.lend(of, b.Now())
	if lanes == 0 {
		w.waiting = append(w.waiting, of)
	}
	return lanes
}

// lend returns the lanes that the limits allow a waiter now, and counts them as in progress.
func (w *workspace) lend(to *waiter, now time.Time) int {
	if minute := now.Unix() / 60; minute != w.minute {
		w.minute, w.begun = minute, 0
	}
	lanes := to.limits.lanes(to.n, w.underWay, w.receivers[to.to], w.begun)
	if lanes > 0 {
		w.underWay += lanes
		w.receivers[to.to] += lanes
		w.begun += to.n
	}
	return lanes
}

// leave ends the wait of a waiter and returns the lanes granted meanwhile, usually 0.
func (b *LocalBudget) leave(of *waiter) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case lanes := <-of.granted:
		return lanes
	default:
	}
	w := b.workspaces[of.to.AccountID]
	w.waiting = slices.DeleteFunc(w.waiting, func(other *waiter) bool { return other == of })
	return 0
}

// Return implements Budget.
func (b *LocalBudget) Return(_ context.Context, loan Loan) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.workspaces[loan.To.AccountID]
	w.underWay--
	if w.receivers[loan.To]--; w.receivers[loan.To] == 0 {
		delete(w.receivers, loan.To)
	}
	now := b.Now()
	w.waiting = slices.DeleteFunc(w.waiting, func(next *waiter) bool {
		lanes := w.lend(next, now)
		if lanes > 0 {
			next.granted <- lanes
		}
		return lanes > 0
	})
	return nil
}

// Ended implements Budget.
func (b *LocalBudget) Ended(loan Loan) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.workspaces[loan.To.AccountID].waiting {
		if w.to != loan.To {
			continue
		}
		select {
		case w.ended <- struct{}{}:
		default:
		}
	}
}
