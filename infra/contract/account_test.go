package contract

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/authenticator"
	"frontdesk/shared/api/apitest"
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
	c.WantError(t, 400, "validation_error", "role", "DELETE", fmt.Sprintf("/members/%v/", members[0]["id"]),
		nil)
	c.Header.Set("Sec-Fetch-Site", "cross-site")
	c.WantError(t, 403, "forbidden", "", "POST", "/agents/", map[string]any{"name": "Eve"})
	c.Header.Set("Sec-Fetch-Site", "same-origin")
	c.Want(t, 204, "DELETE", "/session/", nil)
	c.WantError(t, 401, "authentication_required", "", "GET", "/session/", nil)
}

// signedInByName is a client with a session of the owner, who calls the service by the name of this machine:
// IP addresses have no passkeys.
func (w *fixture) signedInByName(t testing.TB) *apitest.Client {
	t.Helper()
	c := w.service.Caller("")
	c.Base = strings.Replace(c.Base, "127.0.0.1", "localhost", 1)
	a := c.Want(t, 201, "POST", "/session/", map[string]any{"token": w.token(t)})
	set, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	c.Header = http.Header{"Cookie": {set.Name + "=" + set.Value}}
	return c
}

// passkey makes a passkey of the workspace's owner, and returns its id and the device that has it.
func (w *fixture) passkey(t testing.TB) (string, *authenticator.Device) {
	t.Helper()
	c := w.signedInByName(t)
	body, d := madeBy(t, c)
	return c.Want(t, 201, "POST", "/passkeys/", body).Number("id"), d
}

// madeBy is the body that adds a passkey of the member whom a client is signed in as, and the device that
// made it.
func madeBy(t testing.TB, c *apitest.Client) (map[string]any, *authenticator.Device) {
	t.Helper()
	base, err := url.Parse(c.Base)
	if err != nil {
		t.Fatal(err)
	}
	d := &authenticator.Device{Origin: base.Scheme + "://" + base.Host, Host: base.Hostname()}
	begun := c.Want(t, 201, "POST", "/session/passkey-creation/", nil)
	body, err := d.Create("Phone", begun.Text("challenge"), begun.Text("user_id"))
	if err != nil {
		t.Fatal(err)
	}
	return body, d
}

// passkeyBody is the body of an operation that takes what a device signed; nil for others.
func (w *fixture) passkeyBody(t testing.TB, o *operation) map[string]any {
	t.Helper()
	switch o.String() {
	case "POST /passkeys/":
		body, _ := madeBy(t, w.signedInByName(t))
		return body
	case "POST /session/passkey/":
		_, device := w.passkey(t)
		asked := w.signedInByName(t).Want(t, 201, "POST", "/session/passkey-request/", nil)
		body, err := device.SignIn(asked.Text("challenge"))
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	return nil
}

// TestPasskey signs in with a passkey, and is refused as a page of another site and once the passkey is gone.
func TestPasskey(t *testing.T) {
	s := Open(t)
	w := s.fixture(t)
	id, device := w.passkey(t)
	c := w.signedInByName(t)
	byAddress := *c
	byAddress.Base = strings.Replace(c.Base, "localhost", "127.0.0.1", 1)
	byAddress.WantError(t, 400, "bad_request", "", "POST", "/session/passkey-creation/", nil)
	byAddress.WantError(t, 400, "bad_request", "", "POST", "/session/passkey-request/", nil)
	c.Header = http.Header{}
	used := func() map[string]any {
		body, err := device.SignIn(c.Want(t, 201, "POST", "/session/passkey-request/", nil).Text("challenge"))
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	body := used()
	c.Header.Set("Sec-Fetch-Site", "cross-site")
	c.WantError(t, 403, "forbidden", "", "POST", "/session/passkey-request/", nil)
	c.WantError(t, 403, "forbidden", "", "POST", "/session/passkey/", body)
	c.Header = http.Header{}
	c.Want(t, 201, "POST", "/session/passkey/", body)
	c.WantError(t, 401, "authentication_required", "", "POST", "/session/passkey/", body)
	w.Want(t, 204, "DELETE", "/passkeys/"+id+"/", nil)
	c.WantError(t, 401, "authentication_required", "", "POST", "/session/passkey/", used())
	w.WantError(t, 403, "forbidden", "", "POST", "/session/passkey-creation/", nil)
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
