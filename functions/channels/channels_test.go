package channels_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/channels"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A log keeps what is logged by several goroutines.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A service is the endpoints over a table of their own, with one agent of a workspace.
type service struct {
	ours, theirs *apitest.Client // of the agent's workspace and of another
	router       *api.Router
	log          *log
	dir          string // of the table's files
	table        table.Table
	secrets      *secret.Keys
	agents       *agent.Store
	agent        agent.Agent
	now          time.Time
	channels     *channel.Registry
}

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{
		dir: t.TempDir(), log: new(log), now: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC),
		secrets: &secret.Keys{Read: secret.Static(secret.NewKey())},
	}
	clock := func() time.Time { return s.now }
	s.channels = registry.New(registry.Addresses{SMTP: "smtp://127.0.0.1:25"})
	store, err := sqlite.Open(filepath.Join(s.dir, "table.db"), clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s.table = store
	s.agents = &agent.Store{Table: store, Now: clock, IDs: id.NewSource(clock)}
	s.router = &api.Router{
		Auth: &auth.Keys{Table: store, Now: clock}, Answers: &api.Answers{Table: store, Now: clock},
		Log: slog.New(slog.NewJSONHandler(s.log, nil)),
	}
	(&channels.Service{Table: store, Now: clock, IDs: id.NewSource(clock), Secrets: s.secrets,
		Channels: s.channels}).Routes(s.router)
	server := httptest.NewServer(s.router)
	t.Cleanup(server.Close)
	workspaces := &auth.Workspaces{Table: store, Now: clock, IDs: s.agents.IDs}
	account, key, err := workspaces.Create(t.Context(), "Acme", "enterprise")
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := workspaces.Create(t.Context(), "Other", "enterprise")
	if err != nil {
		t.Fatal(err)
	}
	base := server.URL + "/api/v1/"
	s.ours, s.theirs = &apitest.Client{Base: base, Key: key.Text},
		&apitest.Client{Base: base, Key: other.Text}
	if s.agent, err = s.agents.Create(t.Context(), account.ID,
		agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 10); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *service) path(suffix string) string { return fmt.Sprintf("/agents/%d/%s", s.agent.ID, suffix) }

// inboundURL is the address that a platform is to call.
func (s *service) inboundURL(channelType string) string {
	return fmt.Sprintf("%sinbound/%d/%s/", s.ours.Base, s.agent.ID, channelType)
}

// connect connects or updates a channel and wants a status.
func (s *service) connect(t *testing.T, status int, channelType string,
	config map[string]any) apitest.Answer {
	t.Helper()
	return s.ours.Want(t, status, "POST", s.path("channels/"),
		map[string]any{"channel_type": channelType, "config": config})
}

// row is the entry of a channel in the list.
func (s *service) row(t *testing.T, channelType string) map[string]any {
	t.Helper()
	for _, row := range s.ours.Want(t, 200, "GET", s.path("channels/"), nil).Results() {
		if row["channel_type"] == channelType {
			return row
		}
	}
	t.Fatalf("the list has no channel %s", channelType)
	return nil
}

