package dispatch_test

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/dispatch"
	"frontdesk/shared/event"
	"frontdesk/shared/queue/sqlite"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// TestPurges holds after what time each kind of event that leaves something to delete reaches the purge.
func TestPurges(t *testing.T) {
	start := time.Now().Truncate(time.Second) // queues end no delay early, to the millisecond
	now := start
	file, err := sqlite.Open(filepath.Join(t.TempDir(), "queues.db"), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	purges := file.Queue(sqlite.Config{Name: "purge"})
	service := &dispatch.Service{Jobs: purges, Log: slog.New(slog.DiscardHandler)}
	var changes []table.Change
	for i, kind := range []event.Kind{event.AgentDeleted, event.WebhookDeleted, event.ActionDeleted,
		event.DocumentDeleted, event.DocumentIndexed} {
		put, err := event.Event{ID: int64(i + 1), Kind: kind, At: start, AccountID: 5, DocumentID: 7,
			Generation: 8}.Put()
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, table.Change{Position: string('1' + rune(i)), New: &put.Item})
	}
	response, err := service.Handle(t.Context(), dynamo.Event(changes))
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", response, err)
	}
	want := map[time.Duration][]event.Kind{
		0:                {event.DocumentDeleted, event.DocumentIndexed},
		30 * time.Second: {event.AgentDeleted, event.WebhookDeleted, event.ActionDeleted},
	}
	got := map[time.Duration][]event.Kind{}
	for _, after := range []time.Duration{0, 29 * time.Second, 30 * time.Second} {
		now = start.Add(after)
		messages, err := purges.Receive(t.Context(), 10, time.Hour, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			var e event.Event
			if err := json.Unmarshal([]byte(m.Body),
				&e); err != nil || e.AccountID != 5 || e.DocumentID != 7 || e.Generation != 8 {
				t.Errorf("%s, %v", m.Body, err)
			}
			got[after] = append(got[after], e.Kind)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
