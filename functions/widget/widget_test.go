package widget_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/widget"
	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/api"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A service is the endpoints over a table of their own, with one agent of a workspace. Its clock can be set
// ahead, and the address from which requests seem to come.
type service struct {
	*httptest.Server
	router      *api.Router
	table       table.Table
	agents      *agent.Store
	workspaces  *auth.Workspaces
	agent       agent.Agent
	key, theirs string // API keys of the agent's workspace and of another
	ahead       atomic.Int64
	address     atomic.Pointer[string]
	edge        atomic.Pointer[string] // the address of a cache before the service
}

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{}
	s.address.Store(new("192.0.2.1"))
	s.edge.Store(new(""))
	now := func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s.table, s.agents = store, &agent.Store{Table: store, Now: now, IDs: id.NewSource(now)}
	s.workspaces = &auth.Workspaces{Table: store, Now: now, IDs: s.agents.IDs}
	account, key, err := s.workspaces.Create(t.Context(), "Acme", "free")
	if err != nil {
		t.Fatal(err)
	}
	_, theirs, err := s.workspaces.Create(t.Context(), "Other", "free")
	if err != nil {
		t.Fatal(err)
	}
	s.key, s.theirs = key.Text, theirs.Text
	s.agent, err = s.agents.Create(t.Context(), account.ID, agent.Agent{Summary: agent.Summary{
		Name: "Mia", WidgetEnabled: true, Branding: agent.DefaultBranding(agent.English),
		Language: agent.English,
		Status:   agent.Active, AIEnabled: true, AIModel: ai.Builtin, MaxResponseLength: 500,
	}, FAQs: []agent.FAQ{{Question: "Are dogs welcome?", Answer: "Dogs are welcome in the garden."}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.router = &api.Router{Auth: &auth.Keys{Table: store, Now: now},
		Answers: &api.Answers{Table: store, Now: now}, Log: slog.New(slog.DiscardHandler)}
	s.router.Front = func(req *http.Request) api.Front {
		return api.Front{Base: "http://" + req.Host, RequestID: "test", Address: *s.address.Load(),
			Edge: *s.edge.Load()}
	}
	(&widget.Service{Table: store, Now: now, Assistant: &assistant.Assistant{
		Table: store, Now: now, IDs: s.agents.IDs,
	}, Secrets: &secret.Keys{Read: secret.Static(secret.NewKey())}}).Routes(s.router)
	s.Server = httptest.NewServer(s.router)
	t.Cleanup(s.Close)
	return s
}

func (s *service) path() string { return fmt.Sprintf("/agents/%d/widget/", s.agent.ID) }

// call sends a body, wants a status and reads the answer into out, unless that is nil.
func (s *service) call(t *testing.T, key, method, path, body string, want int, out any) {
	t.Helper()
	req, err := http.NewRequest(method, s.URL+api.Prefix+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != want {
		t.Fatalf("%s %s: status %d, want %d: %s", method, path, resp.StatusCode, want, text)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
}

// leadsTo is the agent that an embed key leads to, 0 where it leads nowhere.
func (s *service) leadsTo(t *testing.T, embed string) int64 {
	t.Helper()
	item, err := s.table.Get(t.Context(), agent.EmbedKey(embed))
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
	var before agent.Widget
	s.call(t, s.key, "GET", s.path(), "", 200, &before)
	if !before.Enabled || before.EmbedKey != s.agent.EmbedKey || before.WelcomeMessage == "" {
		t.Errorf("a new widget: %+v", before)
	}
	all := `{"enabled": false, "brand_name": " Acme ", "logo_url": "https://acme.example/l.png", "avatar_url": "http://acme.example/a.png",
		"button_text": "` + strings.Repeat("é", 51) + `", "tagline": "At once", "welcome_message": "Hi", "primary_color": "#ABCDEF",
		"secondary_color": "#012345", "position": "left", "size": "large", "offset_side": 0, "offset_bottom": 90, "show_team": false,
		"show_sources": "all", "ask_rating": false, "accept_files": true, "sound": true, "form_name": "required", "form_email": "optional", "form_phone": "off", "allowed_domains": ["https://Acme.example/shop", "acme.test:8080"], "embed_key": "mine", "script_url": "https://evil.example/x.js", "endpoints": {}}`
	want := before
	want.Enabled, want.BrandName, want.LogoURL, want.AvatarURL = false, "Acme", "https://acme.example/l.png",
		"http://acme.example/a.png"
	want.ButtonText, want.Tagline, want.WelcomeMessage = strings.Repeat("é", 50), "At once", "Hi"
	want.PrimaryColor, want.SecondaryColor, want.Position = "#ABCDEF", "#012345", agent.Left
	want.Box = agent.Box{
		Size: agent.LargeBox, OffsetBottom: 90, PoweredBy: true, ShowSources: agent.ShowAll,
		AcceptFiles: true, Sound: true,
		FormName: agent.FieldRequired, FormEmail: agent.FieldOptional, FormPhone: agent.FieldOff,
	}
	want.AllowedDomains = []string{"acme.example", "acme.test"}
	want.EmbedSnippet = fmt.Sprintf(`<script src="%s" data-agent="%s" data-color="#ABCDEF" defer></script>`, before.ScriptURL, before.EmbedKey)
	sentBack, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"all fields": all, "nothing": "{}",
		"what was read": string(sentBack)} {
		if name != "all fields" {
			s.call(t, s.key, "PATCH", s.path(), all, 200, nil)
		}
		var got, read agent.Widget
		s.call(t, s.key, "PATCH", s.path(), body, 200, &got)
		s.call(t, s.key, "GET", s.path(), "", 200, &read)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the answer\n%s", name, diff)
		}
		if diff := cmp.Diff(want, read); diff != "" {
			t.Errorf("%s: read afterwards\n%s", name, diff)
		}
	}
	var got agent.Widget
	s.call(t, s.key, "PATCH", s.path(), `{"enabled": true, "logo_url": "", "tagline": ""}`, 200, &got)
	want.Enabled, want.LogoURL, want.Tagline = true, "", ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("enabled again:\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	s := serve(t)
	var before agent.Widget
	s.call(t, s.key, "GET", s.path(), "", 200, &before)
	for _, test := range []struct{ body, code, field string }{
		{`{"primary_color": "#fff"}`, "validation_error", "primary_color"},
		{`{"primary_color": "blue"}`, "validation_error", "primary_color"},
		{`{"primary_color": "#12345G"}`, "validation_error", "primary_color"},
		{`{"primary_color": ""}`, "validation_error", "primary_color"},
		{`{"secondary_color": "1234567"}`, "validation_error", "secondary_color"},
		{`{"secondary_color": "#1234567"}`, "validation_error", "secondary_color"},
		{`{"avatar_url": "data:text/html,x"}`, "validation_error", "avatar_url"},
		{`{"position": "top"}`, "validation_error", "position"},
		{`{"allowed_domains": [""]}`, "validation_error", "allowed_domains"},
		{`{"allowed_domains": ["acme.example", "not a domain"]}`, "validation_error", "allowed_domains"},
		{`{"allowed_domains": ["https://"]}`, "validation_error", "allowed_domains"},
		{`{"allowed_domains": "acme.example"}`, "bad_request", ""},
		{`{"enabled": "yes"}`, "bad_request", ""},
		{`{"enabled": 1}`, "bad_request", ""},
		{`{"enabled": null}`, "bad_request", ""},
		{`{"tagline": 5}`, "bad_request", ""},
		{`{"primary_color": 5}`, "bad_request", ""},
		{`{"brand_name": "x", "primary_color": "#"}`, "validation_error", "primary_color"},
	} {
		var got struct{ Error, Field string }
		s.call(t, s.key, "PATCH", s.path(), test.body, 400, &got)
		if got.Error != test.code || got.Field != test.field {
			t.Errorf("%s: %+v", test.body, got)
		}
	}
	var after agent.Widget
	s.call(t, s.key, "GET", s.path(), "", 200, &after)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("a refusal changed the widget:\n%s", diff)
	}
}

func TestRotateKey(t *testing.T) {
	s := serve(t)
	var before, after, read agent.Widget
	s.call(t, s.key, "GET", s.path(), "", 200, &before)
	if got := s.leadsTo(t, before.EmbedKey); got != s.agent.ID {
		t.Errorf("the first key leads to %d, not %d", got, s.agent.ID)
	}
	s.call(t, s.key, "POST", s.path()+"rotate-key/", "", 200, &after)
	s.call(t, s.key, "GET", s.path(), "", 200, &read)
	if diff := cmp.Diff(after, read); diff != "" {
		t.Errorf("rotated (-) and then read (+):\n%s", diff)
	}
	if old, now := s.leadsTo(t, before.EmbedKey), s.leadsTo(t, after.EmbedKey); old != 0 ||
		now != s.agent.ID {
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

// TestRotateAtOnce rotates the key many times at once: one key leads to the agent in the end, the one that is
// shown.
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
	var shown agent.Widget
	s.call(t, s.key, "GET", s.path(), "", 200, &shown)
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
	for _, endpoint := range []struct{ method, suffix string }{{"GET", ""}, {"PATCH", ""},
		{"POST", "rotate-key/"}} {
		var got struct{ Error string }
		s.call(t, s.theirs, endpoint.method, s.path()+endpoint.suffix, "{}", 404, &got)
		if got.Error != "not_found" {
			t.Errorf("%s %s of another workspace: %+v", endpoint.method, endpoint.suffix, got)
		}
		s.call(t, s.key, endpoint.method, fmt.Sprintf("/agents/%d/widget/", s.agent.ID+1)+endpoint.suffix,
			"{}", 404, nil)
	}
	if got := s.leadsTo(t, s.agent.EmbedKey); got != s.agent.ID {
		t.Errorf("another workspace rotated the key away")
	}
}

// TestTrips counts the trips to the table that each endpoint waits for.
func TestTrips(t *testing.T) {
	s := serve(t)
	settings := s.path()
	public := "/widget/" + s.agent.EmbedKey + "/"
	first := s.visitor().Want(t, 200, "POST", public+"send/", map[string]any{"message": "Are dogs welcome?"})
	given, reply := first.Text("session_id"), first.Number("message_id")
	own := s.say(t, session, "Are dogs welcome?").Number("message_id")
	s.call(t, s.key, "POST", settings+"rotate-key/", "", 200, nil)
	a, err := s.agents.LoadSummary(t.Context(), s.agent.AccountID, s.agent.ID)
	if err != nil {
		t.Fatal(err)
	}
	public = "/widget/" + a.EmbedKey + "/"
	for _, test := range []struct {
		method, path, body string
		trips              int
	}{
		{"GET", settings, "", 2},
		{"PATCH", settings, "", 3},
		{"GET", public + "config/", "", 2},
		{"POST", public + "send/", `{"message": "Hello", "session_id": "` + given + `"}`, 4},
		{"GET", public + "history/?session_id=" + given, "", 2},
		{"POST", public + "visitor/", `{"session_id": "` + given + `", "email": "ada@example.com"}`, 4},
		{"POST", public + "feedback/",
			`{"session_id": "` + given + `", "message_id": ` + reply + `, "rating": "positive"}`, 3},
		// A session under an id of the visitor's own names no conversation.
		{"POST", public + "send/", `{"message": "Hello", "session_id": "` + session + `"}`, 4},
		{"GET", public + "history/?session_id=" + session, "", 3},
		{"POST", public + "visitor/", `{"session_id": "` + session + `", "phone": "+14155552671"}`, 4},
		{"POST", public + "feedback/",
			`{"session_id": "` + session + `", "message_id": ` + own + `, "rating": "positive"}`, 4},
		{"POST", settings + "rotate-key/", "", 3},
	} {
		var log strings.Builder
		s.router.Log = slog.New(slog.NewJSONHandler(&log, nil))
		answer := httptest.NewRecorder()
		req := httptest.NewRequestWithContext(t.Context(), test.method, api.Prefix+test.path,
			strings.NewReader(test.body))
		req.Header.Set("Authorization", "Bearer "+s.key)
		s.router.ServeHTTP(answer, req)
		var line struct {
			Trips int `json:"round_trips"`
		}
		if err := json.Unmarshal([]byte(log.String()), &line); err != nil {
			t.Fatalf("%v in %s", err, log.String())
		}
		if answer.Code != 200 || line.Trips != test.trips {
			t.Errorf("%s %s: %d %s, %d trips, want %d", test.method, test.path, answer.Code, answer.Body,
				line.Trips, test.trips)
		}
	}
}
