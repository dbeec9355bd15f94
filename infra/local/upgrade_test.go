package local_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
	"frontdesk/shared/release"
)

// TestUpgrade has the release before write, this version read that and go on with it, and the release before
// go on with what this version wrote, as after going back.
func TestUpgrade(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the release before")
	}
	if err := exec.Command("git", "cat-file", "-e", release.Previous+"^{commit}").Run(); err != nil {
		t.Skip("NOT TESTED: the release before, whose commit this checkout does not have")
	}
	before := filepath.Join(t.TempDir(), "before")
	git(t, "worktree", "add", "--quiet", "--detach", before, release.Previous)
	t.Cleanup(func() { git(t, "worktree", "remove", "--force", before) })
	old, now := buildAt(t, before), buildAt(t, "../..")
	data := t.TempDir()

	c, stop := runIn(t, before, old, data)
	shop := openUpgraded(t, c)
	stop()
	c, stop = run(t, now, data)
	shop.goOn(t, c, "this version")
	agent := "/agents/" + shop.agent + "/"
	c.Want(t, 200, "PATCH", agent, map[string]any{"retention_days": 30, "name": "Mia the second"})
	shop.talks = append(shop.talks, shop.talk(t, c, ""))
	stop()
	c, stop = runIn(t, before, old, data)
	defer stop()
	if name := c.Want(t, 200, "GET", agent, nil).Fields["name"]; name != "Mia the second" {
		t.Errorf("the release before reads the name %v", name)
	}
	shop.goOn(t, c, "the release before")
}

// buildAt builds the service of a checkout.
func buildAt(t *testing.T, folder string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "frontdesk")
	cmd := exec.Command("go", "build", "-o", program, "./infra/local/frontdesk")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", args, err, out)
	}
}

// An upgraded shop is what one version wrote and another goes on with.
type upgraded struct {
	agent, document, contact, appointment, webhook string
	talks                                          []string // chat sessions
	said                                           map[string]int
	delivers                                       int // how many conversations were resolved
}

func openUpgraded(t *testing.T, c *apitest.Client) *upgraded {
	t.Helper()
	s := &upgraded{said: map[string]int{}}
	s.agent = c.Want(t, 201, "POST", "/agents/",
		map[string]any{"name": "Mia", "business_name": "Acme"}).Number("id")
	agent := "/agents/" + s.agent + "/"
	s.document = c.Want(t, 201, "POST", agent+"knowledge/", map[string]any{
		"title": "House rules", "content": "Dogs are welcome in the garden.",
	}).Number("id")
	s.contact = c.Want(t, 201, "POST", "/contacts/", map[string]any{
		"agent_id": json.Number(s.agent), "name": "Ada", "phone": "+14155550123",
	}).Number("id")
	s.appointment = c.Want(t, 201, "POST", "/appointments/", map[string]any{
		"agent_id": json.Number(s.agent), "contact_id": json.Number(s.contact), "title": "Visit",
		"start_time": "2030-03-04T09:30:00Z", "end_time": "2030-03-04T10:00:00Z",
	}).Number("id")
	s.webhook = c.Want(t, 201, "POST", agent+"webhooks/", map[string]any{
		"url": "https://127.0.0.1:9/", "events": []string{"conversation.resolved"},
	}).Number("id")
	s.talks = append(s.talks, s.talk(t, c, ""))
	return s
}

// talk asks in a chat session, a new one where it is "", and returns the session.
func (s *upgraded) talk(t *testing.T, c *apitest.Client, session string) string {
	t.Helper()
	body := map[string]any{"message": "Can I bring my dog?"}
	if session != "" {
		body["session_id"] = session
	}
	chat := c.Want(t, 200, "POST", "/agents/"+s.agent+"/chat/", body)
	if !strings.Contains(fmt.Sprint(chat.Fields["reply"]), "garden") {
		t.Errorf("the reply is %v", chat.Fields["reply"])
	}
	session = chat.Fields["session_id"].(string)
	s.said[session] += 2
	return session
}

// goOn reads all that is there, and goes on with it. First it does what CHANGELOG.md asks for: the two
// releases index documents in forms of their own.
func (s *upgraded) goOn(t *testing.T, c *apitest.Client, version string) {
	t.Helper()
	c.Want(t, 200, "POST", "/knowledge/"+s.document+"/reindex/", nil)
	agent := "/agents/" + s.agent + "/"
	for _, path := range []string{
		agent, agent + "knowledge/", "/contacts/" + s.contact + "/",
		"/appointments/" + s.appointment + "/", agent + "webhooks/", agent + "analytics/",
		agent + "channels/",
		"/agents/", "/contacts/", "/appointments/", "/api-keys/", "/members/", "/audit/",
	} {
		if got := c.Call(t, "GET", path, nil); got.Status != 200 {
			t.Errorf("%s answers %s with %d %s", version, path, got.Status, got.Body)
		}
	}
	for _, session := range s.talks {
		s.talk(t, c, session)
		history := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session, nil)
		if n := len(history.Fields["messages"].([]any)); n != s.said[session] {
			t.Errorf("%s has %d of %d messages of a session", version, n, s.said[session])
		}
	}
	all := c.Want(t, 200, "GET", agent+"conversations/", nil).Results()
	if len(all) != len(s.talks) {
		t.Errorf("%s lists %d conversations, want %d", version, len(all), len(s.talks))
	}
	c.Want(t, 200, "POST", fmt.Sprintf("/conversations/%v/resolve/", all[0]["id"]), nil)
	s.delivers++
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		told := c.Want(t, 200, "GET", agent+"webhooks/"+s.webhook+"/deliveries/", nil).Results()
		if len(told) == s.delivers {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%s has delivered %d events, want %d", version, len(told), s.delivers)
		}
	}
	c.Want(t, 200, "PATCH", "/contacts/"+s.contact+"/", map[string]any{"name": "Ada " + version})
}
