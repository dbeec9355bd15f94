package assistant_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/knowledge"
)

// teach adds a document to the agent's knowledge.
func (w *fixture) teach(t *testing.T, title, content string) {
	t.Helper()
	documents := knowledge.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := documents.Create(t.Context(), w.account.ID, knowledge.Document{
		AgentID: w.agent, Title: title, Type: knowledge.Text, Content: content, Active: true,
	}); err != nil {
		t.Fatal(err)
	}
}

// TestFollowUp tests messages that depend on the previous one, in a session whose id the caller chose and in
// one whose id contains the conversation's.
func TestFollowUp(t *testing.T) {
	w := newFixture(t, "pro")
	w.teach(t, "Pool", "The pool opens at 9 on Saturdays. The pool is closed on Sundays.")
	w.teach(t, "Bar", "The bar opens at 17 on Saturdays. The bar opens at 12 on Sundays.")
	var own, given string
	for _, say := range []string{"When does the bar open on Saturdays?", "And on Sundays?"} {
		for _, session := range []*string{&own, &given} {
			if session == &own {
				own = "22222222-2222-4333-8444-555555555555"
			}
			answer, err := w.Turn(t.Context(), assistant.Message{
				AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
				SessionID: *session, Text: say,
			})
			if err != nil {
				t.Fatal(err)
			}
			*session = answer.SessionID
			if !strings.HasPrefix(say, "And") {
				continue
			}
			if answer.Reply == nil || *answer.Reply != "The bar opens at 12 on Sundays." {
				t.Errorf("%s: %+v", *session, answer)
			}
		}
	}
	w.edit(t, func(a *agent.Agent) { a.MemoryEnabled = false })
	var history []ai.Turn
	w.model.before = func(r ai.Request) error {
		history = r.History
		return nil
	}
	if _, err := w.say(t.Context(), "And on Sundays?"); err != nil || history != nil {
		t.Errorf("without a memory: %+v, %v", history, err)
	}
}

// TestDetails tests what is stored of contacts who tell who they are.
func TestDetails(t *testing.T) {
	type known struct {
		Name, Phone, Email, Preferences string
		Score                           int
	}
	for _, test := range []struct {
		says  string
		reply string // "" to accept any
		want  known
	}{
		{"My name is ada lovelace", "Thank you, Ada Lovelace, I have noted that.",
			known{Name: "Ada Lovelace", Score: 5}},
		{"Hi, I'm called Ada and my email is ADA@example.com", "Thank you, Ada, I have noted that.",
			known{Name: "Ada", Email: "ADA@example.com", Score: 20}},
		{"my name is jan de vries", "Thank you, Jan de Vries, I have noted that.",
			known{Name: "Jan de Vries", Score: 5}},
		{"My name is <b>Ada</b>", "", known{Name: "Ada", Score: 5}},
		{"call me on +1 (415) 555-0123 please", "", known{Phone: "+14155550123", Score: 20}},
		{"ada@example.com, +49 30 12345678", "Thank you, I have noted that.",
			known{Phone: "+493012345678", Email: "ada@example.com", Score: 35}},
		{"My name is Ada. Are dogs welcome?", "Dogs are welcome in the garden.",
			known{Name: "Ada", Score: 5}},
		{"I am vegetarian.", "Thank you, I have noted that.", known{Preferences: "I am vegetarian"}},
		{
			"Are dogs welcome? I prefer a table in the shade.",
			"Dogs are welcome in the garden. Thank you, I have noted that.",
			known{Preferences: "I prefer a table in the shade"},
		},
		{"My order is 12345678", "", known{}},
		{"Hello", "", known{}},
	} {
		w := newFixture(t, "pro")
		w.edit(t, func(a *agent.Agent) { a.LeadCaptureEnabled = true; a.PhoneNumber = "+14155550100" })
		answer, err := w.say(t.Context(), test.says)
		if err != nil {
			t.Fatal(err)
		}
		c := w.contact(t, answer.ContactID)
		got := known{c.Name, c.Phone, c.Email, c.Facts["preferences"], c.LeadScore}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: (-want +got):\n%s", test.says, diff)
		}
		if test.reply != "" && *answer.Reply != test.reply {
			t.Errorf("%q: %q", test.says, *answer.Reply)
		}
	}
}

