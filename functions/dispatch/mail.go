package dispatch

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"frontdesk/shared/queue"
)

// A mail is the messages for one queue. Those of a batch are sent together, ten in a request.
type mail struct {
	mu       sync.Mutex
	messages []queue.Outgoing
	first    int // the first place in the batch that one of them is for
}

// add puts a message into the mail, for a place in the batch.
func (m *mail) add(place int, message any, delay time.Duration) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.messages) == 0 || place < m.first {
		m.first = place
	}
	out := queue.Outgoing{Body: string(body), Delay: delay}
	if grouped, ok := message.(interface{ Group() string }); ok {
		out.Group = grouped.Group()
	}
	m.messages = append(m.messages, out)
	return nil
}

// send puts the mail on its queue. When that fails any of it may be missing.
func (m *mail) send(ctx context.Context, to queue.Sender, f *fault) {
	if len(m.messages) > 0 {
		f.note(m.first, to.Send(ctx, m.messages...))
	}
}
