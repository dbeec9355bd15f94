// Package outbound goes on with the messages that are to leave the service and have not, or may not have.
package outbound

import (
	"context"
	"fmt"

	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/queue"
)

// Service handles the jobs that send a message again.
type Service struct {
	Sender *message.Sender
	Queue  queue.Sender // the same queue, for further attempts
}

// Handle does the work that an event asks for. After an error the event is to come again.
func (s *Service) Handle(ctx context.Context, e event.Event) error {
	if e.Kind != event.MessageQueued {
		return fmt.Errorf("outbound: no event is called %q", e.Kind)
	}
	return s.Sender.Retry(ctx, s.Queue, e)
}
