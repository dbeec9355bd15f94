package widget_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/widget"
	"frontdesk/shared/agent"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/table"
)

// A service is the endpoints over a table of their own, with one agent of a workspace.
type service struct {
	*apitest.Service
	agents *agent.Store
	agent  agent.Agent
	// mine has the key of the agent's workspace, theirs that of another.
	mine, theirs apitest.Client
}

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{Service: apitest.NewService(t)}
	(&widget.Service{Table: s.Table, Now: s.Now}).Routes(s.Router)
	s.agents = &agent.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
	s.mine, s.theirs = s.Client(t, "free"), s.Client(t, "free")
	var err error
	s.agent, err = s.agents.Create(t.Context(), s.mine.Account, agent.Agent{Summary: agent.Summary{
		Name: "Mia", WidgetEnabled: true, Branding: agent.DefaultBranding(agent.English),
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *service) path() string { return fmt.Sprintf("/agents/%d/widget/", s.agent.ID) }

// call makes a request that must succeed and returns the widget that it answers with.
func (s *service) call(t *testing.T, method, path string, body any) (w agent.Widget) {
	t.Helper()
	s.mine.Want(t, 200, method, path, body).Into(t, &w)
	return w
}

// leadsTo is the agent that an embed key leads to, 0 where it leads nowhere.
func (s *service) leadsTo(t *testing.T, embed string) int64 {
	t.Helper()
	item, err := s.Table.Get(t.Context(), table.EmbedKey(embed))
	if errors.Is(err, table.ErrNotFound) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	ref, err := agent.ReadRef(item)
	if err != nil {
		t.Fatal(err)
	}
	if ref.AccountID != s.agent.AccountID {
		t.Errorf("the embed key leads to workspace %d", ref.AccountID)
	}
	return ref.AgentID
}

func TestUpdate(t *testing.T) {
	s := serve(t)
	before := s.call(t, "GET", s.path(), nil)
	if !before.Enabled || before.EmbedKey != s.agent.EmbedKey || before.WelcomeMessage == "" {
		t.Errorf("a new widget: %+v", before)
	}
	all := `{"enabled": false, "brand_name": " Acme ", "logo_url": "https://acme.example/l.png", "avatar_url": "http://acme.example/a.png",
		"button_text": "` + strings.Repeat("é", 51) + `", "tagline": "At once", "welcome_message": "Hi", "primary_color": "#ABCDEF",
		"secondary_color": "#012345", "embed_key": "mine", "script_url": "https://evil.example/x.js", "endpoints": {}}`
	want := before
	want.Enabled, want.BrandName, want.LogoURL, want.AvatarURL = false, "Acme", "https://acme.example/l.png", "http://acme.example/a.png"
	want.ButtonText, want.Tagline, want.WelcomeMessage = strings.Repeat("é", 50), "At once", "Hi"
	want.PrimaryColor, want.SecondaryColor = "#ABCDEF", "#012345"
	want.EmbedSnippet = fmt.Sprintf(`<script src="%s" data-agent="%s" data-color="#ABCDEF" defer></script>`, before.ScriptURL, before.EmbedKey)
	for name, body := range map[string]any{"all fields": all, "nothing": "{}", "what was read": want} {
		if name != "all fields" {
			s.call(t, "PATCH", s.path(), all)
		}
		got := s.call(t, "PATCH", s.path(), body)
		read := s.call(t, "GET", s.path(), nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the answer\n%s", name, diff)
		}
		if diff := cmp.Diff(want, read); diff != "" {
			t.Errorf("%s: read afterwards\n%s", name, diff)
		}
	}
	got := s.call(t, "PATCH", s.path(), `{"enabled": true, "logo_url": "", "tagline": ""}`)
	want.Enabled, want.LogoURL, want.Tagline = true, "", ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("enabled again:\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	s := serve(t)
	before := s.call(t, "GET", s.path(), nil)
	for _, test := range []struct{ body, code, field string }{
		{`{"primary_color": "#fff"}`, "validation_error", "primary_color"},
		{`{"primary_color": "blue"}`, "validation_error", "primary_color"},
		{`{"primary_color": "#12345G"}`, "validation_error", "primary_color"},
		{`{"primary_color": ""}`, "validation_error", "primary_color"},
		{`{"secondary_color": "1234567"}`, "validation_error", "secondary_color"},
		{`{"secondary_color": "#1234567"}`, "validation_error", "secondary_color"},
		{`{"avatar_url": "data:text/html,x"}`, "validation_error", "avatar_url"},
		{`{"enabled": "yes"}`, "bad_request", ""},
		{`{"enabled": 1}`, "bad_request", ""},
		{`{"enabled": null}`, "bad_request", ""},
		{`{"tagline": 5}`, "bad_request", ""},
		{`{"primary_color": 5}`, "bad_request", ""},
		{`{"brand_name": "x", "primary_color": "#"}`, "validation_error", "primary_color"},
	} {
		s.mine.WantError(t, 400, test.code, test.field, "PATCH", s.path(), test.body)
	}
	after := s.call(t, "GET", s.path(), nil)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("a refusal changed the widget:\n%s", diff)
	}
}

func TestRotateKey(t *testing.T) {
	s := serve(t)
	before := s.call(t, "GET", s.path(), nil)
	if got := s.leadsTo(t, before.EmbedKey); got != s.agent.ID {
		t.Errorf("the first key leads to %d, not %d", got, s.agent.ID)
	}
	after := s.call(t, "POST", s.path()+"rotate-key/", nil)
	if diff := cmp.Diff(after, s.call(t, "GET", s.path(), nil)); diff != "" {
		t.Errorf("rotated (-) and then read (+):\n%s", diff)
	}
	if old, now := s.leadsTo(t, before.EmbedKey), s.leadsTo(t, after.EmbedKey); old != 0 || now != s.agent.ID {
		t.Errorf("the old key leads to %d, the new one to %d", old, now)
	}
	text, err := json.Marshal(after)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), before.EmbedKey) || strings.Count(string(text), after.EmbedKey) != 5 {
		t.Errorf("the keys in the answer: %s", text)
	}
}

