package account_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/functions/account"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/api/servicetest"
	"frontdesk/shared/auth"
)

// A desk is a service with the endpoints of accounts, and a workspace on it.
type desk struct {
	*servicetest.Service
	key     apitest.Client
	account int64
}

func newDesk(t *testing.T, plan string) *desk {
	t.Helper()
	s := servicetest.New(t)
	(&account.Service{Table: s.Table, Now: s.Now, IDs: s.IDs}).Routes(s.Router)
	c := s.Client(t, plan)
	return &desk{s, c, c.Account}
}

// token is that of a new link for the workspace's owner.
func (d *desk) token(t *testing.T) string {
	t.Helper()
	link, err := d.Workspaces.OwnerLink(t.Context(), d.account)
	if err != nil {
		t.Fatal(err)
	}
	return link.Token
}

// tokenOf is the token in an invitation's address.
func tokenOf(t *testing.T, url string) string {
	t.Helper()
	_, token, ok := strings.Cut(url, "/app/#token=")
	if !ok {
		t.Fatalf("%q is no sign-in link", url)
	}
	return token
}

// anyone is a client without a key.
func (d *desk) anyone() apitest.Client {
	return apitest.Client{Base: d.key.Base, Header: http.Header{}}
}

// signIn is a client with the session that a token is exchanged for.
func (d *desk) signIn(t *testing.T, token string) apitest.Client {
	t.Helper()
	c := d.anyone()
	a := c.Want(t, 201, "POST", "/session/", map[string]any{"token": token})
	set, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	if set.Name != "frontdesk" || !set.HttpOnly || set.Secure || set.SameSite != http.SameSiteStrictMode ||
		set.Path != "/" ||
		set.MaxAge != int(auth.SessionAge.Seconds()) || len(set.Value) < 43 {
		t.Errorf("on this machine the cookie is %v", set)
	}
	c.Header.Set("Cookie", set.Name+"="+set.Value)
	return c
}

// member adds a member and signs the member in.
func (d *desk) member(t *testing.T, by apitest.Client, name, role string) (string, apitest.Client) {
	t.Helper()
	id := by.Want(t, 201, "POST", "/members/", map[string]any{"name": name, "role": role}).Number("id")
	invited := by.Want(t, 201, "POST", "/members/"+id+"/invite/", nil)
	return id, d.signIn(t, tokenOf(t, invited.Text("url")))
}

func TestSignIn(t *testing.T) {
	d := newDesk(t, "free")
	token := d.token(t)
	owner := d.signIn(t, token)
	anyone := d.anyone()
	anyone.WantError(t, 401, "authentication_required", "", "POST", "/session/",
		map[string]any{"token": token})
	anyone.WantError(t, 401, "authentication_required", "", "POST", "/session/",
		map[string]any{"token": "fdl_unknown"})
	anyone.WantError(t, 401, "authentication_required", "", "GET", "/session/", nil)

	session := owner.Want(t, 200, "GET", "/session/", nil)
	member, _ := session.Fields["member"].(map[string]any)
	if session.Text("role") != "owner" || session.Text("plan") != "free" || member["role"] != "owner" ||
		member["signed_in_at"] == nil {
		t.Errorf("signed in as %s", session.Body)
	}
	me := owner.Want(t, 200, "GET", "/me/", nil)
	if me.Fields["api_key"] != nil || me.Header.Get("X-RateLimit-Limit") != "600" {
		t.Errorf("a session is told %s with %v", me.Body, me.Header)
	}
	ended := owner.Want(t, 204, "DELETE", "/session/", nil)
	if c, err := http.ParseSetCookie(ended.Header.Get("Set-Cookie")); err != nil || c.MaxAge >= 0 {
		t.Errorf("signing out leaves the cookie: %v, %v", c, err)
	}
	owner.WantError(t, 401, "authentication_required", "", "GET", "/me/", nil)
	owner.Want(t, 204, "DELETE", "/session/", nil)
}

// TestSessionIsNoKey sends a session's cookie as an API key and an API key as a cookie.
func TestSessionIsNoKey(t *testing.T) {
	d := newDesk(t, "free")
	owner := d.signIn(t, d.token(t))
	asKey := d.anyone()
	asKey.Key = strings.TrimPrefix(owner.Header.Get("Cookie"), "frontdesk=")
	asKey.WantError(t, 401, "invalid_api_key", "", "GET", "/me/", nil)
	asCookie := d.anyone()
	asCookie.Header.Set("Cookie", "frontdesk="+d.key.Key)
	asCookie.WantError(t, 401, "authentication_required", "", "GET", "/me/", nil)
}

