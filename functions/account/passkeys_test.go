package account_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk/functions/account"
	"frontdesk/infra/authenticator"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/api/servicetest"
	"frontdesk/shared/auth"
)

// byName is a client that calls the service by the name localhost, since IP addresses have no passkeys.
func byName(c apitest.Client) apitest.Client {
	c.Base = strings.Replace(c.Base, "127.0.0.1", "localhost", 1)
	return c
}

// deviceFor is a device whose browser is at the client's service.
func deviceFor(t *testing.T, c apitest.Client) *authenticator.Device {
	t.Helper()
	base, err := url.Parse(c.Base)
	if err != nil {
		t.Fatal(err)
	}
	return &authenticator.Device{Origin: base.Scheme + "://" + base.Host, Host: base.Hostname()}
}

// register makes a passkey of the member whose session the client has.
func register(t *testing.T, c apitest.Client) (id string, d *authenticator.Device) {
	t.Helper()
	d = deviceFor(t, c)
	begun := c.Want(t, 201, "POST", "/session/passkey-creation/", nil)
	body, err := d.Create("Phone", begun.Text("challenge"), begun.Text("user_id"))
	if err != nil {
		t.Fatal(err)
	}
	return c.Want(t, 201, "POST", "/passkeys/", body).Number("id"), d
}

// signed is the body that signs in with a device.
func signed(t *testing.T, c apitest.Client, d *authenticator.Device) map[string]any {
	t.Helper()
	body, err := d.SignIn(c.Want(t, 201, "POST", "/session/passkey-request/", nil).Text("challenge"))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func refused(t *testing.T, c apitest.Client, body map[string]any) {
	t.Helper()
	c.WantError(t, 401, "authentication_required", "", "POST", "/session/passkey/", body)
}

func TestPasskey(t *testing.T) {
	d := newDesk(t, "free")
	owner, anyone := byName(d.signIn(t, d.token(t))), byName(d.anyone())
	id, device := register(t, owner)
	body := signed(t, anyone, device)
	a := anyone.Want(t, 201, "POST", "/session/passkey/", body)
	set, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	if err != nil || !set.HttpOnly || set.SameSite != http.SameSiteStrictMode || a.Text("role") != "owner" {
		t.Fatalf("%s with the cookie %v, %v", a.Body, set, err)
	}
	again := anyone
	again.Header = http.Header{"Cookie": {set.Name + "=" + set.Value}}
	list := again.Want(t, 200, "GET", "/passkeys/", nil).Results()
	if len(list) != 1 || list[0]["name"] != "Phone" || list[0]["used_at"] == nil {
		t.Errorf("passkeys %v", list)
	}
	entries := again.Want(t, 200, "GET", "/audit/", nil).Results()
	if entries[0]["action"] != "Sign in with a passkey" ||
		entries[1]["action"] != "Add a passkey of one's own" {
		t.Errorf("audit log %v", entries)
	}

	refused(t, anyone, body) // replayed
	wrong := signed(t, anyone, device)
	wrong["signature"] = body["signature"]
	refused(t, anyone, wrong)
	late := signed(t, anyone, device)
	for range int(auth.ChallengeAge / time.Second) {
		d.Now() // goes on by a second
	}
	refused(t, anyone, late)
	elsewhere := *device
	elsewhere.Origin = "http://localhost.example.com"
	refused(t, anyone, signed(t, anyone, &elsewhere))
	elsewhere = *device
	elsewhere.Host = "example.com"
	refused(t, anyone, signed(t, anyone, &elsewhere))
	copied := *device
	copied.Count = 0
	refused(t, anyone, signed(t, anyone, &copied))
	cross := byName(d.anyone())
	cross.Header.Set("Sec-Fetch-Site", "cross-site")
	cross.WantError(t, 403, "forbidden", "", "POST", "/session/passkey/", signed(t, anyone, device))
	cross.WantError(t, 403, "forbidden", "", "POST", "/session/passkey-request/", nil)

	anyone.Want(t, 201, "POST", "/session/passkey/", signed(t, anyone, device))
	again.Want(t, 204, "DELETE", "/passkeys/"+id+"/", nil)
	refused(t, anyone, signed(t, anyone, device))
	again.WantError(t, 404, "not_found", "", "DELETE", "/passkeys/"+id+"/", nil)
}

// TestPasskeyMaking answers challenges that are not the member's own, are used up or are for something else.
func TestPasskeyMaking(t *testing.T) {
	d := newDesk(t, "free")
	owner := byName(d.signIn(t, d.token(t)))
	_, tom := d.member(t, owner, "Tom", "agent")
	tom = byName(tom)
	device := deviceFor(t, owner)
	begun := owner.Want(t, 201, "POST", "/session/passkey-creation/", nil)
	body, err := device.Create("Phone", begun.Text("challenge"), begun.Text("user_id"))
	if err != nil {
		t.Fatal(err)
	}
	tom.WantError(t, 400, "bad_request", "", "POST", "/passkeys/", body)
	owner.Want(t, 201, "POST", "/passkeys/", body)
	owner.WantError(t, 400, "bad_request", "", "POST", "/passkeys/", body)
	again := owner.Want(t, 201, "POST", "/session/passkey-creation/", nil)
	if known, _ := again.Fields["exclude"].([]any); len(known) != 1 || known[0] != body["credential_id"] {
		t.Errorf("another is made although there is %v", known)
	}
	for name, challenge := range map[string]string{
		"to sign in": owner.Want(t, 201, "POST", "/session/passkey-request/", nil).Text("challenge"),
		"made up":    "p9ZpTq0rbK0n2cXw8yJm5vQeD1sL7uFhA3gNxT6iRkE",
	} {
		body, err := deviceFor(t, owner).Create(name, challenge, begun.Text("user_id"))
		if err != nil {
			t.Fatal(err)
		}
		owner.WantError(t, 400, "bad_request", "", "POST", "/passkeys/", body)
	}
	elsewhere := deviceFor(t, owner)
	elsewhere.Origin = "https://example.com"
	if body, err = elsewhere.Create("Phone", again.Text("challenge"), begun.Text("user_id")); err != nil {
		t.Fatal(err)
	}
	owner.WantError(t, 400, "bad_request", "", "POST", "/passkeys/", body)
	// A challenge to make a passkey signs nobody in.
	body, err = device.SignIn(again.Text("challenge"))
	if err != nil {
		t.Fatal(err)
	}
	refused(t, owner, body)
	d.key.WantError(t, 403, "forbidden", "", "POST", "/session/passkey-creation/", nil)
	byIP := d.signIn(t, d.token(t))
	byIP.WantError(t, 400, "bad_request", "", "POST", "/session/passkey-creation/", nil)
}

// TestPasskeysOfOthers has a member of the role agent see and remove their own alone, and a passkey name
// another member, another workspace, or a member who was removed.
func TestPasskeysOfOthers(t *testing.T) {
	d := newDesk(t, "free")
	owner, anyone := byName(d.signIn(t, d.token(t))), byName(d.anyone())
	ownerID := owner.Want(t, 201, "POST", "/session/passkey-creation/", nil).Text("user_id")
	ownerKey, _ := register(t, owner)
	tomID, tom := d.member(t, owner, "Tom", "agent")
	tom = byName(tom)
	_, device := register(t, tom)
	if list := tom.Want(t, 200, "GET", "/passkeys/", nil); list.Number("count") != "1" {
		t.Errorf("an agent sees %s", list.Body)
	}
	if list := owner.Want(t, 200, "GET", "/passkeys/", nil); list.Number("count") != "2" {
		t.Errorf("an owner sees %s", list.Body)
	}
	tom.WantError(t, 404, "not_found", "", "DELETE", "/passkeys/"+ownerKey+"/", nil)

	posing, err := device.As(ownerID)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, anyone, signed(t, anyone, posing))
	stranger := d.Client(t, "free")
	link, err := d.Workspaces.OwnerLink(t.Context(), stranger.Account)
	if err != nil {
		t.Fatal(err)
	}
	theirs := byName(d.signIn(t, link.Token))
	if posing, err = device.As(theirs.Want(t, 201, "POST", "/session/passkey-creation/",
		nil).Text("user_id")); err != nil {
		t.Fatal(err)
	}
	refused(t, anyone, signed(t, anyone, posing))
	theirs.WantError(t, 404, "not_found", "", "DELETE", "/passkeys/"+ownerKey+"/", nil)

	anyone.Want(t, 201, "POST", "/session/passkey/", signed(t, anyone, device))
	owner.Want(t, 204, "DELETE", "/members/"+tomID+"/", nil)
	refused(t, anyone, signed(t, anyone, device))
	if list := owner.Want(t, 200, "GET", "/passkeys/", nil); list.Number("count") != "1" {
		t.Errorf("a member who was removed leaves %s", list.Body)
	}
}

