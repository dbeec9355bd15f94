package delivery

import (
	"context"
	"sync"
	"time"
)

// Limits bound the attempts that are made for one workspace, so that receivers which do not answer delay
// nobody else.
type Limits struct {
	AtOnce      int // attempts to all receivers of the workspace at a time
	PerReceiver int // of them to one receiver
	PerMinute   int // attempts begun in a minute of the clock
}

// Reserve is how many attempts beyond AtOnce there may be to receivers that have no other under way, one to
// each. It is more than the webhooks of an agent: when all of them hang, the workspace's other receivers do
// not wait for them.
const Reserve = 60

// A Budget knows what attempts are under way and lends out the right to make more.
type Budget interface {
	// Take asks to make n attempts to a receiver, and lends how many of them may be under way at a time, at
	// most MaxLanes. None says that the workspace or the receiver is over its limits: the attempts are to be
	// put off.
	Take(ctx context.Context, to Receiver, limits Limits, n int) (Loan, error)
	// Return gives back one of a loan's attempts that were under way.
	Return(ctx context.Context, loan Loan) error
}

// A Loan is the right to have some attempts to a receiver under way.
type Loan struct {
	To     Receiver
	Lanes  int // attempts at a time
	window int64
}

// MaxLanes is how many attempts at a time one loan is for: others may have attempts to the same receiver too.
const MaxLanes = 5

// lanes returns how many of n attempts may be under way at a time, given how many are and were begun in this
// minute.
func (l Limits) lanes(n, workspace, receiver, minute int) int {
	free := min(n, MaxLanes, l.AtOnce-workspace, l.PerReceiver-receiver)
	if free < 1 && receiver == 0 && workspace < l.AtOnce+Reserve {
		free = 1
	}
	return max(0, min(free, l.PerMinute-minute))
}

// LocalBudget is a Budget for workers that all run in this process.
type LocalBudget struct {
	// Now tells the minute. Patience is how long Take waits for an attempt to end where there is no room.
	Now      func() time.Time
	Patience time.Duration

	mu         sync.Mutex
	workspaces map[int64]*workspace
}

// A workspace is what LocalBudget knows of one.
type workspace struct {
	underWay  int
	receivers map[Receiver]int
	minute    int64
	begun     int           // in that minute
	freed     chan struct{} // closed when an attempt ends
}

// Take implements Budget.
func (b *LocalBudget) Take(ctx context.Context, to Receiver, limits Limits, n int) (Loan, error) {
	patience := time.NewTimer(b.Patience)
	defer patience.Stop()
	for {
		lanes, freed := b.take(to, limits, n)
		if lanes > 0 {
			return Loan{To: to, Lanes: lanes}, nil
		}
		select {
		case <-freed:
		case <-patience.C:
			return Loan{To: to}, nil
		case <-ctx.Done():
			return Loan{}, ctx.Err()
		}
	}
}

func (b *LocalBudget) take(to Receiver, limits Limits, n int) (lanes int, freed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, ok := b.workspaces[to.AccountID]
	if !ok {
		if b.workspaces == nil {
			b.workspaces = map[int64]*workspace{}
		}
		w = &workspace{receivers: map[Receiver]int{}, freed: make(chan struct{})}
		b.workspaces[to.AccountID] = w
	}
	if minute := b.Now().Unix() / 60; minute != w.minute {
		w.minute, w.begun = minute, 0
	}
	if lanes = limits.lanes(n, w.underWay, w.receivers[to], w.begun); lanes > 0 {
		w.underWay += lanes
		w.receivers[to] += lanes
		w.begun += n
	}
	return lanes, w.freed
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
	close(w.freed)
	w.freed = make(chan struct{})
	return nil
}
