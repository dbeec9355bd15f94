package purge_test

import (
	"log/slog"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/event"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/table"
	"frontdesk/shared/worktest"
)

// TestAbandonedEntriesGo has index entries of a document that was never stored, as a crash leaves them.
func TestAbandonedEntriesGo(t *testing.T) {
	store := worktest.Table(t, time.Now)
	const account, agentID, document, generation = 5, 6, 7, 8
	gone := []table.Key{
		knowledge.DocumentWordsKey(account, document, generation),
		knowledge.WordKey(account, agentID, "shelf", document, generation),
	}
	kept := knowledge.WordKey(account, agentID, "shelf", document, generation+1)
	if err := store.WriteAll(t.Context(),
		// the entry of lamp was not written any more
		table.Set(table.Item{Key: gone[0], Blob: []byte("shelf\nlamp")}),
		table.Set(table.Item{Key: gone[1], Blob: []byte{1, 0}}),
		table.Set(table.Item{Key: kept, Blob: []byte{1, 0}}),
	); err != nil {
		t.Fatal(err)
	}
	abandoned := event.Event{
		Kind: event.DocumentIndexing, AccountID: account, AgentID: agentID, DocumentID: document,
		Generation: generation,
	}
	service := &purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Budget: time.Minute}
	for range 2 { // messages may come twice
		if err := service.Handle(t.Context(), abandoned); err != nil {
			t.Fatal(err)
		}
		left, err := store.BatchGet(t.Context(), append(gone, kept)...)
		if _, ok := left[kept]; err != nil || !ok || len(left) != 1 {
			t.Errorf("%d items are left, %v", len(left), err)
		}
	}
}
