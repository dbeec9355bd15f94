package contract

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/platforms"
)

func TestConversations(t *testing.T) {
	s := Open(t)
	c, stranger := s.Client(t, "pro"), s.Client(t, "pro")
	agent := c.Agent(t, map[string]any{"business_description": "We mend bikes."})
	id := strings.Split(agent, "/")[2]
	first := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "Hello", "contact": map[string]any{"name": "Ada", "phone": "+14155550123"}})
	session := first.Text("session_id")
	path := "/conversations/" + first.Number("conversation_id") + "/"
	read := c.Want(t, 200, "GET", path, nil)
	if read.Text("status") != "open" || read.Text("channel") != "api" || read.Text("takeover_mode") != "ai" ||
		read.Fields["ai_enabled"] != true ||
		read.Text("contact_name") != "Ada" || read.Number("contact_id") != first.Number("contact_id") ||
		read.Number("agent_id") != id {
		t.Errorf("%s", read.Body)
	}

	if a := c.Want(t, 200, "POST", path+"handoff/", nil); a.Text("takeover_mode") != "human" ||
		a.Fields["ai_enabled"] != false {
		t.Errorf("%s", a.Body)
	}
	silent := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "Is a person there?", "session_id": session})
	if silent.Fields["reply"] != nil || silent.Text("action") != "human_handling" {
		t.Errorf("%s", silent.Body)
	}
	reply := c.Want(t, 201, "POST", path+"reply/", map[string]any{"message": strings.Repeat("é", 4001)})
	if reply.Text("content") != strings.Repeat("é", 4000) || reply.Fields["sent_by_ai"] != false ||
		reply.Text("direction") != "outbound" {
		t.Errorf("%s", reply.Body)
	}
	if a := c.Want(t, 200, "POST", path+"resume-ai/", nil); a.Text("takeover_mode") != "ai" ||
		a.Fields["ai_enabled"] != true {
		t.Errorf("%s", a.Body)
	}
	messages := c.Want(t, 200, "GET", path+"messages/", nil)
	var lines []string
	for _, m := range messages.Results() {
		lines = append(lines, fmt.Sprintf("%s %v %.20s", m["direction"], m["sent_by_ai"], m["content"]))
	}
	if len(lines) != 4 || lines[0] != "inbound false Hello" ||
		!strings.HasPrefix(lines[1], "outbound true") ||
		lines[2] != "inbound false Is a person there?" || !strings.HasPrefix(lines[3], "outbound false éé") ||
		messages.Number("count") != "4" {
		t.Errorf("%q", lines)
	}
	history, _ := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session,
		nil).Fields["messages"].([]any)
	if last, _ := history[len(history)-1].(map[string]any); fmt.Sprint(last["id"]) != reply.Number("id") {
		t.Errorf("the visitor sees %v", history)
	}
	if a := c.Want(t, 200, "POST", path+"resolve/", nil); a.Text("status") != "resolved" {
		t.Errorf("%s", a.Body)
	}

	created := url.QueryEscape(read.Text("created_at"))
	for list, n := range map[string]int{
		"/conversations/": 1, "/conversations/?status=resolved": 1, "/conversations/?status=open": 0,
		"/conversations/?agent_id=" + id:             1,
		"/conversations/?status=open&agent_id=" + id: 0, agent + "conversations/": 1, agent +
			"conversations/?status=resolved": 1,
		agent + "conversations/?since=" + created: 1, agent + "conversations/?until=" + created: 1,
		agent + "conversations/?since=2099-01-01T00:00:00Z": 0, agent +
			"conversations/?until=2020-01-01T00:00:00Z": 0,
		agent + "conversations/?lead_score_min=0": 1, agent + "conversations/?lead_score_min=100": 0,
	} {
		if a := eventually(t, &c.Client, list, n); a.Number("count") != fmt.Sprint(n) {
			t.Errorf("%s: %s", list, a.Body)
		}
	}

	for _, request := range []string{
		"GET " + path, "GET " + path + "messages/", "POST " + path + "reply/", "POST " + path + "resolve/",
		"POST " + path + "handoff/",
		"POST " + path + "resume-ai/", "GET " + agent + "conversations/", "GET /conversations/?agent_id=" +
			id,
	} {
		method, address, _ := strings.Cut(request, " ")
		stranger.WantError(t, 404, "not_found", "", method, address, map[string]any{"message": "x"})
	}
	if a := stranger.Want(t, 200, "GET", "/conversations/", nil); a.Number("count") != "0" {
		t.Errorf("%s", a.Body)
	}
	c.WantError(t, 400, "validation_error", "message", "POST", path+"reply/", map[string]any{})
	c.WantError(t, 400, "validation_error", "status", "GET", "/conversations/?status=new", nil)
	c.WantError(t, 400, "validation_error", "since", "GET", agent+"conversations/?since=now", nil)
	c.WantError(t, 400, "validation_error", "lead_score_min", "GET",
		agent+"conversations/?lead_score_min=101", nil)

	// A contact that goes leaves its conversations.
	c.Want(t, 204, "DELETE", "/contacts/"+first.Number("contact_id")+"/", nil)
	c.Want(t, 200, "GET", path, nil)
	// An agent that goes takes them along.
	c.Want(t, 204, "DELETE", agent, nil)
	c.WantError(t, 404, "not_found", "", "GET", path, nil)
	c.WantError(t, 404, "not_found", "", "GET", path+"messages/", nil)
	if a := c.Want(t, 200, "GET", "/conversations/", nil); a.Number("count") != "0" || len(a.Results()) != 0 {
		t.Errorf("%s", a.Body)
	}
}

