package purge_test

import (
	"log/slog"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
	"frontdesk/shared/worktest"
)

// TestQuestionsGo purges an agent that had no answer to some questions. Those to another agent stay.
func TestQuestionsGo(t *testing.T) {
	store := worktest.Table(t, time.Now)
	const account, gone, kept = 5, 6, 7
	for message, q := range []unanswered.Question{
		{ID: 1, AgentID: gone, Question: "Tandems?"}, {ID: 2, AgentID: gone, Question: "A sauna?"},
		{ID: 3, AgentID: kept, Question: "Skates?"},
	} {
		ask, _, err := unanswered.Ask(account, q, table.Item{}, int64(message))
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Transact(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
	}
	service := purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Budget: time.Minute}
	deleted := event.Event{Kind: event.AgentDeleted, AccountID: account, AgentID: gone}
	if err := service.Handle(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[int64]int{gone: 0, kept: 1} {
		page, err := store.Query(t.Context(), table.Query{PK: unanswered.Key(account, agent, 0).PK})
		if err != nil || len(page.Items) != want {
			t.Errorf("agent %d: %d questions, %v; want %d", agent, len(page.Items), err, want)
		}
	}
}
