package dispatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/dispatch"
	"frontdesk/shared/event"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// broken is a queue.Sender that takes nothing.
type broken struct{}

func (broken) Send(context.Context, ...queue.Outgoing) error { return errors.New("out of order") }

// TestUnreadable has items that cannot be read stand between events of two agents: their content goes to the
// dead letters, and the events go on.
func TestUnreadable(t *testing.T) {
	w := newFixture(t)
	first, second := w.hook(t, 0, true, event.ConversationResolved), w.hook(t, 1, true,
		event.ConversationResolved)
	item := func(doc string) table.Change {
		return table.Change{New: &table.Item{Key: event.Key(account, 99), Doc: []byte(doc), Version: 1}}
	}
	const newer = `{"id":99,"kind":"agent.promoted","account_id":5,"rank":7}`
	changes := slices.Concat(
		[]table.Change{item("{")},
		w.happened(t, event.Event{Kind: event.ConversationResolved, AgentID: w.agents[0], ConversationID: 1}),
		[]table.Change{item(newer), item(`{"kind":7}`)},
		w.happened(t, event.Event{Kind: event.ConversationResolved, AgentID: w.agents[1], ConversationID: 2}),
	)
	for i := range changes {
		changes[i].Position = string('a' + rune(i))
	}
	if again := w.read(t, changes); again != "" {
		t.Errorf("%s comes again", again)
	}
	if a, b := w.kept(t, first), w.kept(t, second); len(a) != 1 || len(b) != 1 {
		t.Errorf("delivered: %q, %q", a, b)
	}
	var got []string
	for _, body := range w.unreadable {
		var u dispatch.Unreadable
		if err := json.Unmarshal([]byte(body), &u); err != nil || u.Error == "" || u.Key != "outbox/5/99" {
			t.Errorf("%s, %v", body, err)
		}
		got = append(got, u.SequenceNumber+" "+string(u.Doc))
	}
	if diff := cmp.Diff([]string{"a {", "c " + newer, `d {"kind":7}`}, got); diff != "" {
		t.Error(diff)
	}
	w.DeadLetters = broken{}
	if again := w.read(t, changes); again != "a" {
		t.Errorf("%q comes again where there are no dead letters, want all", again)
	}
}

// TestUnreadableRecord has a record that is no item of ours at all.
func TestUnreadableRecord(t *testing.T) {
	w := newFixture(t)
	to := w.hook(t, 0, true, event.ConversationResolved)
	batch := dynamo.Event(w.happened(t,
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[0], ConversationID: 1,
			At: time.Now()},
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[0], ConversationID: 2,
			At: time.Now()},
	))
	batch.Records[0].Change.NewImage["doc"] = events.NewNumberAttribute("7")
	response, err := w.Handle(t.Context(), batch)
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Errorf("%+v, %v", response, err)
	}
	if len(w.kept(t, to)) != 1 || len(w.unreadable) != 1 {
		t.Errorf("%d delivered, set aside %q", len(w.kept(t, to)), w.unreadable)
	}
}