// TestInbox does what the people of a business do with a conversation, and follows it by its changes.
func TestInbox(t *testing.T) {
	s := Open(t)
	c, stranger := s.Client(t, "pro"), s.Client(t, "pro")
	agent := c.Agent(t, map[string]any{"business_description": "We mend bikes."})
	cursor := c.Want(t, 200, "GET", "/changes/", nil).Text("cursor")
	c.WantError(t, 404, "not_found", "", "GET", "/changes/?after=%ff", nil)
	id := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "My gearbox rattles"}).Number(
		"conversation_id")
	path := "/conversations/" + id + "/"
	for deadline := time.Now().Add(10 * time.Second); ; {
		a := c.Want(t, 200, "GET", "/changes/?after="+url.QueryEscape(cursor), nil)
		if fmt.Sprint(a.Fields["conversations"]) == "["+id+"]" && a.Number("unread") == "1" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s", a.Body)
		}
	}
	a := c.Want(t, 200, "PATCH", path,
		map[string]any{"labels": []string{"gears"}, "priority": "high", "read": true})
	if a.Number("unread") != "0" || a.Text("priority") != "high" ||
		fmt.Sprint(a.Fields["labels"]) != "[gears]" {
		t.Errorf("%s", a.Body)
	}
	c.WantError(t, 400, "validation_error", "assignee", "PATCH", path, map[string]any{"assignee": 1})
	note := c.Want(t, 201, "POST", path+"notes/", map[string]any{"content": "The old red one."})
	if notes := c.Want(t, 200, "GET", path+"notes/", nil).Results(); len(notes) != 1 ||
		notes[0]["content"] != note.Text("content") {
		t.Errorf("%v", notes)
	}
	if a := c.Want(t, 200, "GET", path+"messages/", nil); strings.Contains(a.Body, "red one") {
		t.Errorf("a note is among the messages: %s", a.Body)
	}
	eventually(t, &c.Client, "/conversations/?q=rattles", 1)
	eventually(t, &c.Client, "/conversations/?q=silent", 0)
	c.Want(t, 201, "POST", "/contacts/", map[string]any{"agent_id": json.Number(strings.Split(agent, "/")[2]),
		"phone": "+4915112345678", "name": "Jürgen Groß"})
	eventually(t, &c.Client, "/contacts/?q=jurgen", 1)
	eventually(t, &c.Client, "/contacts/?q=1512345", 0)
	eventually(t, &c.Client, "/contacts/?q=15112345", 1)
	for _, request := range []string{"PATCH " + path, "GET " + path + "notes/", "POST " + path + "notes/",
		"POST " + path + "presence/"} {
		method, address, _ := strings.Cut(request, " ")
		stranger.WantError(t, 404, "not_found", "", method, address,
			map[string]any{"content": "x", "activity": "viewing"})
	}
}

