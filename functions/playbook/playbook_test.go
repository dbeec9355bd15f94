package playbook_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	endpoints "frontdesk/functions/playbook"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/playbook"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A service is the endpoints over a table of their own. Its clock goes on by a second whenever it is read, so
// that later changes have later times.
type service struct {
	*httptest.Server
	table      table.Table
	agents     *agent.Store
	workspaces *auth.Workspaces
	secrets    *secret.Keys
}

func serve(t *testing.T) *service {
	t.Helper()
	var mu sync.Mutex
	clock := time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(time.Second)
		return clock
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ids := id.NewSource(now)
	router := &api.Router{Auth: &auth.Keys{Table: store, Now: now}, Log: slog.New(slog.DiscardHandler)}
	secrets := &secret.Keys{Read: secret.Static(secret.NewKey())}
	(&endpoints.Service{
		Table: store, Now: now, IDs: ids, Secrets: secrets,
		Web: egress.New(egress.Config{AllowHosts: "127.0.0.1"}),
	}).Routes(router)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	return &service{
		server, store, &agent.Store{Table: store, Now: now, IDs: ids},
		&auth.Workspaces{Table: store, Now: now, IDs: ids}, secrets,
	}
}

// A client calls the service with the API key of a workspace that has one agent.
type client struct {
	*service
	apitest.Client
	account, agent int64
}

func (s *service) client(t *testing.T) *client {
	t.Helper()
	account, key, err := s.workspaces.Create(t.Context(), "Acme", "enterprise")
	if err != nil {
		t.Fatal(err)
	}
	c := &client{s, apitest.Client{Base: s.URL + api.Prefix + "/", Key: key.Text}, account.ID, 0}
	c.agent = c.newAgent(t)
	return c
}