func TestPasskeyLimit(t *testing.T) {
	d := newDesk(t, "free")
	owner := byName(d.signIn(t, d.token(t)))
	for range auth.MaxPasskeys {
		register(t, owner)
	}
	begun := owner.Want(t, 201, "POST", "/session/passkey-creation/", nil)
	body, err := deviceFor(t, owner).Create("Phone", begun.Text("challenge"), begun.Text("user_id"))
	if err != nil {
		t.Fatal(err)
	}
	owner.WantError(t, 403, "plan_limit", "", "POST", "/passkeys/", body)
}

// TestAttemptsAreCounted has one address ask for challenges as often as it may in a minute, and once more: no
// more are made, whatever Idempotency-Key comes with them, and no link is looked at.
func TestAttemptsAreCounted(t *testing.T) {
	d := servicetest.New(t)
	now := d.Now()
	(&account.Service{Table: d.Table, Now: func() time.Time { return now }, IDs: d.IDs}).Routes(d.Router)
	anyone := byName(apitest.Client{Base: d.URL + api.Prefix + "/"})
	anyone.Header = http.Header{"Idempotency-Key": {"1"}}
	refused := 0
	for range 130 {
		answer := anyone.Call(t, "POST", "/session/passkey-request/", nil)
		anyone.Header.Set("Idempotency-Key", answer.Text("challenge"))
		switch answer.Status {
		case http.StatusCreated:
		case http.StatusTooManyRequests:
			refused++
		default:
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
	}
	if refused != 10 {
		t.Errorf("%d of 130 are refused, want 10", refused)
	}
	a := anyone.WantError(t, 429, "rate_limited", "", "POST", "/session/", map[string]any{"token": "fdl_x"})
	if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
		t.Errorf("Retry-After: %q", a.Header.Get("Retry-After"))
	}
}
