package conversations_test

import (
	"fmt"
	"slices"
	"testing"

	"frontdesk/shared/assistant"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// TestPartner changes contacts who have conversations already: by a person, by what they say in another
// conversation, and by who they turn out to be. The conversations follow.
func TestPartner(t *testing.T) {
	c := serve(t).client(t)
	contacts := contact.Store{Table: c.table, Now: c.now, IDs: c.ids}
	say := func(session, name, email, phone string) assistant.Answer {
		t.Helper()
		answer, err := c.visitors.Turn(t.Context(), assistant.Message{
			AccountID: c.account.ID, AgentID: c.agent, Channel: conversation.WebChat, SessionID: session,
			Text:    "Are dogs welcome?",
			Contact: assistant.Identity{Name: name, Email: email, Phone: phone}, Proved: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	change := func(id int64, edit func(*contact.Contact)) {
		t.Helper()
		if _, err := contacts.Change(t.Context(), c.account.ID, id, func(c *contact.Contact) error {
			edit(c)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(conversation int64, name string, score int) {
		t.Helper()
		if a := c.Want(t, 200, "GET", fmt.Sprintf("conversations/%d/", conversation),
			nil); a.Text("contact_name") != name {
			t.Errorf("conversation %d is with %q, want %q", conversation, a.Text("contact_name"), name)
		}
		for min, want := range map[int]bool{score: true, score + 1: false} {
			if min > 100 {
				continue
			}
			a := c.Want(t, 200, "GET",
				fmt.Sprintf("agents/%d/conversations/?lead_score_min=%d", c.agent, min), nil)
			got := slices.ContainsFunc(a.Results(),
				func(r map[string]any) bool { return fmt.Sprint(r["id"]) == fmt.Sprint(conversation) })
			if got != want || a.Number("count") != fmt.Sprint(len(a.Results())) {
				t.Errorf("from a score of %d conversation %d is listed: %v, of %s", min, conversation, got,
					a.Number("count"))
			}
		}
	}
	// The same phone in two sessions.
	first, second := say("", "", "", "+14155550123"), say("", "", "", "+14155550123")
	ada := first.ContactID
	expect(first.ConversationID, "", 20)
	change(ada, func(c *contact.Contact) {
		c.Name, c.Email, c.Budget, c.Location, c.Stage = "Ada", "ada@example.com", "500", "London",
			contact.Customer
	})
	expect(first.ConversationID, "Ada", 100)
	expect(second.ConversationID, "Ada", 100)
	// A name that comes up in one conversation is known in the other.
	third, fourth := say("", "", "", "+14155550124"), say("", "Bob", "", "+14155550124")
	expect(third.ConversationID, "Bob", 25)
	if _, _, err := contacts.Upsert(t.Context(), c.account.ID,
		contact.Contact{AgentID: c.agent, Phone: "+14155550124", Email: "bob@example.com"}); err != nil {
		t.Fatal(err)
	}
	expect(third.ConversationID, "Bob", 40)
	expect(fourth.ConversationID, "Bob", 40)
	if _, err := c.visitors.Identify(t.Context(), assistant.Message{
		AccountID: c.account.ID, AgentID: c.agent, SessionID: session,
		Contact: assistant.Identity{Phone: "+14155550125"}, Proved: true,
	}); err != nil {
		t.Fatal(err)
	}
	// Whoever turns out to be a known contact leaves a contact behind, and the conversation goes along.
	nobody := say("", "", "", "")
	expect(nobody.ConversationID, "", 0)
	say(nobody.SessionID, "", "", "+14155550123")
	expect(nobody.ConversationID, "Ada", 100)
	change(ada, func(c *contact.Contact) { c.Name, c.Stage = "Ada L.", contact.Lead })
	for _, answer := range []assistant.Answer{first, second, nobody} {
		expect(answer.ConversationID, "Ada L.", 60)
	}
	// A conversation that went on with another contact is not the first one's any more.
	say(second.SessionID, "", "", "+14155550124")
	expect(second.ConversationID, "Bob", 40)
	change(ada, func(c *contact.Contact) { c.Name = "Eve" })
	expect(first.ConversationID, "Eve", 60)
	expect(second.ConversationID, "Bob", 40)
}

// TestPartnerOfMany changes a contact with more conversations than a transaction has room for: the latest
// follow.
func TestPartnerOfMany(t *testing.T) {
	c := serve(t).client(t)
	with := contact.New(c.ids.Next(), c.agent, c.now())
	var ids []int64
	for range 60 {
		talk := conversation.New(c.ids.Next(), c.agent, conversation.WebChat, with.Partner())
		with.Join(talk.ID)
		with.Join(talk.ID)
		ids = append(ids, talk.ID)
		item, err := talk.Item(c.account.ID, 0)
		if err == nil {
			err = c.table.Transact(t.Context(), table.PutIfAbsent(item))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	item, err := with.Item(c.account.ID, 0)
	if err == nil {
		err = c.table.Transact(t.Context(), table.PutIfAbsent(item))
	}
	if err != nil {
		t.Fatal(err)
	}
	contacts := contact.Store{Table: c.table, Now: c.now, IDs: c.ids}
	if _, err := contacts.Change(t.Context(), c.account.ID, with.ID, func(c *contact.Contact) error {
		c.Name = "Ada"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var named []int64
	for _, id := range ids {
		if a := c.Want(t, 200, "GET", fmt.Sprintf("conversations/%d/", id),
			nil); a.Text("contact_name") == "Ada" {
			named = append(named, id)
		}
	}
	if !slices.Equal(named, ids[10:]) {
		t.Errorf("%d conversations follow", len(named))
	}
}
