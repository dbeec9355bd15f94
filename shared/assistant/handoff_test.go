package assistant_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
)

// edit updates the fixture's agent.
func (w *fixture) edit(t *testing.T, change func(*agent.Agent)) {
	t.Helper()
	agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := agents.Update(t.Context(), w.account.ID, w.agent, func(a *agent.Agent) error {
		change(a)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// conversation returns a stored conversation.
func (w *fixture) conversation(t *testing.T, id int64) conversation.Conversation {
	t.Helper()
	item, err := w.Table.Get(t.Context(), conversation.Key(w.account.ID, id))
	if err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A line is a message of a contact and the expected action and reply.
type line struct{ says, action, reply string }

// converse sends the lines in order in one session, checks the replies and returns the conversation.
func (w *fixture) converse(t *testing.T, lines ...line) conversation.Conversation {
	t.Helper()
	var id int64
	for _, line := range lines {
		answer, err := w.say(t.Context(), line.says)
		if err != nil {
			t.Fatalf("%q: %v", line.says, err)
		}
		got := line
		got.action, got.reply = answer.Action, ""
		if answer.Reply != nil {
			got.reply = *answer.Reply
		}
		if diff := cmp.Diff(line, got, cmp.AllowUnexported(line)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		id = answer.ConversationID
	}
	return w.conversation(t, id)
}

const (
	unknown  = "Sorry, I don't know that one."
	offer    = unknown + " Shall I bring in a colleague?"
	getting  = "Sure, I'm getting a colleague for you."
	sorry    = "I'm really sorry about that. I'm getting a colleague for you."
	question = "Who won the fixture cup in 1974?"
)

func TestHandOff(t *testing.T) {
	for _, test := range []struct {
		name     string
		change   func(*agent.Agent)
		lines    []line
		reason   conversation.HandoffReason
		priority conversation.Priority
	}{
		{"on request", nil, []line{
			{"Can I talk to a human?", "handoff", getting}, {"Hello?", "human_handling", ""},
		}, conversation.HandoffRequested, ""},
		{"in the business's words", func(a *agent.Agent) { a.HandoffMessage = "Ben will be with you." },
			[]line{
				{"Can I talk to a human?", "handoff", "Ben will be with you."},
			}, conversation.HandoffRequested, ""},
		{"on a complaint", nil, []line{{"This is terrible, I am furious", "handoff", sorry}},
			conversation.HandoffComplaint, ""},
		{"on the third answer that is not known", nil, []line{
			{question, "fallback", offer}, {question, "fallback", offer}, {question, "handoff", getting},
			{question, "human_handling", ""},
		}, conversation.HandoffDeclined, ""},
		{"not when an answer comes in between", nil, []line{
			{question, "fallback", offer}, {question, "fallback", offer},
			{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
			{question, "fallback", offer},
		}, "", ""},
		{"not on what asks nothing", nil, []line{
			{"Message 1", "fallback", offer}, {"Message 2", "fallback", offer},
			{"Message 3", "fallback", offer}, {"Message 4", "fallback", offer},
			{question, "fallback", offer}, {question, "handoff", getting},
		}, conversation.HandoffDeclined, ""},
		{"when the offer is taken", nil,
			[]line{{question, "fallback", offer}, {"Yes, please!", "handoff", getting}},
			conversation.HandoffRequested, ""},
		{"not offered at once where the business has words for it",
			func(a *agent.Agent) { a.FallbackMessage = "Pardon?" }, []line{
				{question, "fallback", "Pardon?"},
				{question, "fallback", "Pardon? Shall I bring in a colleague?"},
			}, "", ""},
		{"not offered where a reply has no room for it", func(a *agent.Agent) { a.MaxResponseLength = 50 },
			[]line{
				{question, "fallback", unknown},
			}, "", ""},
		{"on a keyword", func(a *agent.Agent) { a.HandoffKeywords = "refund, allergic reaction" }, []line{
			{"My son has allergic reactions!", "handoff", getting},
		}, conversation.HandoffKeyword, ""},
		{"not on part of a word", func(a *agent.Agent) { a.HandoffKeywords = "dog food, elcome" }, []line{
			{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
		}, "", ""},
		{"never where it is switched off", func(a *agent.Agent) {
			a.HandoffEnabled, a.HandoffKeywords, a.PhoneNumber = false, "refund", "+14155550123"
		}, []line{
			{"I want a refund", "respond",
				"I am sorry to hear that. I cannot bring in a person here.\n+14155550123"},
			{question, "fallback", unknown}, {question, "fallback", unknown}, {question, "fallback", unknown},
			{"Can I talk to a human?", "respond", "I cannot bring in a person here.\n+14155550123"},
		}, "", ""},
		{"urgent", func(a *agent.Agent) { a.UrgentKeywords = "wedding" }, []line{
			{"It's for a WEDDING: are dogs welcome?", "respond", "Dogs are welcome in the garden."},
		}, "", conversation.Urgent},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.HandoffEnabled = true
				if test.change != nil {
					test.change(a)
				}
			})
			c := w.converse(t, test.lines...)
			if test.priority == "" {
				test.priority = conversation.Normal
			}
			over := test.reason != ""
			if c.HandoffReason != test.reason || c.HandedOff != over || c.AnsweredByAI() == over ||
				c.Priority != test.priority {
				t.Errorf("%+v", c)
			}
			if over && len(c.Frame.Said.Unanswered) > 0 {
				t.Errorf("%q are still counted", c.Frame.Said.Unanswered)
			}
		})
	}
}

// TestHandBackBeginsAnew tests that the count of unanswered questions starts at 0 after a hand-back.
func TestHandBackBeginsAnew(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.HandoffEnabled = true })
	c := w.converse(t, line{question, "fallback", offer}, line{question, "fallback", offer},
		line{question, "handoff", getting})
	w.change(t, c.ID, (*conversation.Conversation).HandBack)
	w.converse(t, line{question, "fallback", offer}, line{question, "fallback", offer},
		line{question, "handoff", getting})
}

// TestFailureIsNoHandOff tests that a request for a person hands nothing over if the model fails.
func TestFailureIsNoHandOff(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.HandoffEnabled = true })
	w.model.before = func(ai.Request) error { return errors.New("out of order") }
	answer, err := w.say(context.Background(), "Can I talk to a human?")
	if err == nil || w.conversation(t, answer.ConversationID).HandedOff {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestOptOut(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.OptOutKeywords = "stop, no more messages" })
	c := w.converse(t,
		line{"Does the bus stop here?", "fallback", unknown},
		line{"No more messages, please!", "respond", "Done: we will send you no more messages."},
		line{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
	)
	if w.contact(t, c.ContactID).OptedIn {
		t.Error("the contact is still opted in")
	}
}

