package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/api/apitest"
)

// call makes the least request of an operation that succeeds.
func (w *fixture) call(t testing.TB, c *apitest.Client, o *operation) apitest.Answer {
	t.Helper()
	return c.Call(t, o.method, w.path(t, o.path)+w.query(t, o), body(w.body(t, o)))
}

// body is nil for no body, not a body that is null.
func body(fields map[string]any) any {
	if fields == nil {
		return nil
	}
	return fields
}

// wantError reports an answer that is not that error.
func wantError(t testing.TB, what any, a apitest.Answer, status int, code, field string) {
	t.Helper()
	if a.Status != status || a.Text("error") != code || a.Text("field") != field {
		t.Errorf("%v: %d %.300s, want %d %s %s", what, a.Status, a.Body, status, code, field)
	}
}

// TestExamples sends the examples of the description, and again under the same Idempotency-Key.
func TestExamples(t *testing.T) {
	s := Open(t)
	for _, o := range answers.description.operations {
		t.Run(o.String(), func(t *testing.T) {
			t.Parallel()
			w := s.fixture(t)
			if o.sends() {
				w.connect(t)
			}
			path, fields := w.path(t, o.path)+w.query(t, o), w.body(t, o)
			if fields != nil {
				fields["unknown key"] = map[string]any{"a": []int{1}}
			}
			c := w.Client.Client
			if strings.Contains(o.path, "passkey") {
				c = *w.signedInByName(t)
				fields = w.passkeyBody(t, o)
			}
			if o.once() {
				c.Header = c.Header.Clone()
				if c.Header == nil {
					c.Header = http.Header{}
				}
				c.Header.Set("Idempotency-Key", "1")
			}
			first := c.Call(t, o.method, path, body(fields))
			if (o.sends() || o.asks()) && s.graph == nil && first.Status == 502 {
				t.Skip("WhatsApp is not to be reached")
			}
			if first.Status >= 300 {
				t.Fatalf("%d %s", first.Status, first.Body)
			}
			if !o.once() {
				return
			}
			again := c.Call(t, o.method, path, body(fields))
			if again.Status != first.Status || again.Body != first.Body ||
				again.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("first %d %s\nagain %d %s %v", first.Status, first.Body, again.Status, again.Body,
					again.Header)
			}
			if fields == nil {
				fields = map[string]any{}
			}
			fields["another key"] = true
			wantError(t, "another body", c.Call(t, o.method, path, fields), 400, "validation_error",
				"Idempotency-Key")
		})
	}
}

// TestCallers has those call who may not: without a key, with keys that are none, on plans that do not allow
// it, too often.
func TestCallers(t *testing.T) {
	t.Parallel()
	s := Open(t)
	w := s.fixture(t)
	w.makeAll(t)
	limited := s.Client(t, "free")
	exhaust := func() {
		for range 2 * 120 {
			if limited.Call(t, "GET", "/me/", nil).Status == 429 {
				return
			}
		}
		t.Error("no request was refused")
	}
	callers := []struct {
		name   string
		client *apitest.Client
		status int
		code   string
	}{
		{"nobody", s.Caller(""), 401, "authentication_required"},
		{"an unknown key", s.Caller("fd_unknown"), 401, "invalid_api_key"},
		{"an old key", &s.Expired(t).Client, 401, "api_key_expired"},
		{"the plan widget", &s.Client(t, "widget").Client, 403, "forbidden"},
	}
	malformed := s.Caller("")
	malformed.Header = http.Header{"Authorization": {"Basic " + w.Key}}
	before := w.everything(t)
	for _, o := range slices.Concat(answers.description.operations, answers.description.raw) {
		if o.public {
			continue
		}
		for _, caller := range callers {
			wantError(t, fmt.Sprintf("%v by %s", o, caller.name), w.call(t, caller.client, o), caller.status,
				caller.code, "")
		}
		wantError(t, fmt.Sprintf("%v with another scheme", o), w.call(t, malformed, o), 401,
			"authentication_required", "")
		a := w.call(t, &limited.Client, o)
		for a.Status != 429 && !t.Failed() { // a minute of the clock has ended
			exhaust()
			a = w.call(t, &limited.Client, o)
		}
	}
	w.unchanged(t, before)
}