func (c *client) newAgent(t *testing.T) int64 {
	t.Helper()
	a, err := c.agents.Create(t.Context(), c.account, agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

// path is that of a collection.
func (c *client) path(collection string) string {
	return fmt.Sprintf("/agents/%d/%s/", c.agent, collection)
}

type object = map[string]any

// own returns what of an answer is not the same for all rows.
func own(fields object) object {
	rest := object{}
	for name, value := range fields {
		switch name {
		case "id", "agent_id", "created_at", "updated_at":
		default:
			rest[name] = fmt.Sprint(value)
		}
	}
	return rest
}

// collections are the kinds of rows with the least that makes one, and all that shows of that.
var collections = []struct {
	name    string
	least   object
	shown   object
	upserts string // the key; empty where POST makes a row always
}{
	{
		name: "products", least: object{"name": "Bell", "price": 5},
		shown: object{"name": "Bell", "description": "", "price": "5", "currency": "USD", "image_url": "",
			"url": "",
			"sku": "", "is_active": "true"},
	},
	{
		name: "funnels", least: object{"name": "Finder"},
		shown: object{"name": "Finder", "description": "", "trigger_keyword": "", "is_active": "true"},
	},
	{
		name: "quick-answers", least: object{"shortcut": "/h", "title": "Hours", "content": "At nine."},
		shown: object{"shortcut": "/h", "title": "Hours", "content": "At nine."},
	},
	{
		name: "procedures", least: object{"name": "Returns"},
		shown: object{"name": "Returns", "triggers": "[]", "criteria": "", "instructions": "",
			"allowed_actions": "[]"},
	},
	{
		name: "guidance", least: object{"title": "T", "content": "C"},
		shown: object{"category": "", "title": "T", "content": "C", "priority": "0", "roles": "[]",
			"stages": "[]"},
	},
	{
		name: "actions", least: object{"name": "Call", "action_type": "fire_webhook"},
		shown: object{
			"name": "Call", "action_type": "fire_webhook", "trigger_on": "message_received",
			"config": "map[]", "configured": "false",
			"conditions": "[]", "cooldown_seconds": "0", "max_per_contact": "0", "max_per_day": "0",
			"is_active": "true",
		},
	},
	{
		name: "roles", least: object{"role_key": "sales"}, upserts: "role_key",
		shown: object{"role_key": "sales", "name": "", "description": "", "instructions": ""},
	},
	{
		name: "journey-stages", least: object{"stage_key": "lead"}, upserts: "stage_key",
		shown: object{"stage_key": "lead", "name": "", "instructions": "", "order": "0"},
	},
}

// row is the least body, told from others where the kind has keys.
func row(least object, key string, n int) object {
	body := object{}
	for name, value := range least {
		body[name] = value
	}
	if key != "" {
		body[key] = fmt.Sprint(body[key], "-", n)
	}
	return body
}

// TestCollections plays the life of a row of each kind, from what is required alone.
func TestCollections(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	for _, kind := range collections {
		t.Run(kind.name, func(t *testing.T) {
			list := c.path(kind.name)
			if empty := c.Want(t, 200, "GET", list,
				nil); empty.Body != `{"count":0,"next":null,"previous":null,"results":[]}` {
				t.Errorf("at first: %s", empty.Body)
			}
			made := c.Want(t, 201, "POST", list, kind.least)
			if diff := cmp.Diff(kind.shown, own(made.Fields)); diff != "" {
				t.Errorf("made: -want +got:\n%s", diff)
			}
			if made.Number("agent_id") != fmt.Sprint(c.agent) || made.Text("created_at") == "" ||
				made.Text("created_at") != made.Text("updated_at") {
				t.Errorf("made %s", made.Body)
			}
			item := list + made.Number("id") + "/"
			if read := c.Want(t, 200, "GET", item, nil); read.Body != made.Body {
				t.Errorf("made %s\nread %s", made.Body, read.Body)
			}
			for name, body := range map[string]any{"nothing": object{}, "what was read": made.Body,
				"nothing known": object{"x": 1, "id": 7}} {
				if same := c.Want(t, 200, "PATCH", item, body); same.Body != made.Body {
					t.Errorf("patched with %s: %s\nwas %s", name, same.Body, made.Body)
				}
			}
			if one := c.Want(t, 200, "GET", list, nil); one.Number("count") != "1" ||
				len(one.Results()) != 1 || !cmp.Equal(one.Results()[0], made.Fields) {
				t.Errorf("list of one: %s", one.Body)
			}

			another := c.newAgent(t)
			foreign := fmt.Sprintf("/agents/%d/%s/", another, kind.name)
			for _, test := range []struct {
				name string
				*client
				method, path string
				body         any
			}{
				{"their list", other, "GET", list, nil},
				{"their list, added to", other, "POST", list, kind.least},
				{"their row", other, "GET", item, nil},
				{"their row, changed", other, "PATCH", item, object{}},
				{"their row, deleted", other, "DELETE", item, nil},
				{"their row under one's own agent", other, "GET", other.path(kind.name) + made.Number("id") +
					"/", nil},
				{"row of another agent", c, "GET", foreign + made.Number("id") + "/", nil},
				{"row of another agent, changed", c, "PATCH", foreign + made.Number("id") + "/", object{}},
				{"row of another agent, deleted", c, "DELETE", foreign + made.Number("id") + "/", nil},
				{"no row", c, "GET", list + "5/", nil},
				{"no row, changed", c, "PATCH", list + "5/", object{}},
				{"no row, deleted", c, "DELETE", list + "5/", nil},
				{"no integer", c, "GET", list + "x/", nil},
				{"no agent", c, "GET", "/agents/5/" + kind.name + "/", nil},
				{"no agent, added to", c, "POST", "/agents/5/" + kind.name + "/", kind.least},
				{"page past the last", c, "GET", list + "?page=2", nil},
				{"page that is none", c, "GET", list + "?page=0", nil},
			} {
				t.Run(test.name, func(t *testing.T) {
					test.WantError(t, 404, "not_found", "", test.method,
						test.path, test.body)
				})
			}
			for _, test := range []struct{ method, path, allow string }{
				{"PUT", item, "DELETE, GET, HEAD, PATCH"}, {"POST", item, "DELETE, GET, HEAD, PATCH"},
				{"DELETE", list, "GET, HEAD, POST"},
			} {
				if a := c.Call(t, test.method, test.path, nil); a.Status != 405 || a.Body != "" ||
					a.Header.Get("Allow") != test.allow {
					t.Errorf("%s %s: %d %q, Allow %q", test.method, test.path, a.Status, a.Body,
						a.Header.Get("Allow"))
				}
			}
			for _, body := range []string{`{`, `[]`, `"x"`, `null`} {
				c.WantError(t, 400, "bad_request", "", "POST", list, body)
				c.WantError(t, 400, "bad_request", "", "PATCH", item, body)
			}
			for field := range kind.least {
				body := row(kind.least, "", 0)
				delete(body, field)
				c.WantError(t, 400, "validation_error", field, "POST", list, body)
				body[field] = nil
				c.WantError(t, 400, "bad_request", "", "POST", list, body)
				if _, text := kind.least[field].(string); text && field != "action_type" {
					body[field] = " "
					c.WantError(t, 400, "validation_error", field, "POST", list, body)
					c.WantError(t, 400, "validation_error", field, "PATCH", item, object{field: " "})
				}
			}
			(&apitest.Client{Base: c.Base}).WantError(t, 401, "authentication_required", "", "GET", list, nil)

			if read := c.Want(t, 200, "GET", item, nil); read.Body != made.Body {
				t.Errorf("the row changed from %s\nto %s", made.Body, read.Body)
			}
			if a := c.Want(t, 204, "DELETE", item, nil); a.Body != "" {
				t.Errorf("deleted: %q", a.Body)
			}
			c.WantError(t, 404, "not_found", "", "GET", item, nil)
			c.WantError(t, 404, "not_found", "", "DELETE", item, nil)
			if again := c.Want(t, 201, "POST", list, kind.least); again.Number("id") == made.Number("id") {
				t.Errorf("made anew under the id %s of the deleted one", made.Number("id"))
			}
			if one := c.Want(t, 200, "GET", list, nil); one.Number("count") != "1" ||
				len(one.Results()) != 1 {
				t.Errorf("list of one: %s", one.Body)
			}
		})
	}
}

func TestPages(t *testing.T) {
	s := serve(t)
	for _, kind := range collections {
		t.Run(kind.name, func(t *testing.T) {
			c := s.client(t)
			const rows = 103
			var want []string // newest first
			for n := range rows {
				body := row(kind.least, kind.upserts, n)
				if kind.name == "actions" {
					body["action_type"] = "handoff" // an agent may have fewer that call a webhook
				}
				made := c.Want(t, 201, "POST", c.path(kind.name), body)
				want = append([]string{made.Number("id")}, want...)
			}
			for _, start := range []string{"", "?page=1"} {
				var got []string
				for next, n := c.path(kind.name)+start, 1; next != ""; n++ {
					page := c.Want(t, 200, "GET", next, nil)
					if page.Number("count") != fmt.Sprint(rows) {
						t.Errorf("count %s", page.Number("count"))
					}
					byNumber := c.Want(t, 200, "GET", fmt.Sprintf("%s?page=%d", c.path(kind.name), n), nil)
					if !cmp.Equal(page.Results(), byNumber.Results()) {
						t.Errorf("page %d by next and by number differ", n)
					}
					for _, r := range page.Results() {
						got = append(got, fmt.Sprint(r["id"]))
					}
					next = page.Text("next")
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

// TestFields creates and changes rows with all their fields.
func TestFields(t *testing.T) {
	c := serve(t).client(t)
	long := strings.Repeat("ä", 9000)
	cut := func(n int) string { return long[:2*n] }
	for _, test := range []struct {
		name, collection string
		method           string // POST, or PATCH of a row as it is least
		body, want       object
	}{
		{
			"product", "products", "POST",
			object{"name": " City ", "description": " d ", "price": 1234.56789, "currency": "EUR",
				"image_url": "http://example.com/a.jpg", "sku": " s ", "is_active": false, "id": 5},
			object{"name": "City", "description": "d", "price": "1234.5679", "currency": "EUR",
				"image_url": "http://example.com/a.jpg", "sku": "s", "is_active": "false"},
		},
		{
			"product with long texts", "products", "POST",
			object{"name": long, "description": long, "price": 0, "sku": long},
			object{"name": cut(200), "description": cut(2000), "price": "0", "sku": cut(100)},
		},
		{"product of the greatest price", "products", "PATCH", object{"price": 100_000_000_000},
			object{"price": "100000000000"}},
		{"product of minus zero", "products", "PATCH", object{"price": json.RawMessage("-0.0")},
			object{"price": "0"}},
		{"product with the noise of arithmetic", "products", "PATCH", object{"price": 0.30000000000000004},
			object{"price": "0.3"}},
		{"product without a picture", "products", "PATCH", object{"image_url": ""}, object{"image_url": ""}},
		{"product with a page", "products", "PATCH", object{"url": "https://example.com/a"},
			object{"url": "https://example.com/a"}},
		{
			"funnel", "funnels", "POST",
			object{"name": "F", "description": "d", "trigger_keyword": " find ", "is_active": false},
			object{"name": "F", "description": "d", "trigger_keyword": "find", "is_active": "false"},
		},
		{
			"funnel with long texts", "funnels", "PATCH",
			object{"name": long, "description": long, "trigger_keyword": long},
			object{"name": cut(200), "description": cut(2000), "trigger_keyword": cut(100)},
		},
		{
			"quick answer with long texts", "quick-answers", "POST",
			object{"shortcut": long, "title": long, "content": long},
			object{"shortcut": cut(50), "title": cut(200), "content": cut(4000)},
		},
		{"quick answer", "quick-answers", "PATCH", object{"content": " x "}, object{"content": "x"}},
		{
			"procedure", "procedures", "POST",
			object{"name": "P", "triggers": []string{" a ", "b"}, "criteria": "c", "instructions": "i",
				"allowed_actions": []string{"Tag"}},
			object{"name": "P", "triggers": "[a b]", "criteria": "c", "instructions": "i",
				"allowed_actions": "[Tag]"},
		},
		{
			"procedure with long texts", "procedures", "PATCH",
			object{"triggers": []string{long}, "criteria": long, "instructions": long,
				"allowed_actions": []string{long}},
			object{"triggers": "[" + cut(200) + "]", "criteria": cut(2000), "instructions": cut(8000),
				"allowed_actions": "[" + cut(200) + "]"},
		},
		{"procedure with many triggers", "procedures", "PATCH", object{"triggers": texts(50)},
			object{"triggers": fmt.Sprint(texts(50))}},
		{"procedure without triggers", "procedures", "PATCH", object{"triggers": []string{}},
			object{"triggers": "[]"}},
		{
			"guidance", "guidance", "POST",
			object{"category": " Tone ", "title": "T", "content": "C", "priority": 1000,
				"roles": []string{"sales", "a.b_c-1"}, "stages": []string{"lead"}},
			object{"category": "Tone", "title": "T", "content": "C", "priority": "1000",
				"roles": "[sales a.b_c-1]", "stages": "[lead]"},
		},
		{
			"guidance with long texts", "guidance", "PATCH",
			object{"category": long, "title": long, "content": long, "roles": texts(50), "stages": texts(50)},
			object{"category": cut(100), "title": cut(200), "content": cut(4000),
				"roles": fmt.Sprint(texts(50)), "stages": fmt.Sprint(texts(50))},
		},
		{
			"role", "roles", "POST",
			object{"role_key": " " + strings.Repeat("k", 64) + " ", "name": long, "description": long,
				"instructions": long},
			object{"role_key": strings.Repeat("k", 64), "name": cut(100), "description": cut(2000),
				"instructions": cut(8000)},
		},
		{
			"stage", "journey-stages", "POST",
			object{"stage_key": "Decision", "name": long, "instructions": long, "order": 1_000_000},
			object{"stage_key": "Decision", "name": cut(100), "instructions": cut(8000), "order": "1000000"},
		},
		{
			"action", "actions", "POST",
			object{
				"name": "Tag", "action_type": "add_tag", "trigger_on": "stage_changed",
				"config": object{"tag": " vip ", "url": "https://example.com"},
				"conditions": []object{{"field": "contact_stage", "operator": "equals",
					"value": "customer"}, {"field": "lead_score", "operator": "greater_than",
					"value": "69.5"}},
				"cooldown_seconds": 2592000, "max_per_contact": 1000000, "max_per_day": 1000000,
				"is_active": false,
			},
			object{
				"name": "Tag", "action_type": "add_tag", "trigger_on": "stage_changed",
				"config": "map[tag:vip]", "configured": "true",
				"conditions": "[map[field:contact_stage operator:equals value:customer] " +
					"map[field:lead_score operator:greater_than value:69.5]]",
				"cooldown_seconds": "2592000", "max_per_contact": "1000000", "max_per_day": "1000000",
				"is_active": "false",
			},
		},
		{"action remove_tag", "actions", "PATCH",
			object{"action_type": "remove_tag", "config": object{"tag": long}},
			object{"action_type": "remove_tag", "config": "map[tag:" + cut(100) + "]", "configured": "true"}},
		{"action set_stage", "actions", "PATCH",
			object{"action_type": "set_stage", "config": object{"stage": "churned"}},
			object{"action_type": "set_stage", "config": "map[stage:churned]", "configured": "true"}},
		{"action set_priority", "actions", "PATCH",
			object{"action_type": "set_priority", "config": object{"priority": "urgent"}},
			object{"action_type": "set_priority", "config": "map[priority:urgent]", "configured": "true"}},
		{"action send_message", "actions", "PATCH",
			object{"action_type": "send_message", "config": object{"message": long}},
			object{"action_type": "send_message", "config": "map[message:" + cut(4000) + "]",
				"configured": "true"}},
		{"action handoff", "actions", "PATCH", object{"action_type": "handoff"},
			object{"action_type": "handoff", "config": "map[]", "configured": "true"}},
		{"action resolve", "actions", "PATCH", object{"action_type": "resolve", "config": object{"tag": "x"}},
			object{"action_type": "resolve", "config": "map[]", "configured": "true"}},
		{"action that calls this machine", "actions", "PATCH",
			object{"config": object{"url": "http://127.0.0.1:8080/hook"}},
			object{"config": "map[url:http://127.0.0.1:8080/hook]", "configured": "true"}},
		{
			"action on a keyword", "actions", "PATCH",
			object{"trigger_on": "keyword", "conditions": []object{{"field": "message",
				"operator": "contains", "value": "refund"}}},
			object{"trigger_on": "keyword",
				"conditions": "[map[field:message operator:contains value:refund]]"},
		},
		{
			"action on an intent", "actions", "PATCH",
			object{"trigger_on": "intent_detected",
				"conditions": []object{{"field": "intent", "operator": "equals", "value": "pricing"},
					{"field": "tags", "operator": "not_contains", "value": "vip"}}},
			object{
				"trigger_on": "intent_detected",
				"conditions": "[map[field:intent operator:equals value:pricing] map[field:tags " +
					"operator:not_contains value:vip]]",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			path, status, before := c.path(test.collection), 201, object{}
			if test.method == "PATCH" {
				for _, kind := range collections {
					if kind.name == test.collection {
						made := c.Want(t, 201, "POST", path, kind.least)
						path, status, before = path+made.Number("id")+"/", 200, own(made.Fields)
					}
				}
			}
			got := c.Want(t, status, test.method, path, test.body)
			for name, value := range own(got.Fields) {
				want, named := test.want[name]
				if !named {
					want, named = before[name]
				}
				if named && want != value {
					t.Errorf("%s: got %.200v, want %.200v", name, value, want)
				}
			}
			item := strings.TrimSuffix(c.path(test.collection), "/") + "/" + got.Number("id") + "/"
			if read := c.Want(t, 200, "GET", item, nil); read.Body != got.Body {
				t.Errorf("answered %.500s\nread %.500s", got.Body, read.Body)
			}
			if same := c.Want(t, 200, "PATCH", item, got.Body); same.Body != got.Body {
				t.Errorf("sent back as it was read: %.500s\nwas %.500s", same.Body, got.Body)
			}
			later := got.Text("updated_at") > got.Text("created_at")
			if changed := status == 200 && !cmp.Equal(before, own(got.Fields)); changed != later {
				t.Errorf("changed: %v, updated at %s, created at %s", changed, got.Text("updated_at"),
					got.Text("created_at"))
			}
		})
	}
}

func texts(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("t", i)
	}
	return list
}

func TestRefusals(t *testing.T) {
	c := serve(t).client(t)
	conditions := func(field, operator, value string) object {
		return object{"conditions": []object{{"field": field, "operator": operator, "value": value}}}
	}
	const invalid, bad = "validation_error", "bad_request"
	for _, test := range []struct {
		collection  string
		body        object
		code, field string
	}{
		{"products", object{"price": -0.01}, invalid, "price"},
		{"products", object{"price": 100_000_000_000.01}, invalid, "price"},
		{"products", object{"price": "5"}, bad, ""},
		{"products", object{"name": 5}, bad, ""},
		{"products", object{"currency": "usd"}, invalid, "currency"},
		{"products", object{"currency": ""}, invalid, "currency"},
		{"products", object{"currency": "XAU"}, invalid, "currency"},
		{"products", object{"currency": nil}, bad, ""},
		{"products", object{"image_url": "ftp://example.com/a.jpg"}, invalid, "image_url"},
		{"products", object{"image_url": "a.jpg"}, invalid, "image_url"},
		{"products", object{"is_active": "true"}, bad, ""},
		{"products", object{"is_active": nil}, bad, ""},
		{"products", object{"description": nil}, bad, ""},
		{"products", object{"sku": 7}, bad, ""},
		{"funnels", object{"trigger_keyword": []string{"a"}}, bad, ""},
		{"funnels", object{"is_active": 1}, bad, ""},
		{"quick-answers", object{"content": object{}}, bad, ""},
		{"procedures", object{"triggers": "a, b"}, bad, ""},
		{"procedures", object{"triggers": []any{1}}, bad, ""},
		{"procedures", object{"triggers": []string{"a", " "}}, invalid, "triggers"},
		{"procedures", object{"triggers": texts(51)}, invalid, "triggers"},
		{"procedures", object{"allowed_actions": texts(51)}, invalid, "allowed_actions"},
		{"procedures", object{"allowed_actions": []string{""}}, invalid, "allowed_actions"},
		{"guidance", object{"priority": -1}, invalid, "priority"},
		{"guidance", object{"priority": 1001}, invalid, "priority"},
		{"guidance", object{"priority": "high"}, bad, ""},
		{"guidance", object{"priority": 1.5}, bad, ""},
		{"guidance", object{"roles": []string{"a role"}}, invalid, "roles"},
		{"guidance", object{"roles": []string{""}}, invalid, "roles"},
		{"guidance", object{"roles": texts(51)}, invalid, "roles"},
		{"guidance", object{"stages": []string{strings.Repeat("s", 65)}}, invalid, "stages"},
		{"guidance", object{"stages": nil}, bad, ""},
		{"roles", object{"role_key": "ä"}, invalid, "role_key"},
		{"roles", object{"role_key": strings.Repeat("k", 65)}, invalid, "role_key"},
		{"roles", object{"role_key": "a/b"}, invalid, "role_key"},
		{"roles", object{"role_key": 5}, bad, ""},
		{"journey-stages", object{"stage_key": "a b"}, invalid, "stage_key"},
		{"journey-stages", object{"order": -1}, invalid, "order"},
		{"journey-stages", object{"order": 1_000_001}, invalid, "order"},
		{"journey-stages", object{"order": "first"}, bad, ""},
		{"actions", object{"action_type": "dance"}, invalid, "action_type"},
		{"actions", object{"trigger_on": "full_moon"}, invalid, "trigger_on"},
		{"actions", object{"trigger_on": ""}, invalid, "trigger_on"},
		{"actions", object{"config": "https://example.com"}, bad, ""},
		{"actions", object{"config": nil}, bad, ""},
		{"actions", object{"config": object{"url": "http://example.com"}}, invalid, "config.url"},
		{"actions", object{"config": object{"url": "example.com"}}, invalid, "config.url"},
		{"actions", object{"config": object{"url": ""}}, invalid, "config.url"},
		{"actions", object{"config": object{"url": 5}}, bad, ""},
		{"actions", object{"config": object{"secret": "s"}}, invalid, "config.url"},
		{"actions", object{"config": object{"tag": "vip"}}, invalid, "config.url"},
		{"actions", object{"config": object{"url": "https://example.com",
			"secret": strings.Repeat("s", 256)}}, invalid, "config.secret"},
		{"actions", object{"action_type": "add_tag", "config": object{"tag": " "}}, invalid, "config.tag"},
		{"actions", object{"action_type": "set_stage", "config": object{"stage": "gold"}}, invalid,
			"config.stage"},
		{"actions", object{"action_type": "set_priority", "config": object{"priority": "now"}}, invalid,
			"config.priority"},
		{"actions", object{"action_type": "send_message", "config": object{"message": ""}}, invalid,
			"config.message"},
		{"actions", conditions("weather", "equals", "x"), invalid, "conditions.0.field"},
		{"actions", conditions("message", "like", "x"), invalid, "conditions.0.operator"},
		{"actions", conditions("message", "equals", ""), invalid, "conditions.0.value"},
		{"actions", conditions("message", "greater_than", "x"), invalid, "conditions"},
		{"actions", conditions("tags", "equals", "x"), invalid, "conditions"},
		{"actions", conditions("lead_score", "contains", "7"), invalid, "conditions"},
		{"actions", conditions("lead_score", "equals", "seven"), invalid, "conditions"},
		{"actions", conditions("confidence", "less_than", "NaN"), invalid, "conditions"},
		{"actions", object{"conditions": []object{{"field": "message", "operator": "equals"}}}, invalid,
			"conditions.0.value"},
		{"actions", object{"conditions": []object{{"field": "message", "operator": "equals", "value": 5}}},
			bad, ""},
		{"actions", object{"conditions": []string{"message"}}, bad, ""},
		{"actions", object{"conditions": object{}}, bad, ""},
		{"actions", object{"conditions": make([]object, 21)}, bad, ""},
		{"actions", object{"trigger_on": "keyword"}, invalid, "conditions"},
		{"actions", object{"trigger_on": "intent_detected"}, invalid, "conditions"},
		{"actions", object{"cooldown_seconds": -1}, invalid, "cooldown_seconds"},
		{"actions", object{"cooldown_seconds": 2592001}, invalid, "cooldown_seconds"},
		{"actions", object{"max_per_contact": -1}, invalid, "max_per_contact"},
		{"actions", object{"max_per_contact": 1_000_001}, invalid, "max_per_contact"},
		{"actions", object{"max_per_day": -1}, invalid, "max_per_day"},
		{"actions", object{"max_per_day": 1_000_001}, invalid, "max_per_day"},
		{"actions", object{"is_active": 0}, bad, ""},
	} {
		t.Run(fmt.Sprintf("%s %.60v", test.collection, test.body), func(t *testing.T) {
			for _, kind := range collections {
				if kind.name != test.collection {
					continue
				}
				list := c.path(kind.name)
				body := row(kind.least, "", 0)
				made := c.Call(t, "POST", list, body) // a role may be there from before
				for name, value := range test.body {
					body[name] = value
				}
				c.WantError(t, 400, test.code, test.field, "POST", list, body)
				item := list + made.Number("id") + "/"
				c.WantError(t, 400, test.code, test.field, "PATCH", item, test.body)
				if read := c.Want(t, 200, "GET", item, nil); read.Body != made.Body {
					t.Errorf("the row changed from %s\nto %s", made.Body, read.Body)
				}
			}
		})
	}
	many := make([]object, 21)
	for i := range many {
		many[i] = object{"field": "message", "operator": "contains", "value": "x"}
	}
	body := object{"name": "A", "action_type": "handoff", "conditions": many}
	c.WantError(t, 400, invalid, "conditions", "POST", c.path("actions"), body)
	body["conditions"] = many[:20]
	c.Want(t, 201, "POST", c.path("actions"), body)
}

// TestUpserts holds what POST does where rows have keys.
func TestUpserts(t *testing.T) {
	c := serve(t).client(t)
	for _, kind := range collections {
		if kind.upserts == "" {
			continue
		}
		t.Run(kind.name, func(t *testing.T) {
			list, key := c.path(kind.name), kind.upserts
			made := c.Want(t, 201, "POST", list, object{key: "a", "name": "One", "instructions": "i"})
			item := list + made.Number("id") + "/"
			changed := c.Want(t, 200, "POST", list, object{key: " a ", "name": "Two"})
			want := own(made.Fields)
			want["name"] = "Two"
			if diff := cmp.Diff(want, own(changed.Fields)); diff != "" ||
				changed.Number("id") != made.Number("id") ||
				changed.Text("updated_at") <= made.Text("updated_at") ||
				changed.Text("created_at") != made.Text("created_at") {
				t.Errorf("changed %s: -want +got:\n%s", changed.Body, diff)
			}
			if read := c.Want(t, 200, "GET", item, nil); read.Body != changed.Body {
				t.Errorf("changed %s\nread %s", changed.Body, read.Body)
			}
			if same := c.Want(t, 200, "POST", list, changed.Body); same.Body != changed.Body {
				t.Errorf("sent back: %s\nwas %s", same.Body, changed.Body)
			}
			c.Want(t, 201, "POST", list, object{key: "A", "name": "case matters"})
			second := c.Want(t, 201, "POST", list, object{key: "b"})

			c.WantError(t, 400, "validation_error", key, "PATCH", list+second.Number("id")+"/",
				object{key: "a"})
			if read := c.Want(t, 200, "GET", list+second.Number("id")+"/", nil); read.Body != second.Body {
				t.Errorf("was %s\nis %s", second.Body, read.Body)
			}
			renamed := c.Want(t, 200, "PATCH", item, object{key: "c"})
			if renamed.Text(key) != "c" || renamed.Text("name") != "Two" {
				t.Errorf("renamed: %s", renamed.Body)
			}
			if found := c.Want(t, 200, "POST", list,
				object{key: "c", "name": "Three"}); found.Number("id") != made.Number("id") {
				t.Errorf("under its new key: %s", found.Body)
			}
			if patched := c.Want(t, 200, "PATCH", item,
				object{"name": "Four"}); patched.Text("name") != "Four" {
				t.Errorf("patched: %s", patched.Body)
			}
			if found := c.Want(t, 200, "POST", list, object{key: "c"}); found.Text("name") != "Four" {
				t.Errorf("the copy under its key was not patched: %s", found.Body)
			}
			if anew := c.Want(t, 201, "POST", list,
				object{key: "a"}); anew.Number("id") == made.Number("id") || anew.Text("name") != "" {
				t.Errorf("the key that was left is not free: %s", anew.Body)
			}
			c.Want(t, 204, "DELETE", item, nil)
			c.Want(t, 200, "PATCH", list+second.Number("id")+"/", object{key: "c"})
			if all := c.Want(t, 200, "GET", list, nil); all.Number("count") != "3" ||
				len(all.Results()) != 3 {
				t.Errorf("%s", all.Body)
			}
		})
	}
}

// TestConcurrentUpserts makes one row under one key from many at once, while its fields are changed by its
// id.
func TestConcurrentUpserts(t *testing.T) {
	c := serve(t).client(t)
	list := c.path("roles")
	const writers = 16
	statuses := make([]int, writers)
	ids := make([]string, writers)
	var wg sync.WaitGroup
	for n := range writers {
		wg.Go(func() {
			fields := []string{"name", "description", "instructions"}
			a, err := c.Try("POST", list, object{"role_key": "sales", fields[n%3]: "set"})
			if err != nil {
				t.Error(err)
			}
			statuses[n], ids[n] = a.Status, a.Number("id")
			if a, err = c.Try("PATCH", list+ids[n]+"/", object{fields[n%3]: "set again"}); err != nil ||
				a.Status != 200 {
				t.Errorf("patch: %d %s %v", a.Status, a.Body, err)
			}
		})
	}
	wg.Wait()
	made := 0
	for n, status := range statuses {
		if status == 201 {
			made++
		} else if status != 200 {
			t.Errorf("status %d", status)
		}
		if ids[n] != ids[0] {
			t.Errorf("rows %s and %s", ids[0], ids[n])
		}
	}
	all := c.Want(t, 200, "GET", list, nil)
	if made != 1 || all.Number("count") != "1" || len(all.Results()) != 1 {
		t.Fatalf("%d were made: %s", made, all.Body)
	}
	copied := c.Want(t, 200, "POST", list, object{"role_key": "sales"})
	if !cmp.Equal(copied.Fields, all.Results()[0]) {
		t.Errorf("under its key %s\nunder its id %v", copied.Body, all.Results()[0])
	}
}

// TestConcurrentRenames gives one key to many rows at once: one has it in the end.
func TestConcurrentRenames(t *testing.T) {
	c := serve(t).client(t)
	list := c.path("journey-stages")
	const rows = 12
	var ids []string
	for n := range rows {
		ids = append(ids, c.Want(t, 201, "POST", list, object{"stage_key": fmt.Sprint("s", n)}).Number("id"))
	}
	statuses := make([]int, rows)
	var wg sync.WaitGroup
	for n := range rows {
		wg.Go(func() {
			a, err := c.Try("PATCH", list+ids[n]+"/", object{"stage_key": "won"})
			if err != nil {
				t.Error(err)
			}
			statuses[n] = a.Status
		})
	}
	wg.Wait()
	won := 0
	for n, status := range statuses {
		key := c.Want(t, 200, "GET", list+ids[n]+"/", nil).Text("stage_key")
		if (status == 200) != (key == "won") || status != 200 && status != 400 {
			t.Errorf("row %d: status %d, key %s", n, status, key)
		}
		if status == 200 {
			won++
		}
	}
	if won != 1 {
		t.Errorf("%d rows were given the key", won)
	}
}

func TestSecrets(t *testing.T) {
	c := serve(t).client(t)
	list := c.path("actions")
	made := c.Want(t, 201, "POST", list, object{"name": "A", "action_type": "fire_webhook",
		"config": object{"url": "https://example.com/a", "secret": "opensesame"}})
	item := list + made.Number("id") + "/"
	var id int64
	fmt.Sscan(made.Number("id"), &id)
	key := playbook.Key(c.account, c.agent, string(playbook.Actions), id)
	stored := func() (secret.Plain, string) {
		t.Helper()
		found, err := c.table.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(found.Doc), "opensesame") ||
			strings.Contains(string(found.Doc), "changed") {
			t.Errorf("the table holds the secret: %s", found.Doc)
		}
		a, err := playbook.Read[playbook.Action](found)
		if err != nil {
			t.Fatal(err)
		}
		if a.Config.Secret == "" {
			return "", a.Config.URL
		}
		plain, err := c.secrets.Open(t.Context(), a.SecretPlace(c.account), a.Config.Secret)
		if err != nil {
			t.Fatal(err)
		}
		return plain, a.Config.URL
	}
	for _, step := range []struct {
		name        string
		body        any
		shown       string
		secret, url string
	}{
		{"as it was made", object{}, "map[secret:__set__ url:https://example.com/a]", "opensesame",
			"https://example.com/a"},
		{"sent back", made.Body, "map[secret:__set__ url:https://example.com/a]", "opensesame",
			"https://example.com/a"},
		{"another url", object{"config": object{"url": "https://example.com/b"}},
			"map[secret:__set__ url:https://example.com/b]", "opensesame", "https://example.com/b"},
		{"another secret", object{"config": object{"secret": "changed"}},
			"map[secret:__set__ url:https://example.com/b]", "changed", "https://example.com/b"},
		{"no secret", object{"config": object{"secret": ""}}, "map[url:https://example.com/b]", "",
			"https://example.com/b"},
		{"one that was never set", object{"config": object{"secret": "__set__"}},
			"map[url:https://example.com/b]", "", "https://example.com/b"},
		{"a secret again", object{"config": object{"secret": "changed"}},
			"map[secret:__set__ url:https://example.com/b]", "changed", "https://example.com/b"},
		{"null", object{"config": object{"secret": nil}}, "map[url:https://example.com/b]", "",
			"https://example.com/b"},
		{"a secret once more", object{"config": object{"secret": "changed"}},
			"map[secret:__set__ url:https://example.com/b]", "changed", "https://example.com/b"},
		{"another type", object{"action_type": "add_tag"}, "map[]", "", ""},
		{"and back", object{"action_type": "fire_webhook"}, "map[]", "", ""},
	} {
		got := c.Want(t, 200, "PATCH", item, step.body)
		if shown := fmt.Sprint(got.Fields["config"]); shown != step.shown {
			t.Errorf("%s: shown %s, want %s", step.name, shown, step.shown)
		}
		plain, url := stored()
		if string(plain) != step.secret || url != step.url {
			t.Errorf("%s: stored %q and %q, want %q and %q", step.name, string(plain), url, step.secret,
				step.url)
		}
		if configured := got.Fields["configured"]; configured != (step.url != "") {
			t.Errorf("%s: configured %v", step.name, configured)
		}
	}
	c.Want(t, 200, "PATCH", item, object{"config": object{"url": "https://example.com",
		"secret": "opensesame"}})
	if listed := c.Want(t, 200, "GET", list, nil); strings.Contains(listed.Body, "opensesame") ||
		!strings.Contains(listed.Body, `"secret":"__set__"`) || strings.Contains(listed.Body, "v1.") {
		t.Errorf("listed %s", listed.Body)
	}
}

func TestLimit(t *testing.T) {
	c := serve(t).client(t)
	store := playbook.Store[playbook.Product, *playbook.Product]{Table: c.table, Now: time.Now,
		IDs: id.NewSource(time.Now)}
	for range playbook.MaxRows - 1 {
		if _, err := store.Create(t.Context(), c.account, c.agent,
			func(*playbook.Product) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	body := object{"name": "Bell", "price": 5}
	last := c.Want(t, 201, "POST", c.path("products"), body)
	c.WantError(t, 400, "validation_error", "", "POST", c.path("products"), body)
	c.Want(t, 201, "POST", c.path("funnels"), body)
	if list := c.Want(t, 200, "GET", c.path("products"), nil); list.Number("count") != "1000" {
		t.Errorf("count %s", list.Number("count"))
	}
	c.Want(t, 204, "DELETE", c.path("products")+last.Number("id")+"/", nil)
	c.Want(t, 201, "POST", c.path("products"), body)
}

// TestLimitOfCalls makes as many actions that call a webhook as an agent may have; other actions are not
// counted.
func TestLimitOfCalls(t *testing.T) {
	c := serve(t).client(t)
	list := c.path("actions")
	calling := object{"name": "Tell", "action_type": "fire_webhook",
		"config": object{"url": "https://example.com/a"}}
	other := object{"name": "Tag", "action_type": "add_tag", "config": object{"tag": "vip"}}
	tags := list + c.Want(t, 201, "POST", list, other).Number("id") + "/"
	third := list + c.Want(t, 201, "POST", list, other).Number("id") + "/"
	last := ""
	for range playbook.MaxCalls {
		last = list + c.Want(t, 201, "POST", list, calling).Number("id") + "/"
	}
	refused := func() {
		t.Helper()
		c.WantError(t, 400, "validation_error", "action_type", "POST", list, calling)
		c.WantError(t, 400, "validation_error", "action_type", "PATCH", third,
			object{"action_type": "fire_webhook"})
	}
	refused()
	c.Want(t, 201, "POST", list, other)
	c.Want(t, 200, "PATCH", last, object{"name": "Still one"})
	c.Want(t, 200, "PATCH", last, object{"action_type": "add_tag", "config": object{"tag": "vip"}})
	c.Want(t, 200, "PATCH", tags, object{"action_type": "fire_webhook",
		"config": object{"url": "https://example.com/a"}})
	refused()
	c.Want(t, 204, "DELETE", tags, nil)
	c.Want(t, 201, "POST", list, calling)
	refused()
}

func TestDeletedAgent(t *testing.T) {
	c := serve(t).client(t)
	items := map[string]string{}
	for _, kind := range collections {
		items[kind.name] = c.path(kind.name) +
			c.Want(t, 201, "POST", c.path(kind.name), kind.least).Number("id") + "/"
	}
	steps := items["funnels"] + "steps/"
	step := steps + c.Want(t, 201, "POST", steps, nil).Number("id") + "/"
	if err := c.agents.Delete(t.Context(), c.account, c.agent); err != nil {
		t.Fatal(err)
	}
	for _, kind := range collections {
		c.WantError(t, 404, "not_found", "", "GET", c.path(kind.name), nil)
		c.WantError(t, 404, "not_found", "", "POST", c.path(kind.name), kind.least)
		c.WantError(t, 404, "not_found", "", "GET", items[kind.name], nil)
		c.WantError(t, 404, "not_found", "", "PATCH", items[kind.name], object{"name": "x"})
		c.WantError(t, 404, "not_found", "", "DELETE", items[kind.name], nil)
	}
	c.WantError(t, 404, "not_found", "", "GET", steps, nil)
	c.WantError(t, 404, "not_found", "", "POST", steps, nil)
	c.WantError(t, 404, "not_found", "", "PATCH", step, object{"content": "x"})
	c.WantError(t, 404, "not_found", "", "DELETE", step, nil)
}