// TestOptOutComesWithThePhone tests that a new contact inherits the opt-out of a deleted contact with the
// same phone.
func TestOptOutComesWithThePhone(t *testing.T) {
	for _, test := range []struct {
		name string
		says assistant.Message
		want bool // OptedIn
	}{
		{"the caller tells the phone",
			assistant.Message{Text: "Hello", Contact: assistant.Identity{Phone: "+14155550123"}}, false},
		{"the message tells it", assistant.Message{Text: "My number is +1 415 555 0123"}, false},
		{"another phone",
			assistant.Message{Text: "Hello", Contact: assistant.Identity{Phone: "+14155550124"}}, true},
		{"none", assistant.Message{Text: "Hello"}, true},
	} {
		w := newFixture(t, "pro")
		w.edit(t, func(a *agent.Agent) { a.LeadCaptureEnabled = true })
		contacts := contact.Store{Table: w.Table, Now: w.Now, IDs: w.IDs}
		gone := contact.New(0, w.agent, w.Now())
		gone.Phone, gone.OptedIn = "+14155550123", false
		gone, _, err := contacts.Upsert(t.Context(), w.account.ID, gone)
		if err != nil {
			t.Fatal(err)
		}
		if err := contacts.Delete(t.Context(), w.account.ID, gone.ID); err != nil {
			t.Fatal(err)
		}
		test.says.AccountID, test.says.AgentID, test.says.Channel = w.account.ID, w.agent, conversation.API
		test.says.Proved = true
		answer, err := w.Turn(t.Context(), test.says)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.contact(t, answer.ContactID); got.OptedIn != test.want {
			t.Errorf("%s: %+v", test.name, got)
		}
		if test.want {
			continue
		}
		found, created, err := contacts.Upsert(t.Context(), w.account.ID,
			contact.Contact{AgentID: w.agent, Phone: "+14155550123"})
		if err != nil || created || found.ID != answer.ContactID {
			t.Errorf("%s: the phone leads to %+v, %v", test.name, found, err)
		}
	}
}