// everything reads all that can be read of a fixture.
func (w *fixture) everything(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, o := range answers.description.operations {
		// requests are counted, deliveries fail, a cursor tells the time, and people are online for a while
		if o.method == "GET" && o.path != "/me/" && o.path != "/changes/" &&
			o.path != "/widget/{embed_key}/team/" && !strings.Contains(o.path, "/webhooks/") {
			all[o.path] = w.call(t, &w.Client.Client, o).Body
		}
	}
	return all
}

// unchanged reports what is no more as it was.
func (w *fixture) unchanged(t testing.TB, before map[string]string) {
	t.Helper()
	for path, now := range w.everything(t) {
		if now != before[path] {
			t.Errorf("%s was\n%s\nand is\n%s", path, before[path], now)
		}
	}
}

// TestStrangers has another workspace call with ids that are not its own: in the whole path, in the last part
// of it alone, in the body and in the query.
func TestStrangers(t *testing.T) {
	t.Parallel()
	s := Open(t)
	w, stranger := s.fixture(t), s.fixture(t)
	w.makeAll(t)
	stranger.makeAll(t)
	// The same workspace's other agent is a stranger too.
	second := s.fixture(t)
	second.Client = w.Client
	second.name(t, "/agents/{agent_id}/")
	before := w.everything(t)
	for _, o := range answers.description.operations {
		if o.public {
			continue
		}
		if strings.Contains(o.path, "{") {
			wantError(t, o, w.call(t, &stranger.Client.Client, o), 404, "not_found", "")
		}
		own, last := stranger.path(t, o.path), w.path(t, o.path)
		for at := strings.LastIndex(o.path, "{"); at > 0 && strings.Count(o.path, "{") > 1; at = -1 {
			if strings.Contains(o.path, "/{channel_type}/") || strings.HasSuffix(o.path, "/{tag_name}/") {
				break // no ids: both have one of that name
			}
			tail := strings.Count(o.path[at:], "/")
			mixed := head(own, tail) + rest(last, tail)
			wantError(t, mixed, stranger.Call(t, o.method, mixed+stranger.query(t, o),
				body(stranger.body(t, o))), 404, "not_found", "")
			if strings.HasPrefix(o.path, "/agents/{agent_id}/") && strings.Count(o.path, "{") == 2 {
				mixed = head(second.path(t, o.path[:at]), 0) + rest(last, tail)
				wantError(t, mixed, w.Call(t, o.method, mixed, body(w.body(t, o))), 404, "not_found", "")
			}
		}
		if o.body != nil {
			for field := range o.body.Properties {
				if pattern, ok := knownIDs[field]; ok {
					fields := stranger.body(t, o)
					fields[field] = json.Number(w.name(t, pattern))
					wantError(t, fmt.Sprintf("%v with the %s of another workspace", o, field),
						stranger.Call(t, o.method, own+stranger.query(t, o), fields), 404, "not_found", "")
				}
			}
		}
		for _, p := range o.parameters {
			if pattern, ok := knownIDs[p.Name]; ok && p.In == "query" {
				wantError(t, fmt.Sprintf("%v?%s= of another workspace", o, p.Name),
					stranger.Call(t, o.method, own+"?"+p.Name+"="+w.name(t, pattern), nil), 404, "not_found",
					"")
			}
		}
	}
	w.unchanged(t, before)
}

// head leaves the last parts of a path out, and rest has them alone.
func head(path string, parts int) string {
	for range parts {
		path = path[:strings.LastIndex(strings.TrimSuffix(path, "/"), "/")+1]
	}
	return path
}

func rest(path string, parts int) string { return strings.TrimPrefix(path, head(path, parts)) }

