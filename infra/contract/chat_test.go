package contract

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api/apitest"
)

// shop makes an agent that knows a few things.
func shop(t *testing.T, c *Client) string {
	t.Helper()
	agent := c.Agent(t, map[string]any{"business_name": "Bean There", "faqs": []any{
		map[string]any{"question": "Do you have oat milk?", "answer": "Yes, oat milk costs nothing extra."},
	}})
	c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "House rules",
			"content": "The café opens at 7 in the morning on weekdays and at 9 on Sundays. " +
				"Dogs are welcome in the garden. We do not take reservations for fewer than six people."})
	c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "Questions", "doc_type": "faq",
			"content": "Q: Is there parking?\nQ: Where can I leave my car?\nA: Parking is free behind the " +
				"house."})
	return agent
}

func TestChatAnswersFromTheKnowledge(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := shop(t, c)
	for _, test := range []struct{ message, reply, source string }{
		{"Can I bring my dog?", "Dogs are welcome in the garden.", "House rules"},
		{"when do you open on Sundays?",
			"The café opens at 7 in the morning on weekdays and at 9 on Sundays.", "House rules"},
		{"where can i leave my car", "Parking is free behind the house.", "Questions"},
		{"do you have oat milk?", "Yes, oat milk costs nothing extra.", ""},
	} {
		a := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": test.message})
		source := ""
		for _, s := range a.Fields["sources"].([]any) {
			source += s.(map[string]any)["title"].(string)
		}
		if !strings.Contains(a.Text("reply"), test.reply) || a.Text("action") != "respond" ||
			source != test.source {
			t.Errorf("%s: %s", test.message, a.Body)
		}
	}
	a := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "Who won the football world cup in 1974?"})
	if a.Text("action") != "fallback" || len(a.Fields["sources"].([]any)) != 0 || a.Text("reply") == "" ||
		strings.Contains(a.Text("reply"), "welcome") {
		t.Errorf("what it cannot know: %s", a.Body)
	}
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func TestChatSession(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := shop(t, c)
	first := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello 👋"})
	session := first.Text("session_id")
	if !uuid.MatchString(session) {
		t.Errorf("session_id %q", session)
	}
	second := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "Can I bring my dog?", "session_id": strings.ToUpper(session)})
	for _, field := range []string{"conversation_id", "contact_id", "session_id"} {
		if fmt.Sprint(first.Fields[field]) != fmt.Sprint(second.Fields[field]) {
			t.Errorf("%s changed from %v to %v", field, first.Fields[field], second.Fields[field])
		}
	}
	history := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session, nil)
	if history.Number("conversation_id") != first.Number("conversation_id") ||
		history.Number("contact_id") != first.Number("contact_id") || history.Text("session_id") != session {
		t.Errorf("history: %s", history.Body)
	}
	type message struct {
		ID, Direction, Content string
		ByAI                   bool
		Status                 string
	}
	var got []message
	for _, v := range history.Fields["messages"].([]any) {
		m := v.(map[string]any)
		got = append(got, message{fmt.Sprint(m["id"]), m["direction"].(string), m["content"].(string),
			m["sent_by_ai"].(bool), m["status"].(string)})
	}
	want := []message{
		{first.Number("inbound_message_id"), "inbound", "Hello 👋", false, "received"},
		{first.Number("message_id"), "outbound", first.Text("reply"), true, "sent"},
		{second.Number("inbound_message_id"), "inbound", "Can I bring my dog?", false, "received"},
		{second.Number("message_id"), "outbound", second.Text("reply"), true, "sent"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	own := "11111111-2222-4333-8444-555555555555"
	c.WantError(t, 404, "not_found", "", "GET", agent+"chat/history/?session_id="+own, nil)
	if a := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "Hi", "session_id": own}); a.Text("session_id") != own {
		t.Errorf("a session of the caller's own: %s", a.Body)
	}
	c.Want(t, 200, "GET", agent+"chat/history/?session_id="+own, nil)
	c.WantError(t, 400, "validation_error", "session_id", "GET", agent+"chat/history/?session_id=nonsense",
		nil)
	c.WantError(t, 400, "validation_error", "session_id", "GET", agent+"chat/history/", nil)
}