// TestOptOutIsNotLeftBehind tests that an anonymous visitor's opt-out applies to the contact that they are
// identified as later.
func TestOptOutIsNotLeftBehind(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.OptOutKeywords = "stop" })
	contacts := contact.Store{Table: w.Table, Now: w.Now, IDs: w.IDs}
	known := contact.New(0, w.agent, w.Now())
	known.Phone = "+14155550123"
	known, _, err := contacts.Upsert(t.Context(), w.account.ID, known)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.say(t.Context(), "stop"); err != nil {
		t.Fatal(err)
	}
	id, err := w.Identify(t.Context(), assistant.Message{
		AccountID: w.account.ID, AgentID: w.agent, SessionID: session,
		Contact: assistant.Identity{Phone: known.Phone}, Proved: true,
	})
	if err != nil || id != known.ID || w.contact(t, id).OptedIn {
		t.Errorf("%+v, %v", w.contact(t, id), err)
	}
}

// contact returns a stored contact.
func (w *fixture) contact(t *testing.T, id int64) contact.Contact {
	t.Helper()
	item, err := w.Table.Get(t.Context(), contact.Key(w.account.ID, id))
	if err != nil {
		t.Fatal(err)
	}
	c, err := contact.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOptOutWithoutReply tests that an opt-out works while the agent does not answer.
func TestOptOutWithoutReply(t *testing.T) {
	for name, silence := range map[string]func(*testing.T, *fixture, assistant.Answer){
		"a person answers": func(t *testing.T, w *fixture, last assistant.Answer) {
			w.change(t, last.ConversationID,
				func(c *conversation.Conversation) { c.HandOver(conversation.HandoffManual) })
		},
		"the agent is paused": func(t *testing.T, w *fixture, _ assistant.Answer) {
			w.edit(t, func(a *agent.Agent) { a.Status = agent.Paused })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) { a.OptOutKeywords = "unsubscribe" })
			answer, err := w.say(t.Context(), "Are dogs welcome?")
			if err != nil {
				t.Fatal(err)
			}
			silence(t, w, answer)
			if answer, err = w.say(t.Context(), "Unsubscribe, please"); err != nil || answer.Reply != nil {
				t.Fatalf("%+v, %v", answer, err)
			}
			if w.contact(t, answer.ContactID).OptedIn {
				t.Error("the contact is still opted in")
			}
		})
	}
}

// TestNamesWithoutSpaces tests that names in scripts without spaces do not make a turn fail, before and after
// a conversation is handed over.
func TestNamesWithoutSpaces(t *testing.T) {
	for _, name := range []string{"山田花子", "王小明", "김철수", "สมชาย ใจดี", "𠮷野家𥍣"} {
		for _, says := range []string{name, "My name is " + name, name + " hanako@example.com",
			"I'm Ada " + name} {
			for _, handed := range []bool{false, true} {
				w := newFixture(t, "enterprise")
				first, err := w.say(t.Context(), "Hello")
				if err != nil {
					t.Fatal(err)
				}
				w.change(t, first.ConversationID, func(c *conversation.Conversation) {
					c.Frame.Asked.Ask(frame.ForContact)
					if handed {
						c.HandOver(conversation.HandoffRequested)
					}
				})
				func() {
					defer func() {
						if fault := recover(); fault != nil {
							t.Errorf("%q, handed over %v: %v", says, handed, fault)
						}
					}()
					if _, err := w.say(t.Context(), says); err != nil {
						t.Errorf("%q: %v", says, err)
					}
				}()
			}
		}
	}
}
