package purge_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/worktest"
)

// TestOptOutsGo purges an agent whose contacts had opted out and were deleted, more of them than a step
// takes. Another agent's stay.
func TestOptOutsGo(t *testing.T) {
	store := worktest.Table(t, time.Now)
	const account, gone, kept, people = 5, 6, 7, 30
	contacts := contact.Store{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}
	phone := func(n int) string { return fmt.Sprintf("+1415555%04d", n) }
	for _, agentID := range []int64{gone, kept} {
		if err := store.Transact(t.Context(),
			table.PutIfAbsent(table.Item{Key: agent.Key(account, agentID), Doc: []byte("{}")})); err != nil {
			t.Fatal(err)
		}
		for n := range people {
			c := contact.New(0, agentID, time.Now())
			c.Phone, c.OptedIn = phone(n), false
			c, _, err := contacts.Upsert(t.Context(), account, c)
			if err != nil {
				t.Fatal(err)
			}
			if err := contacts.Delete(t.Context(), account, c.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	service := purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Budget: time.Minute}
	deleted := event.Event{Kind: event.AgentDeleted, AccountID: account, AgentID: gone}
	if err := service.Handle(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	for n := range people {
		if _, err := store.Get(t.Context(), contact.KeyByPhone(account, gone, phone(n))); !errors.Is(err,
			table.ErrNotFound) {
			t.Errorf("what is kept of %s: %v", phone(n), err)
		}
		if _, err := store.Get(t.Context(), contact.KeyByPhone(account, kept, phone(n))); err != nil {
			t.Error(err)
		}
	}
}