// TestDeletedAgentsEverything calls all operations for an agent that was deleted, and for what lay below it.
func TestDeletedAgentsEverything(t *testing.T) {
	s := Open(t)
	w := s.fixture(t)
	w.makeAll(t)
	w.Want(t, 204, "DELETE", w.path(t, "/agents/{agent_id}/"), nil)
	for _, o := range answers.description.operations {
		switch first, _, _ := strings.Cut(o.path[1:], "/"); first {
		case "members", "api-keys", "sessions", "passkeys", "audit":
			continue // of the workspace and not of an agent
		}
		named := strings.Contains(o.path, "{") || w.query(t, o) != ""
		if o.body != nil {
			for field := range o.body.Properties {
				named = named || knownIDs[field] != ""
			}
		}
		if named {
			wantError(t, o, w.call(t, &w.Client.Client, o), 404, "not_found", "")
		}
		for _, p := range o.parameters {
			if pattern, ok := knownIDs[p.Name]; ok && p.In == "query" {
				wantError(t, fmt.Sprintf("%v?%s=", o, p.Name),
					w.Call(t, o.method, w.path(t, o.path)+"?"+p.Name+"="+w.name(t, pattern), nil), 404,
					"not_found", "")
			}
		}
		if p := o.query("page"); p != nil && !named {
			if a := w.call(t, &w.Client.Client, o); a.Status != 200 || a.Number("count") != "0" ||
				len(a.Results()) != 0 {
				t.Errorf("%v: %d %s", o, a.Status, a.Body)
			}
		}
	}
}

// TestIDs puts into each place of an id what can be the id of nothing.
func TestIDs(t *testing.T) {
	t.Parallel()
	s := Open(t)
	w := s.fixture(t)
	w.makeAll(t)
	ids := []string{"0", "-1", "1", "9007199254740992", "x", "%ff", "%00"}
	for _, o := range answers.description.operations {
		for at := range o.path {
			if o.path[at] != '{' || strings.HasPrefix(o.path[at:], "{channel_type}") ||
				strings.HasPrefix(o.path[at:], "{tag_name}") {
				continue
			}
			end := at + strings.Index(o.path[at:], "}") + 1
			whole := w.path(t, o.path)
			from := len(w.path(t, o.path[:at]))
			to := len(w.path(t, o.path[:end+1])) - 1
			for _, id := range ids {
				path := whole[:from] + id + whole[to:]
				wantError(t, o.method+" "+path, w.Call(t, o.method, path+w.query(t, o), body(w.body(t, o))),
					404, "not_found", "")
			}
		}
		if o.body == nil {
			continue
		}
		for field := range o.body.Properties {
			if knownIDs[field] == "" && field != "message_id" {
				continue
			}
			for _, id := range []string{"0", "-1", "1", "9007199254740991"} {
				fields := w.body(t, o)
				fields[field] = json.Number(id)
				wantError(t, fmt.Sprintf("%v with %s %s", o, field, id),
					w.Call(t, o.method, w.path(t, o.path), fields), 404, "not_found", "")
			}
		}
	}
}

// TestMethods calls each path with the methods that it lacks. The recorder holds the answers to the rule.
func TestMethods(t *testing.T) {
	s := Open(t)
	w := s.fixture(t)
	w.makeAll(t)
	for _, p := range answers.description.paths {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			if slices.Contains(p.methods, method) {
				continue
			}
			a := w.Call(t, method, w.path(t, p.path), nil)
			if preflight := method == "OPTIONS" && strings.HasPrefix(p.path, "/widget/"); a.Status != 405 &&
				!preflight {
				t.Errorf("%s %s: %d %s", method, p.path, a.Status, a.Body)
			}
		}
	}
}

// TestPages asks each list for pages that it does not have.
func TestPages(t *testing.T) {
	s := Open(t)
	w := s.fixture(t)
	w.makeAll(t)
	for _, o := range answers.description.operations {
		if o.query("page") == nil || o.asks() && s.graph == nil {
			continue
		}
		path, others := w.path(t, o.path), strings.Replace(w.query(t, o), "?", "&", 1)
		first := w.Want(t, 200, "GET", path+"?"+others, nil)
		if first.Fields["next"] != nil || first.Fields["previous"] != nil ||
			first.Number("count") != fmt.Sprint(len(first.Results())) {
			t.Errorf("%v: %s", o, first.Body)
		}
		if numbered := w.Want(t, 200, "GET", path+"?page=1"+others, nil); numbered.Body != first.Body {
			t.Errorf("%v: page 1 is %s, without a number %s", o, numbered.Body, first.Body)
		}
		for _, query := range []string{"page=0", "page=-1", "page=x", "page=1.5", "page=2",
			"page=99999999999999999999", "page=%ff", "page=2&cursor=x", "cursor=" +
				strings.Repeat("x", 4000)} {
			wantError(t, o.String()+"?"+query[:min(len(query), 40)],
				w.Call(t, "GET", path+"?"+query+others, nil), 404, "not_found", "")
		}
	}
}
