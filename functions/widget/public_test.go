package widget_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/widget"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
)

const (
	session = "11111111-2222-4333-8444-555555555555"
	other   = "11111111-2222-4333-8444-666666666666"
)

// visitor calls the public endpoints, without a key.
func (s *service) visitor() *apitest.Client { return &apitest.Client{Base: s.URL + api.Prefix + "/"} }

// public is where the public endpoints of the agent begin.
func (s *service) public() string { return "/widget/" + s.agent.EmbedKey + "/" }

// say sends a visitor's message in a session.
func (s *service) say(t *testing.T, session, message string) apitest.Answer {
	t.Helper()
	return s.visitor().Want(t, 200, "POST", s.public()+"send/",
		map[string]any{"message": message, "session_id": session})
}

// thread is what a visitor sees of a session: id, direction and text of each message.
func (s *service) thread(t *testing.T, session, after string) []string {
	t.Helper()
	a := s.visitor().Want(t, 200, "GET", s.public()+"history/?session_id="+session+"&after="+after, nil)
	if a.Text("session_id") != session {
		t.Errorf("history of another session: %s", a.Body)
	}
	var lines []string
	for _, v := range a.Fields["messages"].([]any) {
		m := v.(map[string]any)
		lines = append(lines, fmt.Sprint(m["id"], " ", m["direction"], ": ", m["content"]))
	}
	return lines
}

func TestConfig(t *testing.T) {
	s := serve(t)
	got := s.visitor().Want(t, 200, "GET", s.public()+"config/", nil)
	want := map[string]any{
		"enabled": true, "brand_name": "Mia", "logo_url": "", "avatar_url": "", "button_text": "Chat with us",
		"tagline":         "",
		"welcome_message": "Hello! How can we help you?", "primary_color": "#2563eb",
		"secondary_color": "#ffffff", "language": "en",
		"position": "right", "size": "standard", "offset_side": json.Number("20"),
		"offset_bottom": json.Number("20"),
		"powered_by":    true, "show_team": true, "show_sources": "none", "ask_rating": true,
		"accept_files": false, "sound": false,
		"form_name": "off", "form_email": "off", "form_phone": "off",
	}
	want["agent_id"] = json.Number(fmt.Sprint(s.agent.ID))
	want["texts"] = got.Fields["texts"]
	if diff := cmp.Diff(want, got.Fields); diff != "" {
		t.Error(diff)
	}
	if texts, ok := got.Fields["texts"].(map[string]any); !ok || texts["send"] != "Send" || len(texts) != 33 {
		t.Errorf("the box's words are %v", got.Fields["texts"])
	}
	if got.Header.Get("Access-Control-Allow-Origin") != "*" ||
		got.Header.Get("Cache-Control") != "public, max-age=300, s-maxage=60" {
		t.Errorf("headers %v", got.Header)
	}
	unknown := s.visitor().Want(t, 404, "GET", "/widget/unknown/config/", nil)
	if unknown.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers of an error: %v", unknown.Header)
	}
	s.call(t, s.key, "PATCH", s.path(), `{"brand_name": "Acme"}`, 200, nil)
	if got := s.visitor().Want(t, 200, "GET", s.public()+"config/", nil); got.Text("brand_name") != "Acme" {
		t.Error(got.Body)
	}
}

// TestEarlierHistory goes back through a session that is longer than a page of the history.
func TestEarlierHistory(t *testing.T) {
	s := serve(t)
	first := s.visitor().Want(t, 200, "POST", s.public()+"send/", `{"message": "one"}`)
	session := first.Text("session_id")
	all := s.thread(t, session, "0")
	last := s.visitor().Want(t, 200, "POST", s.public()+"send/",
		fmt.Sprintf(`{"message": "two", "session_id": %q}`, session))
	before := func(id any) []any {
		path := fmt.Sprintf("%shistory/?session_id=%s&before=%v", s.public(), session, id)
		return s.visitor().Want(t, 200, "GET", path, nil).Fields["messages"].([]any)
	}
	if got := before(last.Fields["inbound_message_id"]); len(got) != len(all) {
		t.Errorf("%d messages before the second one, want %d", len(got), len(all))
	}
	if got := before(first.Fields["inbound_message_id"]); len(got) != 0 {
		t.Errorf("%d messages before the first one", len(got))
	}
}

