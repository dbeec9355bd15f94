package purge_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/worktest"
)

// TestIdentitiesGo purges an agent that had two conversations with one person on WhatsApp, and another's one
// stays.
func TestIdentitiesGo(t *testing.T) {
	store := worktest.Table(t, time.Now)
	const account, gone, kept, phone = 5, 6, 7, "+14155550123"
	key := func(agent int64) table.Key { return conversation.AddressKey(account, agent, "whatsapp", phone) }
	for id, agent := range map[int64]int64{1: gone, 2: gone, 3: kept} {
		talk := conversation.Conversation{ID: id, AgentID: agent, Status: conversation.Open,
			Channel: conversation.WhatsApp, Address: phone}
		item, err := talk.Item(account, 0)
		if err != nil {
			t.Fatal(err)
		}
		leads, err := conversation.Address{ConversationID: id}.Item(key(agent), 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Transact(t.Context(), table.PutIfAbsent(item), table.Put(leads)); err != nil {
			t.Fatal(err)
		}
	}
	service := purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Budget: time.Minute}
	deleted := event.Event{Kind: event.AgentDeleted, AccountID: account, AgentID: gone}
	if err := service.Handle(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Get(t.Context(), key(gone)); !errors.Is(err, table.ErrNotFound) {
		t.Errorf("the identity of a deleted agent's contact: %v", err)
	}
	if _, err := store.Get(t.Context(), key(kept)); err != nil {
		t.Error(err)
	}
}
