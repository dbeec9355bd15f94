package dispatch

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"frontdesk/shared/queue"
)

// An outgoing has the messages for one queue. They are sent in requests of ten.
type outgoing struct {
	mu       sync.Mutex
	messages []queue.Outgoing
	first    int // the smallest index in the batch of the messages
}

// add adds a message for an index of the batch.
func (m *outgoing) add(place int, message any, delay time.Duration) error {
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

// send sends the messages. If it fails, any of them may be missing.
func (m *outgoing) send(ctx context.Context, to queue.Sender, f *fault) {
	if len(m.messages) > 0 {
		f.note(m.first, to.Send(ctx, m.messages...))
	}
}
