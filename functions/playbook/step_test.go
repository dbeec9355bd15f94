package playbook_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// funnel makes a funnel and returns its path.
func (c *client) funnel(t *testing.T) string {
	t.Helper()
	return c.path("funnels") + c.Want(t, 201, "POST", c.path("funnels"), object{"name": "F"}).Number("id") +
		"/"
}

// orders lists the content and the order of the steps of a funnel.
func (c *client) orders(t *testing.T, funnel string) []string {
	t.Helper()
	list := c.Want(t, 200, "GET", funnel+"steps/", nil)
	got := []string{}
	for _, step := range list.Results() {
		got = append(got, fmt.Sprint(step["content"], " ", step["order"]))
	}
	count := fmt.Sprint(len(got))
	if list.Number("count") != count || list.Fields["next"] != nil || list.Fields["previous"] != nil {
		t.Errorf("list of %s: count %s, next %v, previous %v", count, list.Number("count"),
			list.Fields["next"], list.Fields["previous"])
	}
	return got
}

func TestSteps(t *testing.T) {
	c := serve(t).client(t)
	funnel := c.funnel(t)
	steps := funnel + "steps/"
	if empty := c.Want(t, 200, "GET", steps,
		nil); empty.Body != `{"count":0,"next":null,"previous":null,"results":[]}` {
		t.Errorf("at first: %s", empty.Body)
	}
	first := c.Want(t, 201, "POST", steps, nil)
	want := object{
		"funnel_id": strings.Split(funnel, "/")[4], "order": "1", "step_type": "message", "content": "",
		"save_response_to": "", "delay_seconds": "0", "reached": "0",
	}
	if diff := cmp.Diff(want, own(first.Fields)); diff != "" ||
		first.Number("agent_id") != fmt.Sprint(c.agent) {
		t.Errorf("%s: -want +got:\n%s", first.Body, diff)
	}
	full := c.Want(t, 201, "POST", steps, object{
		"order": 1_000_000, "step_type": "question", "content": " What for? ",
		"save_response_to": " purpose_1 ", "delay_seconds": 86400, "funnel_id": 5,
	})
	want = object{
		"funnel_id": want["funnel_id"], "order": "1000000", "step_type": "question", "content": "What for?",
		"save_response_to": "purpose_1", "reached": "0", "delay_seconds": "86400",
	}
	if diff := cmp.Diff(want, own(full.Fields)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	item := steps + full.Number("id") + "/"
	for name, body := range map[string]any{"nothing": object{}, "what was read": full.Body} {
		if same := c.Want(t, 200, "PATCH", item, body); same.Body != full.Body {
			t.Errorf("patched with %s: %s\nwas %s", name, same.Body, full.Body)
		}
	}
	if list := c.Want(t, 200, "GET", steps, nil); !cmp.Equal(list.Results(),
		[]map[string]any{first.Fields, full.Fields}) {
		t.Errorf("%s", list.Body)
	}
	for field, value := range map[string]any{
		"order": 0, "step_type": "delay", "content": strings.Repeat("ä", 4000), "save_response_to": "",
		"delay_seconds": 0,
	} {
		before := own(c.Want(t, 200, "PATCH", item, object{}).Fields)
		after := c.Want(t, 200, "PATCH", item, object{field: value})
		before[field] = fmt.Sprint(value)
		if diff := cmp.Diff(before, own(after.Fields)); diff != "" ||
			after.Text("updated_at") <= after.Text("created_at") {
			t.Errorf("%s: -want +got:\n%s", after.Body, diff)
		}
	}
	if cut := c.Want(t, 200, "PATCH", item, object{"content": strings.Repeat("ä",
		4001)}); cut.Text("content") != strings.Repeat("ä", 4000) {
		t.Errorf("cut to %d bytes", len(cut.Text("content")))
	}
	for _, test := range []struct {
		body        object
		code, field string
	}{
		{object{"order": -1}, "validation_error", "order"},
		{object{"order": 1_000_001}, "validation_error", "order"},
		{object{"order": "1"}, "bad_request", ""},
		{object{"order": nil}, "bad_request", ""},
		{object{"order": 1.5}, "bad_request", ""},
		{object{"step_type": "jump"}, "validation_error", "step_type"},
		{object{"step_type": ""}, "validation_error", "step_type"},
		{object{"content": 5}, "bad_request", ""},
		{object{"save_response_to": "first name"}, "validation_error", "save_response_to"},
		{object{"save_response_to": "1st"}, "validation_error", "save_response_to"},
		{object{"save_response_to": strings.Repeat("a", 65)}, "validation_error", "save_response_to"},
		{object{"delay_seconds": -1}, "validation_error", "delay_seconds"},
		{object{"delay_seconds": 86401}, "validation_error", "delay_seconds"},
	} {
		c.WantError(t, 400, test.code, test.field, "POST", steps, test.body)
		c.WantError(t, 400, test.code, test.field, "PATCH", item, test.body)
	}
	for _, test := range []struct{ method, path, allow string }{
		{"GET", item, "DELETE, PATCH"}, {"PUT", item, "DELETE, PATCH"},
		{"DELETE", steps, "GET, HEAD, POST, PUT"},
	} {
		if a := c.Call(t, test.method, test.path, nil); a.Status != 405 || a.Body != "" ||
			a.Header.Get("Allow") != test.allow {
			t.Errorf("%s %s: %d %q, Allow %q", test.method, test.path, a.Status, a.Body,
				a.Header.Get("Allow"))
		}
	}
	c.Want(t, 204, "DELETE", item, nil)
	c.WantError(t, 404, "not_found", "", "DELETE", item, nil)
	c.WantError(t, 404, "not_found", "", "PATCH", item, object{})
	if diff := cmp.Diff([]string{" 1"}, c.orders(t, funnel)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestStepsOfOthers(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	funnel, second := c.funnel(t), c.funnel(t)
	made := c.Want(t, 201, "POST", funnel+"steps/", object{"content": "a"})
	step := "steps/" + made.Number("id") + "/"
	foreign := strings.Replace(funnel, fmt.Sprint(c.agent), fmt.Sprint(c.newAgent(t)), 1)
	for _, test := range []struct {
		name   string
		client *client
		funnel string
	}{
		{"another workspace", other, funnel},
		{"another agent", c, foreign},
		{"another funnel", c, second},
		{"no funnel", c, c.path("funnels") + "5/"},
		{"no integer", c, c.path("funnels") + "x/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.client.WantError(t, 404, "not_found", "", "PATCH", test.funnel+step, object{"content": "b"})
			test.client.WantError(t, 404, "not_found", "", "DELETE", test.funnel+step, nil)
			if test.funnel != second {
				test.client.WantError(t, 404, "not_found", "", "GET", test.funnel+"steps/", nil)
				test.client.WantError(t, 404, "not_found", "", "POST", test.funnel+"steps/",
					object{"content": "b"})
			}
		})
	}
	if diff := cmp.Diff([]string{"a 1"}, c.orders(t, funnel)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestStepOrder(t *testing.T) {
	c := serve(t).client(t)
	funnel := c.funnel(t)
	ids := map[string]string{}
	for _, move := range []struct {
		method, name string
		body         object
		want         []string
	}{
		{"POST", "a", object{}, []string{"a 1"}},
		{"POST", "b", object{}, []string{"a 1", "b 2"}},
		{"POST", "c", object{"order": 10}, []string{"a 1", "b 2", "c 10"}},
		{"POST", "d", object{}, []string{"a 1", "b 2", "c 10", "d 11"}},
		{"POST", "e", object{"order": 2}, []string{"a 1", "b 2", "e 2", "c 10", "d 11"}},
		{"POST", "f", object{"order": 0}, []string{"f 0", "a 1", "b 2", "e 2", "c 10", "d 11"}},
		{"PATCH", "a", object{"order": 11}, []string{"f 0", "b 2", "e 2", "c 10", "a 11", "d 11"}},
		{"DELETE", "d", nil, []string{"f 0", "b 2", "e 2", "c 10", "a 11"}},
		{"POST", "g", object{}, []string{"f 0", "b 2", "e 2", "c 10", "a 11", "g 12"}},
		{"PATCH", "f", object{"order": 1_000_000},
			[]string{"b 2", "e 2", "c 10", "a 11", "g 12", "f 1000000"}},
		{"POST", "h", object{}, []string{"b 2", "e 2", "c 10", "a 11", "g 12", "f 1000000", "h 1000000"}},
	} {
		switch move.method {
		case "POST":
			move.body["content"] = move.name
			ids[move.name] = c.Want(t, 201, "POST", funnel+"steps/", move.body).Number("id")
		case "PATCH":
			c.Want(t, 200, "PATCH", funnel+"steps/"+ids[move.name]+"/", move.body)
		case "DELETE":
			c.Want(t, 204, "DELETE", funnel+"steps/"+ids[move.name]+"/", nil)
		}
		if diff := cmp.Diff(move.want, c.orders(t, funnel)); diff != "" {
			t.Errorf("after %s %s: -want +got:\n%s", move.method, move.name, diff)
		}
	}
}

// TestConcurrentSteps appends from many at once: every step gets an order of its own.
func TestConcurrentSteps(t *testing.T) {
	c := serve(t).client(t)
	funnel := c.funnel(t)
	const steps = 24
	var wg sync.WaitGroup
	for range steps {
		wg.Go(func() {
			if a, err := c.Try("POST", funnel+"steps/", object{"content": "x"}); err != nil ||
				a.Status != 201 {
				t.Errorf("%d %s %v", a.Status, a.Body, err)
			}
		})
	}
	wg.Wait()
	var want []string
	for n := range steps {
		want = append(want, fmt.Sprint("x ", n+1))
	}
	if diff := cmp.Diff(want, c.orders(t, funnel)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMostSteps(t *testing.T) {
	c := serve(t).client(t)
	funnel := c.funnel(t)
	for range playbook.MaxSteps {
		c.Want(t, 201, "POST", funnel+"steps/", nil)
	}
	c.WantError(t, 400, "validation_error", "", "POST", funnel+"steps/", nil)
	if got := c.orders(t, funnel); len(got) != playbook.MaxSteps {
		t.Errorf("%d steps", len(got))
	}
	c.Want(t, 204, "DELETE", funnel, nil)
	c.WantError(t, 404, "not_found", "", "GET", funnel+"steps/", nil)
	left, err := c.table.Query(t.Context(), table.Query{PK: playbook.StepKey(c.account, c.agent, 0, 0).PK})
	if err != nil || len(left.Items) != 0 {
		t.Errorf("%d steps are left, %v", len(left.Items), err)
	}
}

// TestStepsOfADeletedFunnel adds, changes and deletes steps while their funnel is deleted: none is left
// behind.
func TestStepsOfADeletedFunnel(t *testing.T) {
	c := serve(t).client(t)
	for range 10 {
		funnel := c.funnel(t)
		step := funnel + "steps/" + c.Want(t, 201, "POST", funnel+"steps/", nil).Number("id") + "/"
		var wg sync.WaitGroup
		for _, call := range []struct {
			method, path string
			want         []int
		}{
			{"POST", funnel + "steps/", []int{201, 404}},
			{"POST", funnel + "steps/", []int{201, 404}},
			{"PATCH", step, []int{200, 404}},
			{"DELETE", step, []int{204, 404}},
			{"DELETE", funnel, []int{204}},
			{"PATCH", funnel, []int{200, 404}},
		} {
			wg.Go(func() {
				a, err := c.Try(call.method, call.path, object{"name": "x", "content": "x"})
				if err != nil || !slices.Contains(call.want, a.Status) {
					t.Errorf("%s %s: %d %s %v", call.method, call.path, a.Status, a.Body, err)
				}
			})
		}
		wg.Wait()
		left, err := c.table.Query(t.Context(),
			table.Query{PK: playbook.StepKey(c.account, c.agent, 0, 0).PK})
		if err != nil || len(left.Items) != 0 {
			t.Errorf("%d steps are left, %v", len(left.Items), err)
		}
	}
	if list := c.Want(t, 200, "GET", c.path("funnels"), nil); list.Number("count") != "0" ||
		len(list.Results()) != 0 {
		t.Errorf("%s", list.Body)
	}
}

// TestReorder brings steps into another order in one call.
func TestReorder(t *testing.T) {
	c := serve(t).client(t)
	funnel := c.funnel(t)
	steps := funnel + "steps/"
	ids := map[string]string{}
	for _, content := range []string{"a", "b", "c", "d"} {
		ids[content] = c.Want(t, 201, "POST", steps, object{"content": content, "order": 7}).Number("id")
	}
	order := func(contents ...string) object {
		list := []json.Number{}
		for _, content := range contents {
			list = append(list, json.Number(ids[content]))
		}
		return object{"order": list}
	}
	for _, contents := range [][]string{{"c", "a", "d", "b"}, {"c", "a", "d", "b"}, {"a", "b", "c", "d"}} {
		answer := c.Want(t, 200, "PUT", steps, order(contents...))
		want := []string{}
		for i, content := range contents {
			want = append(want, fmt.Sprint(content, " ", i+1))
		}
		if diff := cmp.Diff(want, c.orders(t, funnel)); diff != "" || answer.Number("count") != "4" {
			t.Errorf("after %v: %s\n%s", contents, diff, answer.Body)
		}
	}
	for _, contents := range [][]string{{"a", "b", "c"}, {"a", "b", "c", "c"}, {"a", "b", "c", "d", "d"}} {
		c.WantError(t, 400, "validation_error", "order", "PUT", steps, order(contents...))
	}
	ids["e"] = "5"
	c.WantError(t, 400, "validation_error", "order", "PUT", steps, order("a", "b", "c", "e"))
	c.WantError(t, 404, "not_found", "", "PUT", c.path("funnels")+"5/steps/", order("a"))
	appended := c.Want(t, 201, "POST", steps, object{"content": "last"})
	if appended.Number("order") != "5" {
		t.Errorf("what is appended afterwards is %s", appended.Body)
	}
}
