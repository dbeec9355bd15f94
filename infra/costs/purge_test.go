package costs

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// TestPurgeLeavesNothing plays the story without its deletions, so that its agents have something of every
// resource, deletes the agents, and looks through all that is stored for what still names one of them. A new
// resource that functions/jobs/purge does not list fails here.
func TestPurgeLeavesNothing(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	account, _, _ := tell(t, store, &secret.Keys{Read: secret.Static(secret.NewKey())})
	ids := id.NewSource(time.Now)
	before := items(t, store)
	agents := &agent.Store{Table: store, Now: time.Now, IDs: ids}
	page, err := store.Query(
		t.Context(),
		table.Query{PK: agent.ListPartition(account), Prefix: agent.ListPrefix},
	)
	if err != nil || len(page.Items) < 2 {
		t.Fatalf("the story made %d agents: %v", len(page.Items), err)
	}
	var gone []string
	worker := &purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Budget: time.Minute}
	for _, item := range page.Items {
		summary, err := agent.ReadSummary(item)
		if err != nil {
			t.Fatal(err)
		}
		if err := agents.Delete(t.Context(), account, summary.ID); err != nil {
			t.Fatal(err)
		}
		err = worker.Handle(t.Context(), event.Event{
			Kind: event.AgentDeleted, AccountID: account, AgentID: summary.ID,
		})
		if err != nil {
			t.Fatal(err)
		}
		gone = append(gone, fmt.Sprint(summary.ID))
	}
	after := items(t, store)
	for _, item := range after {
		for _, id := range gone {
			if names(item, id) && !outlives(item.PK) {
				t.Errorf("of a deleted agent there is still %s %s: %s", item.PK, item.SK, item.Doc)
			}
		}
	}
	if len(before) < 150 || len(after) > len(before)*2/3 {
		t.Errorf("of %d items that the story made %d are left", len(before), len(after))
	}
}

// outlives reports whether items of a partition stay, though they name a deleted agent: they expire, belong
// to the workspace, or go when the inbox worker finds no agent for them.
func outlives(partition string) bool {
	kind, _, _ := strings.Cut(partition, "/")
	switch kind {
	case "outbox", "answer", "audit", "seen", "lane":
		return true
	}
	return false
}

func names(item table.Item, id string) bool {
	return strings.Contains(item.PK+" "+item.SK+" "+string(item.Doc), id)
}

// items are all that the store holds.
func items(t *testing.T, store *sqlite.Table) map[table.Key]table.Item {
	t.Helper()
	all := map[table.Key]table.Item{}
	for after := ""; ; {
		changes, err := store.Changes(t.Context(), after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes {
			if change.New == nil {
				delete(all, change.Old.Key)
			} else {
				all[change.New.Key] = *change.New
			}
		}
		if len(changes) < 1000 {
			return all
		}
		after = changes[len(changes)-1].Position
	}
}