// TestDetailsOfAnother tests a contact who writes another contact's e-mail address and phone number: they
// are noted, but the other contact keeps them.
func TestDetailsOfAnother(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.LeadCaptureEnabled = true })
	contacts := contact.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	known, _, err := contacts.Upsert(t.Context(), w.account.ID,
		contact.Contact{AgentID: w.agent, Name: "Ada", Phone: "+14155550123", Email: "ada@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := w.say(t.Context(), "ada@example.com, +14155550123")
	if err != nil {
		t.Fatal(err)
	}
	if c := w.contact(t, answer.ContactID); c.ID == known.ID || c.Phone != "" ||
		c.Facts["phone"] != "+14155550123" || c.Email != "ada@example.com" || c.OwnsEmail {
		t.Errorf("%+v", c)
	}
	if c := w.contact(t, known.ID); c.Phone != "+14155550123" || !c.OwnsEmail {
		t.Errorf("the other: %+v", c)
	}
}

// TestMemoryLasts tests that the agent recognises a contact in another session.
func TestMemoryLasts(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.LeadCaptureEnabled = true })
	if _, err := w.say(t.Context(), "My name is Ada, ada@example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.say(t.Context(), "I'm allergic to nuts."); err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	w.model.before = func(r ai.Request) error {
		got = r.Known
		return nil
	}
	answer, err := w.Turn(t.Context(), assistant.Message{
		AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
		Contact: assistant.Identity{Email: "ada@example.com"}, Text: "Hello",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"name": "Ada", "preferences": "I'm allergic to nuts"},
		got); diff != "" {
		t.Error(diff)
	}
	if *answer.Reply != "Hi there, Ada! How can I help you?" {
		t.Errorf("%q", *answer.Reply)
	}
}

// TestAskForContact tests when the agent asks how the contact can be reached.
func TestAskForContact(t *testing.T) {
	const (
		dogs    = "Dogs are welcome in the garden."
		ask     = " May I have a name, and an e-mail address or phone number for us to answer to?"
		askWay  = " May I have an e-mail address or phone number for us to answer to?"
		thanks  = "Thank you, Ada Lovelace, I have noted that."
		allowed = "All right. How else can I help?"
	)
	for _, test := range []struct {
		name   string
		change func(*agent.Agent)
		lines  []line
		want   string // of the contact
	}{
		{"once helped, and not again", nil, []line{
			{"Hello", "respond", "Hi there! How can I help you?"},
			{"Are dogs welcome?", "respond", dogs + ask},
			{"Are dogs welcome?", "respond", dogs},
		}, "  "},
		{"and is told", nil, []line{
			{"Are dogs welcome?", "respond", dogs}, {"Are dogs welcome?", "respond", dogs + ask},
			{"Ada Lovelace, ada@example.com", "respond", thanks}, {"Are dogs welcome?", "respond", dogs},
		}, "Ada Lovelace  ada@example.com"},
		{"and is told a number of its country", nil, []line{
			{"Are dogs welcome?", "respond", dogs}, {"Are dogs welcome?", "respond", dogs + ask},
			{"Sure: 415 555 0123", "respond", "Thank you, I have noted that."},
		}, " +14155550123 "},
		{"and is refused", nil, []line{
			{"Are dogs welcome?", "respond", dogs}, {"Are dogs welcome?", "respond", dogs + ask},
			{"I'd rather not", "respond", allowed},
			{"Are dogs welcome?", "respond", dogs},
		}, "  "},
		{"for a way alone where it knows the name", nil, []line{
			{"My name is Ada Lovelace", "respond", thanks}, {"Are dogs welcome?", "respond", dogs + askWay},
		}, "Ada Lovelace  "},
		{"when a person is to answer, whatever it is for",
			func(a *agent.Agent) { a.ConversionMode = agent.ConvertNothing }, []line{
				{"Are dogs welcome?", "respond", dogs}, {"Are dogs welcome?", "respond", dogs},
				{"Can I talk to a human?", "handoff", getting + ask},
				{"I am at 415-555-0123", "human_handling", ""},
			}, " +14155550123 "},
		{"not where that is switched off", func(a *agent.Agent) { a.LeadCaptureEnabled = false }, []line{
			{"Are dogs welcome?", "respond", dogs}, {"Are dogs welcome?", "respond", dogs},
			{"Can I talk to a human?", "handoff", getting},
			{"ada@example.com", "human_handling", ""},
		}, "  "},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.HandoffEnabled, a.LeadCaptureEnabled, a.ConversionMode, a.PhoneNumber = true, true,
					agent.ConvertLead, "+14155550100"
				if test.change != nil {
					test.change(a)
				}
			})
			c := w.contact(t, w.converse(t, test.lines...).ContactID)
			if got := fmt.Sprint(c.Name, " ", c.Phone, " ", c.Email); got != test.want {
				t.Errorf("the contact is %q, want %q", got, test.want)
			}
		})
	}
}