func TestChatHistoryIsTheLatestFifty(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	session := "11111111-2222-4333-8444-666666666666"
	for i := range 27 {
		c.Want(t, 200, "POST", agent+"chat/",
			map[string]any{"message": fmt.Sprint("Message ", i), "session_id": session})
	}
	messages := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session,
		nil).Fields["messages"].([]any)
	if first := messages[0].(map[string]any)["content"]; len(messages) != 50 || first != "Message 2" {
		t.Errorf("%d messages that begin with %v", len(messages), first)
	}
}

func TestChatLimits(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": strings.Repeat("😀", 4000)})
	c.WantError(t, 400, "validation_error", "message", "POST", agent+"chat/",
		map[string]any{"message": strings.Repeat("a", 4001)})
	c.WantError(t, 400, "validation_error", "message", "POST", agent+"chat/",
		map[string]any{"message": " \n "})
	c.WantError(t, 400, "validation_error", "message", "POST", agent+"chat/", map[string]any{})
	c.WantError(t, 400, "bad_request", "", "POST", agent+"chat/", map[string]any{"message": 5})
	c.WantError(t, 400, "validation_error", "session_id", "POST", agent+"chat/",
		map[string]any{"message": "Hi", "session_id": "nonsense"})
	c.WantError(t, 400, "validation_error", "contact.phone", "POST", agent+"chat/",
		map[string]any{"message": "Hi", "contact": map[string]any{"phone": "0151 234"}})
	c.WantError(t, 400, "validation_error", "contact.email", "POST", agent+"chat/",
		map[string]any{"message": "Hi", "contact": map[string]any{"email": "nobody"}})
	c.WantError(t, 400, "bad_request", "", "POST", agent+"chat/",
		map[string]any{"message": "Hi", "contact": "Ada"})
	c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hi",
		"context": strings.Repeat("b", 5000)})
	c.WantError(t, 404, "not_found", "", "POST", "/agents/5/chat/", map[string]any{"message": "Hi"})
}

func TestChatContacts(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	say := func(contact map[string]any, session string) apitest.Answer {
		t.Helper()
		body := map[string]any{"message": "Hello", "contact": contact}
		if session != "" {
			body["session_id"] = session
		}
		return c.Want(t, 200, "POST", agent+"chat/", body)
	}
	byPhone := say(map[string]any{"name": "Ada", "phone": "+1 (415) 555-2671"}, "")
	again := say(map[string]any{"phone": "+14155552671", "email": "ada@example.com"}, "")
	if byPhone.Number("contact_id") != again.Number("contact_id") ||
		byPhone.Number("conversation_id") == again.Number("conversation_id") {
		t.Errorf("one phone: %s and %s", byPhone.Body, again.Body)
	}
	if byEmail := say(map[string]any{"email": "ADA@example.com"},
		""); byEmail.Number("contact_id") != byPhone.Number("contact_id") {
		t.Errorf("by the e-mail address: %s", byEmail.Body)
	}
	if other := say(map[string]any{"email": "bob@example.com"},
		""); other.Number("contact_id") == byPhone.Number("contact_id") {
		t.Errorf("another e-mail address: %s", other.Body)
	}
	if other := say(map[string]any{"phone": "+14155552672", "email": "ada@example.com"},
		""); other.Number("contact_id") == byPhone.Number("contact_id") {
		t.Errorf("another phone with the same e-mail address: %s", other.Body)
	}
	anonymous := say(nil, "")
	if a, b := say(nil, ""), anonymous; a.Number("contact_id") == b.Number("contact_id") {
		t.Errorf("two visitors are one contact: %s", a.Body)
	}
	known := say(map[string]any{"phone": "+14155552671"}, anonymous.Text("session_id"))
	if known.Number("contact_id") != byPhone.Number("contact_id") ||
		known.Number("conversation_id") != anonymous.Number("conversation_id") {
		t.Errorf("a visitor who turns out to be known: %s", known.Body)
	}
	next := say(nil, anonymous.Text("session_id"))
	if next.Number("contact_id") != byPhone.Number("contact_id") {
		t.Errorf("the session has forgotten who it is: %s", next.Body)
	}
}