// TestRotateAtOnce rotates the key many times at once: one key leads to the agent in the end, the one that is shown.
func TestRotateAtOnce(t *testing.T) {
	s := serve(t)
	var wg sync.WaitGroup
	keys := make([]string, 5)
	for i := range keys {
		wg.Go(func() {
			a, err := s.agents.RotateKey(t.Context(), s.agent.AccountID, s.agent.ID)
			if err != nil {
				t.Error(err)
			}
			keys[i] = a.EmbedKey
		})
	}
	wg.Wait()
	shown := s.call(t, "GET", s.path(), nil)
	for _, key := range append(keys, s.agent.EmbedKey) {
		want := int64(0)
		if key == shown.EmbedKey {
			want = s.agent.ID
		}
		if got := s.leadsTo(t, key); got != want {
			t.Errorf("key %s leads to %d, want %d", key, got, want)
		}
	}
}

func TestNotFound(t *testing.T) {
	s := serve(t)
	for _, endpoint := range []struct{ method, suffix string }{{"GET", ""}, {"PATCH", ""}, {"POST", "rotate-key/"}} {
		s.theirs.WantError(t, 404, "not_found", "", endpoint.method, s.path()+endpoint.suffix, "{}")
		other := fmt.Sprintf("/agents/%d/widget/", s.agent.ID+1)
		s.mine.WantError(t, 404, "not_found", "", endpoint.method, other+endpoint.suffix, "{}")
	}
	if got := s.leadsTo(t, s.agent.EmbedKey); got != s.agent.ID {
		t.Errorf("another workspace rotated the key away")
	}
}
