package widget_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"frontdesk/shared/auth"
	"frontdesk/shared/message"
)

// signIn signs the owner of the workspace in, and returns a function that has the dashboard ask something.
func (s *service) signIn(t *testing.T) (asks func()) {
	t.Helper()
	link, err := s.workspaces.OwnerLink(t.Context(), s.agent.AccountID)
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.workspaces.SignIn(t.Context(), link.Token, auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		req := httptest.NewRequest("GET", s.URL+"/api/v1"+s.path(), nil)
		cookie, err := http.ParseSetCookie(in.Cookie(s.URL))
		if err != nil {
			t.Fatal(err)
		}
		req.AddCookie(cookie)
		answer := httptest.NewRecorder()
		s.router.ServeHTTP(answer, req)
		if answer.Code != 200 {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
}

// TestTeam looks who is there while nobody has signed in, while the owner's dashboard asks, and after it was
// closed.
func TestTeam(t *testing.T) {
	s := serve(t)
	look := func(online bool, replies string) {
		t.Helper()
		got := s.visitor().Want(t, 200, "GET", s.public()+"team/", nil)
		if got.Fields["online"] != online || got.Text("replies") != replies {
			t.Errorf("%s, want online %v, replies %q", got.Body, online, replies)
		}
		if names := got.Fields["names"].([]any); online != slices.Contains(names, any("Owner")) {
			t.Errorf("the names are %v", names)
		}
	}
	look(false, "")
	asks := s.signIn(t)
	look(false, "")
	asks()
	look(true, "")
	s.ahead.Store(int64(5 * time.Minute))
	look(false, "")
	for range 3 { // contacts who waited for a person, who answered at once
		first := s.visitor().Want(t, 200, "POST", s.public()+"send/", `{"message": "Hello"}`)
		s.change(t, first, func(u *message.Unit) { u.Conversation.HandOver("") })
		s.say(t, first.Text("session_id"), "Is anybody there?")
		s.change(t, first, func(u *message.Unit) { u.Say(message.Draft{Text: "I am.", ByPerson: true}) })
	}
	look(false, "minutes")
	s.call(t, s.key, "PATCH", s.path(), `{"show_team": false}`, 200, nil)
	s.visitor().WantError(t, 403, "forbidden", "", "GET", s.public()+"team/", nil)
}
