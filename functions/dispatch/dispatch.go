// Package dispatch reads the outbox from the table's change feed and hands each event to those it concerns.
package dispatch

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/conversation"
	"frontdesk/shared/delivery"
	"frontdesk/shared/id"
	"frontdesk/shared/outbox"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// Service handles the changes.
type Service struct {
	Table      table.Table
	Now        func() time.Time
	IDs        *id.Source
	Purge      queue.Sender
	Deliveries queue.Sender // of first attempts
	Outbound   queue.Sender
	Funnels    queue.Sender
	Log        *slog.Logger
}

// purgeDelay is how long the data of something that was deleted waits for the purge: longer than a request may take, so
// that none still under way writes behind the purge's back.
const purgeDelay = 30 * time.Second

// indexingDelay is how long index entries wait to be named by their document before the purge looks whether they are:
// as long as a message may wait, which is more than any request takes.
const indexingDelay = queue.MaxDelay

// agentsAtOnce is how many agents' events are handed on at the same time.
const agentsAtOnce = 16

// Handle takes a batch of the feed. Where one change fails, it and those after it come again; what was done for them
// already is then done twice, which does no harm.
func (s *Service) Handle(ctx context.Context, batch events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	changes, err := dynamo.Changes(batch)
	if err != nil {
		return events.DynamoDBEventResponse{}, err
	}
	var response events.DynamoDBEventResponse
	if f := s.handle(ctx, changes); f.err != nil {
		position := changes[f.place].Position
		s.Log.LogAttrs(ctx, slog.LevelError, "event not dispatched",
			slog.String("sequence_number", position), slog.String("error", f.err.Error()))
		response.BatchItemFailures = []events.DynamoDBBatchItemFailure{{ItemIdentifier: position}}
	}
	return response, nil
}

// handle hands events on: one after the other those that lead to one message, and those that webhooks or actions hear of
// together with the others of their agent.
func (s *Service) handle(ctx context.Context, changes []table.Change) *fault {
	f := new(fault)
	var purges, attempts, sends, funnels mail
	heard, triggered := map[agentDay][]placed{}, map[agentDay][]placed{}
	for i, change := range changes {
		if change.New == nil || change.Old != nil || !strings.HasPrefix(change.New.PK, outbox.KeyPrefix) {
			continue
		}
		event, err := outbox.Read(*change.New)
		if err != nil {
			f.note(i, err)
			continue
		}
		switch event.Kind {
		case outbox.AgentDeleted, outbox.WebhookDeleted, outbox.ActionDeleted:
			err = purges.add(i, event, purgeDelay)
		case outbox.DocumentDeleted, outbox.DocumentIndexed:
			err = purges.add(i, event, 0)
		case outbox.DocumentIndexing:
			err = purges.add(i, event, indexingDelay)
		case outbox.MessageQueued:
			delay := conversation.FirstRetry
			if event.Attempt == 0 { // nobody has begun one
				delay = 0
			}
			err = sends.add(i, event, delay)
		case outbox.FunnelWaits:
			err = funnels.add(i, event, queue.DelayUntil(event.Due, s.Now()))
		case outbox.DeliveryRequested:
			to := delivery.Receiver{AccountID: event.AccountID, AgentID: event.AgentID, WebhookID: event.WebhookID}
			err = attempts.add(i, delivery.Message{Receiver: to, DeliveryID: event.DeliveryID, Attempt: event.Attempt}, 0)
		case outbox.MessageSent, outbox.ConversationResolved, outbox.AppointmentCreated, outbox.AppointmentUpdated:
			of := agentDayOf(event)
			heard[of] = append(heard[of], placed{i, event})
		case outbox.ActionsTriggered:
			of := agentDayOf(event)
			triggered[of] = append(triggered[of], placed{i, event})
		}
		f.note(i, err)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, agentsAtOnce)
	together := func(groups map[agentDay][]placed, handOn func(context.Context, agentDay, []placed, *mail) error) {
		for of, events := range groups {
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				f.note(events[0].place, handOn(ctx, of, events, &attempts))
			})
		}
	}
	together(heard, s.announce)
	together(triggered, s.runActions)
	wg.Wait()
	purges.send(ctx, s.Purge, f)
	attempts.send(ctx, s.Deliveries, f)
	sends.send(ctx, s.Outbound, f)
	funnels.send(ctx, s.Funnels, f)
	return f
}

// A placed event is one with its place in the batch.
type placed struct {
	place int
	outbox.Event
}

// A fault is the first place of a batch at which something failed, where something did.
type fault struct {
	mu    sync.Mutex
	place int
	err   error
}

// note takes note of what came of a place; a nil error is nothing.
func (f *fault) note(place int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && (f.err == nil || place < f.place) {
		f.place, f.err = place, err
	}
}
