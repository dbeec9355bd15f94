package contract

import (
	"fmt"
	"testing"
)

// rows are the kinds of rows that an agent has, with the least that makes one and a change.
var rows = []struct {
	kind         string
	body, change map[string]any
	missing      string // a field that is required
}{
	{"products", map[string]any{"name": "Bell", "price": 5.5}, map[string]any{"price": 6}, "price"},
	{"funnels", map[string]any{"name": "Finder"}, map[string]any{"trigger_keyword": "find"}, "name"},
	{"quick-answers", map[string]any{"shortcut": "/h", "title": "Hours", "content": "At nine."},
		map[string]any{"content": "At ten."}, "shortcut"},
	{"procedures", map[string]any{"name": "Returns"}, map[string]any{"triggers": []string{"return"}}, "name"},
	{"guidance", map[string]any{"title": "Discounts", "content": "None."},
		map[string]any{"roles": []string{"sales"}}, "content"},
	{"actions", map[string]any{"name": "Call", "action_type": "fire_webhook"},
		map[string]any{"config": map[string]any{"url": "https://example.com/hook", "secret": "s"}},
		"action_type"},
	{"roles", map[string]any{"role_key": "sales"}, map[string]any{"name": "Sales"}, "role_key"},
	{"journey-stages", map[string]any{"stage_key": "lead"}, map[string]any{"order": 2}, "stage_key"},
}

func TestPlaybook(t *testing.T) {
	s := Open(t)
	c, other := s.Client(t, "pro"), s.Client(t, "pro")
	agent := c.Agent(t, nil)
	second := c.Agent(t, nil)
	for _, row := range rows {
		list := agent + row.kind + "/"
		made := c.Want(t, 201, "POST", list, row.body)
		item := list + made.Number("id") + "/"
		if read := c.Want(t, 200, "GET", item, nil); read.Body != made.Body {
			t.Errorf("%s: made %s, read %s", row.kind, made.Body, read.Body)
		}
		changed := c.Want(t, 200, "PATCH", item, row.change)
		for field, want := range row.change {
			if field != "config" && fmt.Sprint(changed.Fields[field]) != fmt.Sprint(want) {
				t.Errorf("%s: %s was set to %v: %s", row.kind, field, want, changed.Body)
			}
		}
		if same := c.Want(t, 200, "PATCH", item, changed.Body); same.Body != changed.Body {
			t.Errorf("%s: sent back %s, then %s", row.kind, changed.Body, same.Body)
		}
		if page := c.Want(t, 200, "GET", list, nil); page.Number("count") != "1" || len(page.Results()) != 1 {
			t.Errorf("%s: %s", row.kind, page.Body)
		}
		body := map[string]any{}
		for field, value := range row.body {
			if field != row.missing {
				body[field] = value
			}
		}
		c.WantError(t, 400, "validation_error", row.missing, "POST", list, body)
		c.WantError(t, 400, "bad_request", "", "PATCH", item, map[string]any{row.missing: true})
		for _, call := range []struct {
			client *Client
			item   string
		}{{other, item}, {c, second + row.kind + "/" + made.Number("id") + "/"}} {
			call.client.WantError(t, 404, "not_found", "", "GET", call.item, nil)
			call.client.WantError(t, 404, "not_found", "", "PATCH", call.item, row.change)
			call.client.WantError(t, 404, "not_found", "", "DELETE", call.item, nil)
		}
		other.WantError(t, 404, "not_found", "", "GET", list, nil)
		other.WantError(t, 404, "not_found", "", "POST", list, row.body)
		c.Want(t, 204, "DELETE", item, nil)
		c.WantError(t, 404, "not_found", "", "GET", item, nil)
		if page := c.Want(t, 200, "GET", list, nil); page.Number("count") != "0" {
			t.Errorf("%s: %s", row.kind, page.Body)
		}
	}
}

func TestPlaybookUpserts(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	for kind, key := range map[string]string{"roles": "role_key", "journey-stages": "stage_key"} {
		made := c.Want(t, 201, "POST", agent+kind+"/", map[string]any{key: "a", "name": "One"})
		again := c.Want(t, 200, "POST", agent+kind+"/", map[string]any{key: "a", "instructions": "i"})
		if again.Number("id") != made.Number("id") || again.Text("name") != "One" ||
			again.Text("instructions") != "i" {
			t.Errorf("%s, then %s", made.Body, again.Body)
		}
		second := c.Want(t, 201, "POST", agent+kind+"/", map[string]any{key: "b"})
		c.WantError(t, 400, "validation_error", key, "PATCH", agent+kind+"/"+second.Number("id")+"/",
			map[string]any{key: "a"})
	}
}

func TestFunnelSteps(t *testing.T) {
	s := Open(t)
	c, other := s.Client(t, "pro"), s.Client(t, "pro")
	agent := c.Agent(t, nil)
	funnel := agent + "funnels/" + c.Want(t, 201, "POST", agent+"funnels/",
		map[string]any{"name": "F"}).Number("id") + "/"
	const steps = 60 // more than a page
	var last string
	for n := range steps {
		made := c.Want(t, 201, "POST", funnel+"steps/", map[string]any{"content": fmt.Sprint(n)})
		if made.Number("order") != fmt.Sprint(n+1) {
			t.Errorf("step %d has the order %s", n, made.Number("order"))
		}
		last = funnel + "steps/" + made.Number("id") + "/"
	}
	c.Want(t, 200, "PATCH", last, map[string]any{"order": 0, "step_type": "delay", "delay_seconds": 900})
	all := c.Want(t, 200, "GET", funnel+"steps/", nil)
	if found := all.Results(); len(found) != steps || all.Fields["next"] != nil ||
		found[0]["content"] != fmt.Sprint(steps-1) || found[1]["content"] != "0" {
		t.Errorf("%d steps: %.500s", len(found), all.Body)
	}
	if a := c.Call(t, "GET", last, nil); a.Status != 405 || a.Body != "" {
		t.Errorf("GET of a step: %d %s", a.Status, a.Body)
	}
	for _, call := range []struct{ method, path string }{
		{"GET", funnel + "steps/"}, {"POST", funnel + "steps/"}, {"PATCH", last}, {"DELETE", last},
	} {
		other.WantError(t, 404, "not_found", "", call.method, call.path, nil)
	}
	c.Want(t, 204, "DELETE", last, nil)
	c.WantError(t, 404, "not_found", "", "PATCH", last, map[string]any{})
	c.Want(t, 204, "DELETE", funnel, nil)
	c.WantError(t, 404, "not_found", "", "GET", funnel+"steps/", nil)
}
