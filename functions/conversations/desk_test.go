package conversations_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/auth"
)

func TestUpdate(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	path := c.begin(t)
	member := func(c *client) int64 {
		caller := auth.Caller{Account: c.account, Member: auth.Member{Role: auth.Owner},
			Session: auth.Session{ID: 1}}
		m, err := s.workspaces.AddMember(t.Context(), caller, auth.Member{Name: "Grace", Role: auth.Owner})
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	grace, foreign := member(c), member(other)

	a := c.Want(t, 200, "PATCH", path,
		object{"assignee": grace, "labels": []string{" vip ", "VIP", "refund 💶"},
			"priority": "urgent", "read": true})
	if a.Number("assignee") != fmt.Sprint(grace) || a.Text("priority") != "urgent" ||
		a.Number("unread") != "0" {
		t.Errorf("%s", a.Body)
	}
	if diff := cmp.Diff([]any{"vip", "refund 💶"}, a.Fields["labels"]); diff != "" {
		t.Error(diff)
	}
	if read := c.Want(t, 200, "GET", path, nil); read.Body != a.Body {
		t.Errorf("answered %s, read %s", a.Body, read.Body)
	}
	if again := c.Want(t, 200, "PATCH", path, object{}); again.Body != a.Body {
		t.Errorf("what was not sent changed: %s", again.Body)
	}
	a = c.Want(t, 200, "PATCH", path, object{"assignee": nil, "labels": []string{}, "read": false})
	if a.Fields["assignee"] != nil || a.Number("unread") != "1" || len(a.Fields["labels"].([]any)) != 0 {
		t.Errorf("%s", a.Body)
	}
	c.WantError(t, 400, "validation_error", "assignee", "PATCH", path, object{"assignee": foreign})
	c.WantError(t, 400, "validation_error", "labels", "PATCH", path, object{"labels": []string{" "}})
	c.WantError(t, 400, "validation_error", "priority", "PATCH", path, object{"priority": "high!"})
	other.WantError(t, 404, "not_found", "", "PATCH", path, object{"read": true})
}

func TestNotes(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	path := c.begin(t)
	messages := c.Want(t, 200, "GET", path+"messages/", nil).Body
	for i := range 52 {
		c.Want(t, 201, "POST", path+"notes/", object{"content": fmt.Sprintf("note %d <b>", i)})
	}
	first := c.Want(t, 200, "GET", path+"notes/", nil)
	if first.Number("count") != "52" || first.Results()[0]["content"] != "note 0 <b>" {
		t.Errorf("%s", first.Body)
	}
	if after := c.Want(t, 200, "GET", path+"messages/", nil).Body; after != messages {
		t.Errorf("notes changed the messages: %s", after)
	}
	if _, err := c.say(session, "Are dogs welcome?"); err != nil { // whose reading passes over notes
		t.Fatal(err)
	}
	if lines := c.thread(t, path); len(lines) != 4 {
		t.Errorf("%q", lines)
	}
	c.WantError(t, 400, "validation_error", "content", "POST", path+"notes/", object{"content": " "})
	other.WantError(t, 404, "not_found", "", "POST", path+"notes/", object{"content": "x"})
	other.WantError(t, 404, "not_found", "", "GET", path+"notes/", nil)
}

// TestChanges follows what happens in a workspace by cursors, in which nothing is missing or told twice.
func TestChanges(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	quiet := other.Want(t, 200, "GET", "/changes/", nil)
	early := c.begin(t)
	a := c.Want(t, 200, "GET", "/changes/", nil)
	if a.Number("unread") != "1" || a.Text("cursor") == "" || len(a.Fields["conversations"].([]any)) != 0 {
		t.Errorf("%s", a.Body)
	}
	expect := func(unread int, paths ...string) {
		t.Helper()
		a = c.Want(t, 200, "GET", "/changes/?after="+url.QueryEscape(a.Text("cursor")), nil)
		var got []string
		for _, id := range a.Fields["conversations"].([]any) {
			got = append(got, fmt.Sprintf("conversations/%v/", id))
		}
		if diff := cmp.Diff(paths, got); diff != "" || a.Number("unread") != fmt.Sprint(unread) {
			t.Errorf("unread %s, want %d; conversations (-want +got):\n%s", a.Number("unread"), unread, diff)
		}
	}
	expect(1)
	if _, err := c.say(session, "Thank you!"); err != nil {
		t.Fatal(err)
	}
	expect(1, early)
	expect(1)
	for _, action := range []string{"handoff/", "reply/", "notes/", "resume-ai/", "resolve/"} {
		status := 200
		if action == "reply/" || action == "notes/" {
			status = 201
		}
		c.Want(t, status, "POST", early+action, object{"message": "Hello", "content": "Hello"})
		unread := 1
		if action != "handoff/" {
			unread = 0
		}
		expect(unread, early)
	}
	c.Want(t, 200, "PATCH", early, object{"read": false})
	expect(1, early)
	c.Want(t, 200, "PATCH", early, object{"read": false})
	expect(1) // which changed nothing

	if told := other.Want(t, 200, "GET", "/changes/?after="+quiet.Text("cursor"),
		nil); len(told.Fields["conversations"].([]any)) != 0 {
		t.Errorf("another workspace is told %s", told.Body)
	}
	for _, bad := range []string{"x", "%00", "AAAA" + strings.Repeat("A", 3000)} {
		c.WantError(t, 404, "not_found", "", "GET", "/changes/?after="+bad, nil)
	}
}

func TestSearch(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	path := c.begin(t)
	if _, err := c.say(session, "Je cherche un vélo électrique"); err != nil {
		t.Fatal(err)
	}
	c.Want(t, 200, "PATCH", path, object{"labels": []string{"Umtausch"}})
	for q, n := range map[string]int{
		"ada": 1, "velo": 1, "VÉLO élec": 1, "ada velo": 1, "ada auto": 0, "umtau": 1, "tausch": 0,
		"dogs garden": 1, "  ": 1, "!": 1,
	} {
		for _, list := range []string{"/conversations/?q=",
			fmt.Sprintf("/conversations/?agent_id=%d&status=open&q=", c.agent)} {
			if a := c.Want(t, 200, "GET", list+url.QueryEscape(q), nil); a.Number("count") != fmt.Sprint(n) ||
				len(a.Results()) != n {
				t.Errorf("%q finds %s", q, a.Body)
			}
		}
		if a := other.Want(t, 200, "GET", "/conversations/?q="+url.QueryEscape(q),
			nil); len(a.Results()) != 0 {
			t.Errorf("another workspace finds %s", a.Body)
		}
	}
	c.WantError(t, 404, "not_found", "", "GET", "/conversations/?q=ada&page=2", nil)
	c.WantError(t, 400, "validation_error", "q", "GET", "/conversations/?q="+strings.Repeat("a", 201), nil)
}
