package contract

import (
	"strings"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
)

func TestContacts(t *testing.T) {
	s := Open(t)
	c, stranger := s.Client(t, "pro"), s.Client(t, "pro")
	agent := strings.Split(c.Agent(t, nil), "/")[2]
	created := c.Want(t, 201, "POST", "/contacts/",
		map[string]any{"agent_id": number(agent), "phone": "+14155550123", "name": "Ada"})
	contact := "/contacts/" + created.Number("id") + "/"
	if created.Text("stage") != "lead" || created.Fields["opted_in"] != true ||
		created.Text("phone") != "+14155550123" {
		t.Errorf("%s", created.Body)
	}
	if read := c.Want(t, 200, "GET", contact, nil); read.Body != created.Body {
		t.Errorf("created %s\nread %s", created.Body, read.Body)
	}
	again := c.Want(t, 200, "POST", "/contacts/",
		map[string]any{"agent_id": number(agent), "phone_number": "+14155550123", "email": "ada@example.com"})
	if again.Number("id") != created.Number("id") || again.Text("email") != "ada@example.com" ||
		again.Text("name") != "Ada" {
		t.Errorf("%s", again.Body)
	}
	changed := c.Want(t, 200, "PATCH", contact,
		map[string]any{"stage": "customer", "notes": "Mornings", "budget": "500", "location": "London"})
	if changed.Text("stage") != "customer" || changed.Text("notes") != "Mornings" ||
		changed.Text("budget") != "500" || changed.Text("location") != "London" {
		t.Errorf("%s", changed.Body)
	}
	for tag, escaped := range map[string]string{"vip": "vip", "a/b": "a%2Fb", "100%": "100%25",
		"🦊 é": "%F0%9F%A6%8A%20%C3%A9", "why?#1": "why%3F%231"} {
		if a := c.Want(t, 200, "POST", contact+"tags/",
			map[string]any{"tags": []string{tag, tag}}); len(a.Fields["tags"].([]any)) != 1 {
			t.Errorf("with %q: %s", tag, a.Body)
		}
		c.Want(t, 200, "DELETE", contact+"tags/nothing/", nil)
		if a := c.Want(t, 200, "DELETE", contact+"tags/"+escaped+"/",
			nil); len(a.Fields["tags"].([]any)) != 0 {
			t.Errorf("without %q: %s", tag, a.Body)
		}
	}
	if a := c.Want(t, 200, "POST", contact+"opt-out/", nil); a.Fields["opted_in"] != false {
		t.Errorf("%s", a.Body)
	}
	for _, list := range []string{"/contacts/", "/contacts/?agent_id=" + agent} {
		if a := eventually(t, &c.Client, list, 1); a.Number("count") != "1" {
			t.Errorf("%s", a.Body)
		}
	}

	// Nobody else's, and nothing that is not there.
	stranger.WantError(t, 404, "not_found", "", "GET", contact, nil)
	stranger.WantError(t, 404, "not_found", "", "PATCH", contact, map[string]any{"name": "Eve"})
	stranger.WantError(t, 404, "not_found", "", "DELETE", contact, nil)
	stranger.WantError(t, 404, "not_found", "", "POST", contact+"tags/",
		map[string]any{"tags": []string{"x"}})
	stranger.WantError(t, 404, "not_found", "", "DELETE", contact+"tags/x/", nil)
	stranger.WantError(t, 404, "not_found", "", "POST", contact+"opt-out/", nil)
	stranger.WantError(t, 404, "not_found", "", "GET", "/contacts/?agent_id="+agent, nil)
	stranger.WantError(t, 404, "not_found", "", "POST", "/contacts/",
		map[string]any{"agent_id": number(agent), "phone": "+14155550123"})
	c.WantError(t, 400, "validation_error", "agent_id", "POST", "/contacts/",
		map[string]any{"phone": "+14155550123"})
	c.WantError(t, 400, "validation_error", "phone", "POST", "/contacts/",
		map[string]any{"agent_id": number(agent)})
	c.WantError(t, 400, "validation_error", "stage", "PATCH", contact, map[string]any{"stage": "friend"})
	c.WantError(t, 400, "validation_error", "tags", "POST", contact+"tags/",
		map[string]any{"tags": []string{}})

	c.Want(t, 204, "DELETE", contact, nil)
	c.WantError(t, 404, "not_found", "", "GET", contact, nil)
	if a := eventually(t, &c.Client, "/contacts/", 0); a.Number("count") != "0" {
		t.Errorf("%s", a.Body)
	}
}

// TestErase exports and erases a contact who chatted and has an appointment, beside another who stays.
func TestErase(t *testing.T) {
	s := Open(t)
	c, stranger := s.Client(t, "pro"), s.Client(t, "pro")
	agent := c.Agent(t, map[string]any{"business_description": "We mend bikes."})
	agentID := number(strings.Split(agent, "/")[2])
	chat := func(phone, text string) apitest.Answer {
		return c.Want(t, 200, "POST", agent+"chat/",
			map[string]any{"message": text, "contact": map[string]any{"name": "Ada", "phone": phone}})
	}
	gone, stays := chat("+14155550123", "Where was the zeppelin built?"), chat("+14155550124", "Hello")
	contact := "/contacts/" + gone.Number("contact_id") + "/"
	talk := "/conversations/" + gone.Number("conversation_id") + "/"
	c.Want(t, 201, "POST", talk+"notes/", map[string]any{"content": "Asks odd things."})
	meeting := c.Want(t, 201, "POST", "/appointments/", map[string]any{"agent_id": agentID,
		"contact_id": number(gone.Number("contact_id")), "title": "Service",
		"start_time": "2027-03-02T09:00:00Z"})
	eventually(t, &c.Client, agent+"knowledge/unanswered/", 1)
	eventually(t, &c.Client, agent+"conversations/", 2)

	stranger.WantError(t, 404, "not_found", "", "GET", contact+"export/", nil)
	export := c.Want(t, 200, "GET", contact+"export/", nil)
	for _, part := range []string{"zeppelin", "Asks odd things.", "+14155550123", "Service"} {
		if !strings.Contains(export.Body, part) {
			t.Errorf("%q is missing in %s", part, export.Body)
		}
	}
	stranger.WantError(t, 404, "not_found", "", "DELETE", contact+"?erase=true", nil)
	c.Want(t, 204, "DELETE", contact+"?erase=true", nil)
	c.WantError(t, 404, "not_found", "", "GET", contact, nil)
	eventually(t, &c.Client, agent+"conversations/", 1)
	eventually(t, &c.Client, agent+"knowledge/unanswered/", 0)
	eventually(t, &c.Client, "/appointments/", 0)
	for _, path := range []string{talk, talk + "messages/", "/appointments/" + meeting.Number("id") + "/"} {
		c.WantError(t, 404, "not_found", "", "GET", path, nil)
	}
	c.Want(t, 200, "GET", "/conversations/"+stays.Number("conversation_id")+"/", nil)
	for deadline := time.Now().Add(time.Minute); ; {
		audit := c.Want(t, 200, "GET", "/audit/", nil).Body
		if strings.Contains(audit, "Erased a contact with 1 conversations of 2 messages and 1 appointments") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the audit log has %s", audit)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
