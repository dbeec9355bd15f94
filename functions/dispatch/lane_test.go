package dispatch_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/channel"
	"frontdesk/shared/inbox"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// laneQueue is a queue.Sender that keeps how long each lane waits.
type laneQueue map[inbox.Lane]time.Duration

func (q laneQueue) Send(_ context.Context, messages ...queue.Outgoing) error {
	for _, out := range messages {
		var lane inbox.Lane
		if err := json.Unmarshal([]byte(out.Body), &lane); err != nil {
			return err
		}
		q[lane] = out.Delay
	}
	return nil
}

// stored keeps the items that are put into a table, as changes of its feed.
type stored struct {
	table.Table
	changes []table.Change
}

func (s *stored) Transact(ctx context.Context, writes ...table.Write) error {
	for _, w := range writes {
		item := w.Item
		item.Version = 1
		s.changes = append(s.changes, table.Change{Position: string('a' + rune(len(s.changes))), New: &item})
	}
	return s.Table.Transact(ctx, writes...)
}

// TestLanes stores updates and nothing else, and has dispatch queue the lane of each: those that others may
// follow after the pause, the others at once.
func TestLanes(t *testing.T) {
	w := newFixture(t)
	lanes, now := laneQueue{}, time.Now().Truncate(time.Millisecond)
	clock := func() time.Time { return now }
	w.Inbox, w.Now = lanes, clock
	items := &stored{Table: w.Table}
	updates := inbox.Store{Table: items, Now: clock, IDs: w.IDs}
	of := func(person string) inbox.Lane {
		return inbox.Lane{AccountID: account, AgentID: w.agents[0], Channel: channel.WhatsApp, Person: person}
	}
	for _, add := range []struct {
		person string
		update channel.Update
	}{
		{"writes", channel.Update{Kind: channel.MessageUpdate, ID: "1", Text: "Hi"}},
		{"writes", channel.Update{Kind: channel.StatusUpdate, ID: "2"}},
		{"reads", channel.Update{Kind: channel.StatusUpdate, ID: "3"}},
		{"reacts", channel.Update{Kind: channel.MessageUpdate, ID: "4", Silent: true}},
		{"mails", channel.Update{Kind: channel.MessageUpdate, ID: "5", Mail: &channel.Mail{}}},
	} {
		if _, err := updates.Add(t.Context(), of(add.person), add.update, 2*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(500 * time.Millisecond)
	want := laneQueue{
		of("writes"): 2*time.Second - 500*time.Millisecond, of("reads"): 0, of("reacts"): 0, of("mails"): 0,
	}
	if again := w.read(t, items.changes); again != "" {
		t.Errorf("%s comes again", again)
	}
	if diff := cmp.Diff(want, lanes); diff != "" {
		t.Error(diff)
	}
	w.Inbox = broken{}
	if again := w.read(t, items.changes); again != items.changes[1].Position {
		t.Errorf("%q comes again where the queue fails, want all lanes", again)
	}
}

// TestUnreadableLane sets an update aside that cannot be read.
func TestUnreadableLane(t *testing.T) {
	w := newFixture(t)
	item := table.Item{Key: table.Key{PK: "lane/5/6/sms/+1", SK: "update/7"}, Doc: []byte("{"), Version: 1}
	again := w.read(t, []table.Change{{Position: "a", New: &item}})
	if again != "" || len(w.unreadable) != 1 {
		t.Errorf("%q comes again, set aside: %q", again, w.unreadable)
	}
}
