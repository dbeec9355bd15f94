package widget_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/message"
)

// TestConfigInAnotherLanguage asks for the box's words in another language than the agent's. What the
// business worded itself stays.
func TestConfigInAnotherLanguage(t *testing.T) {
	s := serve(t)
	for _, test := range []struct{ asked, language, welcome string }{
		{"de", "de", "Hallo! Wie können wir helfen?"},
		{"pt-BR", "pt", "Olá! Como podemos ajudar?"},
		{"xx", "en", "Hello! How can we help you?"},
		{"", "en", "Hello! How can we help you?"},
	} {
		got := s.visitor().Want(t, 200, "GET", s.public()+"config/?language="+test.asked, nil)
		if got.Text("language") != test.language || got.Text("welcome_message") != test.welcome {
			t.Errorf("%q: %s, %q", test.asked, got.Text("language"), got.Text("welcome_message"))
		}
	}
	config := s.public() + "config/?language="
	s.visitor().WantError(t, 400, "validation_error", "language", "GET", config+"%ff", nil)
	s.call(t, s.key, "PATCH", s.path(), `{"welcome_message": "Ahoy!"}`, 200, nil)
	got := s.visitor().Want(t, 200, "GET", config+"de", nil)
	if got.Text("welcome_message") != "Ahoy!" || got.Text("button_text") == "Chat with us" {
		t.Error(got.Body)
	}
}

// TestPoweredBy switches off whose product the box is, which the cheapest plans do not allow.
func TestPoweredBy(t *testing.T) {
	s := serve(t)
	s.call(t, s.key, "PATCH", s.path(), `{"powered_by": false}`, 403, nil)
	s.call(t, s.key, "PATCH", s.path(), `{"powered_by": true}`, 200, nil)
	account, key, err := s.workspaces.Create(t.Context(), "Paying", "starter")
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.agents.Create(t.Context(), account.ID, agent.Agent{Summary: agent.Summary{
		Name: "Mia", Language: agent.English,
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.call(t, key.Text, "PATCH", fmt.Sprintf("/agents/%d/widget/", a.ID), `{"powered_by": false}`, 200, nil)
}

// change changes the conversation of a visitor's message as a person of the business does.
func (s *service) change(t *testing.T, of apitest.Answer, edit func(*message.Unit)) {
	t.Helper()
	id, err := strconv.ParseInt(of.Number("conversation_id"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	store := message.Store{Table: s.table, Now: time.Now, IDs: s.agents.IDs}
	_, err = store.Change(t.Context(), s.agent.AccountID, id, func(u *message.Unit) error {
		edit(u)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHistoryTellsHowItStands follows a conversation that a person takes over and resolves.
func TestHistoryTellsHowItStands(t *testing.T) {
	s := serve(t)
	first := s.visitor().Want(t, 200, "POST", s.public()+"send/", `{"message": "Are dogs welcome?"}`)
	session := first.Text("session_id")
	look := func(query, status string, person bool) {
		t.Helper()
		got := s.visitor().Want(t, 200, "GET", s.public()+"history/?session_id="+session+query, nil)
		if by, _ := got.Fields["person"].(bool); got.Text("status") != status || by != person {
			t.Errorf("%s: %q, person %v: %s", query, got.Text("status"), by, got.Body)
		}
	}
	look("", "open", false)
	look("&after="+first.Number("message_id"), "open", false)
	look("&before="+first.Number("message_id"), "", false)
	s.change(t, first, func(u *message.Unit) { u.Conversation.HandOver("") })
	look("", "open", true)
	s.change(t, first, (*message.Unit).Resolve)
	look("&after="+first.Number("message_id"), "resolved", true)
	for _, rating := range []string{"positive", "negative"} {
		s.visitor().Want(t, 200, "POST", s.public()+"feedback/", fmt.Sprintf(
			`{"session_id": %q, "message_id": %s, "rating": %q}`, session, first.Number("message_id"),
			rating))
		got := s.visitor().Want(t, 200, "GET", s.public()+"history/?session_id="+session, nil)
		if last := got.Fields["messages"].([]any)[1].(map[string]any); last["rating"] != rating {
			t.Errorf("the rated message is %v", last)
		}
	}
}