// TestPresence has a visitor type to a person, and the person to the visitor.
func TestPresence(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := shop(t, c)
	visitor, widget, _ := c.widget(t, agent)
	first := visitor.Want(t, 200, "POST", widget+"send/", map[string]any{"message": "Can I bring my dog?"})
	session := map[string]any{"session_id": first.Text("session_id")}
	path := "/conversations/" + first.Number("conversation_id") + "/"
	if a := visitor.Want(t, 200, "POST", widget+"typing/", session); a.Fields["person"] != false {
		t.Errorf("%s", a.Body)
	}
	c.Want(t, 200, "POST", path+"handoff/", nil)
	cursor := c.Want(t, 200, "GET", "/changes/", nil).Text("cursor")
	if a := visitor.Want(t, 200, "POST", widget+"typing/", session); a.Fields["person"] != true {
		t.Errorf("%s", a.Body)
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		a := c.Want(t, 200, "GET", "/changes/?after="+url.QueryEscape(cursor), nil)
		if there := a.Fields["presence"].([]any); len(there) == 1 {
			types := there[0].(map[string]any)
			if types["visitor"] != true || fmt.Sprint(types["conversation_id"]) !=
				first.Number("conversation_id") || fmt.Sprint(types["writing_seconds"]) == "0" {
				t.Errorf("%s", a.Body)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s", a.Body)
		}
	}
	seen := c.Want(t, 200, "POST", path+"presence/", map[string]any{"activity": "writing"})
	if there := seen.Fields["presence"].([]any); len(there) != 1 {
		t.Errorf("%s", seen.Body)
	}
	if a := visitor.Want(t, 200, "GET", widget+"history/?after=0&session_id="+first.Text("session_id"),
		nil); fmt.Sprint(a.Fields["writing"]) != "[]" || len(a.Fields["writing"].([]any)) != 1 {
		t.Errorf("%s", a.Body) // an API key has no name
	}
	c.WantError(t, 400, "validation_error", "activity", "POST", path+"presence/",
		map[string]any{"activity": "sleeping"})
	visitor.WantError(t, 400, "validation_error", "session_id", "POST", widget+"typing/",
		map[string]any{"session_id": "x"})
	visitor.WantError(t, 404, "not_found", "", "POST", widget+"typing/",
		map[string]any{"session_id": "11111111-2222-4333-8444-555555555555"})
}

// TestReplyOverWhatsApp has a person reply in a conversation over WhatsApp, in which that may be refused.
func TestReplyOverWhatsApp(t *testing.T) {
	s := Open(t)
	w := s.fixture(t)
	w.connect(t)
	agent := w.path(t, "/agents/{agent_id}/")
	phone := w.Want(t, 200, "GET", w.path(t, "/contacts/{id}/"), nil).Text("phone")
	if a := w.Call(t, "POST", agent+"messages/",
		map[string]any{"to": phone, "text": "Your bicycle is ready."}); a.Status != 201 &&
		(a.Status != 502 || s.graph != nil) {
		// where WhatsApp is not to be reached the conversation begins all the same
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	talk := eventually(t, &w.Client.Client, agent+"conversations/?status=open", 1).Results()[0]
	reply := fmt.Sprintf("/conversations/%v/reply/", talk["id"])
	if s.graph != nil {
		if a := w.Want(t, 201, "POST", reply,
			map[string]any{"message": "It is blue."}); a.Text("status") != "sent" ||
			a.Fields["sent_by_ai"] != false {
			t.Errorf("%s", a.Body)
		}
		s.graph.Answer(platforms.TokenExpired)
		w.WantError(t, 502, "server_error", "", "POST", reply, map[string]any{"message": "And red."})
	}
	w.Want(t, 200, "POST", w.path(t, "/contacts/{id}/")+"opt-out/", nil)
	w.WantError(t, 403, "contact_opted_out", "", "POST", reply, map[string]any{"message": "Or green."})
	w.Want(t, 204, "DELETE", w.path(t, "/contacts/{id}/"), nil)
	w.WantError(t, 422, "unprocessable", "", "POST", reply, map[string]any{"message": "Or white."})
}
