// Package dispatch reads the outbox from the table's change feed and forwards each event to its subscribers:
// to workers by queues, to webhooks, and to the agent's actions. It also queues the lanes of package inbox
// that have new updates.
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
	Inbox      queue.Sender // for lanes with new updates
	// DeadLetters receives outbox items that cannot be dispatched, with their content.
	DeadLetters queue.Sender
	// Channels has the windows in which agents may write to contacts.
	Channels *channel.Registry
	Log      *slog.Logger
}

// purgeDelay is the delay before the data of something deleted is purged. It is longer than any request, so
// that no request in progress writes after the purge.
const purgeDelay = 30 * time.Second

// agentsAtOnce is how many agents' events are dispatched concurrently.
const agentsAtOnce = 16

// Handle dispatches a batch of the feed. If an event fails, it and all later ones are delivered again.
// Repeating what was done for them is harmless. An item that cannot be read is moved to DeadLetters, and the
// others are dispatched.
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

// A batch collects the messages and events of one call, by subscriber.
type batch struct {
	deliveries, jobs            outgoing
	lanes                       map[inbox.Lane]placedNotice
	unreadable                  outgoing
	forWebhooks, triggerActions map[agentDay][]placed
}

// handle dispatches the records: to workers one by one, to webhooks and actions grouped by agent.
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
		handOn func(context.Context, agentDay, []placed, *outgoing) error) {
		for of, events := range groups {
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				f.note(events[0].place, handOn(ctx, of, events, &b.deliveries))
			})
		}
	}
	parallel(b.forWebhooks, s.notifyWebhooks)
	parallel(b.triggerActions, s.runActions)
	wg.Wait()
	b.deliveries.send(ctx, s.Deliveries, f)
	b.jobs.send(ctx, s.Jobs, f)
	s.queueLanes(ctx, b, f)
	b.unreadable.send(ctx, s.DeadLetters, f)
	return f
}

// read decodes a record of the feed: an event of the outbox or a lane with a new update. Both are nil for
// other records.
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

// sort adds an event to the subscribers' parts of the batch.
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

// delay returns how long an event waits for its worker.
func (s *Service) delay(e event.Event) time.Duration {
	switch e.Kind {
	case event.AgentDeleted, event.WebhookDeleted, event.ActionDeleted:
		return purgeDelay
	case event.MessageQueued:
		if e.Attempt > 0 { // an attempt is in progress
			return conversation.FirstRetry
		}
	}
	if e.Due.IsZero() {
		return 0
	}
	return queue.DelayUntil(e.Due, s.Now())
}

// An Unreadable is the dead letter of an outbox item that cannot be dispatched: its content is malformed, or
// a newer version wrote it.
type Unreadable struct {
	Key            string `json:"key"` // the partition key
	SequenceNumber string `json:"sequence_number"`
	Doc            []byte `json:"doc"` // content as stored, in base64; the whole record if it has none
	Error          string `json:"error"`
}

// maxSetAside is the limit of an item's bytes in a dead letter, whose base64 then fits into a queue message.
// Events have a few thousand bytes. The table keeps the item for a week.
const maxSetAside = queue.MaxBody / 2

// setAside moves a record that cannot be dispatched to the dead letters, so that it does not block the feed.
func (s *Service) setAside(
	ctx context.Context, place int, record events.DynamoDBEventRecord, cause error, to *outgoing,
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

// A placed event is an event with its index in the batch.
type placed struct {
	place int
	event.Event
}

// A fault is the first failed index of a batch, if any.
type fault struct {
	mu    sync.Mutex
	place int
	err   error
}

// note records the outcome at an index. A nil error is ignored.
func (f *fault) note(place int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && (f.err == nil || place < f.place) {
		f.place, f.err = place, err
	}
}
