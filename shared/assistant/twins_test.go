package assistant_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"frontdesk/shared/assistant"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// TestNoTwins deletes a contact concurrently with chats and an API request that have its phone and external
// id, 200 times. Afterwards at most one contact has them, and their pointers lead to it.
func TestNoTwins(t *testing.T) {
	w := newFixture(t, "enterprise")
	contacts := contact.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	ignore := func(err error) {
		if err != nil && !errors.Is(err, contact.ErrNotFound) {
			t.Error(err)
		}
	}
	for round := range 200 {
		who := assistant.Identity{Phone: fmt.Sprintf("+1415555%04d", round),
			ExternalID: fmt.Sprint("customer-", round)}
		say := func() assistant.Answer {
			answer, err := w.Turn(context.Background(), assistant.Message{
				AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
				Contact: who, Text: "Hello",
			})
			ignore(err)
			return answer
		}
		first := say()
		var wg sync.WaitGroup
		wg.Go(func() { ignore(contacts.Delete(context.Background(), w.account.ID, first.ContactID)) })
		wg.Go(func() {
			made, _, err := contacts.Upsert(context.Background(), w.account.ID, contact.Contact{
				AgentID: w.agent, Phone: who.Phone, Stage: contact.Lead, OptedIn: true, Tags: []string{},
			})
			ignore(err)
			ignore(contacts.Delete(context.Background(), w.account.ID, made.ID))
		})
		for range 3 {
			wg.Go(func() { say() })
		}
		wg.Wait()
		w.wantOne(t, who)
	}
}

// wantOne checks that at most one contact has the phone, and one the external id, and that their pointers
// lead to it or do not exist.
func (w *fixture) wantOne(t *testing.T, who assistant.Identity) {
	t.Helper()
	page, err := w.Table.Query(t.Context(), table.Query{
		Index: table.Index1, PK: contact.KeyByAgent(w.account.ID, w.agent, 0).PK, Descending: true, Limit: 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	var byPhone, byExternal []int64
	for _, item := range page.Items {
		c, err := contact.Read(item)
		if err != nil {
			t.Fatal(err)
		}
		if c.Phone == who.Phone {
			byPhone = append(byPhone, c.ID)
		}
		if c.ExternalID == who.ExternalID {
			byExternal = append(byExternal, c.ID)
		}
	}
	for key, have := range map[table.Key][]int64{
		contact.KeyByPhone(w.account.ID, w.agent, who.Phone):           byPhone,
		contact.KeyByExternalID(w.account.ID, w.agent, who.ExternalID): byExternal,
	} {
		var leads int64
		if item, err := w.Table.Get(t.Context(), key); err == nil {
			pointer, err := contact.ReadPointer(item)
			if err != nil {
				t.Fatal(err)
			}
			leads = pointer.ContactID
		}
		if len(have) > 1 || len(have) == 1 && leads != have[0] || len(have) == 0 && leads != 0 {
			t.Errorf("%s leads to %d, and is that of %v", key.PK, leads, have)
		}
	}
}

// A hooked table calls between once, after the first of a turn's two reads.
type hooked struct {
	table.Table
	between func()
	once    sync.Once
}

func (h *hooked) BatchGet(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	items, err := h.Table.BatchGet(ctx, keys...)
	h.once.Do(h.between)
	return items, err
}

// TestContactGoesMeanwhile deletes a contact after a turn has read the pointer to it: the turn is retried and
// its new contact gets the phone. A pointer to a contact that never existed is replaced too.
func TestContactGoesMeanwhile(t *testing.T) {
	w := newFixture(t, "pro")
	who := assistant.Identity{Phone: "+14155550123", ExternalID: "customer-1"}
	say := func() assistant.Answer {
		t.Helper()
		answer, err := w.Turn(t.Context(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true, Contact: who,
			Text: "Hello",
		})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	first, store := say(), w.Table
	contacts := contact.Store{Table: store, Now: time.Now, IDs: w.IDs}
	w.Table = &hooked{Table: store, between: func() {
		if err := contacts.Delete(t.Context(), w.account.ID, first.ContactID); err != nil {
			t.Error(err)
		}
	}}
	if second := say(); second.ContactID == first.ContactID {
		t.Errorf("still contact %d", second.ContactID)
	}
	w.wantOne(t, who)
	if c, err := contacts.Load(t.Context(), w.account.ID, say().ContactID); err != nil ||
		c.Phone != who.Phone {
		t.Errorf("%+v, %v", c, err)
	}

	who = assistant.Identity{Phone: "+14155550124", ExternalID: "customer-2"}
	astray, err := contact.Pointer{ContactID: 42}.Item(contact.KeyByPhone(w.account.ID, w.agent, who.Phone))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Transact(t.Context(), table.Put(astray)); err != nil {
		t.Fatal(err)
	}
	say()
	w.wantOne(t, who)
}