func TestChatQuota(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "free")
	agent := c.Agent(t, nil)
	session := "11111111-2222-4333-8444-777777777777"
	for i := range 65 {
		if a := c.Call(t, "POST", agent+"chat/",
			map[string]any{"message": "Hello", "session_id": session}); a.Status != 200 {
			t.Fatalf("reply %d: %d %s", i+1, a.Status, a.Body)
		}
	}
	a := c.WantError(t, 402, "ai_quota_exceeded", "", "POST", agent+"chat/",
		map[string]any{"message": "One more", "session_id": session})
	plan, _ := c.Want(t, 200, "GET", "/me/", nil).Fields["plan"].(map[string]any)
	if a.Text("resets_at") == "" || a.Text("resets_at") != plan["resets_at"] ||
		fmt.Sprint(plan["ai_replies_used"]) != "65" {
		t.Errorf("%s, /me/ says %v", a.Body, plan)
	}
	messages := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session,
		nil).Fields["messages"].([]any)
	if last := messages[len(messages)-1].(map[string]any); last["content"] != "One more" ||
		last["direction"] != "inbound" {
		t.Errorf("the message was not kept: %v", last)
	}
}

func TestChatPausedAgent(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	c.Want(t, 200, "POST", agent+"pause/", nil)
	a := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"})
	if a.Fields["reply"] != nil || a.Text("action") != "agent_paused" || a.Fields["message_id"] != nil ||
		a.Number("inbound_message_id") == "" {
		t.Errorf("%s", a.Body)
	}
	c.Want(t, 200, "POST", agent+"activate/", nil)
	if a := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"}); a.Text("reply") == "" {
		t.Errorf("%s", a.Body)
	}
}

// TestChatInParallel has many people write at once, and many messages come to one session at once.
func TestChatInParallel(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := shop(t, c)
	session := "11111111-2222-4333-8444-888888888888"
	const each = 8
	var wg sync.WaitGroup
	for i := range 2 * each {
		wg.Go(func() {
			body := map[string]any{"message": "Can I bring my dog?"}
			if i%2 == 0 {
				body["session_id"] = session
			}
			if a, err := c.Try("POST", agent+"chat/", body); err != nil || a.Status != 200 {
				t.Errorf("%v %d %s", err, a.Status, a.Body)
			}
		})
	}
	wg.Wait()
	messages := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session,
		nil).Fields["messages"].([]any)
	if len(messages) != 2*each {
		t.Errorf("the session has %d messages, want %d", len(messages), 2*each)
	}
}

// TestDryRun tries an agent out, which leaves nothing behind.
func TestDryRun(t *testing.T) {
	t.Parallel()
	c := Open(t).Client(t, "free")
	agent := c.Agent(t, nil)
	made := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "Dogs", "content": "Dogs are welcome in the garden."})
	before := c.Want(t, 200, "GET", "/me/", nil).Fields["plan"]
	a := c.Want(t, 200, "POST", agent+"chat/dry-run/", map[string]any{"message": "Are dogs welcome?"})
	source := `"sources":[{"document_id":` + made.Number("id") + `,"title":"Dogs"}]`
	if !strings.Contains(a.Text("reply"), "Dogs are welcome") || !strings.Contains(a.Body, source) {
		t.Errorf("%s", a.Body)
	}
	c.Want(t, 200, "POST", agent+"chat/dry-run/", map[string]any{"message": "Who won the cup in 1974?"})
	if after := c.Want(t, 200, "GET", "/me/", nil).Fields["plan"]; !cmp.Equal(before, after) {
		t.Errorf("the plan was %v and is %v", before, after)
	}
	for _, list := range []string{agent + "conversations/", "/contacts/", agent + "knowledge/unanswered/"} {
		if a := c.Want(t, 200, "GET", list, nil); a.Number("count") != "0" {
			t.Errorf("%s has %s", list, a.Number("count"))
		}
	}
	c.WantError(t, 404, "not_found", "", "POST", "/agents/5/chat/dry-run/",
		map[string]any{"message": "Hello"})
}
