package conversations_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/change"
	"frontdesk/shared/conversation"
)

// member returns a client with the session of a new member of c's workspace.
func (c *client) member(t *testing.T, name string) *apitest.Client {
	t.Helper()
	owner := auth.Caller{Account: c.account, Member: auth.Member{Role: auth.Owner},
		Session: auth.Session{ID: 1}}
	m, err := c.workspaces.AddMember(t.Context(), owner, auth.Member{Name: name, Role: auth.AgentMember})
	if err != nil {
		t.Fatal(err)
	}
	link, err := c.workspaces.MakeLink(t.Context(), c.account.ID, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := c.workspaces.SignIn(t.Context(), link.Token, auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	cookie, _, _ := strings.Cut(signed.Cookie(c.base), ";")
	return &apitest.Client{Base: c.base, Header: http.Header{"Cookie": {cookie}}}
}

// told returns who is where by the presence of an answer: lines such as "Anna at 5: 45 12".
func told(a apitest.Answer) []string {
	var lines []string
	for _, v := range a.Fields["presence"].([]any) {
		p := v.(map[string]any)
		name := p["name"]
		if p["visitor"] == true {
			name = "the visitor"
		}
		lines = append(lines, fmt.Sprintf("%v at %v: %v %v", name, p["conversation_id"], p["viewing_seconds"],
			p["writing_seconds"]))
	}
	return lines
}

// TestPresence follows two members at one conversation.
func TestPresence(t *testing.T) {
	s := serve(t)
	c := s.client(t)
	path := c.begin(t)
	conversation := strings.Trim(strings.TrimPrefix(path, "conversations"), "/")
	anna, tom := c.member(t, "Anna"), c.member(t, "Tom")
	begun := tom.Want(t, 200, "GET", "/changes/", nil)
	cursor := begun.Text("cursor")
	changed := func(want ...string) {
		t.Helper()
		a := tom.Want(t, 200, "GET", "/changes/?after="+url.QueryEscape(cursor), nil)
		if len(a.Fields["conversations"].([]any)) != 0 {
			t.Errorf("a presence is told as a change: %s", a.Body)
		}
		if diff := cmp.Diff(want, told(a)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		cursor = a.Text("cursor")
	}
	report := func(who *apitest.Client, activity string, want ...string) {
		t.Helper()
		a := who.Want(t, 200, "POST", path+"presence/", object{"activity": activity})
		if diff := cmp.Diff(want, told(a)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	report(anna, "viewing")
	changed("Anna at " + conversation + ": 45 0")
	report(anna, "writing")
	changed("Anna at " + conversation + ": 45 12") // the last report is the one that counts
	report(tom, "viewing", "Anna at "+conversation+": 45 12")
	report(anna, "writing", "Tom at "+conversation+": 45 0")
	changed("Anna at " + conversation + ": 45 12") // and not Tom himself
	s.pass(13 * time.Second)
	report(tom, "viewing", "Anna at "+conversation+": 32 0") // she stopped typing
	report(anna, "left", "Tom at "+conversation+": 45 0")
	changed("Anna at " + conversation + ": 0 0")
	report(tom, "viewing")
	report(anna, "writing", "Tom at "+conversation+": 45 0")
	s.pass(47 * time.Second) // her browser is gone
	report(tom, "viewing")
	changed()
}

// TestPresenceIsStoredSparingly repeats a report: the item is not written again at once.
func TestPresenceIsStoredSparingly(t *testing.T) {
	s := serve(t)
	c := s.client(t)
	path := c.begin(t)
	anna := c.member(t, "Anna")
	writes := func() int {
		changes, err := c.feed.Changes(t.Context(), "", 10_000)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, change := range changes {
			if change.New != nil && conversation.IsPresence(change.New.Key) {
				n++
			}
		}
		return n
	}
	for range 10 {
		anna.Want(t, 200, "POST", path+"presence/", object{"activity": "writing"})
	}
	if n := writes(); n != 1 {
		t.Errorf("ten reports at once are written %d times", n)
	}
	s.pass(8 * time.Second)
	anna.Want(t, 200, "POST", path+"presence/", object{"activity": "writing"})
	if n := writes(); n != 2 {
		t.Errorf("a report after eight seconds makes %d writes", n)
	}
}

// TestPresenceEndsWithMessages has a visitor type and send: the dots end with the message.
func TestPresenceEndsWithMessages(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	path := c.begin(t)
	var id int64
	if _, err := fmt.Sscanf(path, "conversations/%d/", &id); err != nil {
		t.Fatal(err)
	}
	c.Want(t, 200, "POST", path+"handoff/", nil)
	cursor := c.Want(t, 200, "GET", "/changes/", nil).Text("cursor")
	types := change.Who{Visitor: true}.In(id, change.Writing, c.ids.Next())
	err := c.table.Transact(t.Context(), types.Write(c.account.ID, conversation.Partition(c.account.ID, id)))
	if err != nil {
		t.Fatal(err)
	}
	follow := func() []string {
		t.Helper()
		return told(c.Want(t, 200, "GET", "/changes/?after="+url.QueryEscape(cursor), nil))
	}
	if diff := cmp.Diff([]string{fmt.Sprintf("the visitor at %d: 0 12", id)}, follow()); diff != "" {
		t.Error(diff)
	}
	if _, err := c.say(session, "Are cats welcome?"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{fmt.Sprintf("the visitor at %d: 0 0", id)}, follow()); diff != "" {
		t.Error(diff)
	}
	if lines := c.thread(t, path); len(lines) != 3 {
		t.Errorf("presences change the thread: %q", lines)
	}
	for _, body := range []object{{}, {"activity": "sleeping"}} {
		c.WantError(t, 400, "validation_error", "activity", "POST", path+"presence/", body)
	}
	other.WantError(t, 404, "not_found", "", "POST", path+"presence/", object{"activity": "viewing"})
	c.WantError(t, 404, "not_found", "", "POST", "conversations/1/presence/", object{"activity": "viewing"})
}
