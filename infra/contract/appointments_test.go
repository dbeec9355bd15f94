package contract

import (
	"strings"
	"testing"
)

func TestAppointments(t *testing.T) {
	s := Open(t)
	c, stranger := s.Client(t, "pro"), s.Client(t, "pro")
	agent := strings.Split(c.Agent(t, nil), "/")[2]
	contact := c.Want(t, 201, "POST", "/contacts/",
		map[string]any{"agent_id": number(agent), "phone": "+14155550123", "name": "Ada"}).Number("id")
	body := func(start string) map[string]any {
		return map[string]any{
			"agent_id": number(agent), "contact_id": number(contact), "title": "Hair cut 💇",
			"start_time": start, "notes": "Short",
		}
	}
	created := c.Want(t, 201, "POST", "/appointments/", body("2026-12-01T09:30:00+01:00"))
	path := "/appointments/" + created.Number("id") + "/"
	for field, want := range map[string]string{
		"contact_name": "Ada", "title": "Hair cut 💇", "notes": "Short", "status": "pending",
		"start_time": "2026-12-01T09:30:00+01:00", "end_time": "2026-12-01T10:00:00+01:00",
	} {
		if got := created.Text(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	if read := c.Want(t, 200, "GET", path, nil); read.Body != created.Body ||
		read.Number("agent_id") != agent || read.Number("contact_id") != contact {
		t.Errorf("created %s\nread %s", created.Body, read.Body)
	}
	if same := c.Want(t, 200, "PATCH", path, created.Fields); same.Body != created.Body {
		t.Errorf("sent back as it was read: %s", same.Body)
	}
	moved := c.Want(t, 200, "PATCH", path, map[string]any{"start_time": "2026-12-02T09:30:00+01:00",
		"status": "confirmed", "title": "Cut"})
	if moved.Text("end_time") != "2026-12-02T10:00:00+01:00" || moved.Text("status") != "confirmed" ||
		moved.Text("title") != "Cut" {
		t.Errorf("%s", moved.Body)
	}

	// By the moment of the start, which is the earliest here.
	earlier := c.Want(t, 201, "POST", "/appointments/", body("2026-12-02T10:29:00+02:00"))
	for _, list := range []string{"/appointments/", "/appointments/?agent_id=" + agent} {
		a := eventually(t, &c.Client, list, 2)
		if results := a.Results(); a.Number("count") != "2" || results[0]["id"] != created.Fields["id"] ||
			results[1]["id"] != earlier.Fields["id"] {
			t.Errorf("%s: %s", list, a.Body)
		}
		if a := eventually(t, &c.Client, list+map[bool]string{true: "&",
			false: "?"}[strings.Contains(list, "?")]+"status=confirmed", 1); a.Number("count") != "1" {
			t.Errorf("%s: %s", list, a.Body)
		}
	}

	// Limits, and what is final.
	c.WantError(t, 400, "validation_error", "status", "GET", "/appointments/?status=booked", nil)
	for field, value := range map[string]any{
		"title": " ", "start_time": "2026-12-01T09:30:00", "end_time": "2026-12-01T09:30:00+01:00",
		"status": "cancelled",
	} {
		broken := body("2026-12-01T09:30:00+01:00")
		broken[field] = value
		c.WantError(t, 400, "validation_error", field, "POST", "/appointments/", broken)
	}
	long := body("2026-12-01T09:30:00+01:00")
	long["title"], long["notes"] = strings.Repeat("é", 201), strings.Repeat("é", 5001)
	if a := c.Want(t, 201, "POST", "/appointments/", long); a.Text("title") != strings.Repeat("é", 200) ||
		a.Text("notes") != strings.Repeat("é", 5000) {
		t.Errorf("%d and %d characters", len([]rune(a.Text("title"))), len([]rune(a.Text("notes"))))
	} else {
		c.Want(t, 204, "DELETE", "/appointments/"+a.Number("id")+"/", nil)
	}

	// A time that another one takes, to who asks for a free one.
	taken := body("2026-12-02T10:29:00+02:00")
	taken["only_if_free"] = true
	c.WantError(t, 422, "unprocessable", "", "POST", "/appointments/", taken)
	c.WantError(t, 422, "unprocessable", "", "PATCH", path,
		map[string]any{"start_time": taken["start_time"], "only_if_free": true})

	c.Want(t, 200, "PATCH", path, map[string]any{"status": "completed"})
	c.WantError(t, 400, "validation_error", "status", "PATCH", path, map[string]any{"status": "pending"})
	c.WantError(t, 400, "validation_error", "start_time", "PATCH", path,
		map[string]any{"start_time": "2026-12-03T09:30:00+01:00"})

	// Nobody else's, and nothing that is not there.
	stranger.WantError(t, 404, "not_found", "", "GET", path, nil)
	stranger.WantError(t, 404, "not_found", "", "PATCH", path, map[string]any{"title": "Eve"})
	stranger.WantError(t, 404, "not_found", "", "DELETE", path, nil)
	stranger.WantError(t, 404, "not_found", "", "GET", "/appointments/?agent_id="+agent, nil)
	stranger.WantError(t, 404, "not_found", "", "POST", "/appointments/", body("2026-12-01T09:30:00+01:00"))
	mixed := body("2026-12-01T09:30:00+01:00")
	mixed["agent_id"] = number(strings.Split(c.Agent(t, nil), "/")[2])
	c.WantError(t, 404, "not_found", "", "POST", "/appointments/", mixed)

	// It outlives its contact, but not its agent.
	c.Want(t, 204, "DELETE", "/contacts/"+contact+"/", nil)
	if a := c.Want(t, 200, "GET", path, nil); a.Text("contact_name") != "Ada" ||
		a.Number("contact_id") != contact {
		t.Errorf("%s", a.Body)
	}
	c.Want(t, 204, "DELETE", "/appointments/"+earlier.Number("id")+"/", nil)
	c.WantError(t, 404, "not_found", "", "GET", "/appointments/"+earlier.Number("id")+"/", nil)
	c.Want(t, 204, "DELETE", "/agents/"+agent+"/", nil)
	c.WantError(t, 404, "not_found", "", "GET", path, nil)
	if a := eventually(t, &c.Client, "/appointments/", 0); a.Number("count") != "0" {
		t.Errorf("%s", a.Body)
	}
}
