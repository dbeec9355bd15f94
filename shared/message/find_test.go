package message_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// TestFoundByID finds messages by their ids alone: those that came together, the last of which was replied to
// at once, the reply, and one that nobody replied to.
func TestFoundByID(t *testing.T) {
	const account = 7
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	u := message.Store{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}.New(account)
	u.Begin(5, conversation.WebChat, "")
	text := func(content string) message.Part {
		return message.Part{Kind: conversation.Text, Content: content}
	}
	asked := u.Receive("", nil, text("Hello."), text("Are you open?"))
	reply := u.Say(message.Draft{Text: "Yes."})
	alone := u.Receive("", nil, text("Thanks"))
	if err := u.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	items, err := conversation.Messages{Table: store}.Query(t.Context(),
		conversation.All(account, u.Conversation.ID))
	if err != nil || len(items.Items) != 4 {
		t.Fatalf("%d messages, %v", len(items.Items), err)
	}
	first, err := conversation.ReadMessage(items.Items[0])
	if err != nil {
		t.Fatal(err)
	}
	find := conversation.Store{Table: store}
	for want, trips := range map[int64]int{first.ID: 1, asked.ID: 1, reply.ID: 1, alone.ID: 1} {
		ctx, meter := table.WithMeter(t.Context())
		m, err := find.Message(ctx, account, want)
		if err != nil || m.ID != want || meter.Cost().Trips != trips {
			t.Errorf("message %d: found %d in %d trips, %v", want, m.ID, meter.Cost().Trips, err)
		}
	}
	for _, nobody := range []int64{first.ID - 1, alone.ID + 1} {
		if _, err := find.Message(t.Context(), account, nobody); !errors.Is(err, conversation.ErrNotFound) {
			t.Errorf("message %d: %v", nobody, err)
		}
	}
}
