// Package dispatch reads the outbox from the table's change feed and hands each event to those it concerns.
package dispatch

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/outbox"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// Service handles the changes.
type Service struct {
	Purge queue.Sender
	Log   *slog.Logger
}

// purgeDelay is how long a deleted agent's data waits for the purge: longer than a request may take, so that none still
// under way writes behind the purge's back.
const purgeDelay = 30 * time.Second

// Handle takes a batch of the feed. Where one change fails, it and those after it come again.
func (s *Service) Handle(ctx context.Context, batch events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	changes, err := dynamo.Changes(batch)
	if err != nil {
		return events.DynamoDBEventResponse{}, err
	}
	for _, change := range changes {
		if err := s.handle(ctx, change); err != nil {
			s.Log.LogAttrs(ctx, slog.LevelError, "event not dispatched",
				slog.String("sequence_number", change.Position), slog.String("error", err.Error()))
			return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{
				{ItemIdentifier: change.Position},
			}}, nil
		}
	}
	return events.DynamoDBEventResponse{}, nil
}

func (s *Service) handle(ctx context.Context, change table.Change) error {
	if change.New == nil || change.Old != nil || !strings.HasPrefix(change.New.PK, table.OutboxPrefix) {
		return nil
	}
	event, err := outbox.Read(*change.New)
	if err != nil {
		return err
	}
	switch event.Kind {
	case outbox.AgentDeleted:
		return s.send(ctx, event, purgeDelay)
	case outbox.DocumentDeleted, outbox.DocumentIndexed:
		return s.send(ctx, event, 0)
	}
	return nil
}

func (s *Service) send(ctx context.Context, event outbox.Event, delay time.Duration) error {
	body, err := json.Marshal(event)
	if err != nil {
		return err
	}
	return s.Purge.Send(ctx, queue.Outgoing{Body: string(body), Delay: delay})
}
