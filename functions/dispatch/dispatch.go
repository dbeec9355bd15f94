// Package dispatch reads the outbox from the table's change feed and hands each event to its subscribers: to
// workers behind queues, to webhooks, and to the agent's actions. It also queues the lanes of package inbox
// in which the feed shows something new.
package dispatch

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// Service handles the changes.
type Service struct {
	Table      table.Table
	Now        func() time.Time
	IDs        *id.Source
	Deliveries queue.Sender
	Jobs       queue.Sender // for the workers of functions/jobs
	Inbox      queue.Sender // of lanes that have something to process
	// DeadLetters keeps the outbox items that cannot be handed on, with their content.
	DeadLetters queue.Sender
	// Channels says how long after a contact's message an agent may write.
	Channels *channel.Registry
	Log      *slog.Logger
}

// purgeDelay is how long the data of something that was deleted waits for the purge: longer than a request
// may take, so that no request still under way writes after the purge.
const purgeDelay = 30 * time.Second

// agentsAtOnce is how many agents' events are handed on at the same time.
const agentsAtOnce = 16

// Handle takes a batch of the feed. Where handing on an event fails, it and those after it come again; what
// was done for them already is then done twice, which does no harm. An item that cannot be read is set aside,
// and the rest goes on.
func (s *Service) Handle(ctx context.Context, batch events.DynamoDBEvent) (events.DynamoDBEventResponse,
	error) {
	var response events.DynamoDBEventResponse
	if f := s.handle(ctx, batch.Records); f.err != nil {
		position := batch.Records[f.place].Change.SequenceNumber
		s.Log.LogAttrs(ctx, slog.LevelError, "event not dispatched",
			slog.String("sequence_number", position), slog.String("error", f.err.Error()))
		response.BatchItemFailures = []events.DynamoDBBatchItemFailure{{ItemIdentifier: position}}
	}
	return response, nil
}

// A batch is what the events of a batch are handed on to.
type batch struct {
	deliveries, jobs            mail
	lanes                       map[inbox.Lane]placedNotice
	unreadable                  mail
	forWebhooks, triggerActions map[agentDay][]placed
}

// handle hands events on: one by one to workers, and to webhooks and actions together with the others of
// their agent.
func (s *Service) handle(ctx context.Context, records []events.DynamoDBEventRecord) *fault {
	f := new(fault)
	b := &batch{
		lanes:       map[inbox.Lane]placedNotice{},
		forWebhooks: map[agentDay][]placed{}, triggerActions: map[agentDay][]placed{},
	}
	for i, record := range records {
		e, notice, err := read(record)
		switch {
		case err != nil:
			f.note(i, s.setAside(ctx, i, record, err, &b.unreadable))
		case e != nil:
			f.note(i, s.sort(i, *e, b))
		case notice != nil:
			b.addLane(i, *notice)
		}
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, agentsAtOnce)
	parallel := func(groups map[agentDay][]placed,
		handOn func(context.Context, agentDay, []placed, *mail) error) {
		for of, events := range groups {
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				f.note(events[0].place, handOn(ctx, of, events, &b.deliveries))
			})
		}
	}
	parallel(b.forWebhooks, s.tellWebhooks)
	parallel(b.triggerActions, s.runActions)
	wg.Wait()
	b.deliveries.send(ctx, s.Deliveries, f)
	b.jobs.send(ctx, s.Jobs, f)
	s.queueLanes(ctx, b, f)
	b.unreadable.send(ctx, s.DeadLetters, f)
	return f
}

// read is what a record of the feed brings, an event of the outbox or a lane that has something new; both are
// nil for another record.
func read(record events.DynamoDBEventRecord) (*event.Event, *inbox.Notice, error) {
	changes, err := dynamo.Changes(events.DynamoDBEvent{Records: []events.DynamoDBEventRecord{record}})
	if err != nil {
		return nil, nil, err
	}
	item := changes[0].New
	if item == nil || changes[0].Old != nil {
		return nil, nil, nil
	}
	if strings.HasPrefix(item.PK, event.KeyPrefix) {
		e, err := event.Read(*item)
		return &e, nil, err
	}
	notice, ok, err := inbox.ReadNotice(*item)
	if !ok {
		return nil, nil, err
	}
	return nil, &notice, nil
}

// sort puts an event where its subscribers get it from.
func (s *Service) sort(place int, e event.Event, b *batch) error {
	declared, _ := event.Declared(e.Kind)
	data, err := e.WebhookData()
	if err != nil {
		return err
	}
	of := agentDayOf(e)
	if data != nil {
		b.forWebhooks[of] = append(b.forWebhooks[of], placed{place, e})
	}
	if len(e.Triggers) > 0 {
		b.triggerActions[of] = append(b.triggerActions[of], placed{place, e})
	}
	switch declared.Worker {
	case "":
		return nil
	case event.Deliver:
		to := delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID, WebhookID: e.WebhookID}
		m := delivery.Message{Receiver: to, DeliveryID: e.DeliveryID, Attempt: e.Attempt}
		return b.deliveries.add(place, m, 0)
	}
	return b.jobs.add(place, e, s.delay(e))
}

// delay is how long an event waits for its worker.
func (s *Service) delay(e event.Event) time.Duration {
	switch e.Kind {
	case event.AgentDeleted, event.WebhookDeleted, event.ActionDeleted:
		return purgeDelay
	case event.MessageQueued:
		if e.Attempt > 0 { // an attempt is under way
			return conversation.FirstRetry
		}
	}
	if e.Due.IsZero() {
		return 0
	}
	return queue.DelayUntil(e.Due, s.Now())
}

// An Unreadable is an outbox item that cannot be handed on, as it lies among the dead letters: its content is
// broken, or a newer version wrote it.
type Unreadable struct {
	Key            string `json:"key"` // the partition key
	SequenceNumber string `json:"sequence_number"`
	Doc            []byte `json:"doc"` // its content as stored, in base64; the record where it has none
	Error          string `json:"error"`
}

// maxSetAside is how many bytes of an item are set aside, which in base64 is within the limit of a queue.
// Events have some thousand. The table keeps the item for a week.
const maxSetAside = queue.MaxBody / 2

// setAside puts a record that cannot be handed on among the dead letters, so that it holds up nothing.
func (s *Service) setAside(
	ctx context.Context, place int, record events.DynamoDBEventRecord, cause error, to *mail,
) error {
	u := Unreadable{SequenceNumber: record.Change.SequenceNumber, Error: cause.Error()}
	if key, ok := record.Change.Keys["pk"]; ok && key.DataType() == events.DataTypeString {
		u.Key = key.String()
	}
	if doc, ok := record.Change.NewImage["doc"]; ok && doc.DataType() == events.DataTypeString {
		u.Doc = []byte(doc.String())
	} else if text, err := json.Marshal(record); err == nil {
		u.Doc = text
	}
	u.Doc = u.Doc[:min(len(u.Doc), maxSetAside)]
	s.Log.LogAttrs(ctx, slog.LevelError, "event set aside", slog.String("key", u.Key),
		slog.String("sequence_number", u.SequenceNumber), slog.String("error", u.Error))
	return to.add(place, u, 0)
}

// A placed event is one with its place in the batch.
type placed struct {
	place int
	event.Event
}

// A fault is the first place of a batch at which something failed, where something did.
type fault struct {
	mu    sync.Mutex
	place int
	err   error
}

// note records the outcome of a place; a nil error is none.
func (f *fault) note(place int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && (f.err == nil || place < f.place) {
		f.place, f.err = place, err
	}
}