func TestSend(t *testing.T) {
	s := serve(t)
	v := s.visitor()
	first := v.Want(t, 200, "POST", s.public()+"send/",
		map[string]any{"message": "Are dogs welcome?", "page_url": "https://acme.example/garden"})
	id := first.Text("session_id")
	if first.Text("reply") != "Dogs are welcome in the garden." || first.Text("action") != "respond" ||
		len(id) != 36 || len(first.Fields) != 10 {
		t.Fatal(first.Body)
	}
	if _, err := s.agents.Update(t.Context(), s.agent.AccountID, s.agent.ID, func(a *agent.Agent) error {
		a.ResponseDelaySeconds = 3
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	second := s.say(t, strings.ToUpper(id), "Hello")
	if first.Number("delay_seconds") != "0" || second.Number("delay_seconds") != "3" {
		t.Errorf("delays of %s and %s", first.Number("delay_seconds"), second.Number("delay_seconds"))
	}
	if second.Text("session_id") != id ||
		second.Number("conversation_id") != first.Number("conversation_id") {
		t.Errorf("%s, then %s", first.Body, second.Body)
	}
	want := []string{
		first.Number("inbound_message_id") + " inbound: Are dogs welcome?",
		first.Number("message_id") + " outbound: " + first.Text("reply"),
		second.Number("inbound_message_id") + " inbound: Hello", second.Number("message_id") + " outbound: " +
			second.Text("reply"),
	}
	if diff := cmp.Diff(want, s.thread(t, id, "")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[2:], s.thread(t, id, first.Number("message_id"))); diff != "" {
		t.Errorf("after the first answer: %s", diff)
	}
	if got := s.thread(t, id, second.Number("message_id")); got != nil {
		t.Errorf("after the last: %q", got)
	}
	item, err := s.table.Get(t.Context(), conversation.SessionKey(s.agent.AccountID, s.agent.ID, id))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := conversation.ReadSession(item)
	if err != nil {
		t.Fatal(err)
	}
	item, err = s.table.Get(t.Context(), conversation.Key(s.agent.AccountID, stored.ConversationID))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := conversation.Read(item); err != nil || c.Channel != conversation.WebChat ||
		c.SessionID != id {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestHistoryPages has more messages than one answer holds.
func TestHistoryPages(t *testing.T) {
	s := serve(t)
	var first apitest.Answer
	for i := range 30 {
		a := s.say(t, session, fmt.Sprint("Message ", i))
		if i == 0 {
			first = a
		}
		s.ahead.Add(int64(10 * time.Second)) // not too many in a minute
	}
	latest := s.thread(t, session, "")
	if len(latest) != 50 || !strings.HasSuffix(latest[0], "inbound: Message 5") ||
		!strings.Contains(latest[49], "outbound") {
		t.Errorf("%d messages from %s", len(latest), latest[0])
	}
	rest := s.thread(t, session, first.Number("message_id"))
	if len(rest) != 50 || !strings.HasSuffix(rest[0], "inbound: Message 1") {
		t.Errorf("%d messages from %s", len(rest), rest[0])
	}
}

func TestPublicRefusals(t *testing.T) {
	s := serve(t)
	s.say(t, session, "Hello")
	for _, test := range []struct {
		method, path string
		body         any
		status       int
		code, field  string
	}{
		{"POST", "send/", map[string]any{}, 400, "validation_error", "message"},
		{"POST", "send/", map[string]any{"message": " "}, 400, "validation_error", "message"},
		{"POST", "send/", map[string]any{"message": strings.Repeat("é", 4001)}, 400, "validation_error",
			"message"},
		{"POST", "send/", map[string]any{"message": "Hello", "session_id": "mine"}, 400, "validation_error",
			"session_id"},
		{"POST", "send/", map[string]any{"message": 5}, 400, "bad_request", ""},
		{"POST", "send/", `{`, 400, "bad_request", ""},
		{"GET", "history/", nil, 400, "validation_error", "session_id"},
		{"GET", "history/?session_id=mine", nil, 400, "validation_error", "session_id"},
		{"GET", "history/?session_id=" + session + "&after=x", nil, 400, "validation_error", "after"},
		{"GET", "history/?session_id=" + session + "&after=-1", nil, 400, "validation_error", "after"},
		{"GET", "history/?session_id=" + session + "&before=0", nil, 400, "validation_error", "before"},
		{"GET", "history/?session_id=" + other, nil, 404, "not_found", ""},
		{"POST", "visitor/", map[string]any{"name": "Ada"}, 400, "validation_error", "session_id"},
		{"POST", "visitor/", map[string]any{"session_id": session, "email": "ada"}, 400, "validation_error",
			"email"},
		{"POST", "visitor/", map[string]any{"session_id": session, "phone": "123"}, 400, "validation_error",
			"phone"},
		{"POST", "visitor/", map[string]any{"session_id": session, "name": 5}, 400, "bad_request", ""},
		{"POST", "feedback/", map[string]any{"session_id": session, "rating": "positive"}, 400,
			"validation_error", "message_id"},
		{"POST", "feedback/", map[string]any{"session_id": session, "message_id": 5, "rating": "neutral"},
			400, "validation_error", "rating"},
		{"POST", "feedback/", map[string]any{"session_id": session, "message_id": "5", "rating": "positive"},
			400, "bad_request", ""},
		{"POST", "feedback/", map[string]any{"session_id": session, "message_id": 5, "rating": "positive"},
			404, "not_found", ""},
		{"POST", "feedback/", map[string]any{"session_id": other, "message_id": 5, "rating": "positive"}, 404,
			"not_found", ""},
	} {
		a := s.visitor().WantError(t, test.status, test.code, test.field, test.method, s.public()+test.path,
			test.body)
		if a.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: a page cannot read the error: %v", test.path, a.Header)
		}
	}
	s.visitor().Want(t, 200, "POST", s.public()+"send/",
		map[string]any{"message": strings.Repeat("é", 4000), "session_id": nil, "page_url": nil})
}

// TestAllowedDomains calls a widget that may run on two websites from pages of several.
func TestAllowedDomains(t *testing.T) {
	s := serve(t)
	reply := s.say(t, session, "Hello").Number("message_id")
	s.call(t, s.key, "PATCH", s.path(), `{"allowed_domains": ["acme.example", "acme.test"]}`, 200, nil)
	for origin, status := range map[string]int{
		"": 200, "https://acme.example": 200, "http://www.acme.example:8080": 200, "https://ACME.test": 200,
		s.URL:                     200,
		"https://notacme.example": 403, "https://acme.example.evil.example": 403, "https://example": 403,
		"null": 403, "https://%": 403,
	} {
		s.ahead.Add(int64(time.Minute))
		page := s.visitor()
		if origin != "" {
			page.Header = http.Header{"Origin": {origin}}
		}
		for _, call := range []struct{ method, path, body string }{
			{"GET", "config/", ""},
			{"POST", "send/", `{"message": "Hello"}`},
			{"GET", "history/?session_id=" + session, ""},
			{"POST", "visitor/", `{"session_id": "` + session + `", "name": "Ada"}`},
			{"POST", "feedback/",
				`{"session_id": "` + session + `", "message_id": ` + reply + `, "rating": "positive"}`},
		} {
			a := page.Call(t, call.method, s.public()+call.path, call.body)
			if a.Status != status || status == 403 &&
				(a.Text("error") != "forbidden" || !strings.Contains(a.Text("detail"), "may not run on")) {
				t.Errorf("%q, %s: %d %s", origin, call.path, a.Status, a.Body)
			}
		}
	}
}

// TestClosedWidgets tries every endpoint of a widget that is switched off, of a key that was rotated away,
// and of an agent that was deleted.
func TestClosedWidgets(t *testing.T) {
	s := serve(t)
	reply := s.say(t, session, "Hello").Number("message_id")
	try := func(status int, code string) {
		t.Helper()
		s.ahead.Add(int64(time.Minute))
		for _, call := range []struct{ method, path, body string }{
			{"GET", "config/", ""},
			{"POST", "send/", `{"message": "Hello"}`},
			{"GET", "history/?session_id=" + session, ""},
			{"POST", "visitor/", `{"session_id": "` + session + `", "name": "Ada"}`},
			{"POST", "feedback/",
				`{"session_id": "` + session + `", "message_id": ` + reply + `, "rating": "positive"}`},
		} {
			if status == 200 {
				s.visitor().Want(t, 200, call.method, s.public()+call.path, call.body)
				continue
			}
			s.visitor().WantError(t, status, code, "", call.method, s.public()+call.path, call.body)
		}
	}
	try(200, "")
	s.call(t, s.key, "PATCH", s.path(), `{"enabled": false}`, 200, nil)
	try(403, "forbidden")
	s.call(t, s.key, "PATCH", s.path(), `{"enabled": true}`, 200, nil)
	try(200, "")
	before := s.agent.EmbedKey
	s.call(t, s.key, "POST", s.path()+"rotate-key/", "", 200, nil)
	try(404, "not_found")
	a, err := s.agents.LoadSummary(t.Context(), s.agent.AccountID, s.agent.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.agent.EmbedKey = a.EmbedKey
	try(200, "")
	if err := s.agents.Delete(t.Context(), s.agent.AccountID, s.agent.ID); err != nil {
		t.Fatal(err)
	}
	try(404, "not_found")
	for _, key := range []string{before, "x", strings.Repeat("x", 3000), "%ff", "a%2Fb", "%00"} {
		s.visitor().WantError(t, 404, "not_found", "", "GET", "/widget/"+key+"/config/", nil)
	}
}

// TestSilence has visitors write to an agent that does not reply by itself.
func TestSilence(t *testing.T) {
	s := serve(t)
	account, err := s.table.Get(t.Context(), auth.AccountKey(s.agent.AccountID))
	if err != nil {
		t.Fatal(err)
	}
	a, err := auth.ReadAccount(account)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := auth.PlanNamed("widget") // has no API access, but a widget
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.workspaces.SetPlan(t.Context(), a.ID, plan.Name); err != nil {
		t.Fatal(err)
	}
	used := a.CountReply(plan, time.Now(), 0)
	used.Add = map[string]int64{"replies": plan.Replies - 1}
	if err := s.table.Transact(t.Context(), used); err != nil {
		t.Fatal(err)
	}
	if last := s.say(t, session, "Are dogs welcome?"); last.Text("action") != "respond" {
		t.Errorf("the last reply of the plan: %s", last.Body)
	}
	for action, change := range map[string]func(*agent.Summary){
		"ai_unavailable": func(*agent.Summary) {}, // the plan's replies are used up
		"agent_paused":   func(a *agent.Summary) { a.Status = agent.Paused },
		"ai_disabled":    func(a *agent.Summary) { a.Status, a.AIEnabled = agent.Active, false },
	} {
		_, err := s.agents.UpdateSummary(t.Context(), s.agent.AccountID, s.agent.ID,
			func(a *agent.Summary) ([]table.Write, error) {
				a.Status, a.AIEnabled = agent.Active, true
				change(a)
				return nil, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		a := s.say(t, session, "Are cats?")
		if a.Fields["reply"] != nil || a.Text("action") != action || a.Fields["message_id"] != nil ||
			a.Number("inbound_message_id") == "" || a.Number("conversation_id") == "" {
			t.Errorf("%s: %s", action, a.Body)
		}
		thread := s.thread(t, session, "")
		if want := a.Number("inbound_message_id") + " inbound: Are cats?"; thread[len(thread)-1] != want {
			t.Errorf("%s: the message is not stored: %q", action, thread)
		}
	}
}

// contact reads what is stored of a contact.
func (s *service) contact(t *testing.T, id string) contact.Contact {
	t.Helper()
	var n int64
	fmt.Sscan(id, &n)
	item, err := s.table.Get(t.Context(), contact.Key(s.agent.AccountID, n))
	if err != nil {
		t.Fatalf("contact %s: %v", id, err)
	}
	c, err := contact.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFeedback(t *testing.T) {
	s := serve(t)
	a, b := s.say(t, session, "Are dogs welcome?"), s.say(t, session, "Hello")
	theirs := s.say(t, other, "Hello")
	rate := func(status int, id, rating string) {
		t.Helper()
		got := s.visitor().Want(t, status, "POST", s.public()+"feedback/",
			`{"session_id": "`+session+`", "message_id": `+id+`, "rating": "`+rating+`"}`)
		if want := `{"message_id":` + id + `,"rating":"` + rating + `"}`; status == 200 && got.Body != want {
			t.Errorf("%s, want %s", got.Body, want)
		}
	}
	counts := func() [2]int64 {
		t.Helper()
		days, err := counter.OfDays(t.Context(), s.table, s.agent.AccountID, s.agent.ID,
			time.Now().Add(-time.Minute), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		of := conversation.StatisticsOf(days.Sum())
		return [2]int64{of.Positive, of.Negative}
	}
	for _, step := range []struct {
		id, rating string
		status     int
		want       [2]int64 // positive, negative
	}{
		{a.Number("message_id"), "positive", 200, [2]int64{1, 0}},
		{a.Number("message_id"), "positive", 200, [2]int64{1, 0}},
		{b.Number("message_id"), "negative", 200, [2]int64{1, 1}},
		{a.Number("message_id"), "negative", 200, [2]int64{0, 2}},
		{b.Number("message_id"), "positive", 200, [2]int64{1, 1}},
		{theirs.Number("message_id"), "positive", 404, [2]int64{1, 1}},
		{a.Number("inbound_message_id"), "positive", 400, [2]int64{1, 1}},
		{"0", "positive", 404, [2]int64{1, 1}},
		{"-5", "positive", 404, [2]int64{1, 1}},
	} {
		rate(step.status, step.id, step.rating)
		if got := counts(); got != step.want {
			t.Errorf("%s %s: counts %v, want %v", step.rating, step.id, got, step.want)
		}
	}
	s.ahead.Add(int64(2 * time.Minute))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			body := `{"session_id": "` + session + `", "message_id": ` +
				a.Number("message_id") + `, "rating": "` + []string{"positive", "negative"}[i%2] + `"}`
			if got, err := s.visitor().Try("POST", s.public()+"feedback/", body); err != nil ||
				got.Status != 200 {
				t.Errorf("%s, %v", got.Body, err)
			}
		})
	}
	wg.Wait()
	if got := counts(); got[0]+got[1] != 2 || got[0] < 1 {
		t.Errorf("after many changes at once: counts %v", got)
	}
}

// TestForgedSession has a session id that names the conversation of another session.
func TestForgedSession(t *testing.T) {
	s := serve(t)
	v := s.visitor()
	victim := v.Want(t, 200, "POST", s.public()+"send/",
		map[string]any{"message": "My secret is that cats are welcome."})
	var theirs int64
	fmt.Sscan(victim.Number("conversation_id"), &theirs)
	forged := conversation.NewSessionID(theirs)
	if conversation.Hint(forged) != theirs || forged == victim.Text("session_id") {
		t.Fatalf("%s names conversation %d", forged, conversation.Hint(forged))
	}
	v.WantError(t, 404, "not_found", "", "GET", s.public()+"history/?session_id="+forged, nil)
	v.WantError(t, 404, "not_found", "", "POST", s.public()+"feedback/", map[string]any{
		"session_id": forged, "message_id": victim.Fields["message_id"], "rating": "negative",
	})
	v.Want(t, 200, "POST", s.public()+"visitor/", map[string]any{"session_id": forged, "name": "Mallory"})
	if thread := s.thread(t, forged, ""); thread != nil {
		t.Errorf("before anything was said: %q", thread)
	}
	first := s.say(t, forged, "Hello")
	if first.Number("conversation_id") == victim.Number("conversation_id") {
		t.Errorf("the message went into the other's conversation: %s", first.Body)
	}
	want := []string{
		first.Number("inbound_message_id") + " inbound: Hello", first.Number("message_id") + " outbound: " +
			first.Text("reply"),
	}
	if diff := cmp.Diff(want, s.thread(t, forged, "")); diff != "" {
		t.Error(diff)
	}
	v.WantError(t, 404, "not_found", "", "POST", s.public()+"feedback/", map[string]any{
		"session_id": forged, "message_id": victim.Fields["message_id"], "rating": "negative",
	})
	if thread := s.thread(t, victim.Text("session_id"), ""); len(thread) != 2 {
		t.Errorf("the other's conversation became %q", thread)
	}
}

// TestSendOnce sends a message again under its Idempotency-Key. Who guesses the key gets nothing of it.
func TestSendOnce(t *testing.T) {
	s := serve(t)
	send := func(key, session, message string) apitest.Answer {
		t.Helper()
		v := s.visitor()
		v.Header = http.Header{"Idempotency-Key": {key}}
		body := map[string]any{"message": message}
		if session != "" {
			body["session_id"] = session
		}
		return v.Call(t, "POST", s.public()+"send/", body)
	}
	first := send("one", "", "Are dogs welcome?")
	again := send("one", "", "Are dogs welcome?")
	if first.Status != 200 || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%d %s, then %d %s", first.Status, first.Body, again.Status, again.Body)
	}
	if a := send("one", "", "Are cats welcome?"); a.Status != 400 || a.Text("field") != "Idempotency-Key" ||
		a.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("another body: %d %s", a.Status, a.Body)
	}
	id := first.Text("session_id")
	s.address.Store(new("192.0.2.2"))
	if a := send("one", "", "Are dogs welcome?"); a.Status != 200 || a.Text("session_id") == id {
		t.Errorf("another visitor got %s", a.Body)
	}
	// In a session the address does not matter.
	next := send("two", id, "Hello")
	s.address.Store(new("192.0.2.3"))
	if a := send("two", id, "Hello"); next.Status != 200 || a.Body != next.Body {
		t.Errorf("%s, then from elsewhere %s", next.Body, a.Body)
	}
	if a := send("two", other, "Hello"); a.Status != 200 || a.Text("session_id") != other {
		t.Errorf("another session: %s", a.Body)
	}
	if thread := s.thread(t, id, ""); len(thread) != 4 {
		t.Errorf("%q", thread)
	}
}

// writeLog is a table that remembers which keys were written.
type writeLog struct {
	table.Table
	keys []table.Key
}

func (l *writeLog) Transact(ctx context.Context, writes ...table.Write) error {
	for _, w := range writes {
		l.keys = append(l.keys, w.Item.Key)
	}
	return l.Table.Transact(ctx, writes...)
}

// TestRefusalsAreNotKept sends calls with an Idempotency-Key that are refused. Nothing is stored for those
// with an unknown embed key, with bad fields, or beyond the limits, and nothing stays of the others.
func TestRefusalsAreNotKept(t *testing.T) {
	s := serve(t)
	service := &widget.Service{Table: s.table, Now: time.Now}
	send := func(path, body string, status int) []table.Key {
		t.Helper()
		answers := &writeLog{Table: s.table}
		router := &api.Router{Answers: &api.Answers{Table: answers, Now: time.Now},
			Log: slog.New(slog.DiscardHandler), Front: s.router.Front}
		service.Routes(router)
		req := httptest.NewRequest("POST", api.Prefix+path, strings.NewReader(body))
		req.Header.Set(api.IdempotencyKeyHeader, path+body)
		w := httptest.NewRecorder()
		router.ServeHTTP(w, req)
		if w.Code != status {
			t.Fatalf("%s: %d %s, want %d", path, w.Code, w.Body, status)
		}
		return answers.keys
	}
	rating := `{"session_id": "` + session + `", "message_id": 5, "rating": "positive"}`
	if keys := send("/widget/nobody/feedback/", rating, 404); keys != nil {
		t.Errorf("an unknown embed key wrote %v", keys)
	}
	if keys := send(s.public()+"feedback/", `{"session_id": "`+session+`"}`, 400); keys != nil {
		t.Errorf("a request without its fields wrote %v", keys)
	}
	s.call(t, s.key, "PATCH", s.path(), `{"enabled": false}`, 200, nil)
	keys := send(s.public()+"feedback/", rating, 403)
	if len(keys) == 0 {
		t.Error("a call that is under way was not noted")
	}
	for _, key := range keys {
		if _, err := s.table.Get(t.Context(), key); !errors.Is(err, table.ErrNotFound) {
			t.Errorf("a widget that is switched off left %v, %v", key, err)
		}
	}
	for i := range 20 {
		send(s.public()+"feedback/",
			fmt.Sprintf(`{"session_id": %q, "message_id": %d, "rating": "positive"}`, other, i+1), 403)
	}
	if keys = send(s.public()+"feedback/",
		`{"session_id": "`+other+`", "message_id": 99, "rating": "positive"}`, 429); keys != nil {
		t.Errorf("a call too many wrote %v", keys)
	}
}

// cutOff is a table whose writer dies when it has noted that a request is under way.
type cutOff struct {
	table.Table
	noted bool
}

func (c *cutOff) Transact(ctx context.Context, writes ...table.Write) error {
	if c.noted {
		return errors.New("the process is gone")
	}
	c.noted = strings.HasPrefix(writes[0].Item.PK, "answer/")
	return c.Table.Transact(ctx, writes...)
}

// TestCutOffBeforeTheEffect has a process die when it has counted and noted a call and stored nothing else.
// Sent again the message is taken: neither is an effect.
func TestCutOffBeforeTheEffect(t *testing.T) {
	s := serve(t)
	now := func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }
	dying := &cutOff{Table: s.table}
	router := &api.Router{Answers: &api.Answers{Table: dying, Now: now}, Log: slog.New(slog.DiscardHandler)}
	(&widget.Service{Table: dying, Now: now,
		Assistant: &assistant.Assistant{Table: dying, Now: now, IDs: s.agents.IDs}}).Routes(router)
	send := func(h http.Handler) *httptest.ResponseRecorder {
		req := httptest.NewRequest("POST", api.Prefix+s.public()+"send/",
			strings.NewReader(`{"message": "Hello", "session_id": "`+session+`"}`))
		req.Header.Set("Idempotency-Key", "k")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		return w
	}
	if w := send(router); w.Code < 500 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	s.ahead.Store(int64(time.Minute))
	if w := send(s.router); w.Code != 200 {
		t.Errorf("sent again: %d %s", w.Code, w.Body)
	}
}

func TestVisitorLimits(t *testing.T) {
	s := serve(t)
	// early in a minute
	s.ahead.Store(int64(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute + time.Second))))
	send := func(session string) apitest.Answer {
		t.Helper()
		return s.visitor().Call(t, "POST", s.public()+"send/",
			map[string]any{"message": "Hello", "session_id": session})
	}
	refused := func(a apitest.Answer) {
		t.Helper()
		var wait int
		fmt.Sscan(a.Header.Get("Retry-After"), &wait)
		if a.Status != 429 || a.Text("error") != "rate_limited" || wait < 1 || wait > 60 ||
			a.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%d %s, Retry-After %q", a.Status, a.Body, a.Header.Get("Retry-After"))
		}
	}
	for i := range 20 {
		if a := send(session); a.Status != http.StatusOK {
			t.Fatalf("message %d: %d %s", i+1, a.Status, a.Body)
		}
	}
	refused(send(session))
	if a := send(other); a.Status != http.StatusOK {
		t.Errorf("another session: %s", a.Body)
	}
	s.ahead.Add(int64(time.Minute))
	if a := send(session); a.Status != http.StatusOK {
		t.Errorf("a minute later: %s", a.Body)
	}

	s.ahead.Add(int64(time.Minute))
	// an unknown session, at no great cost
	body := `{"session_id": "00000000-0000-4000-8000-%012d", "message_id": 5, "rating": "positive"}`
	for i := range 120 {
		s.visitor().Want(t, 404, "POST", s.public()+"feedback/", fmt.Sprintf(body, i))
	}
	refused(s.visitor().Call(t, "POST", s.public()+"feedback/", fmt.Sprintf(body, 200)))
	s.visitor().Want(t, 200, "GET", s.public()+"config/", nil) // is counted by itself
	for address, want := range map[string]int{
		"192.0.2.1": 429, "::ffff:192.0.2.1": 429, "192.0.2.2": 404, "2001:db8::1": 404,
	} {
		s.address.Store(&address)
		s.visitor().Want(t, want, "POST", s.public()+"feedback/", fmt.Sprintf(body, 201))
	}
	for i := range 119 {
		s.address.Store(new(fmt.Sprintf("2001:db8::%x", i)))
		s.visitor().Want(t, 404, "POST", s.public()+"feedback/", fmt.Sprintf(body, i))
	}
	refused(s.visitor().Call(t, "POST", s.public()+"feedback/", fmt.Sprintf(body, 202)))
}

