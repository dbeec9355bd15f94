package contract

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"frontdesk/shared/release"
)

func TestMe(t *testing.T) {
	s := Open(t)
	for plan, want := range map[string]string{
		"free":       "1 65 120",
		"starter":    "3 1000 300",
		"pro":        "25 10000 1200",
		"enterprise": "1000 <nil> 12000",
	} {
		c := s.Client(t, plan)
		a := c.Want(t, 200, "GET", "/me/", nil)
		p, _ := a.Fields["plan"].(map[string]any)
		rate, _ := a.Fields["rate_limit"].(map[string]any)
		key, _ := a.Fields["api_key"].(map[string]any)
		account, _ := a.Fields["account"].(map[string]any)
		if got := fmt.Sprint(p["agent_limit"], " ", p["ai_replies_limit"], " ",
			rate["requests_per_minute"]); got != want || p["name"] != plan || p["api_access"] != true {
			t.Errorf("%s: limits %s, want %s: %s", plan, got, want, a.Body)
		}
		if fmt.Sprint(account["id"]) != fmt.Sprint(c.Account) || account["name"] != "Acme" ||
			fmt.Sprint(p["ai_replies_used"]) != "0" {
			t.Errorf("%s: %s", plan, a.Body)
		}
		if a.Text("frontdesk_version") != release.Version {
			t.Errorf("%s: version %q, want %q", plan, a.Text("frontdesk_version"), release.Version)
		}
		created := parseTime(t, account["created_at"])
		if got := parseTime(t, p["resets_at"]).Sub(created); got != 14*24*time.Hour {
			t.Errorf("%s: the period ends %v after the workspace was made", plan, got)
		}
		if got := parseTime(t, key["expires_at"]).Sub(parseTime(t,
			key["created_at"])); got != 90*24*time.Hour {
			t.Errorf("%s: the key lasts %v", plan, got)
		}
	}
}

// TestSession signs in as the dashboard does, and is refused as a page of another site.
func TestSession(t *testing.T) {
	s := Open(t)
	w := s.fixture(t)
	token := map[string]any{"token": w.token(t)}
	c := s.Caller("")
	c.Header = http.Header{"Sec-Fetch-Site": {"cross-site"}}
	c.WantError(t, 403, "forbidden", "", "POST", "/session/", token)
	c.WantError(t, 403, "forbidden", "", "DELETE", "/session/", nil)
	c.Header = http.Header{}
	set, err := http.ParseSetCookie(c.Want(t, 201, "POST", "/session/", token).Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	c.WantError(t, 401, "authentication_required", "", "POST", "/session/", token)
	c.Header.Set("Cookie", set.Name+"="+set.Value)
	c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"})
	members := c.Want(t, 200, "GET", "/members/", nil).Results()
	c.WantError(t, 400, "validation_error", "role", "DELETE", fmt.Sprintf("/members/%v/", members[0]["id"]), nil)
	c.Header.Set("Sec-Fetch-Site", "cross-site")
	c.WantError(t, 403, "forbidden", "", "POST", "/agents/", map[string]any{"name": "Eve"})
	c.Header.Set("Sec-Fetch-Site", "same-origin")
	c.Want(t, 204, "DELETE", "/session/", nil)
	c.WantError(t, 401, "authentication_required", "", "GET", "/session/", nil)
}

func TestMeCountsReplies(t *testing.T) {
	c := Open(t).Client(t, "free")
	agent := c.Agent(t, nil)
	for range 3 {
		c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"})
	}
	p, _ := c.Want(t, 200, "GET", "/me/", nil).Fields["plan"].(map[string]any)
	if fmt.Sprint(p["ai_replies_used"]) != "3" {
		t.Errorf("after three replies: %v", p["ai_replies_used"])
	}
}

func parseTime(t *testing.T, v any) time.Time {
	t.Helper()
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
