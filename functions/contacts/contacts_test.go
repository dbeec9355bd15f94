package contacts_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/contacts"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A service is the endpoints over a table of their own.
type service struct {
	table      table.Table
	agents     *agent.Store
	workspaces *auth.Workspaces
	base       string
	now        func() time.Time
}

func serve(t *testing.T) *service {
	t.Helper()
	// The clock goes on by a millisecond whenever it is read, so that later contacts have later times.
	var ticks atomic.Int64
	now := func() time.Time {
		return time.Date(2026, 3, 2, 9, 30, 0, 0,
			time.UTC).Add(time.Duration(ticks.Add(1)) * time.Millisecond)
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ids := id.NewSource(now)
	router := &api.Router{Auth: &auth.Keys{Table: store, Now: now}, Log: slog.New(slog.DiscardHandler)}
	(&contacts.Service{Table: store, Now: now, IDs: ids}).Routes(router)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	return &service{
		store, &agent.Store{Table: store, Now: now, IDs: ids},
		&auth.Workspaces{Table: store, Now: now, IDs: ids},
		server.URL + api.Prefix + "/", now,
	}
}

// A client calls the service with the API key of a workspace that has one agent.
type client struct {
	*service
	*apitest.Client
	account, agent int64
}

func (s *service) client(t *testing.T) *client {
	t.Helper()
	account, key, err := s.workspaces.Create(t.Context(), "Acme", "enterprise")
	if err != nil {
		t.Fatal(err)
	}
	c := &client{s, &apitest.Client{Base: s.base, Key: key.Text}, account.ID, 0}
	c.agent = c.newAgent(t)
	return c
}

func (c *client) newAgent(t *testing.T) int64 {
	t.Helper()
	a, err := c.agents.Create(t.Context(), c.account, agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

type object = map[string]any

// create makes a contact of the agent and returns its path.
func (c *client) create(t *testing.T, body object) string {
	t.Helper()
	if body["agent_id"] == nil {
		body["agent_id"] = c.agent
	}
	return "contacts/" + c.Want(t, 201, "POST", "contacts/", body).Number("id") + "/"
}

// leads tells which contact an e-mail address leads to, 0 for none. The chat finds contacts by it.
func (c *client) leads(t *testing.T, email string) string {
	t.Helper()
	item, err := c.table.Get(t.Context(), contact.KeyByEmail(c.account, c.agent, email))
	if err != nil {
		return ""
	}
	var pointer struct {
		ID json.Number `json:"contact_id"`
	}
	if err := json.Unmarshal(item.Doc, &pointer); err != nil {
		t.Fatal(err)
	}
	return "contacts/" + pointer.ID.String() + "/"
}

func TestCreate(t *testing.T) {
	c := serve(t).client(t)
	got := c.Want(t, 201, "POST", "contacts/",
		object{"agent_id": c.agent, "phone": "+1 (415) 555-0123", "name": " Ada "})
	for _, field := range []string{"created_at", "last_seen_at"} {
		if at, err := time.Parse(time.RFC3339, got.Text(field)); err != nil || at.After(c.now()) ||
			at.Year() != 2026 {
			t.Errorf("%s is %v, %v", field, got.Fields[field], err)
		}
	}
	path := "contacts/" + got.Number("id") + "/"
	want := object{
		"id": json.Number(got.Number("id")), "agent_id": json.Number(fmt.Sprint(c.agent)), "name": "Ada",
		"phone": "+14155550123", "email": "",
		"stage": "lead", "lead_score": json.Number("25"), "opted_in": true, "source": nil, "tags": []any{},
		"notes":  "",
		"budget": "", "location": "", "facts": object{},
		"identity": "verified", "claimed": object{"name": "", "email": "", "phone": "", "external_id": ""},
		"created_at": got.Text("created_at"), "last_seen_at": got.Text("created_at"),
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	if read := c.Want(t, 200, "GET", path, nil); read.Body != got.Body {
		t.Errorf("read %s, created %s", read.Body, got.Body)
	}

	// The same phone is the same contact: what is empty is filled, the rest stays.
	again := c.Want(t, 200, "POST", "contacts/", object{
		"agent_id": c.agent, "phone_number": "+14155550123", "name": "Eve", "email": "Ada@Example.com",
		"stage": "customer",
	})
	want["email"], want["lead_score"] = "Ada@Example.com", json.Number("40")
	if diff := cmp.Diff(want, again.Fields); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if c.leads(t, "ada@example.com") != path {
		t.Errorf("the address leads to %q", c.leads(t, "ada@example.com"))
	}
	if third := c.Want(t, 200, "POST", "contacts/",
		object{"agent_id": c.agent, "phone": "+14155550123", "email": "other@example.com",
			"name": nil}); third.Body != again.Body {
		t.Errorf("found %s, want %s", third.Body, again.Body)
	}

	// A document that was read can be sent; of another agent it is another contact.
	other := c.newAgent(t)
	again.Fields["agent_id"], again.Fields["stage"] = other, "prospect"
	second := c.Want(t, 201, "POST", "contacts/", again.Fields)
	if second.Number("id") == got.Number("id") || second.Text("stage") != "prospect" ||
		second.Text("email") != "Ada@Example.com" {
		t.Errorf("%s", second.Body)
	}
}

func TestCreateRules(t *testing.T) {
	s := serve(t)
	c, stranger := s.client(t), s.client(t)
	for _, test := range []struct {
		status      int
		code, field string
		body        any
	}{
		{400, "validation_error", "agent_id", object{"phone": "+14155550123"}},
		{400, "bad_request", "", object{"agent_id": "5", "phone": "+14155550123"}},
		{400, "bad_request", "", object{"agent_id": nil, "phone": "+14155550123"}},
		{400, "bad_request", "", object{"agent_id": 1.5, "phone": "+14155550123"}},
		{400, "validation_error", "phone", object{"agent_id": c.agent}},
		{400, "validation_error", "phone", object{"agent_id": c.agent, "phone": ""}},
		{400, "validation_error", "phone", object{"agent_id": c.agent, "phone": nil, "phone_number": nil}},
		{400, "validation_error", "phone", object{"agent_id": c.agent, "phone": "4155550123"}},
		{400, "validation_error", "phone", object{"agent_id": c.agent, "phone": "+1415555"}},
		{400, "validation_error", "phone_number", object{"agent_id": c.agent, "phone_number": "555"}},
		{400, "bad_request", "", object{"agent_id": c.agent, "phone": 14155550123}},
		{400, "bad_request", "", object{"agent_id": c.agent, "phone": "+14155550123", "name": 5}},
		{400, "validation_error", "email", object{"agent_id": c.agent, "phone": "+14155550123",
			"email": "ada"}},
		{400, "validation_error", "email", object{"agent_id": c.agent, "phone": "+14155550123",
			"email": strings.Repeat("a", 250) + "@b.ch"}},
		{400, "validation_error", "stage", object{"agent_id": c.agent, "phone": "+14155550123",
			"stage": "friend"}},
		{400, "bad_request", "", object{"agent_id": c.agent, "phone": "+14155550123", "stage": nil}},
		{400, "bad_request", "", `{"agent_id": `},
		{400, "bad_request", "", `[]`},
		{404, "not_found", "", object{"agent_id": 999, "phone": "+14155550123"}},
		{404, "not_found", "", object{"agent_id": -1, "phone": "+14155550123"}},
		{404, "not_found", "", object{"agent_id": stranger.agent, "phone": "+14155550123"}},
	} {
		c.WantError(t, test.status, test.code, test.field, "POST", "contacts/", test.body)
	}
	if list := c.Want(t, 200, "GET", "contacts/", nil); list.Number("count") != "0" ||
		len(list.Results()) != 0 {
		t.Errorf("what was refused left %s", list.Body)
	}
	long := c.create(t, object{"phone": "+14155550123", "name": strings.Repeat("😀", 201)})
	if name := c.Want(t, 200, "GET", long, nil).Text("name"); name != strings.Repeat("😀", 200) {
		t.Errorf("the name has %d characters", len([]rune(name)))
	}
}

func TestUpdate(t *testing.T) {
	c := serve(t).client(t)
	path := c.create(t, object{"phone": "+14155550123"})
	before := c.Want(t, 200, "GET", path, nil)
	changes := object{
		"name": " Ada ", "email": "ada@example.com", "stage": "customer", "notes": "Likes\nmornings",
		"budget": "500 EUR", "location": "London",
	}
	after := c.Want(t, 200, "PATCH", path, changes)
	want := before.Fields
	for field, value := range changes {
		want[field] = value
	}
	want["name"], want["lead_score"] = "Ada", json.Number("100")
	if diff := cmp.Diff(want, after.Fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, body := range map[string]any{
		"as it was read": after.Fields,
		"nothing":        object{},
		"no body":        nil,
		"what cannot be changed": object{"id": 5, "agent_id": 7, "phone": "+14155550199", "lead_score": 3,
			"opted_in": false, "tags": []string{"x"}, "created_at": "x"},
		"what there is not at all": object{"shoe_size": 43},
	} {
		if same := c.Want(t, 200, "PATCH", path, body); same.Body != after.Body {
			t.Errorf("%s: %s, want %s", name, same.Body, after.Body)
		}
	}
	for field, most := range map[string]int{"name": 200, "notes": 5000, "budget": 200, "location": 300} {
		long := strings.Repeat("é", most)
		if got := c.Want(t, 200, "PATCH", path, object{field: long + "é"}).Text(field); got != long {
			t.Errorf("%s is cut to %d characters, want %d", field, len([]rune(got)), most)
		}
		if got := c.Want(t, 200, "PATCH", path, object{field: ""}).Text(field); got != "" {
			t.Errorf("%s is %q", field, got)
		}
		c.WantError(t, 400, "bad_request", "", "PATCH", path, object{field: 5})
		c.WantError(t, 400, "bad_request", "", "PATCH", path, object{field: nil})
	}
	c.WantError(t, 400, "validation_error", "email", "PATCH", path, object{"email": "nobody"})
	c.WantError(t, 400, "validation_error", "stage", "PATCH", path, object{"stage": ""})
	if got := c.Want(t, 200, "PATCH", path, object{"stage": "churned"}); got.Number("lead_score") != "0" {
		t.Errorf("a contact that went away has the score %s", got.Number("lead_score"))
	}
}

// TestEmail follows what e-mail addresses lead to.
func TestEmail(t *testing.T) {
	c := serve(t).client(t)
	first, second := c.create(t, object{"phone": "+14155550101", "email": "a@example.com"}),
		c.create(t, object{"phone": "+14155550102"})
	set := func(path, email string) {
		t.Helper()
		if got := c.Want(t, 200, "PATCH", path, object{"email": email}).Text("email"); got != email {
			t.Errorf("the address is %q, want %q", got, email)
		}
	}
	expect := func(want map[string]string) {
		t.Helper()
		for email, path := range want {
			if got := c.leads(t, email); got != path {
				t.Errorf("%s leads to %q, want %q", email, got, path)
			}
		}
	}
	expect(map[string]string{"a@example.com": first})
	set(first, "A@Example.com")
	set(first, "B@example.com")
	expect(map[string]string{"a@example.com": "", "b@example.com": first})
	// The second may have the address too, but it leads to who had it first.
	set(second, "b@example.com")
	expect(map[string]string{"b@example.com": first})
	set(second, "c@example.com")
	expect(map[string]string{"b@example.com": first, "c@example.com": second})
	set(second, "")
	expect(map[string]string{"c@example.com": ""})
	set(second, "b@example.com")
	c.Want(t, 204, "DELETE", second, nil)
	expect(map[string]string{"b@example.com": first})
	c.Want(t, 204, "DELETE", first, nil)
	expect(map[string]string{"b@example.com": ""})
	third := c.create(t, object{"phone": "+14155550101", "email": "b@example.com"})
	expect(map[string]string{"b@example.com": third})
}

func TestDelete(t *testing.T) {
	c := serve(t).client(t)
	path := c.create(t, object{"phone": "+14155550123"})
	c.Want(t, 204, "DELETE", path, nil)
	c.WantError(t, 404, "not_found", "", "GET", path, nil)
	c.WantError(t, 404, "not_found", "", "DELETE", path, nil)
	if again := c.create(t, object{"phone": "+14155550123"}); again == path {
		t.Errorf("%s is there again", again)
	}
	if list := c.Want(t, 200, "GET", "contacts/", nil); list.Number("count") != "1" {
		t.Errorf("%s", list.Body)
	}
}

// TestNotOurs asks for a contact of another workspace, of a deleted agent, and under what is no id.
func TestNotOurs(t *testing.T) {
	s := serve(t)
	c, stranger := s.client(t), s.client(t)
	gone := c.newAgent(t)
	theirs := stranger.create(t, object{"phone": "+14155550123"})
	orphan := c.create(t, object{"phone": "+14155550123", "agent_id": gone})
	if err := c.agents.Delete(t.Context(), c.account, gone); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{theirs, orphan, "contacts/999/", "contacts/0/", "contacts/x/",
		"contacts/9007199254740993/"} {
		c.WantError(t, 404, "not_found", "", "GET", path, nil)
		c.WantError(t, 404, "not_found", "", "PATCH", path, object{"name": "Eve"})
		c.WantError(t, 404, "not_found", "", "DELETE", path, nil)
		c.WantError(t, 404, "not_found", "", "POST", path+"tags/", object{"tags": []string{"x"}})
		c.WantError(t, 404, "not_found", "", "DELETE", path+"tags/x/", nil)
		c.WantError(t, 404, "not_found", "", "POST", path+"opt-out/", nil)
	}
	for _, id := range []int64{gone, stranger.agent, 999} {
		c.WantError(t, 404, "not_found", "", "GET", fmt.Sprintf("contacts/?agent_id=%d", id), nil)
	}
	c.WantError(t, 400, "validation_error", "agent_id", "GET", "contacts/?agent_id=x", nil)
	c.WantError(t, 404, "not_found", "", "POST", "contacts/",
		object{"agent_id": gone, "phone": "+14155550123"})
	if list := c.Want(t, 200, "GET", "contacts/", nil); list.Number("count") != "0" ||
		len(list.Results()) != 0 {
		t.Errorf("%s", list.Body)
	}
	if read := stranger.Want(t, 200, "GET", theirs, nil); read.Text("name") != "" ||
		read.Fields["opted_in"] != true {
		t.Errorf("a stranger changed %s", read.Body)
	}
}

func TestTags(t *testing.T) {
	c := serve(t).client(t)
	path := c.create(t, object{"phone": "+14155550123"})
	expect := func(a apitest.Answer, want ...string) {
		t.Helper()
		got := []string{}
		for _, tag := range a.Fields["tags"].([]any) {
			got = append(got, tag.(string))
		}
		if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	add := func(tags ...string) apitest.Answer {
		t.Helper()
		return c.Want(t, 200, "POST", path+"tags/", object{"tags": tags})
	}
	expect(add(" vip ", "b", "vip"), "vip", "b")
	expect(add("b", "VIP"), "vip", "b", "VIP")
	expect(c.Want(t, 200, "DELETE", path+"tags/b/", nil), "vip", "VIP")
	expect(c.Want(t, 200, "DELETE", path+"tags/b/", nil), "vip", "VIP")
	expect(c.Want(t, 200, "GET", path, nil), "vip", "VIP")
	expect(c.Want(t, 200, "DELETE", path+"tags/vip/", nil), "VIP")
	expect(c.Want(t, 200, "DELETE", path+"tags/VIP/", nil))

	for _, tag := range []string{
		"a/b", "/", "a/", "..", ".", "../../..", "100%", "%2F", "two words", "why?", "#1", "a+b", "a&b=c",
		"<b>\"'", "\\", "é", "e\u0301",
		"🦊", "👩\u200d👧", "漢字", "עברית", "a\nb", "tags", strings.Repeat("😀", 50),
	} {
		expect(add(tag, "other"), tag, "other")
		expect(c.Want(t, 200, "DELETE", path+"tags/other/", nil), tag)
		escaped := url.PathEscape(tag)
		if strings.Trim(tag, ".") == "" {
			escaped = strings.ReplaceAll(tag, ".", "%2E") // as dots alone are a way up in an address
		}
		expect(c.Want(t, 200, "DELETE", path+"tags/"+escaped+"/", nil))
	}

	for _, body := range []object{
		{}, {"tags": []string{}}, {"tags": []string{""}}, {"tags": []string{"x", " "}},
		{"tags": []string{strings.Repeat("x", 51)}},
		{"tags": make([]string, 101)},
	} {
		c.WantError(t, 400, "validation_error", "tags", "POST", path+"tags/", body)
	}
	for _, body := range []any{object{"tags": "x"}, object{"tags": []any{5}}, object{"tags": nil},
		object{"tags": []any{nil}}, `x`} {
		c.WantError(t, 400, "bad_request", "", "POST", path+"tags/", body)
	}
	var hundred []string
	for i := range 100 {
		hundred = append(hundred, fmt.Sprint(i))
	}
	expect(add(hundred...), hundred...)
	expect(add("5", "99"), hundred...)
	c.WantError(t, 400, "validation_error", "tags", "POST", path+"tags/",
		object{"tags": []string{"one more"}})
	expect(c.Want(t, 200, "GET", path, nil), hundred...)
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		if a := c.Call(t, method, path+"tags/", nil); a.Status != 405 || a.Body != "" ||
			!strings.Contains(a.Header.Get("Allow"), "POST") {
			t.Errorf("%s: %d %q, Allow %q", method, a.Status, a.Body, a.Header.Get("Allow"))
		}
	}
}

func TestOptOut(t *testing.T) {
	c := serve(t).client(t)
	path := c.create(t, object{"phone": "+14155550123"})
	for range 2 {
		if a := c.Want(t, 200, "POST", path+"opt-out/", nil); a.Fields["opted_in"] != false {
			t.Errorf("%s", a.Body)
		}
	}
	if a := c.Want(t, 200, "POST", "contacts/",
		object{"agent_id": c.agent, "phone": "+14155550123"}); a.Fields["opted_in"] != false {
		t.Errorf("found again %s", a.Body)
	}
}

// TestOptOutOutlivesTheContact deletes contacts and adds them again: who wanted no messages wants none from
// the next one.
func TestOptOutOutlivesTheContact(t *testing.T) {
	c := serve(t).client(t)
	out, in := object{"phone": "+14155550123"}, object{"phone": "+14155550124"}
	path := c.create(t, out)
	c.Want(t, 200, "POST", path+"opt-out/", nil)
	for range 2 { // the contact that starts opted out leaves that behind as well
		c.Want(t, 204, "DELETE", path, nil)
		c.WantError(t, 404, "not_found", "", "GET", path, nil)
		path = c.create(t, out)
		if a := c.Want(t, 200, "GET", path, nil); a.Fields["opted_in"] != false {
			t.Errorf("added again %s", a.Body)
		}
	}
	if a := c.Want(t, 200, "POST", "contacts/", out); "contacts/"+a.Number("id")+"/" != path {
		t.Errorf("the phone leads to %s, not to %s", a.Body, path)
	}
	c.Want(t, 204, "DELETE", c.create(t, in), nil)
	if a := c.Want(t, 200, "GET", c.create(t, in), nil); a.Fields["opted_in"] != true {
		t.Errorf("one who did not opt out %s", a.Body)
	}
	other := object{"phone": "+14155550123", "agent_id": c.newAgent(t)}
	if a := c.Want(t, 200, "GET", c.create(t, other), nil); a.Fields["opted_in"] != true {
		t.Errorf("of another agent %s", a.Body)
	}
}

// TestAddAgainAtOnce has many add a contact whose phone leads to none and is opted out. It is one contact.
func TestAddAgainAtOnce(t *testing.T) {
	c := serve(t).client(t)
	path := c.create(t, object{"phone": "+14155550123"})
	c.Want(t, 200, "POST", path+"opt-out/", nil)
	c.Want(t, 204, "DELETE", path, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { c.Call(t, "POST", "contacts/", object{"agent_id": c.agent, "phone": "+14155550123"}) })
	}
	wg.Wait()
	if a := c.Want(t, 200, "GET", "contacts/", nil); a.Number("count") != "1" {
		t.Errorf("%s", a.Body)
	}
}

// TestList expects both lists newest first, and the filter to hold on every page.
func TestList(t *testing.T) {
	c := serve(t).client(t)
	other := c.newAgent(t)
	gone := c.newAgent(t)
	var all, ofOther []string
	for i := range 130 {
		of := c.agent
		switch {
		case i%3 == 0:
			of = other
		case i%7 == 0:
			of = gone
		}
		path := c.create(t, object{"phone": fmt.Sprintf("+1415555%04d", i), "agent_id": of})
		if of != gone {
			all = append([]string{path}, all...)
		}
		if of == other {
			ofOther = append([]string{path}, ofOther...)
		}
	}
	if err := c.agents.Delete(t.Context(), c.account, gone); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string][]string{"contacts/": all,
		fmt.Sprintf("contacts/?agent_id=%d", other): ofOther} {
		var got []string
		for at := address; at != ""; {
			a := c.Want(t, 200, "GET", at, nil)
			if a.Number("count") != fmt.Sprint(len(want)) {
				t.Errorf("%s: count %s, want %d", at, a.Number("count"), len(want))
			}
			for _, item := range a.Results() {
				got = append(got, fmt.Sprintf("contacts/%v/", item["id"]))
			}
			at = a.Text("next")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
	}
}

// TestUpsertIsOne has many add contacts of few phones at once.
func TestUpsertIsOne(t *testing.T) {
	c := serve(t).client(t)
	var made atomic.Int64
	var ids sync.Map
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			phone := fmt.Sprintf("+1415555010%d", i%3)
			a, err := c.Try("POST", "contacts/",
				object{"agent_id": c.agent, "phone": phone, "name": fmt.Sprint("Ada ", i),
					"email": "same@example.com"})
			if err != nil {
				t.Error(err)
				return
			}
			switch a.Status {
			case 201:
				made.Add(1)
			case 200:
			default:
				t.Errorf("%d %s", a.Status, a.Body)
			}
			if before, seen := ids.LoadOrStore(phone, a.Number("id")); seen && before != a.Number("id") {
				t.Errorf("%s has the contacts %v and %s", phone, before, a.Number("id"))
			}
		})
	}
	wg.Wait()
	if list := c.Want(t, 200, "GET", "contacts/", nil); made.Load() != 3 || list.Number("count") != "3" ||
		len(list.Results()) != 3 {
		t.Errorf("%d are new, the list has %s of %d", made.Load(), list.Number("count"), len(list.Results()))
	}
	if c.leads(t, "same@example.com") == "" {
		t.Error("the address leads nowhere")
	}
}

// TestConcurrentChanges has many change one contact at once; none of the changes may get lost.
func TestConcurrentChanges(t *testing.T) {
	c := serve(t).client(t)
	path := c.create(t, object{"phone": "+14155550123"})
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			if a, err := c.Try("POST", path+"tags/", object{"tags": []string{fmt.Sprint(i)}}); err != nil ||
				a.Status != 200 {
				t.Error(a.Status, a.Body, err)
			}
		})
	}
	wg.Go(func() {
		if a, err := c.Try("PATCH", path, object{"name": "Ada"}); err != nil || a.Status != 200 {
			t.Error(a.Status, a.Body, err)
		}
	})
	wg.Wait()
	if a := c.Want(t, 200, "GET", path, nil); len(a.Fields["tags"].([]any)) != 12 || a.Text("name") != "Ada" {
		t.Errorf("%s", a.Body)
	}
}