// TestScriptIsCompressed asks for the script as browsers do, and as a client that takes no compressed bodies.
func TestScriptIsCompressed(t *testing.T) {
	s := serve(t)
	get := func(encoding string) (http.Header, []byte) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/widget/widget.js", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", encoding) // so that the client does not decompress the body
		a, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		return a.Header, body
	}
	plain, whole := get("identity")
	packed, small := get("gzip, deflate, br")
	if plain.Get("Content-Encoding") != "" || packed.Get("Content-Encoding") != "gzip" ||
		plain.Get("ETag") == packed.Get("ETag") {
		t.Errorf("headers %v and %v", plain, packed)
	}
	r, err := gzip.NewReader(bytes.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || !bytes.Equal(text, whole) {
		t.Errorf("the compressed script is another: %v", err)
	}
}

func TestScripts(t *testing.T) {
	s := serve(t)
	get := func(path string) apitest.Answer {
		t.Helper()
		return s.visitor().Call(t, "GET", s.URL+path, nil)
	}
	script := get("/widget/widget.js")
	if script.Status != 200 || !strings.HasPrefix(script.Header.Get("Content-Type"), "text/javascript") ||
		!strings.Contains(script.Body, "attachShadow") {
		t.Errorf("%d %v", script.Status, script.Header)
	}
	if script.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" ||
		script.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("headers of the script: %v", script.Header)
	}
	loader := fmt.Sprintf("/widget/loader/%d.js", s.agent.ID)
	if a := get(loader); a.Status != 200 ||
		!strings.Contains(a.Body, `{"agent":"`+s.agent.EmbedKey+`","color":"#2563eb"}`) ||
		a.Header.Get("Cache-Control") != "public, max-age=60, must-revalidate" {
		t.Errorf("%d %v %s", a.Status, a.Header, a.Body)
	}
	var rotated agent.Widget
	s.call(t, s.key, "POST", s.path()+"rotate-key/", "", 200, &rotated)
	if a := get(loader); !strings.Contains(a.Body, rotated.EmbedKey) {
		t.Errorf("after the key was rotated: %s", a.Body)
	}
	if rotated.ScriptURL != s.URL+"/widget/widget.js" || rotated.LoaderURL != s.URL+loader {
		t.Errorf("the addresses are %s and %s", rotated.ScriptURL, rotated.LoaderURL)
	}
	for _, path := range []string{
		fmt.Sprintf("/widget/loader/%d.js", s.agent.ID+1), fmt.Sprintf("/widget/loader/%d", s.agent.ID),
		"/widget/loader/x.js",
		"/widget/loader/.js", "/widget/loader/-1.js", "/widget/loader/", "/widget/", "/widget/other.js",
	} {
		if a := get(path); a.Status != 404 || a.Text("error") != "not_found" {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
	s.call(t, s.key, "PATCH", s.path(), `{"enabled": false}`, 200, nil)
	if a := get(loader); a.Status != 403 {
		t.Errorf("switched off: %d %s", a.Status, a.Body)
	}
}

// TestEdge holds what pages load from a cache before the service, where there is one: the script and the
// loader, which name the service itself for what visitors say; and how long a cache may keep each answer.
func TestEdge(t *testing.T) {
	s := serve(t)
	s.edge.Store(new("https://d111.cloudfront.example"))
	var w agent.Widget
	s.call(t, s.key, "GET", s.path(), "", 200, &w)
	snippet := fmt.Sprintf(`<script src="https://d111.cloudfront.example/widget/widget.js" data-agent="%s" `+
		`data-color="#2563eb" data-api="%s/api/v1/" defer></script>`, s.agent.EmbedKey, s.URL)
	loader := fmt.Sprintf("/widget/loader/%d.js", s.agent.ID)
	if w.EmbedSnippet != snippet || w.LoaderURL != "https://d111.cloudfront.example"+loader ||
		w.Endpoints.Send != s.URL+"/api/v1/widget/"+s.agent.EmbedKey+"/send/" {
		t.Errorf("%s, %s, %s", w.EmbedSnippet, w.LoaderURL, w.Endpoints.Send)
	}
	for path, want := range map[string]string{
		loader:              "public, max-age=60, must-revalidate",
		"/widget/widget.js": "public, max-age=3600, must-revalidate",
		"/api/v1/widget/" + s.agent.EmbedKey + "/config/": "public, max-age=300, s-maxage=60",
		"/api/v1/widget/unknown/config/":                  "no-store",
		"/api/v1" + s.path():                              "no-store",
	} {
		res, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if got := res.Header.Get("Cache-Control"); err != nil || got != want {
			t.Errorf("%s: Cache-Control %q, want %q, %v", path, got, want, err)
		}
		if path == loader && !strings.Contains(string(body), `"api":"`+s.URL+`/api/v1/"`) {
			t.Errorf("the loader does not name the service: %s", body)
		}
		if strings.HasSuffix(path, "config/") && res.StatusCode == 200 &&
			!slices.Contains(res.Header.Values("Vary"), "Origin") {
			t.Errorf("%s: Vary %q", path, res.Header.Values("Vary"))
		}
	}
}
