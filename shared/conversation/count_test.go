package conversation_test

import (
	"path/filepath"
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/tally"
)

// TestFailedIsNotSent sends a message that fails on a later day, which is told twice.
func TestFailedIsNotSent(t *testing.T) {
	const account = 7
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ids := id.NewSource(time.Now)
	of, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), account, agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 3, 2, 23, 59, 59, 0, time.UTC)
	c := conversation.Conversation{ID: ids.Next(), AgentID: of.ID, Status: conversation.Open, CreatedAt: day}
	m := conversation.Message{
		ID: ids.Next(), ConversationID: c.ID, AgentID: of.ID, Direction: conversation.Outbound, Type: conversation.Text,
		Status: conversation.Queued, CreatedAt: day, Sending: &conversation.Sending{},
	}
	writes, err := c.Append(account, m)
	if err != nil {
		t.Fatal(err)
	}
	item, err := c.Item(account, 0)
	if err != nil {
		t.Fatal(err)
	}
	writes = append(append(writes, table.PutIfAbsent(item)), tally.Add(account, of.ID, m.ID, conversation.Recount(nil, &c))...)
	if err := store.Transact(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	expect := func(sent int64) {
		t.Helper()
		days, err := tally.OfDays(t.Context(), store, account, of.ID, day, day)
		if err != nil {
			t.Fatal(err)
		}
		if got := conversation.StatisticsOf(days.Sum()); got.Sent != sent || got.Received != 0 || got.Begun != 1 || got.Response.Count != 0 {
			t.Errorf("%+v, want %d sent", got, sent)
		}
	}
	expect(1)
	messages := conversation.Store{Table: store, Now: func() time.Time { return day.Add(time.Hour) }}
	for range 2 {
		// The second time the message has changed since it was last seen, and is read again.
		if _, err := messages.Settle(t.Context(), account, m, 1, conversation.Outcome{Status: conversation.Failed}); err != nil {
			t.Fatal(err)
		}
		expect(0)
	}
}
