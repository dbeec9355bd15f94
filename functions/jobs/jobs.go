// Package jobs does the background work of requests: every message of its queue is an event, and the event's
// declaration names the worker that acts on it.
//
// The workers share a queue because a queue that feeds a function is polled, and paid for, while it is empty.
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/functions/jobs/crawl"
	"frontdesk/functions/jobs/funnels"
	"frontdesk/functions/jobs/outbound"
	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/event"
)

// Service hands each message of the queue to its worker.
type Service struct {
	Purge    *purge.Service
	Outbound *outbound.Service
	Funnels  *funnels.Service
	Crawl    *crawl.Service
	Log      *slog.Logger
}

// Handle takes a batch of messages, one after the other. Those that fail come again, those that are no event
// among them; their errors are logged.
func (s *Service) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	var response events.SQSEventResponse
	for _, message := range batch.Records {
		var e event.Event
		err := json.Unmarshal([]byte(message.Body), &e)
		if err == nil {
			err = s.handle(ctx, e)
		}
		if err != nil {
			s.Log.LogAttrs(ctx, slog.LevelError, "event failed", slog.String("kind", string(e.Kind)),
				slog.String("message_id", message.MessageId), slog.String("error", err.Error()))
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return response, nil
}

// handle passes an event to the worker that is declared for its kind. An event of the daily schedule has no
// agent; the worker then finds the agents that are due.
func (s *Service) handle(ctx context.Context, e event.Event) error {
	if e.Kind == event.APIKeyExpiring { // by the daily schedule, to look for such keys
		return s.Purge.Handle(ctx, e)
	}
	declared, _ := event.Declared(e.Kind)
	switch declared.Worker {
	case event.Purge:
		return s.Purge.Handle(ctx, e)
	case event.Outbound:
		return s.Outbound.Handle(ctx, e)
	case event.Funnels:
		return s.Funnels.Handle(ctx, e)
	case event.Crawl:
		return s.Crawl.Handle(ctx, e)
	}
	return fmt.Errorf("jobs: no worker acts on %q", e.Kind)
}
