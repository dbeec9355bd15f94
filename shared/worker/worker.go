// Package worker goes through the messages of a queue, each of which carries an event.
package worker

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/event"
)

// Work hands the events of a batch over, one after the other. It answers which messages failed, those that
// are no event among them: they come again, and their errors are logged.
func Work(ctx context.Context, batch events.SQSEvent, log *slog.Logger,
	handle func(context.Context, event.Event) error) events.SQSEventResponse {
	var response events.SQSEventResponse
	for _, message := range batch.Records {
		var e event.Event
		err := json.Unmarshal([]byte(message.Body), &e)
		if err == nil {
			err = handle(ctx, e)
		}
		if err != nil {
			log.LogAttrs(ctx, slog.LevelError, "event failed", slog.String("kind", string(e.Kind)),
				slog.String("message_id", message.MessageId), slog.String("error", err.Error()))
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return response
}
