package contract

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/api/apitest"
)

func TestUnknownPathsAndMethods(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	twin := strings.Replace(agent, "/agents/", "/agents/0", 1) // the same number
	for _, path := range []string{twin, "/nothing/", "/me", "/agents", "/agents/x/", agent + "nothing/", agent + "chat/nothing/", "/knowledge/", "/agents/0/", "/agents/-1/", "/agents/99999999999999999999/"} {
		a := c.Call(t, "GET", path, nil)
		if a.Status != 404 || a.Text("error") != "not_found" || a.Text("detail") == "" {
			t.Errorf("GET %s: %d %s", path, a.Status, a.Body)
		}
	}
	for _, test := range []struct{ method, path, allow string }{
		{"POST", "/me/", "GET, HEAD"},
		{"PUT", agent, "DELETE, GET, HEAD, PATCH"},
		{"GET", agent + "train/", "POST"},
		{"DELETE", agent + "chat/", "POST"},
		{"OPTIONS", "/agents/", "GET, HEAD, POST"},
		{"PATCH", "/knowledge/5/reindex/", "POST"},
	} {
		a := c.Call(t, test.method, test.path, nil)
		if a.Status != 405 || a.Body != "" || a.Header.Get("Allow") != test.allow {
			t.Errorf("%s %s: %d %q, Allow %q", test.method, test.path, a.Status, a.Body, a.Header.Get("Allow"))
		}
	}
}

func TestBadBodies(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	for _, path := range []string{"/agents/", agent + "knowledge/", agent + "chat/"} {
		for _, body := range []string{`{`, `[]`, `"text"`, `null`, `{} {}`, "{\"name\": \"\xff\"}"} {
			c.WantError(t, 400, "bad_request", "", "POST", path, body)
		}
		c.WantError(t, 413, "payload_too_large", "", "POST", path, `{"name": "`+strings.Repeat("a", 1<<20)+`"}`)
	}
}

func TestAuthentication(t *testing.T) {
	s := Open(t)
	agent := s.Client(t, "pro").Agent(t, nil)
	for _, path := range []string{"/me/", "/agents/", agent, agent + "knowledge/", agent + "widget/"} {
		(&apitest.Client{Base: s.Base}).WantError(t, 401, "authentication_required", "", "GET", path, nil)
		(&apitest.Client{Base: s.Base, Key: "fd_unknown"}).WantError(t, 401, "invalid_api_key", "", "GET", path, nil)
		s.Client(t, "widget").WantError(t, 403, "forbidden", "", "GET", path, nil)
	}
}

func TestRevokedKey(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "pro")
	keys, err := s.workspaces.List(t.Context(), c.Account)
	if err != nil {
		t.Fatal(err)
	}
	c.Want(t, 200, "GET", "/me/", nil)
	if err := s.workspaces.Revoke(t.Context(), c.Account, keys[0].ID); err != nil {
		t.Fatal(err)
	}
	c.WantError(t, 401, "invalid_api_key", "", "GET", "/me/", nil)
}

func TestRateLimit(t *testing.T) {
	c := Open(t).Client(t, "free")
	const limit = 120
	for i := range 3 * limit {
		a := c.Call(t, "GET", "/me/", nil)
		if a.Header.Get("X-RateLimit-Limit") != "120" || a.Header.Get("X-RateLimit-Reset") == "" {
			t.Fatalf("headers %v", a.Header)
		}
		if a.Status == 429 {
			if i < limit || a.Text("error") != "rate_limited" || a.Header.Get("X-RateLimit-Remaining") != "0" {
				t.Errorf("request %d: %s, %v", i+1, a.Body, a.Header)
			}
			if wait := a.Header.Get("Retry-After"); wait == "" || wait == "0" || len(wait) > 2 {
				t.Errorf("Retry-After %q", wait)
			}
			return
		}
	}
	t.Error("no request was refused")
}

// TestOtherWorkspace tries everything that a path can name with the key of another workspace.
func TestOtherWorkspace(t *testing.T) {
	s := Open(t)
	owner, other := s.Client(t, "pro"), s.Client(t, "pro")
	agent := owner.Agent(t, nil)
	document := "/knowledge/" + owner.Want(t, 201, "POST", agent+"knowledge/", map[string]any{"title": "T", "content": "Dogs are welcome."}).Number("id") + "/"
	session := owner.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"}).Text("session_id")
	for _, call := range []struct {
		method, path string
		body         any
	}{
		{"GET", agent, nil}, {"PATCH", agent, map[string]any{"name": "B"}}, {"DELETE", agent, nil},
		{"POST", agent + "train/", nil}, {"POST", agent + "activate/", nil}, {"POST", agent + "pause/", nil},
		{"GET", agent + "widget/", nil}, {"PATCH", agent + "widget/", map[string]any{"tagline": "B"}}, {"POST", agent + "widget/rotate-key/", nil},
		{"GET", agent + "knowledge/", nil}, {"POST", agent + "knowledge/", map[string]any{"title": "B", "content": "B"}},
		{"GET", document, nil}, {"PATCH", document, map[string]any{"title": "B"}}, {"DELETE", document, nil}, {"POST", document + "reindex/", nil},
		{"POST", agent + "chat/", map[string]any{"message": "Are dogs welcome?"}}, {"GET", agent + "chat/history/?session_id=" + session, nil},
	} {
		other.WantError(t, 404, "not_found", "", call.method, call.path, call.body)
	}
	if a := owner.Want(t, 200, "GET", agent, nil); a.Text("name") != "Ada" {
		t.Errorf("the agent was changed: %s", a.Body)
	}
	if a := owner.Want(t, 200, "GET", document, nil); a.Text("title") != "T" {
		t.Errorf("the document was changed: %s", a.Body)
	}
}

func TestOpenAPI(t *testing.T) {
	s := Open(t)
	resp, err := http.Get(s.Base + "openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != 200 || doc.OpenAPI != "3.1.0" {
		t.Errorf("%d, openapi %q", resp.StatusCode, doc.OpenAPI)
	}
	for path, methods := range map[string][]string{
		"/me/":                                  {"get"},
		"/agents/":                              {"get", "post"},
		"/agents/{agent_id}/":                   {"delete", "get", "patch"},
		"/agents/{agent_id}/train/":             {"post"},
		"/agents/{agent_id}/activate/":          {"post"},
		"/agents/{agent_id}/pause/":             {"post"},
		"/agents/{agent_id}/widget/":            {"get", "patch"},
		"/agents/{agent_id}/widget/rotate-key/": {"post"},
		"/agents/{agent_id}/knowledge/":         {"get", "post"},
		"/knowledge/{id}/":                      {"delete", "get", "patch"},
		"/knowledge/{id}/reindex/":              {"post"},
		"/agents/{agent_id}/chat/":              {"post"},
		"/agents/{agent_id}/chat/history/":      {"get"},
		"/widget/{embed_key}/config/":           {"get"},
		"/widget/{embed_key}/send/":             {"post"},
		"/widget/{embed_key}/history/":          {"get"},
		"/widget/{embed_key}/visitor/":          {"post"},
		"/widget/{embed_key}/feedback/":         {"post"},
	} {
		var got []string
		for method := range doc.Paths[path] {
			got = append(got, method)
		}
		slices.Sort(got)
		if !slices.Equal(got, methods) {
			t.Errorf("%s has %v, want %v", path, got, methods)
		}
	}
}
