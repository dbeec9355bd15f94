package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/platforms"
)

func TestMessages(t *testing.T) {
	s := Open(t)
	c, stranger := s.Client(t, "pro"), s.Client(t, "pro")
	agent := c.Agent(t, nil)
	id := number(strings.Split(agent, "/")[2])
	const ada, nobody = "+14155550123", "+14155550199"
	text := func(to string) map[string]any {
		return map[string]any{"to": to,
			"text": "Your bicycle is ready."}
	}
	template := map[string]any{"to": ada, "type": "template", "template_name": "order_ready",
		"template_params": []string{"Ada"}}
	path := agent + "messages/"

	c.WantError(t, 400, "validation_error", "to", "POST", path, map[string]any{"text": "Hi"})
	c.WantError(t, 400, "validation_error", "text", "POST", path, map[string]any{"to": ada})
	c.WantError(t, 400, "validation_error", "text", "POST", path,
		map[string]any{"to": ada, "text": strings.Repeat("é", 4097)})
	c.WantError(t, 400, "validation_error", "template_name", "POST", path,
		map[string]any{"to": ada, "type": "template"})
	c.WantError(t, 400, "bad_request", "", "POST", path, map[string]any{"to": ada, "text": 1})
	c.WantError(t, 400, "validation_error", "conversation_id", "GET", "/messages/", nil)
	stranger.WantError(t, 404, "not_found", "", "POST", path, text(ada))
	legacy := map[string]any{"agent_id": id, "phone_number": ada, "message": "Hi"}
	stranger.WantError(t, 404, "not_found", "", "POST", "/messages/send/", legacy)

	contact := c.Want(t, 201, "POST", "/contacts/", map[string]any{"agent_id": id, "phone": ada}).Number("id")
	c.WantError(t, 422, "unprocessable", "", "POST", path, template) // not connected
	c.WantError(t, 422, "unprocessable", "", "POST", "/messages/send/", legacy)
	c.Want(t, 201, "POST", agent+"channels/",
		map[string]any{"channel_type": "whatsapp", "config": map[string]any{
			"phone_number_id": "106540352242922", "access_token": "EAAG0bXk",
		}})
	c.WantError(t, 404, "not_found", "", "POST", path, text(nobody))
	c.WantError(t, 422, "unprocessable", "", "POST", path, text(ada)) // they never wrote
	c.WantError(t, 422, "unprocessable", "", "POST", "/messages/send/", legacy)

	if s.graph != nil {
		s.sends(t, c, path, template)
	}
	c.Want(t, 200, "POST", "/contacts/"+contact+"/opt-out/", nil)
	c.WantError(t, 403, "contact_opted_out", "", "POST", path, template)
	c.WantError(t, 403, "contact_opted_out", "", "POST", "/messages/send/", legacy)

	// Messages of all conversations can be read.
	talk := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"})
	list := "/messages/?conversation_id=" + talk.Number("conversation_id")
	said := c.Want(t, 200, "GET", list, nil)
	if said.Number("count") != "2" || said.Results()[0]["content"] != "Hello" {
		t.Errorf("%s", said.Body)
	}
	message := "/messages/" + talk.Number("inbound_message_id") + "/"
	if a := c.Want(t, 200, "GET", message, nil); a.Text("content") != "Hello" ||
		a.Text("direction") != "inbound" || a.Text("status") != "received" {
		t.Errorf("%s", a.Body)
	}
	stranger.WantError(t, 404, "not_found", "", "GET", list, nil)
	stranger.WantError(t, 404, "not_found", "", "GET", message, nil)
	c.Want(t, 204, "DELETE", agent, nil)
	c.WantError(t, 404, "not_found", "", "GET", list, nil)
	c.WantError(t, 404, "not_found", "", "GET", message, nil)
}

// sends has WhatsApp accept a template, reject one, and be out of order for a moment.
func (s *Service) sends(t *testing.T, c *Client, path string, template map[string]any) {
	t.Helper()
	statuses := func() string {
		t.Helper()
		talk := eventually(t, &c.Client, "/conversations/?status=open", 1).Results()[0]
		if talk["channel"] != "whatsapp" {
			t.Errorf("%v", talk)
		}
		var all []string
		for _, m := range c.Want(t, 200, "GET", fmt.Sprintf("/messages/?conversation_id=%s", talk["id"]),
			nil).Results() {
			all = append(all, fmt.Sprint(m["status"]))
		}
		return strings.Join(all, " ")
	}
	if a := c.Want(t, 201, "POST", path, template); a.Text("status") != "queued" ||
		a.Text("to") != template["to"] {
		t.Errorf("%s", a.Body)
	}
	s.graph.Answer(platforms.NoTemplate)
	c.WantError(t, 502, "server_error", "", "POST", path, template)
	s.graph.Answer(platforms.Overloaded)
	c.Want(t, 201, "POST", path, template)
	if got := statuses(); got != "sent failed queued" {
		t.Errorf("the messages are %s", got)
	}
	for deadline := time.Now().Add(20 * time.Second); statuses() != "sent failed sent"; {
		if time.Now().After(deadline) {
			t.Fatalf("the messages are %s", statuses())
		}
		s.Pass(10 * time.Second) // until the queue of jobs looks at it again
		time.Sleep(100 * time.Millisecond)
	}
	if n := len(s.graph.Calls()); n != 4 {
		t.Errorf("%d calls", n)
	}
}
