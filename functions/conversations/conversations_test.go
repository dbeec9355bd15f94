package conversations_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/conversations"
	"frontdesk/infra/platforms"
	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A service is the endpoints over a table of their own, and an assistant that answers visitors.
type service struct {
	table      table.Table
	feed       table.Feed
	ids        *id.Source
	agents     *agent.Store
	workspaces *auth.Workspaces
	visitors   *assistant.Assistant
	base       string
	now        func() time.Time
	pass       func(time.Duration) // moves the clock
	graph      *platforms.Graph
	keys       *secret.Keys
}

func serve(t *testing.T) *service {
	t.Helper()
	// The clock goes on by a millisecond whenever it is read, so that later things have later times.
	var ticks atomic.Int64
	now := func() time.Time {
		return time.Date(2026, 3, 2, 9, 30, 0, 0,
			time.UTC).Add(time.Duration(ticks.Add(1)) * time.Millisecond)
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ids := id.NewSource(now)
	router := &api.Router{Auth: &auth.Keys{Table: store, Now: now}, Log: slog.New(slog.DiscardHandler)}
	graph, keys := platforms.NewGraph(t), &secret.Keys{Read: secret.Static(secret.NewKey())}
	(&conversations.Service{Table: store, Sender: &message.Sender{
		Store: message.Store{Table: store, Now: now, IDs: ids,
			Channels: registry.New(registry.Addresses{Graph: graph.URL})},
		Secrets: keys, Log: slog.New(slog.DiscardHandler),
	}}).Routes(router)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	return &service{
		store, store, ids, &agent.Store{Table: store, Now: now, IDs: ids}, &auth.Workspaces{Table: store,
			Now: now, IDs: ids},
		&assistant.Assistant{Table: store, Now: now, IDs: ids},
		server.URL + api.Prefix + "/", now,
		func(d time.Duration) { ticks.Add(d.Milliseconds()) }, graph, keys,
	}
}

// A client calls the service with the API key of a workspace that has one agent.
type client struct {
	*service
	*apitest.Client
	account auth.Account
	agent   int64
}

func (s *service) client(t *testing.T) *client {
	t.Helper()
	account, key, err := s.workspaces.Create(t.Context(), "Acme", "enterprise")
	if err != nil {
		t.Fatal(err)
	}
	c := &client{s, &apitest.Client{Base: s.base, Key: key.Text}, account, 0}
	c.agent = c.newAgent(t)
	return c
}

func (c *client) newAgent(t *testing.T) int64 {
	t.Helper()
	a, err := c.agents.Create(t.Context(), c.account.ID, agent.Agent{
		Summary: agent.Summary{Name: "Mia", Status: agent.Active, Language: "en", AIEnabled: true,
			AIModel: ai.Builtin, MaxResponseLength: 500},
		FAQs: []agent.FAQ{{Question: "Are dogs welcome?", Answer: "Dogs are welcome in the garden."}},
	}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

const session = "11111111-2222-4333-8444-555555555555"

// say is a visitor's message, and what came of it.
func (c *client) say(session, text string) (assistant.Answer, error) {
	return c.visitors.Turn(context.Background(), assistant.Message{
		AccountID: c.account.ID, AgentID: c.agent, Channel: conversation.WebChat, SessionID: session,
		Text:    text,
		Contact: assistant.Identity{Name: "Ada"},
	})
}

// begin has a visitor begin a conversation and returns its path.
func (c *client) begin(t *testing.T) string {
	t.Helper()
	answer, err := c.say(session, "Are dogs welcome?")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("conversations/%d/", answer.ConversationID)
}

// thread is what has been said, in all pages.
func (c *client) thread(t *testing.T, path string) []string {
	t.Helper()
	var lines []string
	for at := path + "messages/"; at != ""; {
		a := c.Want(t, 200, "GET", at, nil)
		for _, m := range a.Results() {
			lines = append(lines, fmt.Sprintf("%s: %s", m["direction"], m["content"]))
		}
		at = a.Text("next")
		if at == "" && a.Number("count") != fmt.Sprint(len(lines)) {
			t.Errorf("count %s of %d messages", a.Number("count"), len(lines))
		}
	}
	return lines
}

// events are the kinds of events in the outbox, with the conversations they are of.
func (c *client) events(t *testing.T) []string {
	t.Helper()
	changes, err := c.feed.Changes(t.Context(), "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, change := range changes {
		if change.New == nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.WebhookData()
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf(`{"conversation_id":%d}`, e.ConversationID)
		if e.AccountID != c.account.ID || e.AgentID != c.agent || e.At.IsZero() || string(data) != want {
			t.Errorf("%+v", e)
		}
		kinds = append(kinds, fmt.Sprintf("%s conversations/%d/", e.Kind, e.ConversationID))
	}
	return kinds
}

type object = map[string]any

func TestRead(t *testing.T) {
	c := serve(t).client(t)
	path := c.begin(t)
	got := c.Want(t, 200, "GET", path, nil)
	want := object{
		"id": got.Fields["id"], "agent_id": got.Fields["agent_id"], "contact_id": got.Fields["contact_id"],
		"contact_name": "Ada",
		"identity":     "claimed",
		"claimed":      map[string]any{"name": "Ada", "email": "", "phone": "", "external_id": ""},
		"status":       "open", "channel": "webchat", "ai_enabled": true, "takeover_mode": "ai",
		"priority": "normal",
		"preview":  "Dogs are welcome in the garden.", "unread": json.Number("1"), "window_ends_at": nil,
		"assignee": nil, "labels": []any{},
		"handoff_reason": nil, "handoff_summary": "", "last_message_at": got.Text("last_message_at"),
		"created_at": got.Text("created_at"),
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Number("agent_id") != fmt.Sprint(c.agent) || got.Number("contact_id") == "" {
		t.Errorf("%s", got.Body)
	}
	messages := c.Want(t, 200, "GET", path+"messages/", nil).Results()
	if len(messages) != 2 || messages[1]["created_at"] != got.Text("last_message_at") {
		t.Errorf("the last of %v is of %s", messages, got.Text("last_message_at"))
	}
}

func TestActions(t *testing.T) {
	c := serve(t).client(t)
	path := c.begin(t)
	before := c.Want(t, 200, "GET", path, nil)
	expect := func(a apitest.Answer, status, mode string, enabled bool) {
		t.Helper()
		want := before.Fields
		want["status"], want["takeover_mode"], want["ai_enabled"] = status, mode, enabled
		want["handoff_reason"], want["handoff_summary"] = nil, ""
		if status == "resolved" { // by somebody who has read it
			want["unread"] = json.Number("0")
		}
		if mode == "human" {
			want["handoff_reason"] = "manual"
			want["handoff_summary"] = "Who: Ada\nWants: “Are dogs welcome?”\nAbout: Are dogs welcome?\n" +
				"Tried: replies of the assistant: 1\nMood: calm"
		}
		if diff := cmp.Diff(want, a.Fields); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if read := c.Want(t, 200, "GET", path, nil); read.Body != a.Body {
			t.Errorf("answered %s, read %s", a.Body, read.Body)
		}
	}
	for range 2 {
		expect(c.Want(t, 200, "POST", path+"handoff/", nil), "open", "human", false)
	}
	for range 2 {
		expect(c.Want(t, 200, "POST", path+"resolve/", nil), "resolved", "human", false)
	}
	for range 2 {
		expect(c.Want(t, 200, "POST", path+"resume-ai/", object{"what": "ever"}), "resolved", "ai", true)
	}
	resolved := "conversation.resolved " + path
	if diff := cmp.Diff([]string{resolved}, c.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	// A message opens it again, and then it can be resolved once more.
	if _, err := c.say(session, "And cats?"); err != nil {
		t.Fatal(err)
	}
	if status := c.Want(t, 200, "GET", path, nil).Text("status"); status != "open" {
		t.Errorf("after a message it is %s", status)
	}
	c.Want(t, 200, "POST", path+"resolve/", nil)
	if diff := cmp.Diff([]string{resolved, resolved}, c.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestHandOff has a person take over, reply and hand back.
func TestHandOff(t *testing.T) {
	c := serve(t).client(t)
	path := c.begin(t)
	c.Want(t, 200, "POST", path+"handoff/", nil)
	if answer, err := c.say(session, "Is anybody there?"); err != nil || answer.Reply != nil ||
		answer.Action != assistant.HumanHandling {
		t.Errorf("%+v, %v", answer, err)
	}
	before := c.Want(t, 200, "GET", path, nil)
	reply := c.Want(t, 201, "POST", path+"reply/", object{"message": " I am. "})
	want := object{
		"id": reply.Fields["id"], "conversation_id": before.Fields["id"], "direction": "outbound",
		"type": "text", "content": "I am.",
		"sent_by_ai": false, "status": "sent", "status_detail": "", "author": "",
		"created_at": reply.Text("created_at"),
	}
	if diff := cmp.Diff(want, reply.Fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	after := c.Want(t, 200, "GET", path, nil)
	if after.Text("last_message_at") != reply.Text("created_at") ||
		after.Text("last_message_at") <= before.Text("last_message_at") {
		t.Errorf("last message at %s, before %s, the reply at %s", after.Text("last_message_at"),
			before.Text("last_message_at"), reply.Text("created_at"))
	}
	c.Want(t, 200, "POST", path+"resume-ai/", nil)
	if answer, err := c.say(session, "Are dogs welcome?"); err != nil || answer.Reply == nil {
		t.Errorf("%+v, %v", answer, err)
	}
	const dogs = "outbound: Dogs are welcome in the garden."
	lines := []string{"inbound: Are dogs welcome?", dogs, "inbound: Is anybody there?", "outbound: I am.",
		"inbound: Are dogs welcome?", dogs}
	if diff := cmp.Diff(lines, c.thread(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReplyRules(t *testing.T) {
	c := serve(t).client(t)
	path := c.begin(t) + "reply/"
	for text, want := range map[string]string{
		strings.Repeat("😀", 4000):        strings.Repeat("😀", 4000),
		strings.Repeat("é", 4001):        strings.Repeat("é", 4000),
		"\n two\nlines <b>\t":            "two\nlines <b>",
		strings.Repeat("x", 3999) + " y": strings.Repeat("x", 3999),
	} {
		if got := c.Want(t, 201, "POST", path, object{"message": text}).Text("content"); got != want {
			t.Errorf("the content has %d characters, want %d", len([]rune(got)), len([]rune(want)))
		}
	}
	for _, body := range []any{nil, object{}, object{"message": ""}, object{"message": " \n"}} {
		c.WantError(t, 400, "validation_error", "message", "POST", path, body)
	}
	for _, body := range []any{object{"message": nil}, object{"message": 5}, object{"message": []string{"x"}},
		`[]`, `{`} {
		c.WantError(t, 400, "bad_request", "", "POST", path, body)
	}
}

// TestMessages reads a long conversation, page by page and by numbers.
func TestMessages(t *testing.T) {
	c := serve(t).client(t)
	path := c.begin(t)
	want := c.thread(t, path)
	for i := range 120 {
		c.Want(t, 201, "POST", path+"reply/", object{"message": fmt.Sprint("Reply ", i)})
		want = append(want, fmt.Sprint("outbound: Reply ", i))
	}
	if diff := cmp.Diff(want, c.thread(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	second := c.Want(t, 200, "GET", path+"messages/?page=2", nil)
	if got := second.Results(); len(got) != 50 || got[0]["content"] != "Reply 48" ||
		second.Number("count") != "122" {
		t.Errorf("page 2 has %d from %v, of %s", len(got), got[0]["content"], second.Number("count"))
	}
	c.WantError(t, 404, "not_found", "", "GET", path+"messages/?page=4", nil)
}

// TestNotOurs asks for a conversation of another workspace, of a deleted agent, and under what is no id.
func TestNotOurs(t *testing.T) {
	s := serve(t)
	c, stranger := s.client(t), s.client(t)
	orphan := c.begin(t)
	gone := c.agent
	if err := c.agents.Delete(t.Context(), c.account.ID, gone); err != nil {
		t.Fatal(err)
	}
	theirs := stranger.begin(t)
	for _, path := range []string{theirs, orphan, "conversations/999/", "conversations/0/",
		"conversations/x/"} {
		c.WantError(t, 404, "not_found", "", "GET", path, nil)
		c.WantError(t, 404, "not_found", "", "GET", path+"messages/", nil)
		c.WantError(t, 404, "not_found", "", "POST", path+"reply/", object{"message": "x"})
		for _, action := range []string{"resolve", "handoff", "resume-ai"} {
			c.WantError(t, 404, "not_found", "", "POST", path+action+"/", nil)
		}
	}
	for _, agent := range []int64{gone, stranger.agent, 999} {
		c.WantError(t, 404, "not_found", "", "GET", fmt.Sprintf("agents/%d/conversations/", agent), nil)
		c.WantError(t, 404, "not_found", "", "GET",
			fmt.Sprintf("agents/%d/conversations/?lead_score_min=5", agent), nil)
		c.WantError(t, 404, "not_found", "", "GET", fmt.Sprintf("conversations/?agent_id=%d", agent), nil)
	}
	if list := c.Want(t, 200, "GET", "conversations/", nil); list.Number("count") != "0" ||
		len(list.Results()) != 0 {
		t.Errorf("%s", list.Body)
	}
	if mine := stranger.Want(t, 200, "GET", theirs, nil); mine.Text("status") != "open" ||
		mine.Text("takeover_mode") != "ai" {
		t.Errorf("%s", mine.Body)
	}
}

// seed stores a conversation as an assistant would.
func (c *client) seed(t *testing.T, agentID int64, status conversation.Status,
	score int) conversation.Conversation {
	t.Helper()
	of := conversation.Conversation{ID: c.ids.Next(), AgentID: agentID,
		Partner: conversation.Partner{ContactID: 1, LeadScore: score}, Status: status,
		Channel: conversation.API}
	of.CreatedAt = id.Time(of.ID)
	of.LastMessageAt = of.CreatedAt
	item, err := of.Item(c.account.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	writes := append(counter.Add(c.account.ID, agentID, of.ID, conversation.Recount(nil, &of)),
		table.PutIfAbsent(item))
	if err := c.table.Transact(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	return of
}

// TestLists compares lists under every filter with what is known of the conversations.
func TestLists(t *testing.T) {
	c := serve(t).client(t)
	other, gone := c.newAgent(t), c.newAgent(t)
	statuses := conversation.Status.Values("")
	var all []conversation.Conversation
	for i := range 260 {
		of := c.agent
		switch {
		case i%5 == 0:
			of = other
		case i%11 == 0:
			of = gone
		}
		status := conversation.Status(statuses[i*i%7%len(statuses)])
		if i%2 == 0 {
			status = conversation.Open
		}
		made := c.seed(t, of, status, i*37%101)
		if of != gone {
			all = append(all, made)
		}
	}
	if err := c.agents.Delete(t.Context(), c.account.ID, gone); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(all)
	middle := all[len(all)/2].CreatedAt
	at := func(t time.Time) string { return url.QueryEscape(t.Format(time.RFC3339Nano)) }
	east := time.FixedZone("", 5*3600+1800)

	of := func(agentID int64) func(conversation.Conversation) bool {
		return func(c conversation.Conversation) bool { return c.AgentID == agentID }
	}
	is := func(status conversation.Status) func(conversation.Conversation) bool {
		return func(c conversation.Conversation) bool { return c.Status == status }
	}
	since := func(t time.Time) func(conversation.Conversation) bool {
		return func(c conversation.Conversation) bool { return !c.CreatedAt.Before(t) }
	}
	until := func(t time.Time) func(conversation.Conversation) bool {
		return func(c conversation.Conversation) bool { return !c.CreatedAt.After(t) }
	}
	score := func(min int) func(conversation.Conversation) bool {
		return func(c conversation.Conversation) bool { return c.LeadScore >= min }
	}
	mine := fmt.Sprintf("agents/%d/conversations/", c.agent)
	tests := map[string][]func(conversation.Conversation) bool{
		"conversations/":                     {},
		"conversations/?status=open":         {is("open")},
		"conversations/?status=quoted":       {is("quoted")},
		"conversations/?status=spam":         {is("spam")},
		mine:                                 {of(c.agent)},
		mine + "?status=open":                {of(c.agent), is("open")},
		mine + "?status=pending":             {of(c.agent), is("pending")},
		mine + "?lead_score_min=0":           {of(c.agent)},
		mine + "?lead_score_min=1":           {of(c.agent), score(1)},
		mine + "?lead_score_min=70":          {of(c.agent), score(70)},
		mine + "?lead_score_min=100":         {of(c.agent), score(100)},
		mine + "?since=" + at(middle):        {of(c.agent), since(middle)},
		mine + "?until=" + at(middle):        {of(c.agent), until(middle)},
		mine + "?since=2026-03-02T09:30:00Z": {of(c.agent)},
		mine + "?until=2026-03-02T09:30:00Z": {of(c.agent),
			until(time.Time{})},
		mine + "?since=2026-03-02T09:30:00":                             {of(c.agent)},
		mine + "?since=2026-03-01":                                      {of(c.agent)},
		mine + "?since=2026-03-02":                                      {of(c.agent)},
		mine + "?since=2026-03-03":                                      {until(time.Time{})},
		mine + "?until=2026-03-01":                                      {until(time.Time{})},
		mine + "?until=2026-03-02":                                      {of(c.agent)},
		mine + "?since=2026-03-02&until=2026-03-02":                     {of(c.agent)},
		mine + "?since=" + at(middle) + "&until=2026-03-02":             {of(c.agent), since(middle)},
		mine + "?since=1999-01-01T00:00:00Z&until=9999-01-01T00:00:00Z": {of(c.agent)},
		mine + "?until=1999-01-01T00:00:00Z":                            {until(time.Time{})},
		mine + "?since=9999-01-01T00:00:00Z":                            {until(time.Time{})},
		mine + "?since=" + at(middle.Add(time.Microsecond)): {of(c.agent),
			since(middle.Add(time.Microsecond))},
		mine + "?until=" + at(middle.Add(-time.Microsecond)): {of(c.agent),
			until(middle.Add(-time.Microsecond))},
		mine + "?since=" + at(middle) + "&until=" +
			at(middle): {of(c.agent), since(middle), until(middle)},
		mine + "?since=" + at(middle.Add(time.Second)) + "&until=" + at(middle): {until(time.Time{})},
		mine + "?since=" + at(middle.In(east)):                                  {of(c.agent), since(middle)},
		// the plus sign as it is
		mine + "?since=" + middle.In(east).Format(time.RFC3339Nano): {of(c.agent), since(middle)},
		mine + "?status=open&lead_score_min=40&since=" +
			at(middle): {of(c.agent), is("open"), score(40), since(middle)},
		fmt.Sprintf("conversations/?agent_id=%d", other):             {of(other)},
		fmt.Sprintf("conversations/?agent_id=%d&status=open", other): {of(other), is("open")},
	}
	for address, filters := range tests {
		want := []string{}
		for _, one := range all {
			if !slices.ContainsFunc(filters,
				func(f func(conversation.Conversation) bool) bool { return !f(one) }) {
				want = append(want, fmt.Sprint(one.ID))
			}
		}
		got := []string{}
		for at := address; at != ""; {
			a := c.Want(t, 200, "GET", at, nil)
			if a.Number("count") != fmt.Sprint(len(want)) {
				t.Fatalf("%s: count %s, want %d", at, a.Number("count"), len(want))
			}
			for _, item := range a.Results() {
				got = append(got, fmt.Sprint(item["id"]))
			}
			at = a.Text("next")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
	}
	for query, field := range map[string]string{
		"status=new": "status", "since=yesterday": "since", "until=2026-02-30": "until",
		"since=2026-03-02T09:30": "since", "until=0000-01-01": "until",
		"lead_score_min=-1": "lead_score_min", "lead_score_min=101": "lead_score_min",
		"lead_score_min=x": "lead_score_min",
	} {
		c.WantError(t, 400, "validation_error", field, "GET", mine+"?"+query, nil)
	}
	c.WantError(t, 400, "validation_error", "status", "GET", "conversations/?status=new", nil)
	c.WantError(t, 400, "validation_error", "agent_id", "GET", "conversations/?agent_id=x", nil)
	for _, page := range []string{"0", "x", "99"} {
		c.WantError(t, 404, "not_found", "", "GET", mine+"?page="+page, nil)
	}
}

// TestStatusMoves expects a conversation to leave the list of one status for that of another.
func TestStatusMoves(t *testing.T) {
	c := serve(t).client(t)
	path := c.begin(t)
	expect := func(open, resolved int) {
		t.Helper()
		for status, n := range map[string]int{"open": open, "resolved": resolved, "spam": 0} {
			for _, list := range []string{"conversations/?status=" + status,
				fmt.Sprintf("agents/%d/conversations/?status=%s", c.agent, status)} {
				if a := c.Want(t, 200, "GET", list, nil); a.Number("count") != fmt.Sprint(n) ||
					len(a.Results()) != n {
					t.Errorf("%s: %s", list, a.Body)
				}
			}
		}
	}
	expect(1, 0)
	c.Want(t, 200, "POST", path+"resolve/", nil)
	expect(0, 1)
	if _, err := c.say(session, "Hello again"); err != nil {
		t.Fatal(err)
	}
	expect(1, 0)
}

// TestMeanwhile has people act on conversations while visitors write to them. Nothing of it may get lost.
func TestMeanwhile(t *testing.T) {
	c := serve(t).client(t)
	path := c.begin(t)
	const replies, turns = 6, 4
	var said atomic.Int64
	said.Store(2)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() {
			if a, err := c.Try("POST", path+"reply/",
				object{"message": fmt.Sprint("Reply ", i)}); err != nil || a.Status != 201 {
				t.Error(a.Status, a.Body, err)
				return
			}
			said.Add(1)
		})
	}
	for range turns {
		wg.Go(func() {
			answer, err := c.say(session, "Are dogs welcome?")
			if err != nil {
				// others were first each time; the caller is told to try again
				if errors.Is(err, table.ErrBusy) {
					return
				}
				t.Error(err)
				return
			}
			said.Add(1)
			if answer.Reply != nil {
				said.Add(1)
			}
		})
	}
	for _, action := range []string{"handoff", "resolve"} {
		wg.Go(func() {
			if a, err := c.Try("POST", path+action+"/", nil); err != nil || a.Status != 200 {
				t.Error(a.Status, a.Body, err)
			}
		})
	}
	wg.Wait()
	if lines := c.thread(t, path); len(lines) != int(said.Load()) {
		t.Errorf("%d messages are there, %d were said: %q", len(lines), said.Load(), lines)
	}
	if a := c.Want(t, 200, "GET", path, nil); a.Text("takeover_mode") != "human" {
		t.Errorf("%s", a.Body)
	}
	if events := c.events(t); len(events) != 1 {
		t.Errorf("events %q", events)
	}
	total := 0
	for _, status := range []string{"open", "resolved"} {
		a := c.Want(t, 200, "GET", "conversations/?status="+status, nil)
		total += len(a.Results())
		if a.Number("count") != fmt.Sprint(len(a.Results())) {
			t.Errorf("%s", a.Body)
		}
	}
	if total != 1 {
		t.Errorf("the conversation is in %d lists", total)
	}
}
