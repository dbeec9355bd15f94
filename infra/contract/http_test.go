package contract

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnknownPathsAndMethods(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	twin := strings.Replace(agent, "/agents/", "/agents/0", 1) // the same number
	for _, path := range []string{twin, "/nothing/", "/me", "/agents", "/agents/x/", agent + "nothing/",
		agent + "chat/nothing/", "/knowledge/", "/agents/0/", "/agents/-1/",
		"/agents/99999999999999999999/"} {
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
			t.Errorf("%s %s: %d %q, Allow %q", test.method, test.path, a.Status, a.Body,
				a.Header.Get("Allow"))
		}
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
			if i < limit || a.Text("error") != "rate_limited" ||
				a.Header.Get("X-RateLimit-Remaining") != "0" {
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

// TestDescription holds the description that the service gives of itself to the one that the tests go by.
func TestDescription(t *testing.T) {
	want, err := os.ReadFile(descriptionFile)
	if err != nil {
		t.Fatal(err)
	}
	caller := Open(t).Caller("")
	a := caller.Want(t, 200, "GET", "/openapi.json", nil)
	if diff := cmp.Diff(string(want), a.Body); diff != "" {
		t.Error(diff)
	}
}
