package appointments_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/appointments"
	"frontdesk/shared/agent"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/api/servicetest"
	"frontdesk/shared/contact"
	"frontdesk/shared/event"
)

func serve(t *testing.T) *servicetest.Service {
	t.Helper()
	s := servicetest.New(t)
	(&appointments.Service{Table: s.Table, Now: s.Now, IDs: s.IDs}).Routes(s.Router)
	return s
}

// A client calls the service with the API key of a workspace that has one agent with one contact.
type client struct {
	apitest.Client
	service        *servicetest.Service
	agent, contact int64
}

func newClient(t *testing.T, s *servicetest.Service) *client {
	t.Helper()
	c := &client{Client: s.Client(t, "enterprise"), service: s}
	c.agent = c.newAgent(t)
	c.contact = c.newContact(t, c.agent)
	return c
}

func (c *client) agents() *agent.Store {
	return &agent.Store{Table: c.service.Table, Now: c.service.Now, IDs: c.service.IDs}
}

func (c *client) newAgent(t *testing.T) int64 {
	t.Helper()
	a, err := c.agents().Create(t.Context(), c.Account, agent.Agent{Summary: agent.Summary{Name: "Mia"}},
		1000)
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

func (c *client) contacts() *contact.Store {
	return &contact.Store{Table: c.service.Table, Now: c.service.Now, IDs: c.service.IDs}
}

func (c *client) newContact(t *testing.T, agent int64) int64 {
	t.Helper()
	ada := contact.New(0, agent, c.service.Now())
	ada.Name, ada.Phone = "Ada", "+14155550123"
	ada, _, err := c.contacts().Upsert(t.Context(), c.Account, ada)
	if err != nil {
		t.Fatal(err)
	}
	return ada.ID
}

type object = map[string]any

const start = "2026-03-05T09:30:00+01:00"

// body is a request with what it must have, and with the given fields.
func (c *client) body(fields object) object {
	body := object{"agent_id": c.agent, "contact_id": c.contact, "title": "Hair cut", "start_time": start}
	for field, value := range fields {
		body[field] = value
	}
	return body
}

// create makes an appointment and returns its path.
func (c *client) create(t *testing.T, fields object) string {
	t.Helper()
	return "appointments/" + c.Want(t, 201, "POST", "appointments/", c.body(fields)).Number("id") + "/"
}

// events are those of the outbox: kind, agent and data.
func (c *client) events(t *testing.T) []string {
	t.Helper()
	changes, err := c.service.Table.Changes(t.Context(), "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	events := []string{}
	for _, change := range changes {
		if change.New == nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		if e.AccountID != c.Account || e.ID == 0 || e.At.IsZero() {
			t.Errorf("event %+v", e)
		}
		data, err := e.WebhookData()
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, fmt.Sprint(e.Kind, " ", e.AgentID, " ", string(data)))
	}
	return events
}

// event is one that events returns.
func (c *client) event(kind, path, title, start string) string {
	return fmt.Sprintf(`%s %d {"appointment_id":%s,"title":"%s","start_time":"%s","contact_phone":"+14155550123"}`,
		kind, c.agent, strings.Split(path, "/")[1], title, start)
}

func TestCreate(t *testing.T) {
	c := newClient(t, serve(t))
	title := `Cut & colour <"deluxe"> 💇🏽‍♀️ für Ada`
	got := c.Want(t, 201, "POST", "appointments/", c.body(object{
		"id": 5, "contact_name": "Eve", "title": " " + title + " ", "notes": " Wants it short\n",
		"end_time": "2026-03-05T08:45:00.999Z",
		"status":   "confirmed", "created_at": "x",
	}))
	if at, err := time.Parse(time.RFC3339, got.Text("created_at")); err != nil || at.Year() != 2026 ||
		at.After(c.service.Now()) {
		t.Errorf("created_at is %v, %v", got.Fields["created_at"], err)
	}
	path := "appointments/" + got.Number("id") + "/"
	want := object{
		"id": json.Number(got.Number("id")), "agent_id": json.Number(fmt.Sprint(c.agent)),
		"contact_id":   json.Number(fmt.Sprint(c.contact)),
		"contact_name": "Ada", "title": title, "notes": "Wants it short", "start_time": start,
		"end_time": "2026-03-05T08:45:00Z",
		"status":   "confirmed", "created_at": got.Text("created_at"), "updated_at": got.Text("created_at"),
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	if read := c.Want(t, 200, "GET", path, nil); read.Body != got.Body {
		t.Errorf("read %s, created %s", read.Body, got.Body)
	}
	event := c.event("appointment.created", path, strings.ReplaceAll(title, `"`, `\"`), "2026-03-05 09:30:00+01:00")
	if diff := cmp.Diff([]string{event}, c.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}

	plain := c.Want(t, 201, "POST", "appointments/", c.body(object{"end_time": nil, "notes": nil}))
	if plain.Text("status") != "pending" || plain.Text("notes") != "" ||
		plain.Text("end_time") != "2026-03-05T10:00:00+01:00" {
		t.Errorf("%s", plain.Body)
	}
	for field, most := range map[string]int{"title": 200, "notes": 5000} {
		long := strings.Repeat("😀", most)
		if got := c.Want(t, 201, "POST", "appointments/",
			c.body(object{field: long + "é"})).Text(field); got != long {
			t.Errorf("%s is cut to %d characters, want %d", field, len([]rune(got)), most)
		}
	}
}

// TestTimes expects times to come back as they went in, and events to have them in their own form.
func TestTimes(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	before := time.Local
	t.Cleanup(func() { time.Local = before })
	time.Local = berlin // whose offsets are those of some of the times, and change
	c := newClient(t, serve(t))
	var want []string
	for _, test := range []struct{ start, end, shown, event, ends string }{
		{
			"2026-03-05T09:30:00Z", "", "2026-03-05T09:30:00Z", "2026-03-05 09:30:00+00:00",
			"2026-03-05T10:00:00Z",
		},
		{
			"2026-03-05T09:30:00+00:00", "", "2026-03-05T09:30:00Z", "2026-03-05 09:30:00+00:00",
			"2026-03-05T10:00:00Z",
		},
		{
			"2026-03-05t09:30:00z", "", "2026-03-05T09:30:00Z", "2026-03-05 09:30:00+00:00",
			"2026-03-05T10:00:00Z",
		},
		{
			"2026-03-05T09:30:00.75-03:30", "", "2026-03-05T09:30:00-03:30", "2026-03-05 09:30:00-03:30",
			"2026-03-05T10:00:00-03:30",
		},
		{
			"2026-03-05T00:10:00+14:00", "", "2026-03-05T00:10:00+14:00", "2026-03-05 00:10:00+14:00",
			"2026-03-05T00:40:00+14:00",
		},
		{
			"2028-02-29T23:45:00+05:45", "", "2028-02-29T23:45:00+05:45", "2028-02-29 23:45:00+05:45",
			"2028-03-01T00:15:00+05:45",
		},
		// Over the change to summer time, where the clock is told to go from 2 to 3.
		{
			"2026-03-29T01:45:00+01:00", "2026-03-29T03:15:00+02:00", "2026-03-29T01:45:00+01:00",
			"2026-03-29 01:45:00+01:00", "2026-03-29T03:15:00+02:00",
		},
		{
			"2026-03-29T01:45:00+01:00", "", "2026-03-29T01:45:00+01:00", "2026-03-29 01:45:00+01:00",
			"2026-03-29T02:15:00+01:00",
		},
		{
			"1970-01-01T00:00:00Z", "", "1970-01-01T00:00:00Z", "1970-01-01 00:00:00+00:00",
			"1970-01-01T00:30:00Z",
		},
		{
			"2999-12-31T22:59:58-01:00", "2999-12-31T23:59:59Z", "2999-12-31T22:59:58-01:00",
			"2999-12-31 22:59:58-01:00", "2999-12-31T23:59:59Z",
		},
		{
			"2026-01-01T00:00:00Z", "2027-01-02T00:00:00Z", "2026-01-01T00:00:00Z",
			"2026-01-01 00:00:00+00:00", "2027-01-02T00:00:00Z",
		},
	} {
		got := c.Want(t, 201, "POST", "appointments/",
			c.body(object{"start_time": test.start, "end_time": test.end}))
		if got.Text("start_time") != test.shown || got.Text("end_time") != test.ends {
			t.Errorf("%s to %q: %s", test.start, test.end, got.Body)
		}
		want = append(want, c.event(
			"appointment.created", "appointments/"+got.Number("id"), "Hair cut", test.event))
	}
	if diff := cmp.Diff(want, c.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestCreateRules(t *testing.T) {
	s := serve(t)
	c, stranger := newClient(t, s), newClient(t, s)
	other := c.newAgent(t)
	for _, test := range []struct {
		status      int
		code, field string
		body        any
	}{
		{400, "validation_error", "agent_id", object{}},
		{400, "validation_error", "contact_id", object{"agent_id": c.agent}},
		{400, "validation_error", "title", object{"agent_id": c.agent, "contact_id": c.contact}},
		{
			400, "validation_error", "start_time",
			object{"agent_id": c.agent, "contact_id": c.contact, "title": "Hair cut"},
		},
		{400, "bad_request", "", c.body(object{"agent_id": "5"})},
		{400, "bad_request", "", c.body(object{"contact_id": nil})},
		{400, "bad_request", "", c.body(object{"title": 5})},
		{400, "bad_request", "", c.body(object{"notes": 5})},
		{400, "bad_request", "", c.body(object{"start_time": 1772700000})},
		{400, "bad_request", "", c.body(object{"end_time": 1772700000})},
		{400, "bad_request", "", c.body(object{"status": nil})},
		{400, "bad_request", "", `{"agent_id": `},
		{400, "bad_request", "", `[]`},
		{400, "validation_error", "title", c.body(object{"title": ""})},
		{400, "validation_error", "title", c.body(object{"title": " \n"})},
		{400, "validation_error", "status", c.body(object{"status": ""})},
		{400, "validation_error", "status", c.body(object{"status": "cancelled"})},
		{400, "validation_error", "status", c.body(object{"status": "completed"})},
		{400, "validation_error", "status", c.body(object{"status": "booked"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": ""})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "2026-03-05T09:30:00"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "2026-03-05 09:30:00+01:00"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "2026-03-05"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "tomorrow"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "2026-02-29T09:30:00Z"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "2026-03-05T24:00:00Z"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "2026-03-05T09:30:00+24:00"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "0001-01-01T00:00:00Z"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "1970-01-01T00:59:59+01:00"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "2999-12-31T23:59:59-00:01"})},
		{400, "validation_error", "start_time", c.body(object{"start_time": "9999-12-31T23:59:59-23:59"})},
		{400, "validation_error", "end_time", c.body(object{"start_time": "2999-12-31T23:30:00Z"})},
		{400, "validation_error", "end_time", c.body(object{"end_time": "2026-03-05T09:30:00"})},
		{400, "validation_error", "end_time", c.body(object{"end_time": start})},
		{400, "validation_error", "end_time", c.body(object{"end_time": "2026-03-05T08:30:00.5Z"})},
		{400, "validation_error", "end_time", c.body(object{"end_time": "2026-03-05T10:30:00+03:00"})},
		{400, "validation_error", "end_time", c.body(object{"end_time": "2027-03-06T09:30:01+01:00"})},
		{404, "not_found", "", c.body(object{"agent_id": 999})},
		{404, "not_found", "", c.body(object{"agent_id": -1})},
		{404, "not_found", "", c.body(object{"agent_id": other})}, // which the contact does not write to
		{404, "not_found", "", c.body(object{"agent_id": stranger.agent})},
		{404, "not_found", "", c.body(object{"agent_id": stranger.agent, "contact_id": stranger.contact})},
		{404, "not_found", "", c.body(object{"contact_id": 999})},
		{404, "not_found", "", c.body(object{"contact_id": c.agent})},
		{404, "not_found", "", c.body(object{"contact_id": stranger.contact})},
	} {
		c.WantError(t, test.status, test.code, test.field, "POST", "appointments/", test.body)
	}
	if list := c.Want(t, 200, "GET", "appointments/",
		nil); list.Number("count") != "0" || len(list.Results()) != 0 {
		t.Errorf("what was refused left %s", list.Body)
	}
	if events := c.events(t); len(events) != 0 {
		t.Errorf("what was refused is announced: %q", events)
	}
}

func TestUpdate(t *testing.T) {
	c := newClient(t, serve(t))
	path := c.create(t, object{"notes": "Short"})
	created := c.event("appointment.created", path, "Hair cut", "2026-03-05 09:30:00+01:00")
	before := c.Want(t, 200, "GET", path, nil)
	for name, body := range map[string]any{
		"as it was read": before.Fields,
		"nothing":        object{},
		"no body":        nil,
		"what cannot be changed": object{"id": 5, "agent_id": 7, "contact_id": 9, "contact_name": "Eve",
			"created_at": "x", "updated_at": nil},
		"what there is not at all": object{"room": 43},
		"the same time":            object{"start_time": start},
	} {
		if same := c.Want(t, 200, "PATCH", path, body); same.Body != before.Body {
			t.Errorf("%s: %s, want %s", name, same.Body, before.Body)
		}
	}

	want := before.Fields
	want["title"], want["notes"], want["status"] = "Hair dyeing", "", "confirmed"
	after := c.Want(t, 200, "PATCH", path,
		object{"title": " Hair dyeing ", "notes": " ", "status": "confirmed"})
	if after.Text("updated_at") <= after.Text("created_at") {
		t.Errorf("updated at %s, created at %s", after.Text("updated_at"), after.Text("created_at"))
	}
	want["updated_at"] = after.Text("updated_at")
	if diff := cmp.Diff(want, after.Fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The same moment in another place is told so, and is no other time.
	moved := c.Want(t, 200, "PATCH", path, object{"start_time": "2026-03-05T08:30:00Z"})
	if moved.Text("start_time") != "2026-03-05T08:30:00Z" ||
		moved.Text("end_time") != "2026-03-05T10:00:00+01:00" {
		t.Errorf("%s", moved.Body)
	}
	if diff := cmp.Diff([]string{created}, c.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	for _, field := range []string{"title", "start_time", "end_time", "notes", "status"} {
		c.WantError(t, 400, "bad_request", "", "PATCH", path, object{field: 5})
		c.WantError(t, 400, "bad_request", "", "PATCH", path, object{field: nil})
		if field != "notes" {
			c.WantError(t, 400, "validation_error", field, "PATCH", path, object{field: ""})
		}
	}
	c.WantError(t, 400, "validation_error", "status", "PATCH", path, object{"status": "booked"})
	c.WantError(t, 400, "validation_error", "start_time", "PATCH", path,
		object{"start_time": "2026-03-05T09:30:00"})
	if same := c.Want(t, 200, "GET", path, nil); same.Body != moved.Body {
		t.Errorf("what was refused left %s, want %s", same.Body, moved.Body)
	}
}

// TestReschedule moves an appointment, and expects each other time to be announced, and nothing else.
func TestReschedule(t *testing.T) {
	c := newClient(t, serve(t))
	path := c.create(t, nil)
	events := []string{c.event("appointment.created", path, "Hair cut", "2026-03-05 09:30:00+01:00")}
	for _, test := range []struct {
		change           object
		start, end, tell string
	}{
		{
			object{"start_time": "2026-03-06T09:00:00+01:00"}, "2026-03-06T09:00:00+01:00",
			"2026-03-06T09:30:00+01:00", "2026-03-06 09:00:00+01:00",
		},
		{
			object{"end_time": "2026-03-06T11:00:00+01:00"}, "2026-03-06T09:00:00+01:00",
			"2026-03-06T11:00:00+01:00", "2026-03-06 09:00:00+01:00",
		},
		{
			object{"start_time": "2026-07-06T09:00:00+02:00"}, "2026-07-06T09:00:00+02:00",
			"2026-07-06T11:00:00+02:00", "2026-07-06 09:00:00+02:00",
		},
		{
			object{"start_time": "2026-07-06T10:00:00+02:00", "end_time": "2026-07-06T08:20:00Z",
				"status": "confirmed"},
			"2026-07-06T10:00:00+02:00", "2026-07-06T08:20:00Z", "2026-07-06 10:00:00+02:00"},
		{object{"start_time": "2026-07-05T10:00:00+02:00", "status": "cancelled"},
			"2026-07-05T10:00:00+02:00", "2026-07-05T10:20:00+02:00", "2026-07-05 10:00:00+02:00"},
	} {
		got := c.Want(t, 200, "PATCH", path, test.change)
		if got.Text("start_time") != test.start || got.Text("end_time") != test.end {
			t.Errorf("%v: %s", test.change, got.Body)
		}
		events = append(events, c.event("appointment.updated", path, "Hair cut", test.tell))
	}
	other := c.create(t, nil)
	events = append(events, c.event("appointment.created", other, "Hair cut", "2026-03-05 09:30:00+01:00"))
	for _, end := range []string{start, "2026-03-05T09:00:00+01:00", "2027-03-06T09:30:01+01:00"} {
		c.WantError(t, 400, "validation_error", "end_time", "PATCH", other, object{"end_time": end})
	}
	c.WantError(t, 400, "validation_error", "end_time", "PATCH", other,
		object{"start_time": "2026-03-05T10:00:00+01:00", "end_time": "2026-03-05T10:00:00+01:00"})
	c.WantError(t, 400, "validation_error", "start_time", "PATCH", other,
		object{"start_time": "1969-12-31T23:59:59Z"})
	c.Want(t, 204, "DELETE", other, nil)
	if diff := cmp.Diff(events, c.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestStatus tries each way from each status to each.
func TestStatus(t *testing.T) {
	c := newClient(t, serve(t))
	statuses := []string{"pending", "confirmed", "cancelled", "completed"}
	for _, from := range statuses {
		for _, to := range statuses {
			path := c.create(t, nil)
			c.Want(t, 200, "PATCH", path, object{"status": from})
			if from == to || from == "pending" || from == "confirmed" {
				if got := c.Want(t, 200, "PATCH", path, object{"status": to}).Text("status"); got != to {
					t.Errorf("from %s to %s it is %s", from, to, got)
				}
				continue
			}
			c.WantError(t, 400, "validation_error", "status", "PATCH", path,
				object{"status": to, "title": "Eve"})
			if got := c.Want(t, 200, "GET", path,
				nil); got.Text("status") != from || got.Text("title") != "Hair cut" {
				t.Errorf("from %s to %s: %s", from, to, got.Body)
			}
		}
	}
	for _, final := range []string{"cancelled", "completed"} {
		path := c.create(t, nil)
		done := c.Want(t, 200, "PATCH", path, object{"status": final})
		c.WantError(t, 400, "validation_error", "start_time", "PATCH", path,
			object{"start_time": "2026-03-06T09:30:00+01:00"})
		c.WantError(t, 400, "validation_error", "end_time", "PATCH", path,
			object{"end_time": "2026-03-06T09:30:00+01:00"})
		if same := c.Want(t, 200, "PATCH", path, done.Fields); same.Body != done.Body {
			t.Errorf("%s, want %s", same.Body, done.Body)
		}
		if got := c.Want(t, 200, "PATCH", path,
			object{"title": "Cut", "notes": "Came late",
				"status": final}); got.Text("title") != "Cut" || got.Text("notes") != "Came late" {
			t.Errorf("%s", got.Body)
		}
		c.Want(t, 204, "DELETE", path, nil)
	}
}

func TestDelete(t *testing.T) {
	c := newClient(t, serve(t))
	path := c.create(t, nil)
	c.Want(t, 204, "DELETE", path, nil)
	c.WantError(t, 404, "not_found", "", "GET", path, nil)
	c.WantError(t, 404, "not_found", "", "PATCH", path, object{"title": "Cut"})
	c.WantError(t, 404, "not_found", "", "DELETE", path, nil)
	for _, list := range []string{"appointments/", "appointments/?status=pending",
		fmt.Sprint("appointments/?agent_id=", c.agent)} {
		if a := c.Want(t, 200, "GET", list, nil); a.Number("count") != "0" || len(a.Results()) != 0 {
			t.Errorf("%s: %s", list, a.Body)
		}
	}
}

// TestContactGoes expects an appointment to outlive its contact, as it was made.
func TestContactGoes(t *testing.T) {
	c := newClient(t, serve(t))
	path := c.create(t, nil)
	before := c.Want(t, 200, "GET", path, nil)
	if _, err := c.contacts().Change(t.Context(), c.Account, c.contact, func(ada *contact.Contact) error {
		ada.Name = "Ada King"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := c.contacts().Delete(t.Context(), c.Account, c.contact); err != nil {
		t.Fatal(err)
	}
	if after := c.Want(t, 200, "GET", path, nil); after.Body != before.Body {
		t.Errorf("%s, want %s", after.Body, before.Body)
	}
	c.Want(t, 200, "PATCH", path, object{"start_time": "2026-03-06T09:30:00+01:00"})
	want := c.event("appointment.updated", path, "Hair cut", "2026-03-06 09:30:00+01:00")
	if events := c.events(t); len(events) != 2 || events[1] != want {
		t.Errorf("events %q, want the last %q", events, want)
	}
	c.WantError(t, 404, "not_found", "", "POST", "appointments/", c.body(nil))
}

// TestNotOurs asks for an appointment of another workspace, of a deleted agent, and under what is no id.
func TestNotOurs(t *testing.T) {
	s := serve(t)
	c, stranger := newClient(t, s), newClient(t, s)
	theirs := stranger.create(t, nil)
	gone := c.newAgent(t)
	with := c.newContact(t, gone)
	orphan := c.create(t, object{"agent_id": gone, "contact_id": with})
	if err := c.agents().Delete(t.Context(), c.Account, gone); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{theirs, orphan, "appointments/999/", "appointments/0/", "appointments/x/",
		"appointments/9007199254740993/"} {
		c.WantError(t, 404, "not_found", "", "GET", path, nil)
		c.WantError(t, 404, "not_found", "", "PATCH", path, object{"status": "cancelled"})
		c.WantError(t, 404, "not_found", "", "DELETE", path, nil)
	}
	for _, id := range []int64{gone, stranger.agent, 999} {
		c.WantError(t, 404, "not_found", "", "GET", fmt.Sprintf("appointments/?agent_id=%d", id), nil)
		c.WantError(t, 404, "not_found", "", "GET",
			fmt.Sprintf("appointments/?agent_id=%d&status=pending", id), nil)
	}
	c.WantError(t, 404, "not_found", "", "POST", "appointments/",
		c.body(object{"agent_id": gone, "contact_id": with}))
	for _, list := range []string{"appointments/", "appointments/?status=pending"} {
		if a := c.Want(t, 200, "GET", list, nil); a.Number("count") != "0" || len(a.Results()) != 0 {
			t.Errorf("%s: %s", list, a.Body)
		}
	}
	if read := stranger.Want(t, 200, "GET", theirs, nil); read.Text("status") != "pending" {
		t.Errorf("a stranger changed %s", read.Body)
	}
	nobody := apitest.Client{Base: c.Base}
	nobody.WantError(t, 401, "authentication_required", "", "GET", "appointments/", nil)
	for method, path := range map[string]string{"PUT": "appointments/", "DELETE": "appointments/",
		"POST": theirs} {
		if a := c.Call(t, method, path, nil); a.Status != 405 || a.Body != "" {
			t.Errorf("%s %s: %d %q", method, path, a.Status, a.Body)
		}
	}
}

// TestList expects all lists by start, newest first, where many start together, told at many offsets.
func TestList(t *testing.T) {
	c := newClient(t, serve(t))
	other, gone := c.newAgent(t), c.newAgent(t)
	with := map[int64]int64{c.agent: c.contact, other: c.newContact(t, other), gone: c.newContact(t, gone)}
	statuses := []string{"pending", "confirmed", "cancelled", "completed"}
	type made struct {
		path, status string
		agent        int64
		start        time.Time
	}
	var all []made
	for i := range 260 {
		of := c.agent
		switch {
		case i%3 == 0:
			of = other
		case i%7 == 0:
			of = gone
		}
		// A day in the year 2100 comes thrice as often as one before: texts of times at different offsets
		// sort in another order.
		at := time.Date(2026, 3, 5, 9, 30, 0, 0, time.UTC)
		if i%4 != 0 {
			at = time.Date(2100, 1, 1, i%5, 0, 0, 0, time.UTC)
		}
		at = at.In(time.FixedZone("", (i%25-12)*3600))
		path := c.create(
			t, object{"agent_id": of, "contact_id": with[of], "start_time": at.Format(time.RFC3339)})
		status := statuses[i%11%4]
		c.Want(t, 200, "PATCH", path, object{"status": status})
		if of != gone {
			all = append(all, made{path, status, of, at})
		}
	}
	if err := c.agents().Delete(t.Context(), c.Account, gone); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b made) int { return b.start.Compare(a.start) })
	for _, of := range []int64{0, c.agent, other} {
		for _, status := range append(statuses, "") {
			var want []string
			for _, a := range all {
				if (of == 0 || a.agent == of) && (status == "" || a.status == status) {
					want = append(want, a.path)
				}
			}
			query := url.Values{"status": {status}}
			if of != 0 {
				query.Set("agent_id", fmt.Sprint(of))
			}
			var got []string
			at, back := "appointments/?"+query.Encode(), ""
			for at != "" {
				a := c.Want(t, 200, "GET", at, nil)
				if a.Number("count") != fmt.Sprint(len(want)) {
					t.Errorf("%s: count %s, want %d", at, a.Number("count"), len(want))
				}
				for _, item := range a.Results() {
					got = append(got, fmt.Sprintf("appointments/%v/", item["id"]))
				}
				at, back = a.Text("next"), a.Text("previous")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v (-want +got):\n%s", query, diff)
			}
			for pages := (len(want) + 49) / 50; back != ""; {
				a := c.Want(t, 200, "GET", back, nil)
				pages--
				for i, item := range a.Results() {
					if path := fmt.Sprintf("appointments/%v/", item["id"]); path != want[(pages-1)*50+i] {
						t.Errorf("%s: item %d is %s, want %s", back, i, path, want[(pages-1)*50+i])
					}
				}
				back = a.Text("previous")
			}
			if pages := (len(want) + 49) / 50; pages > 1 {
				query.Set("page", fmt.Sprint(pages))
				last := c.Want(t, 200, "GET", "appointments/?"+query.Encode(), nil)
				if n := len(want) - (pages-1)*50; len(last.Results()) != n || last.Fields["next"] != nil {
					t.Errorf("%v has %d results, want %d, and next %v", query, len(last.Results()), n,
						last.Fields["next"])
				}
				query.Set("page", fmt.Sprint(pages+1))
				c.WantError(t, 404, "not_found", "", "GET", "appointments/?"+query.Encode(), nil)
			}
		}
	}
	for query, field := range map[string]string{"status=booked": "status", "status=Pending": "status",
		"agent_id=x": "agent_id"} {
		c.WantError(t, 400, "validation_error", field, "GET", "appointments/?"+query, nil)
	}
	c.WantError(t, 404, "not_found", "", "GET", "appointments/?page=0", nil)
}

// TestConcurrentChanges has many change one appointment at once. What is not final may become confirmed
// before it is cancelled, or not at all, and every change that was answered with 200 is counted and announced
// once.
func TestConcurrentChanges(t *testing.T) {
	c := newClient(t, serve(t))
	for range 5 {
		path := c.create(t, nil)
		events := len(c.events(t))
		var confirmed, cancelled, moved atomic.Int64
		var wg sync.WaitGroup
		for i := range 4 {
			for change, done := range map[string]*atomic.Int64{
				`{"status": "confirmed"}`: &confirmed, `{"status": "cancelled"}`: &cancelled,
				fmt.Sprintf(`{"start_time": "2026-04-0%dT09:30:00Z"}`, i+1): &moved,
			} {
				wg.Go(func() {
					a, err := c.Try("PATCH", path, change)
					switch {
					case err != nil:
						t.Error(err)
					case a.Status == 200:
						done.Add(1)
					case a.Status != 400 || a.Text("field") != "status" && a.Text("field") != "start_time":
						t.Errorf("%s: %d %s", change, a.Status, a.Body)
					}
				})
			}
		}
		wg.Wait()
		if cancelled.Load() != 4 {
			t.Errorf("%d of 4 could cancel", cancelled.Load())
		}
		if got := c.Want(t, 200, "GET", path, nil).Text("status"); got != "cancelled" {
			t.Errorf("it is %s", got)
		}
		if told := int64(len(c.events(t)) - events); told != moved.Load() {
			t.Errorf("moved %d times, told %d times", moved.Load(), told)
		}
	}
	for status, want := range map[string]string{"": "5", "cancelled": "5", "confirmed": "0", "pending": "0"} {
		if n := c.Want(t, 200, "GET", "appointments/?status="+status, nil).Number("count"); n != want {
			t.Errorf("%s of status %q, want %s", n, status, want)
		}
	}
}

// TestCountWhileWriting has appointments come, change and go while their list is read; at the end the count
// is exact.
func TestCountWhileWriting(t *testing.T) {
	c := newClient(t, serve(t))
	const writers, rounds = 4, 12
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for i := range rounds {
				a, err := c.Try("POST", "appointments/", c.body(nil))
				if err != nil || a.Status != 201 {
					t.Error(a.Status, a.Body, err)
					return
				}
				path := "appointments/" + a.Number("id") + "/"
				switch i % 3 {
				case 0:
					a, err = c.Try("PATCH", path, object{"status": "completed"})
				case 1:
					a, err = c.Try("DELETE", path, nil)
				}
				if err != nil || a.Status > 204 {
					t.Error(a.Status, a.Body, err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		a := c.Want(t, 200, "GET", "appointments/", nil)
		if n, err := a.Fields["count"].(json.Number).Int64(); err != nil || n < 0 || n > writers*rounds {
			t.Fatalf("count %d, %v", n, err)
		}
	}
	for query, want := range map[string]int{"": 32, "status=completed": 16, "status=pending": 16,
		"status=cancelled": 0} {
		for _, of := range []string{"", fmt.Sprintf("&agent_id=%d", c.agent)} {
			a := c.Want(t, 200, "GET", "appointments/?"+query+of, nil)
			if a.Number("count") != fmt.Sprint(want) || len(a.Results()) != want {
				t.Errorf("%s%s: count %s, %d results, want %d", query, of, a.Number("count"),
					len(a.Results()), want)
			}
		}
	}
}
