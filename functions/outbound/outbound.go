// Package outbound goes on with the messages that are to leave the service and have not, or may not have.
package outbound

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/courier"
	"frontdesk/shared/outbox"
	"frontdesk/shared/queue"
)

// Service handles the messages of the outbound queue.
type Service struct {
	Courier *courier.Courier
	Queue   queue.Sender // the same queue, for further attempts
	Log     *slog.Logger
}

// Handle takes a batch of messages. Those that fail come again.
func (s *Service) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	var response events.SQSEventResponse
	for _, message := range batch.Records {
		if err := s.handle(ctx, message.Body); err != nil {
			s.Log.LogAttrs(ctx, slog.LevelError, "outbound message failed",
				slog.String("message_id", message.MessageId), slog.String("error", err.Error()))
			response.BatchItemFailures = append(response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return response, nil
}

func (s *Service) handle(ctx context.Context, body string) error {
	var e outbox.Event
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return err
	}
	if e.Kind != outbox.MessageQueued {
		return fmt.Errorf("outbound: no event is called %q", e.Kind)
	}
	return s.Courier.Retry(ctx, s.Queue, e)
}
