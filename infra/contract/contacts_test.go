package contract

import (
	"strings"
	"testing"
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