// opened is a secret of a channel as whoever sends messages reads it.
func (s *service) opened(t *testing.T, channelType channel.Type, setting channel.Setting) string {
	t.Helper()
	c, err := channel.Load(t.Context(), s.table, s.agent.AccountID, s.agent.ID, channelType)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := c.Secret(t.Context(), s.secrets, setting)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

const accountSID = "AC0123456789abcdef0123456789abcdef"

func TestListWithoutChannels(t *testing.T) {
	s := serve(t)
	got := s.ours.Want(t, 200, "GET", s.path("channels/"), nil)
	var rows []string
	for _, c := range []string{"whatsapp", "email", "sms", "instagram", "messenger"} {
		rows = append(rows, `{"channel_type":"`+c+`","live":false,"status":"off","status_detail":"","inbound_url":"`+
			s.inboundURL(c)+`","config":{},"updated_at":null}`)
	}
	want := `{"count":5,"next":null,"previous":null,"results":[` + strings.Join(rows, ",") + `]}`
	if got.Body != want {
		t.Errorf("%s\nwant %s", got.Body, want)
	}
}

func TestConnect(t *testing.T) {
	s := serve(t)
	for _, test := range []struct {
		channelType string
		sent, want  map[string]any
	}{
		{"whatsapp", map[string]any{"phone_number_id": " 106540352242922 ", "access_token": "wa-token",
			"app_secret": "wa-secret", "verify_token": "wa verify"},
			map[string]any{"phone_number_id": "106540352242922", "access_token": "__set__",
				"app_secret": "__set__", "verify_token": "__set__"}},
		{"messenger", map[string]any{"page_id": "1", "access_token": "ms-token"},
			map[string]any{"page_id": "1", "access_token": "__set__"}},
		{"instagram", map[string]any{"page_id": "17841400000000000", "login": "instagram",
			"access_token": "ig-token", "app_secret": nil, "verify_token": ""},
			map[string]any{"page_id": "17841400000000000", "login": "instagram", "access_token": "__set__"}},
		{"sms", map[string]any{"account_sid": accountSID, "auth_token": "sms-token",
			"from": "+1 (415) 555-2671", "page_id": "not of sms", "unknown": []int{1}},
			map[string]any{"account_sid": accountSID, "auth_token": "__set__", "from": "+14155552671"}},
		{"email", map[string]any{"from": "hello@acme.example", "inbound_address": "in@acme.example",
			"inbound_secret": "sixteen-letters!", "signing_key": "mailgun-key"},
			map[string]any{"from": "hello@acme.example", "inbound_address": "in@acme.example",
				"inbound_secret": "__set__", "signing_key": "__set__"}},
	} {
		want := map[string]any{
			"channel_type": test.channelType, "live": true, "status": "connected", "status_detail": "",
			"inbound_url": s.inboundURL(test.channelType), "config": test.want,
			"updated_at": "2026-03-02T09:30:00Z",
		}
		if diff := cmp.Diff(want, s.connect(t, 201, test.channelType, test.sent).Fields); diff != "" {
			t.Errorf("%s: the answer:\n%s", test.channelType, diff)
		}
		if diff := cmp.Diff(want, s.row(t, test.channelType)); diff != "" {
			t.Errorf("%s: in the list:\n%s", test.channelType, diff)
		}
		// What was read can be sent back.
		if diff := cmp.Diff(want, s.connect(t, 200, test.channelType, test.want).Fields); diff != "" {
			t.Errorf("%s: sent back:\n%s", test.channelType, diff)
		}
	}
	for _, test := range []struct {
		channelType channel.Type
		setting     channel.Setting
		want        string
	}{
		{channel.WhatsApp, channel.AccessToken, "wa-token"},
		{channel.WhatsApp, channel.AppSecret, "wa-secret"},
		{channel.WhatsApp, channel.VerifyToken, "wa verify"},
		{channel.Messenger, channel.AccessToken, "ms-token"},
		{channel.Messenger, channel.AppSecret, ""},
		{channel.Instagram, channel.AccessToken, "ig-token"},
		{channel.SMS, channel.AuthToken, "sms-token"},
	} {
		if got := s.opened(t, test.channelType, test.setting); got != test.want {
			t.Errorf("%s of %s opens as %q, not %q", test.setting, test.channelType, got, test.want)
		}
	}
}

// TestReconnect has a platform refuse the credentials of a channel, which is then connected anew.
func TestReconnect(t *testing.T) {
	s := serve(t)
	s.connect(t, 201, "whatsapp", map[string]any{"phone_number_id": "1", "access_token": "first"})
	c, err := channel.Load(t.Context(), s.table, s.agent.AccountID, s.agent.ID, channel.WhatsApp)
	if err != nil {
		t.Fatal(err)
	}
	if want := s.inboundURL("whatsapp"); c.Address != want {
		t.Errorf("the address is %s, want %s", c.Address, want)
	}
	ids := id.NewSource(func() time.Time { return s.now })
	const words = "WhatsApp does not accept the channel's access token."
	refused, err := c.Refused(ids, s.agent.AccountID, s.agent.ID, s.now.Add(time.Minute), words)
	if err != nil || len(refused) != 2 { // the channel, and the event
		t.Fatal(refused, err)
	}
	if err := s.table.Transact(t.Context(), refused...); err != nil {
		t.Fatal(err)
	}
	row := s.row(t, "whatsapp")
	const detail = "2026-03-02T09:31:00Z: " + words
	if row["live"] != false || row["status"] != "reconnect" || row["status_detail"] != detail {
		t.Errorf("%v", row)
	}
	row = s.connect(t, 200, "whatsapp", map[string]any{"access_token": "second"}).Fields
	if row["live"] != true || row["status"] != "connected" || row["status_detail"] != "" {
		t.Errorf("connected anew: %v", row)
	}
}

// TestOneOf connects SMS by a number or by a messaging service, and by neither.
func TestOneOf(t *testing.T) {
	s := serve(t)
	const service = "MG0123456789abcdef0123456789abcdef"
	account := map[string]any{"account_sid": accountSID, "auth_token": "t"}
	s.ours.WantError(t, 400, "validation_error", "config.from", "POST", s.path("channels/"),
		map[string]any{"channel_type": "sms", "config": account})
	account["messaging_service_sid"] = service
	s.connect(t, 201, "sms", account)
	s.connect(t, 200, "sms", map[string]any{"from": "+14155552671", "messaging_service_sid": nil})
	s.ours.WantError(t, 400, "validation_error", "config.from", "POST", s.path("channels/"),
		map[string]any{"channel_type": "sms", "config": map[string]any{"from": ""}})
}

func TestUpdate(t *testing.T) {
	s := serve(t)
	s.connect(t, 201, "whatsapp",
		map[string]any{"phone_number_id": "1", "access_token": "first", "app_secret": "secret"})
	s.now = s.now.Add(time.Hour)
	for _, test := range []struct {
		name                       string
		sent                       map[string]any
		number, token, app, verify string
	}{
		{"nothing", map[string]any{}, "1", "first", "secret", ""},
		{"a number", map[string]any{"phone_number_id": "2"}, "2", "first", "secret", ""},
		{"secrets sent back", map[string]any{"access_token": "__set__", "app_secret": " __set__ "}, "2",
			"first", "secret", ""},
		{"a secret", map[string]any{"phone_number_id": "2", "access_token": "second",
			"app_secret": "__set__"}, "2", "second", "secret", ""},
		{"one more", map[string]any{"verify_token": "verify"}, "2", "second", "secret", "verify"},
		{"null", map[string]any{"verify_token": nil}, "2", "second", "secret", ""},
		{"empty", map[string]any{"app_secret": ""}, "2", "second", "", ""},
	} {
		a := s.connect(t, 200, "whatsapp", test.sent)
		if a.Text("updated_at") != "2026-03-02T10:30:00Z" || a.Fields["live"] != true {
			t.Errorf("%s: %s", test.name, a.Body)
		}
		got := []string{s.row(t, "whatsapp")["config"].(map[string]any)["phone_number_id"].(string),
			s.opened(t, channel.WhatsApp, channel.AccessToken),
			s.opened(t, channel.WhatsApp, channel.AppSecret),
			s.opened(t, channel.WhatsApp, channel.VerifyToken)}
		if diff := cmp.Diff([]string{test.number, test.token, test.app, test.verify}, got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestConnectRefuses(t *testing.T) {
	s := serve(t)
	s.connect(t, 201, "sms",
		map[string]any{"account_sid": accountSID, "auth_token": "token", "from": "+14155552671"})
	before := s.row(t, "sms")
	for _, test := range []struct{ body, code, field string }{
		{`{}`, "validation_error", "channel_type"},
		{`{"config": {}}`, "validation_error", "channel_type"},
		{`{"channel_type": "", "config": {}}`, "validation_error", "channel_type"},
		{`{"channel_type": "webchat", "config": {}}`, "validation_error", "channel_type"},
		{`{"channel_type": "api", "config": {}}`, "validation_error", "channel_type"},
		{`{"channel_type": "WhatsApp", "config": {}}`, "validation_error", "channel_type"},
		{`{"channel_type": 5, "config": {}}`, "bad_request", ""},
		{`{"channel_type": null, "config": {}}`, "bad_request", ""},
		{`{"channel_type": "email"}`, "validation_error", "config"},
		{`{"channel_type": "email", "config": null}`, "bad_request", ""},
		{`{"channel_type": "email", "config": []}`, "bad_request", ""},
		{`{"channel_type": "email", "config": "x"}`, "bad_request", ""},
		{`{"channel_type": "email", "config": {"from": 5}}`, "bad_request", ""},
		{`{"channel_type": "email", "config": {"from": {}}}`, "bad_request", ""},

		{`{"channel_type": "whatsapp", "config": {}}`, "validation_error", "config.phone_number_id"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "1"}}`, "validation_error", "config.access_token"},
		{`{"channel_type": "whatsapp", "config": {"access_token": "t"}}`, "validation_error", "config.phone_number_id"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "1", "access_token": " "}}`, "validation_error", "config.access_token"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "1", "access_token": "__set__"}}`, "validation_error", "config.access_token"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "1", "access_token": "t", "app_secret": "__set__"}}`, "validation_error", "config.app_secret"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "__set__", "access_token": "t"}}`, "validation_error", "config.phone_number_id"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "+1415", "access_token": "t"}}`, "validation_error", "config.phone_number_id"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "1/../2", "access_token": "t"}}`, "validation_error", "config.phone_number_id"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "` + strings.Repeat("1", 33) + `", "access_token": "t"}}`, "validation_error", "config.phone_number_id"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "1", "access_token": "a\nb"}}`, "validation_error", "config.access_token"},
		{`{"channel_type": "whatsapp", "config": {"phone_number_id": "1", "access_token": "` + strings.Repeat("a", 2001) + `"}}`, "validation_error", "config.access_token"},
		{`{"channel_type": "messenger", "config": {"access_token": "t"}}`, "validation_error", "config.page_id"},
		{`{"channel_type": "instagram", "config": {"page_id": "my.page", "access_token": "t"}}`, "validation_error", "config.page_id"},
		{`{"channel_type": "instagram", "config": {"page_id": "1", "access_token": "t", "login": "facebook"}}`, "validation_error", "config.login"},

		{`{"channel_type": "sms", "config": {"account_sid": "SK123"}}`, "validation_error",
			"config.account_sid"},
		{`{"channel_type": "sms", "config": {"account_sid": "AC"}}`, "validation_error",
			"config.account_sid"},
		{`{"channel_type": "sms", "config": {"account_sid": "AC/../x"}}`, "validation_error", "config.account_sid"},
		{`{"channel_type": "sms", "config": {"messaging_service_sid": "AC123"}}`, "validation_error", "config.messaging_service_sid"},
		{`{"channel_type": "sms", "config": {"from": "hello@acme.example"}}`, "validation_error", "config.from"},
		{`{"channel_type": "sms", "config": {"from": "4155552671"}}`, "validation_error", "config.from"},
		{`{"channel_type": "sms", "config": {"from": ""}}`, "validation_error", "config.from"},
		{`{"channel_type": "sms", "config": {"auth_token": null}}`, "validation_error", "config.auth_token"},
		{`{"channel_type": "sms", "config": {"auth_token": "new", "from": "x"}}`, "validation_error", "config.from"},

		{`{"channel_type": "email", "config": {"from": "a@acme.example", "inbound_secret": "fifteen letters"}}`, "validation_error", "config.inbound_secret"},
		{`{"channel_type": "email", "config": {"inbound_address": "in@acme.example"}}`, "validation_error", "config.from"},
		{`{"channel_type": "email", "config": {"from": "+14155552671"}}`, "validation_error", "config.from"},
		{`{"channel_type": "email", "config": {"from": "Acme <hello@acme.example>"}}`, "validation_error", "config.from"},
		{`{"channel_type": "email", "config": {"from": "a@acme.example", "inbound_address": "b@"}}`, "validation_error", "config.inbound_address"},
		{`{"channel_type": "email", "config": {"from": "` + strings.Repeat("a", 250) + `@b.example"}}`,
			"validation_error", "config.from"},
	} {
		s.ours.WantError(t, 400, test.code, test.field, "POST", s.path("channels/"), test.body)
	}
	if diff := cmp.Diff(before, s.row(t, "sms")); diff != "" {
		t.Errorf("a refusal changed the channel:\n%s", diff)
	}
	if got := s.opened(t, channel.SMS, channel.AuthToken); got != "token" {
		t.Errorf("a refusal changed the secret to %s", got)
	}
}

func TestDisconnect(t *testing.T) {
	s := serve(t)
	s.connect(t, 201, "email", map[string]any{"from": "hello@acme.example"})
	s.connect(t, 201, "whatsapp", map[string]any{"phone_number_id": "1", "access_token": "t"})
	if a := s.ours.Want(t, 204, "DELETE", s.path("channels/whatsapp/"), nil); a.Body != "" {
		t.Errorf("a body: %s", a.Body)
	}
	want := map[string]any{
		"channel_type": "whatsapp", "live": false, "status": "off", "status_detail": "",
		"inbound_url": s.inboundURL("whatsapp"), "config": map[string]any{}, "updated_at": nil,
	}
	if diff := cmp.Diff(want, s.row(t, "whatsapp")); diff != "" {
		t.Errorf("after it was disconnected:\n%s", diff)
	}
	if s.row(t, "email")["live"] != true {
		t.Error("another channel was disconnected too")
	}
	for _, c := range []string{"whatsapp", "sms", "webchat", "api", "fax", "EMAIL", "%00",
		strings.Repeat("x", 3000)} {
		s.ours.WantError(t, 404, "not_found", "", "DELETE", s.path("channels/"+c+"/"), nil)
	}
	s.ours.WantError(t, 400, "validation_error", "config.access_token", "POST", s.path("channels/"),
		`{"channel_type": "whatsapp", "config": {"phone_number_id": "1", "access_token": "__set__"}}`)
	s.connect(t, 201, "whatsapp", map[string]any{"phone_number_id": "1", "access_token": "t"})
}

// TestConnectAtOnce changes one channel many times at once: no change undoes another.
func TestConnectAtOnce(t *testing.T) {
	s := serve(t)
	changes := []string{`"phone_number_id": "1"`, `"access_token": "token"`, `"app_secret": "secret"`,
		`"verify_token": "verify"`}
	s.connect(t, 201, "whatsapp", map[string]any{"phone_number_id": "0", "access_token": "none"})
	var wg sync.WaitGroup
	for _, change := range changes {
		wg.Go(func() {
			a, err := s.ours.Try("POST", s.path("channels/"),
				`{"channel_type": "whatsapp", "config": {`+change+`}}`)
			if err != nil || a.Status != 200 {
				t.Errorf("%s: %v %d %s", change, err, a.Status, a.Body)
			}
		})
	}
	wg.Wait()
	c, err := channel.Load(t.Context(), s.table, s.agent.AccountID, s.agent.ID, channel.WhatsApp)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{c.Text(channel.PhoneNumberID), s.opened(t, channel.WhatsApp, channel.AccessToken),
		s.opened(t, channel.WhatsApp, channel.AppSecret), s.opened(t, channel.WhatsApp, channel.VerifyToken)}
	if diff := cmp.Diff([]string{"1", "token", "secret", "verify"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOwnersOnly(t *testing.T) {
	s := serve(t)
	s.connect(t, 201, "email", map[string]any{"from": "hello@acme.example"})
	before := s.ours.Want(t, 200, "GET", s.path("channels/"), nil).Body
	email := `{"channel_type": "email", "config": {"from": "evil@other.example"}}`
	for _, test := range []struct{ method, suffix, body string }{
		{"GET", "channels/", ""}, {"POST", "channels/", email}, {"DELETE", "channels/email/", ""},
		{"GET", "ecommerce/", ""}, {"PATCH", "ecommerce/", `{"enabled": true}`},
	} {
		s.theirs.WantError(t, 404, "not_found", "", test.method, s.path(test.suffix), test.body)
		for _, agent := range []string{"5", "0", "-1", "x", "9007199254740992"} {
			s.ours.WantError(t, 404, "not_found", "", test.method, "/agents/"+agent+"/"+test.suffix,
				test.body)
		}
		if a := s.ours.Call(t, "PUT", s.path(test.suffix), nil); a.Status != 405 ||
			a.Header.Get("Allow") == "" {
			t.Errorf("PUT %s: %d %v", test.suffix, a.Status, a.Header)
		}
	}
	if after := s.ours.Want(t, 200, "GET", s.path("channels/"), nil).Body; after != before {
		t.Errorf("others changed the channels:\n%s\n%s", before, after)
	}
	if err := s.agents.Delete(t.Context(), s.agent.AccountID, s.agent.ID); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ method, suffix, body string }{
		{"GET", "channels/", ""}, {"POST", "channels/", email}, {"DELETE", "channels/email/", ""},
		{"GET", "ecommerce/", ""}, {"PATCH", "ecommerce/", `{"enabled": true}`},
	} {
		s.ours.WantError(t, 404, "not_found", "", test.method, s.path(test.suffix), test.body)
	}
}

// TestSecretsStayInside sends secrets in every way, good and bad, and looks for them in all answers, in the
// log and in the files of the table.
func TestSecretsStayInside(t *testing.T) {
	s := serve(t)
	var said strings.Builder
	n := 0
	next := func() string { n++; return fmt.Sprintf("Hidden%04dSecret", n) }
	send := func(method, suffix string, body any) {
		t.Helper()
		a := s.ours.Call(t, method, s.path(suffix), body)
		fmt.Fprintln(&said, a.Status, a.Header, a.Body)
	}
	for range 2 {
		for _, c := range []map[string]any{
			{"channel_type": "whatsapp",
				"config": map[string]any{"phone_number_id": "1", "access_token": next(), "app_secret": next(),
					"verify_token": next()}},
			{"channel_type": "messenger", "config": map[string]any{"page_id": "1", "access_token": next(),
				"app_secret": next(), "verify_token": next()}},
			{"channel_type": "instagram", "config": map[string]any{"page_id": "1", "access_token": next(),
				"app_secret": next(), "verify_token": next()}},
			{"channel_type": "sms", "config": map[string]any{"account_sid": accountSID, "auth_token": next(),
				"from": "+14155552671"}},
			{"channel_type": "sms",
				"config": map[string]any{"account_sid": accountSID, "auth_token": next() + "\n" + next(),
					"from": "+14155552671"}},
			{"channel_type": "whatsapp",
				"config": map[string]any{"phone_number_id": "x", "access_token": next()}},
			{"channel_type": "nothing", "config": map[string]any{"access_token": next()}},
			{"channel_type": "email",
				"config": map[string]any{"from": "hello@acme.example", "access_token": next()}},
		} {
			send("POST", "channels/", c)
		}
		send("POST", "channels/", `{"channel_type": "whatsapp", "config": {"access_token": ["`+next()+`"]}}`)
		send("POST", "channels/", `{"channel_type": "whatsapp", "config": {"access_token": "`+next()+`"`)
		send("PATCH", "ecommerce/", map[string]any{
			"enabled": true,
			"storefront": map[string]any{"platform": "shopify", "domain": "acme.myshopify.com",
				"api_key": next()},
			"shipping":        map[string]any{"provider": "dhl", "api_key": next()},
			"email_marketing": map[string]any{"api_key": next()},
			"payment":         map[string]any{"provider": "stripe", "api_key": next()},
		})
		send("PATCH", "ecommerce/",
			map[string]any{"payment": map[string]any{"api_key": next()}, "currency": "nothing"})
		send("PATCH", "ecommerce/",
			map[string]any{"payment": map[string]any{"api_key": next() + strings.Repeat("x", 2000)}})
		send("GET", "channels/", nil)
		send("GET", "ecommerce/", nil)
	}
	answer := s.ours.Call(t, "POST", s.path("channels/"),
		map[string]any{"channel_type": "whatsapp",
			"config": map[string]any{"access_token": "HiddenLastSecret"}})
	fmt.Fprintln(&said, answer.Body)
	if strings.Count(said.String(), "__set__") < 20 {
		t.Errorf("hardly a secret was stored: %s", said.String())
	}
	places := map[string]string{"the answers": said.String(), "the log": s.log.String()}
	files, err := filepath.Glob(filepath.Join(s.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		places[filepath.Base(file)] = string(text)
		stored += strings.Count(string(text), "hello@acme.example")
	}
	if stored == 0 {
		t.Errorf("what is no secret is not found either, in %v", files)
	}
	for place, text := range places {
		if i := strings.Index(text, "Hidden"); i >= 0 {
			t.Errorf("%s has a secret: %.60q", place, text[max(0, i-30):])
		}
	}
}

// TestTrips counts the trips to the table that each endpoint waits for.
func TestTrips(t *testing.T) {
	s := serve(t)
	for _, test := range []struct {
		method, suffix, body string
		status               int
		trips                int
	}{
		{"GET", "channels/", "", 200, 2},
		{"POST", "channels/", `{"channel_type": "whatsapp", "config": {"phone_number_id": "1", "access_token": "t"}}`, 201, 3},
		{"POST", "channels/", `{"channel_type": "whatsapp", "config": {"access_token": "__set__"}}`, 200, 3},
		{"GET", "channels/", "", 200, 2},
		{"DELETE", "channels/whatsapp/", "", 204, 2},
		{"GET", "ecommerce/", "", 200, 2},
		{"PATCH", "ecommerce/", `{"enabled": true, "payment": {"api_key": "k"}}`, 200, 3},
		{"PATCH", "ecommerce/", `{"currency": "EUR"}`, 200, 3},
	} {
		var log strings.Builder
		s.router.Log = slog.New(slog.NewJSONHandler(&log, nil))
		answer := httptest.NewRecorder()
		req := httptest.NewRequestWithContext(t.Context(), test.method, api.Prefix+s.path(test.suffix),
			strings.NewReader(test.body))
		req.Header.Set("Authorization", "Bearer "+s.ours.Key)
		s.router.ServeHTTP(answer, req)
		var line struct {
			Trips int `json:"round_trips"`
		}
		if err := json.Unmarshal([]byte(log.String()), &line); err != nil {
			t.Fatalf("%v in %s", err, log.String())
		}
		if answer.Code != test.status || line.Trips != test.trips {
			t.Errorf("%s %s: status %d, %d trips, want %d and %d", test.method, test.suffix, answer.Code,
				line.Trips, test.status, test.trips)
		}
	}
}

// TestNoMail connects e-mail where the service can send none.
func TestNoMail(t *testing.T) {
	s := serve(t)
	*s.channels = *registry.New(registry.Addresses{})
	s.connect(t, 201, "email", map[string]any{"from": "hello@acme.example"})
	row := s.row(t, "email")
	if row["live"] != false || row["status"] != "connected" ||
		!strings.Contains(fmt.Sprint(row["status_detail"]), "SMTP_URL") {
		t.Errorf("%v", row)
	}
}