// TestCountWhileWriting reads the list while contacts come and go. At no moment may the count be one that
// never was, and at the end it is exact.
func TestCountWhileWriting(t *testing.T) {
	c := serve(t).client(t)
	const kept, writers, rounds = 20, 4, 15
	for i := range kept {
		c.create(t, object{"phone": fmt.Sprintf("+1415556%04d", i)})
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range rounds {
				a, err := c.Try("POST", "contacts/",
					object{"agent_id": c.agent, "phone": fmt.Sprintf("+1415555%02d%02d", w, i)})
				if err != nil || a.Status != 201 {
					t.Error(a.Status, a.Body, err)
					return
				}
				if i%3 == 0 {
					continue
				}
				if a, err := c.Try("DELETE", "contacts/"+a.Number("id")+"/", nil); err != nil ||
					a.Status != 204 {
					t.Error(a.Status, a.Body, err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	left := kept + writers*((rounds+2)/3)
	for {
		a := c.Want(t, 200, "GET", "contacts/", nil)
		n, _ := a.Fields["count"].(json.Number).Int64()
		if n < kept || n > int64(left+writers) {
			t.Fatalf("count %d, while there are from %d to %d", n, kept, left+writers)
		}
		select {
		case <-done:
			for _, address := range []string{"contacts/", fmt.Sprintf("contacts/?agent_id=%d", c.agent)} {
				if n := c.Want(t, 200, "GET", address, nil).Number("count"); n != fmt.Sprint(left) {
					t.Errorf("%s: count %s, want %d", address, n, left)
				}
			}
			return
		default:
		}
	}
}
