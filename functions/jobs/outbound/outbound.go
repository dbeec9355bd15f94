// Package outbound retries messages of which no platform has confirmed that it took them, and exchanges the
// credentials of channels before they expire.
package outbound

import (
	"context"
	"fmt"

	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/queue"
)

// Service handles the jobs that send a message again or exchange credentials.
type Service struct {
	Sender *message.Sender
	Queue  queue.Sender // the same queue, for further attempts
}

// Handle does the work that an event asks for. After an error the event is to come again.
func (s *Service) Handle(ctx context.Context, e event.Event) error {
	switch {
	case e.Kind == event.MessageQueued:
		return s.Sender.Retry(ctx, s.Queue, e)
	case e.Kind == event.RenewalDue && e.AgentID == 0:
		return s.renewAll(ctx)
	case e.Kind == event.RenewalDue:
		return s.renew(ctx, e)
	}
	return fmt.Errorf("outbound: no event is called %q", e.Kind)
}
