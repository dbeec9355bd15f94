// Package outbound goes on with the messages that are to leave the service and have not, or may not have.
package outbound

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/queue"
	"frontdesk/shared/worker"
)

// Service handles the messages of the outbound queue.
type Service struct {
	Sender *message.Sender
	Queue  queue.Sender // the same queue, for further attempts
	Log    *slog.Logger
}

// Handle takes a batch of messages. Those that fail come again.
func (s *Service) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	return worker.Work(ctx, batch, s.Log, s.handle), nil
}

func (s *Service) handle(ctx context.Context, e event.Event) error {
	if e.Kind != event.MessageQueued {
		return fmt.Errorf("outbound: no event is called %q", e.Kind)
	}
	return s.Sender.Retry(ctx, s.Queue, e)
}