// TestPlanWithoutAPI has a plan without API access have the dashboard.
func TestPlanWithoutAPI(t *testing.T) {
	d := newDesk(t, "widget")
	d.key.WantError(t, 403, "forbidden", "", "GET", "/me/", nil)
	owner := d.signIn(t, d.token(t))
	if plan, _ := owner.Want(t, 200, "GET", "/me/",
		nil).Fields["plan"].(map[string]any); plan["name"] != "widget" {
		t.Errorf("the plan is %v", plan)
	}
}

func TestOtherOrigins(t *testing.T) {
	d := newDesk(t, "free")
	owner := d.signIn(t, d.token(t))
	token := d.token(t)
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}},
		{"Sec-Fetch-Site": {"same-site"}},
		{"Origin": {"https://evil.example"}},
		{"Origin": {"null"}},
	} {
		c := owner
		c.Header = owner.Header.Clone()
		for name, values := range header {
			c.Header[name] = values
		}
		c.WantError(t, 403, "forbidden", "", "POST", "/members/",
			map[string]any{"name": "Eve", "role": "owner"})
		c.WantError(t, 403, "forbidden", "", "GET", "/me/", nil)
		c.WantError(t, 403, "forbidden", "", "POST", "/session/", map[string]any{"token": token})
		c.WantError(t, 403, "forbidden", "", "DELETE", "/session/", nil)
	}
	same := owner
	same.Header = owner.Header.Clone()
	same.Header.Set("Sec-Fetch-Site", "same-origin")
	same.Want(t, 201, "POST", "/members/", map[string]any{"name": "Grace", "role": "agent"})
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; " +
		"boundary=x", ""} {
		req, err := http.NewRequestWithContext(t.Context(), "POST", d.key.Base+"members/", strings.NewReader(`{"name": "Eve", "role": "owner"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = owner.Header.Clone()
		req.Header.Set("Content-Type", kind)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 400 {
			t.Errorf("a body of type %q: %d", kind, resp.StatusCode)
		}
	}
}

func TestRoles(t *testing.T) {
	d := newDesk(t, "free")
	owner := d.signIn(t, d.token(t))
	ownerID := fmt.Sprint(owner.Want(t, 200, "GET", "/members/", nil).Results()[0]["id"])
	agentID, agent := d.member(t, owner, "Tom", "agent")
	adminID, admin := d.member(t, owner, "Ada", "admin")

	for _, call := range [][2]string{
		{
			"POST", "/members/"}, {"PATCH", "/members/" + agentID + "/"}, {"DELETE",
			"/members/" + agentID + "/",
		},
		{
			"POST", "/members/" + agentID + "/invite/"}, {"GET", "/api-keys/"}, {"POST",
			"/api-keys/"}, {"DELETE", "/api-keys/5/"},
		{"GET", "/audit/"},
	} {
		agent.WantError(t, 403, "forbidden", "", call[0], call[1],
			map[string]any{"name": "x", "role": "owner"})
	}
	for _, c := range []apitest.Client{admin, d.key} { // a key may do what an admin may
		c.WantError(t, 403, "forbidden", "", "POST", "/members/",
			map[string]any{"name": "Eve", "role": "owner"})
		c.WantError(t, 403, "forbidden", "", "PATCH", "/members/"+ownerID+"/", map[string]any{"name": "Eve"})
		c.WantError(t, 403, "forbidden", "", "PATCH", "/members/"+adminID+"/",
			map[string]any{"role": "owner"})
		c.WantError(t, 403, "forbidden", "", "POST", "/members/"+ownerID+"/invite/", nil)
		c.WantError(t, 403, "forbidden", "", "DELETE", "/members/"+ownerID+"/", nil)
	}
	owner.WantError(t, 400, "validation_error", "role", "PATCH", "/members/"+ownerID+"/",
		map[string]any{"role": "admin"})
	owner.WantError(t, 400, "validation_error", "role", "DELETE", "/members/"+ownerID+"/", nil)

	admin.Want(t, 200, "PATCH", "/members/"+agentID+"/", map[string]any{"role": "admin"})
	agent.Want(t, 200, "GET", "/api-keys/", nil) // at once, in the session that goes on
	owner.Want(t, 204, "DELETE", "/members/"+agentID+"/", nil)
	agent.WantError(t, 401, "authentication_required", "", "GET", "/me/", nil)
	owner.WantError(t, 404, "not_found", "", "DELETE", "/members/"+agentID+"/", nil)
	owner.WantError(t, 404, "not_found", "", "POST", "/members/"+agentID+"/invite/", nil)

	owner.Want(t, 200, "PATCH", "/members/"+adminID+"/", map[string]any{"role": "owner"})
	owner.Want(t, 200, "PATCH", "/members/"+ownerID+"/", map[string]any{"role": "admin"})
	owner.WantError(t, 403, "forbidden", "", "PATCH", "/members/"+adminID+"/",
		map[string]any{"role": "agent"})
}

// TestInvitationOfTheRemoved has a link end with its member.
func TestInvitationOfTheRemoved(t *testing.T) {
	d := newDesk(t, "free")
	id := d.key.Want(t, 201, "POST", "/members/",
		map[string]any{"name": "Tom", "email": "tom@example.com", "role": "agent"}).Number("id")
	token := tokenOf(t, d.key.Want(t, 201, "POST", "/members/"+id+"/invite/", nil).Text("url"))
	d.key.WantError(t, 400, "validation_error", "email", "POST", "/members/",
		map[string]any{"name": "T", "email": "TOM@example.com", "role": "agent"})
	d.key.Want(t, 204, "DELETE", "/members/"+id+"/", nil)
	anyone := d.anyone()
	anyone.WantError(t, 401, "authentication_required", "", "POST", "/session/",
		map[string]any{"token": token})
}

func TestSessions(t *testing.T) {
	d := newDesk(t, "free")
	owner := d.signIn(t, d.token(t))
	_, agent := d.member(t, owner, "Tom", "agent")
	other := d.signIn(t, d.token(t))
	all := owner.Want(t, 200, "GET", "/sessions/", nil)
	if all.Number("count") != "3" || all.Results()[0]["current"] != true ||
		all.Results()[2]["current"] != false {
		t.Errorf("the owner sees %s", all.Body)
	}
	own := agent.Want(t, 200, "GET", "/sessions/", nil)
	if own.Number("count") != "1" || own.Results()[0]["current"] != true {
		t.Errorf("an agent sees %s", own.Body)
	}
	last := fmt.Sprintf("/sessions/%v/", all.Results()[2]["id"])
	agent.WantError(t, 404, "not_found", "", "DELETE", last, nil)
	owner.Want(t, 204, "DELETE", last, nil)
	other.WantError(t, 401, "authentication_required", "", "GET", "/me/", nil)
	owner.WantError(t, 404, "not_found", "", "DELETE", last, nil)
	agent.Want(t, 204, "DELETE", fmt.Sprintf("/sessions/%v/", own.Results()[0]["id"]), nil)
	agent.WantError(t, 401, "authentication_required", "", "GET", "/me/", nil)
}

// TestPlanReachesSessions moves a workspace to another plan while somebody is signed in.
func TestPlanReachesSessions(t *testing.T) {
	d := newDesk(t, "free")
	owner := d.signIn(t, d.token(t))
	if _, err := d.Workspaces.SetPlan(t.Context(), d.account, "pro"); err != nil {
		t.Fatal(err)
	}
	if plan := owner.Want(t, 200, "GET", "/session/", nil).Text("plan"); plan != "pro" {
		t.Errorf("the plan is %s", plan)
	}
}

func TestKeys(t *testing.T) {
	d := newDesk(t, "free")
	owner := d.signIn(t, d.token(t))
	made := owner.Want(t, 201, "POST", "/api-keys/", map[string]any{"name": "Shop"})
	key := d.anyone()
	key.Key = made.Text("api_key")
	key.Want(t, 200, "GET", "/me/", nil)
	list := owner.Want(t, 200, "GET", "/api-keys/", nil)
	if list.Number("count") != "2" || strings.Contains(list.Body, key.Key) {
		t.Errorf("keys are %s", list.Body)
	}
	owner.Want(t, 204, "DELETE", "/api-keys/"+made.Number("id")+"/", nil)
	key.WantError(t, 401, "invalid_api_key", "", "GET", "/me/", nil)
	if n := owner.Want(t, 200, "GET", "/api-keys/", nil).Number("count"); n != "1" {
		t.Errorf("after one was revoked there are %s", n)
	}
	owner.WantError(t, 404, "not_found", "", "DELETE", "/api-keys/5/", nil)
}

func TestAudit(t *testing.T) {
	d := newDesk(t, "free")
	owner := d.signIn(t, d.token(t))
	ownerID := owner.Want(t, 200, "GET", "/members/", nil).Results()[0]["id"]
	owner.Want(t, 200, "PATCH", fmt.Sprintf("/members/%v/", ownerID), map[string]any{"name": "Ada"})
	d.key.Want(t, 201, "POST", "/members/", map[string]any{"name": "Tom", "role": "agent"})
	d.key.WantError(t, 400, "validation_error", "name", "POST", "/members/", map[string]any{"role": "agent"})
	made := owner.Want(t, 201, "POST", "/api-keys/", map[string]any{"name": "Shop"})
	var got []string
	audit := owner.Want(t, 200, "GET", "/audit/", nil)
	for _, e := range audit.Results() {
		actor, _ := e["actor"].(map[string]any)
		got = append(got, fmt.Sprint(actor["kind"], " ", actor["name"], ": ", e["action"], " ", e["path"]))
	}
	want := []string{
		"member Ada: Make an API key /api-keys/",
		"api_key default: Add a member /members/",
		fmt.Sprintf("member Owner: Change a member /members/%v/", ownerID),
		"member Owner: Sign in /session/",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || audit.Number("count") != fmt.Sprint(len(want)) {
		t.Errorf("the log is %q, want %q: %s", got, want, audit.Body)
	}
	if strings.Contains(audit.Body, made.Text("api_key")) {
		t.Error("the log tells a key")
	}
}

// TestRateOfSessions counts the requests of each session by itself.
func TestRateOfSessions(t *testing.T) {
	d := newDesk(t, "free")
	fixed := time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)
	d.Router.Auth = &auth.Keys{Table: d.Table, Now: func() time.Time { return fixed }}
	one, other := d.signIn(t, d.token(t)), d.signIn(t, d.token(t))
	for range auth.SessionRequestsPerMinute {
		one.Want(t, 200, "GET", "/session/", nil)
	}
	one.WantError(t, 429, "rate_limited", "", "GET", "/session/", nil)
	other.Want(t, 200, "GET", "/session/", nil)
}

// TestSlidingEnd keeps a session as long as it is used, and no longer.
func TestSlidingEnd(t *testing.T) {
	var moved atomic.Int64
	s := servicetest.New(t)
	now := func() time.Time { return s.Now().Add(time.Duration(moved.Load())) }
	s.Workspaces.Now = now
	s.Router.Auth = &auth.Keys{Table: s.Table, Now: now}
	(&account.Service{Table: s.Table, Now: now, IDs: s.IDs}).Routes(s.Router)
	c := s.Client(t, "free")
	d := &desk{s, c, c.Account}
	owner := d.signIn(t, d.token(t))
	if again := owner.Want(t, 200, "GET", "/session/", nil).Header.Get("Set-Cookie"); again != "" {
		t.Errorf("a new session is renewed: %s", again)
	}
	for range 3 {
		moved.Add(int64(13 * 24 * time.Hour))
		set, err := http.ParseSetCookie(owner.Want(t, 200, "GET", "/session/", nil).Header.Get("Set-Cookie"))
		if err != nil || owner.Header.Get("Cookie") != set.Name+"="+set.Value ||
			set.MaxAge != int(auth.SessionAge.Seconds()) {
			t.Errorf("after 13 days the cookie is %v, %v", set, err)
		}
	}
	moved.Add(int64(15 * 24 * time.Hour))
	owner.WantError(t, 401, "authentication_required", "", "GET", "/session/", nil)
	token := d.token(t)
	moved.Add(int64(auth.LinkAge))
	anyone := d.anyone()
	anyone.WantError(t, 401, "authentication_required", "", "POST", "/session/",
		map[string]any{"token": token})
}

// TestOneMemberForAnAddress adds members with one e-mail address at the same time, changes addresses, and
// takes one that was given up.
func TestOneMemberForAnAddress(t *testing.T) {
	d := newDesk(t, "free")
	body := map[string]any{"name": "Tom", "email": "tom@example.com", "role": "agent"}
	statuses := make(chan int, 8)
	for range cap(statuses) {
		go func() {
			answer, err := d.key.Try("POST", "/members/", body)
			if err != nil {
				t.Error(err)
			}
			statuses <- answer.Status
		}()
	}
	count := map[int]int{}
	for range cap(statuses) {
		count[<-statuses]++
	}
	if count[201] != 1 || count[400] != cap(statuses)-1 {
		t.Fatalf("answers by status: %v", count)
	}
	body["email"] = "ann@example.com"
	ann := "/members/" + d.key.Want(t, 201, "POST", "/members/", body).Number("id") + "/"
	d.key.WantError(t, 400, "validation_error", "email", "PATCH", ann,
		map[string]any{"email": "Tom@example.com"})
	d.key.Want(t, 200, "PATCH", ann, map[string]any{"email": "ANN@example.com"})
	d.key.Want(t, 200, "PATCH", ann, map[string]any{"email": ""})
	d.key.Want(t, 201, "POST", "/members/", body)
}
