package messages_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/messages"
	"frontdesk/infra/platforms"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/api/servicetest"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// A service is the endpoints over a table of their own, before a stand-in of WhatsApp.
type service struct {
	*servicetest.Service
	graph *platforms.Graph
	keys  *secret.Keys
	log   *bytes.Buffer

	mu    sync.Mutex
	clock time.Time // stands still
}

const ada, token = "+14155550123", "EAAG0bXk-token"

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{
		Service: servicetest.New(t), graph: platforms.NewGraph(t),
		keys: &secret.Keys{Read: secret.Static(secret.NewKey())},
		log:  new(bytes.Buffer), clock: time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC),
	}
	s.Router.Answers = &api.Answers{Table: s.Table, Now: time.Now}
	(&messages.Service{Table: s.Table, Sender: &message.Sender{
		Store: message.Store{Table: s.Table, Now: s.now, IDs: s.IDs,
			Channels: registry.New(registry.Addresses{Graph: s.graph.URL})},
		Secrets: s.keys, Log: slog.New(slog.NewJSONHandler(s.log, nil)),
	}}).Routes(s.Router)
	return s
}

func (s *service) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock
}

// A client is a workspace with an agent that is connected to WhatsApp and has a contact, who wrote just now.
type client struct {
	*service
	apitest.Client
	agent   int64
	contact contact.Contact
}

func (s *service) client(t *testing.T) *client {
	t.Helper()
	c := &client{service: s, Client: s.Client(t, "pro")}
	c.agent = c.newAgent(t)
	c.connect(t, c.agent)
	c.contact = c.newContact(t, c.agent, ada)
	c.wrote(t, c.agent, ada, c.now())
	return c
}

func (c *client) newAgent(t *testing.T) int64 {
	t.Helper()
	a, err := (&agent.Store{Table: c.Table, Now: c.Now, IDs: c.IDs}).Create(t.Context(), c.Account,
		agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

func (c *client) connect(t *testing.T, agentID int64) {
	t.Helper()
	store := channel.Store{Table: c.Table, Now: c.Now, Secrets: c.keys,
		Channels: registry.New(registry.Addresses{})}
	_, _, err := store.Connect(t.Context(), c.Account, agentID, channel.WhatsApp, channel.Change{
		channel.PhoneNumberID: "106540352242922", channel.AccessToken: token,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (c *client) contacts() *contact.Store {
	return &contact.Store{Table: c.Table, Now: c.Now, IDs: c.IDs}
}

func (c *client) newContact(t *testing.T, agentID int64, phone string) contact.Contact {
	t.Helper()
	made := contact.New(0, agentID, c.now())
	made.Name, made.Phone = "Ada", phone
	made, _, err := c.contacts().Upsert(t.Context(), c.Account, made)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// wrote has a contact have written on WhatsApp at a time.
func (c *client) wrote(t *testing.T, agentID int64, phone string, at time.Time) {
	t.Helper()
	key := conversation.AddressKey(c.Account, agentID, "whatsapp", phone)
	before, err := c.Table.Get(t.Context(), key)
	identity := conversation.Address{}
	if err == nil {
		identity, err = conversation.ReadAddress(before)
	} else if errors.Is(err, table.ErrNotFound) {
		err = nil
	}
	if err != nil {
		t.Fatal(err)
	}
	identity.LastInboundAt = at
	item, err := identity.Item(key, 0)
	if err == nil {
		err = c.Table.Transact(t.Context(), table.Put(item))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (c *client) path() string { return fmt.Sprintf("/agents/%d/messages/", c.agent) }

// conversations are those of the agent, the oldest first.
func (c *client) conversations(t *testing.T) []conversation.Conversation {
	t.Helper()
	var all []conversation.Conversation
	q, also := conversation.Filter{}.OfAgent(c.Account, c.agent)
	for _, pk := range append(also, q.PK) {
		page, err := c.Table.Query(t.Context(), table.Query{Index: q.Index, PK: pk})
		if err != nil {
			t.Fatal(err)
		}
		items, err := table.Whole(t.Context(), c.Table, q.Index, page.Items)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			read, err := conversation.Read(item)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, read)
		}
	}
	return all
}

// said is what was said in a conversation, as the API lists it.
func (c *client) said(t *testing.T, conversationID int64) []string {
	t.Helper()
	var lines []string
	a := c.Want(t, 200, "GET", fmt.Sprintf("/messages/?conversation_id=%d", conversationID), nil)
	for _, m := range a.Results() {
		lines = append(lines,
			fmt.Sprintf("%s %s %s: %s", m["direction"], m["type"], m["status"], m["content"]))
	}
	if a.Number("count") != fmt.Sprint(len(lines)) {
		t.Errorf("count %s of %d messages", a.Number("count"), len(lines))
	}
	return lines
}

func TestSend(t *testing.T) {
	c := serve(t).client(t)
	a := c.Want(t, 201, "POST", c.path(),
		map[string]any{"to": "+1 (415) 555-0123", "text": " Your bicycle is ready.\n"})
	if want := fmt.Sprintf(`{"status":"queued","agent_id":%d,"to":"%s"}`, c.agent, ada); a.Body != want {
		t.Errorf("got %s, want %s", a.Body, want)
	}
	c.Want(t, 201, "POST", c.path(), map[string]any{
		"to": ada, "type": "template", "template_name": "order_ready",
		"template_params": []string{"Ada", "4711"}, "language_code": "de", "text": nil,
	})
	c.Want(t, 201, "POST", c.path(), map[string]any{"to": ada, "type": "template", "template_name": "hello",
		"template_params": nil, "language_code": nil})
	a = c.Want(t, 200, "POST", "/messages/send/",
		map[string]any{"agent_id": c.agent, "phone_number": ada, "message": "The old way"})
	if want := fmt.Sprintf(`{"status":"sent","agent_id":%d,"to":"%s"}`, c.agent, ada); a.Body != want {
		t.Errorf("got %s, want %s", a.Body, want)
	}

	call := func(kind string, content map[string]any) platforms.GraphMessage {
		return platforms.GraphMessage{From: "106540352242922", Token: token, Body: map[string]any{
			"messaging_product": "whatsapp", "recipient_type": "individual", "to": ada, "type": kind,
			kind: content,
		}}
	}
	want := []platforms.GraphMessage{
		call("text", map[string]any{"body": " Your bicycle is ready.\n"}),
		call("template", map[string]any{"name": "order_ready", "language": map[string]any{"code": "de"},
			"components": []any{
				map[string]any{"type": "body",
					"parameters": []any{map[string]any{"type": "text", "text": "Ada"},
						map[string]any{"type": "text", "text": "4711"}}},
			}}),
		call("template", map[string]any{"name": "hello", "language": map[string]any{"code": "en_US"}}),
		call("text", map[string]any{"body": "The old way"}),
	}
	calls := c.graph.Calls()
	for i, call := range calls {
		ref, _ := call.Body["biz_opaque_callback_data"].(string)
		if _, part, ok := channel.ReadRef(ref); !ok || part != 0 {
			t.Errorf("call %d has the reference %q", i, ref)
		}
		delete(call.Body, "biz_opaque_callback_data")
		calls[i].ID, calls[i].At = "", time.Time{}
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}

	begun := c.conversations(t)
	if len(begun) != 1 {
		t.Fatalf("%+v", begun)
	}
	talk := begun[0]
	wantTalk := talk
	wantTalk.AgentID, wantTalk.ContactID, wantTalk.ContactName, wantTalk.LeadScore = c.agent, c.contact.ID,
		"Ada", c.contact.LeadScore
	wantTalk.Status, wantTalk.Channel, wantTalk.Priority, wantTalk.AIEnabled, wantTalk.TakeoverMode = "open",
		"whatsapp", "normal", true, "ai"
	wantTalk.LastMessageAt, wantTalk.Messages, wantTalk.Address, wantTalk.SessionID = c.now(), 4, ada, ""
	if diff := cmp.Diff(wantTalk, talk); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
	lines := []string{
		"outbound text sent:  Your bicycle is ready.\n", "outbound template sent: order_ready\nAda\n4711",
		"outbound template sent: hello",
		"outbound text sent: The old way",
	}
	if diff := cmp.Diff(lines, c.said(t, talk.ID)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	counts, err := counter.OfAgent(t.Context(), c.Table, c.Account, c.agent)
	if err != nil || conversation.Count(counts, "open") != 1 {
		t.Errorf("%v, %v", counts, err)
	}

	listed := c.Want(t, 200, "GET", fmt.Sprintf("/messages/?conversation_id=%d", talk.ID), nil).Results()[0]
	read := c.Want(t, 200, "GET", fmt.Sprintf("/messages/%s/", listed["id"]), nil)
	if diff := cmp.Diff(listed, read.Fields); diff != "" {
		t.Error(diff)
	}
	wantFields := map[string]any{
		"id": read.Fields["id"], "conversation_id": read.Fields["conversation_id"], "direction": "outbound",
		"type":    "text",
		"content": " Your bicycle is ready.\n", "sent_by_ai": false, "author": "", "status": "sent",
		"status_detail": "", "created_at": "2026-03-02T10:00:00Z",
	}
	if diff := cmp.Diff(wantFields, read.Fields); diff != "" ||
		read.Number("conversation_id") != fmt.Sprint(talk.ID) {
		t.Error(diff)
	}
}

// TestProviderID finds a message by the id that the platform gave it.
func TestProviderID(t *testing.T) {
	c := serve(t).client(t)
	c.graph.Answer(platforms.GraphAnswer{Status: 200, Body: `{"messages":[{"id":"wamid.one"}]}`})
	c.Want(t, 201, "POST", c.path(), map[string]any{"to": ada, "text": "Hi"})
	page, err := c.Table.Query(t.Context(),
		table.Query{Index: table.Index2,
			PK: conversation.MessageKeyByProviderID(c.Account, c.agent, "whatsapp", "wamid.one").PK})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d messages, %v", len(page.Items), err)
	}
	if m, err := conversation.ReadMessage(page.Items[0]); err != nil || m.Content != "Hi" ||
		m.Status != conversation.Sent || m.AgentID != c.agent {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestInvalid(t *testing.T) {
	c := serve(t).client(t)
	text := func(n int) string { return strings.Repeat("é", n) }
	many := func(n int) []string { return strings.Split(strings.Repeat("x ", n-1)+"x", " ") }
	template := func(name string, value any) map[string]any {
		return map[string]any{"to": ada, "type": "template", "template_name": "order_ready", name: value}
	}
	for _, test := range []struct {
		body  any
		code  string // "" for what is taken
		field string
	}{
		{map[string]any{"text": "Hi"}, "validation_error", "to"},
		{map[string]any{"to": "", "text": "Hi"}, "validation_error", "to"},
		{map[string]any{"to": "4155550123", "text": "Hi"}, "validation_error", "to"},
		{map[string]any{"to": 14155550123, "text": "Hi"}, "bad_request", ""},
		{map[string]any{"to": ada}, "validation_error", "text"},
		{map[string]any{"to": ada, "text": nil}, "validation_error", "text"},
		{map[string]any{"to": ada, "text": " \n"}, "validation_error", "text"},
		{map[string]any{"to": ada, "text": 7}, "bad_request", ""},
		{map[string]any{"to": ada, "text": text(4096)}, "", ""},
		{map[string]any{"to": ada, "text": text(4097)}, "validation_error", "text"},
		{map[string]any{"to": ada, "type": "image", "text": "Hi"}, "validation_error", "type"},
		{map[string]any{"to": ada, "type": "template", "text": "Hi"}, "validation_error", "template_name"},
		{template("template_name", "  "), "validation_error", "template_name"},
		{template("template_name", text(512)), "", ""},
		{template("template_name", text(513)), "validation_error", "template_name"},
		{template("template_params", many(100)), "", ""},
		{template("template_params", many(101)), "validation_error", "template_params"},
		{template("template_params", []string{text(1024)}), "", ""},
		{template("template_params", []string{text(1025)}), "validation_error", "template_params"},
		{template("template_params", []string{"Ada", ""}), "validation_error", "template_params"},
		{template("template_params", "Ada"), "bad_request", ""},
		{template("template_params", []any{1}), "bad_request", ""},
		{template("language_code", "pt_BR"), "", ""},
		{template("language_code", "en US"), "validation_error", "language_code"},
		{`{`, "bad_request", ""},
		{`[]`, "bad_request", ""},
	} {
		if test.code == "" {
			c.Want(t, 201, "POST", c.path(), test.body)
			continue
		}
		c.WantError(t, 400, test.code, test.field, "POST", c.path(), test.body)
	}
	for _, test := range []struct {
		body  map[string]any
		code  string
		field string
	}{
		{map[string]any{"phone_number": ada, "message": "Hi"}, "validation_error", "agent_id"},
		{map[string]any{"agent_id": "1", "phone_number": ada, "message": "Hi"}, "bad_request", ""},
		{map[string]any{"agent_id": c.agent, "message": "Hi"}, "validation_error", "phone_number"},
		{map[string]any{"agent_id": c.agent, "phone_number": "555", "message": "Hi"}, "validation_error",
			"phone_number"},
		{map[string]any{"agent_id": c.agent, "phone_number": ada}, "validation_error", "message"},
		{map[string]any{"agent_id": c.agent, "phone_number": ada, "message": " "}, "validation_error",
			"message"},
		{map[string]any{"agent_id": c.agent, "phone_number": ada, "message": text(4097)}, "validation_error",
			"message"},
	} {
		c.WantError(t, 400, test.code, test.field, "POST", "/messages/send/", test.body)
	}
	for path, field := range map[string]string{
		"/messages/": "conversation_id", "/messages/?conversation_id=": "conversation_id",
		"/messages/?conversation_id=x": "conversation_id",
	} {
		c.WantError(t, 400, "validation_error", field, "GET", path, nil)
	}
}

// TestOrderOfChecks breaks every rule at once, and then mends one after the other.
func TestOrderOfChecks(t *testing.T) {
	c := serve(t).client(t)
	c.agent = c.newAgent(t) // without anything
	both := func(status int, code, field string, agentID int64, to, text string) {
		t.Helper()
		c.WantError(t, status, code, field, "POST", fmt.Sprintf("/agents/%d/messages/", agentID),
			map[string]any{"to": to, "text": text})
		legacy := map[string]string{"to": "phone_number", "text": "message"}[field]
		c.WantError(t, status, code, legacy, "POST", "/messages/send/",
			map[string]any{"agent_id": agentID, "phone_number": to, "message": text})
	}
	both(400, "validation_error", "to", 12345, "0", "")
	both(400, "validation_error", "text", 12345, ada, "")
	both(404, "not_found", "", 12345, ada, "Hi")
	both(422, "unprocessable", "", c.agent, ada, "Hi") // nobody could be sent anything
	known := c.newContact(t, c.agent, ada)
	out, err := c.contacts().Change(t.Context(), c.Account, known.ID, func(c *contact.Contact) error {
		c.OptedIn = false
		return nil
	})
	if err != nil || out.OptedIn {
		t.Fatal(err)
	}
	both(403, "contact_opted_out", "", c.agent, ada, "Hi")
	c.connect(t, c.agent)
	both(403, "contact_opted_out", "", c.agent, ada, "Hi")
	both(404, "not_found", "", c.agent, "+14155550199", "Hi")
	if err := c.contacts().Delete(t.Context(), c.Account, known.ID); err != nil {
		t.Fatal(err)
	}
	both(404, "not_found", "", c.agent, ada, "Hi")
	c.newContact(t, c.agent, ada)
	both(403, "contact_opted_out", "", c.agent, ada, "Hi") // as before
	const grace = "+14155550124"
	c.newContact(t, c.agent, grace)
	both(422, "unprocessable", "", c.agent, grace, "Hi") // they never wrote
	c.Want(t, 405, "DELETE", c.path(), nil)
	if calls, talks := c.graph.Calls(), c.conversations(t); len(calls) != 0 || len(talks) != 0 {
		t.Errorf("%v, %v", calls, talks)
	}
	c.Want(t, 201, "POST", c.path(),
		map[string]any{"to": grace, "type": "template", "template_name": "hello"})
}

// TestWindow sends texts at the edges of the customer-service window.
func TestWindow(t *testing.T) {
	c := serve(t).client(t)
	for ago, open := range map[time.Duration]bool{
		0: true, 23 * time.Hour: true, 24*time.Hour - time.Millisecond: true, 24 * time.Hour: false,
		25 * time.Hour: false,
	} {
		c.wrote(t, c.agent, ada, c.now().Add(-ago))
		body, legacy := map[string]any{"to": ada, "text": "Hi"},
			map[string]any{"agent_id": c.agent, "phone_number": ada, "message": "Hi"}
		if open {
			c.Want(t, 201, "POST", c.path(), body)
			c.Want(t, 200, "POST", "/messages/send/", legacy)
			continue
		}
		c.WantError(t, 422, "unprocessable", "", "POST", c.path(), body)
		c.WantError(t, 422, "unprocessable", "", "POST", "/messages/send/", legacy)
		c.Want(t, 201, "POST", c.path(),
			map[string]any{"to": ada, "type": "template", "template_name": "hello"})
	}
}

// TestWhatTheyWroteElsewhere keeps windows apart by agent and by number.
func TestWhatTheyWroteElsewhere(t *testing.T) {
	c := serve(t).client(t)
	c.newContact(t, c.agent, "+14155550124")
	c.WantError(t, 422, "unprocessable", "", "POST", c.path(),
		map[string]any{"to": "+14155550124", "text": "Hi"})
	other := c.newAgent(t)
	c.connect(t, other)
	c.newContact(t, other, ada)
	c.WantError(t, 422, "unprocessable", "", "POST", fmt.Sprintf("/agents/%d/messages/", other),
		map[string]any{"to": ada, "text": "Hi"})
}

func TestRejected(t *testing.T) {
	c := serve(t).client(t)
	c.graph.Answer(platforms.WindowClosed, platforms.NoTemplate, platforms.TokenExpired)
	a := c.WantError(t, 502, "server_error", "", "POST", c.path(), map[string]any{"to": ada, "text": "Hi"})
	if !strings.Contains(a.Text("detail"), "Re-engagement message") {
		t.Errorf("%s", a.Body)
	}
	c.WantError(t, 502, "server_error", "", "POST", c.path(),
		map[string]any{"to": ada, "type": "template", "template_name": "order_ready"})
	c.WantError(t, 502, "server_error", "", "POST", "/messages/send/",
		map[string]any{"agent_id": c.agent, "phone_number": ada, "message": "Old"})
	want := []string{"outbound text failed: Hi", "outbound template failed: order_ready",
		"outbound text failed: Old"}
	if diff := cmp.Diff(want, c.said(t, c.conversations(t)[0].ID)); diff != "" {
		t.Error(diff)
	}
	if n := len(c.graph.Calls()); n != 3 {
		t.Errorf("%d calls", n)
	}
	if log := c.log.String(); strings.Contains(log, token) || strings.Contains(log, ada) ||
		!strings.Contains(log, "code 131047") {
		t.Errorf("%s", log)
	}
}

func TestOutOfOrder(t *testing.T) {
	c := serve(t).client(t)
	answers := []platforms.GraphAnswer{
		platforms.RateLimited, platforms.PairLimited, platforms.Throttled, platforms.Overloaded,
		platforms.Broken,
	}
	var want []string
	for i, answer := range answers {
		c.graph.Answer(answer, answer)
		text := fmt.Sprint("Number ", i)
		if a := c.Want(t, 201, "POST", c.path(),
			map[string]any{"to": ada, "text": text}); a.Text("status") != "queued" {
			t.Errorf("%s", a.Body)
		}
		c.WantError(t, 502, "server_error", "", "POST", "/messages/send/",
			map[string]any{"agent_id": c.agent, "phone_number": ada, "message": text})
		want = append(want, "outbound text queued: "+text, "outbound text failed: "+text)
		messages := c.Want(t, 200, "GET",
			fmt.Sprintf("/messages/?conversation_id=%d", c.conversations(t)[0].ID), nil).Results()
		detail, _ := messages[len(messages)-1]["status_detail"].(string)
		if unclear := strings.Contains(detail, "may have taken"); detail == "" ||
			unclear != (answer == platforms.Broken) {
			t.Errorf("%s failed, and says %q", text, detail)
		}
	}
	if diff := cmp.Diff(want, c.said(t, c.conversations(t)[0].ID)); diff != "" {
		t.Error(diff)
	}
	if n := len(c.graph.Calls()); n != 2*len(answers) {
		t.Errorf("%d calls", n)
	}
	changes, err := c.Table.Changes(t.Context(), "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	queued := 0
	for _, change := range changes {
		if change.New == nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil || e.Kind != event.MessageQueued || e.AgentID != c.agent || e.Attempt != 1 ||
			e.MessageID == 0 {
			t.Errorf("%+v, %v", e, err)
		}
		queued++
	}
	if queued != 2*len(answers) {
		t.Errorf("the outbox has %d messages", queued)
	}
}

// TestConversations has a message join the conversation that goes on, and begin another where none does.
func TestConversations(t *testing.T) {
	c := serve(t).client(t)
	send := func(text string) {
		t.Helper()
		c.Want(t, 201, "POST", c.path(), map[string]any{"to": ada, "text": text})
	}
	store := message.Store{Table: c.Table, Now: c.Now, IDs: c.IDs}
	become := func(id int64, status conversation.Status) {
		t.Helper()
		_, err := store.Change(t.Context(), c.Account, id, func(u *message.Unit) error {
			u.Conversation.Status = status
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	latest := func() int64 {
		t.Helper()
		var id int64
		for _, talk := range c.conversations(t) {
			id = max(id, talk.ID)
		}
		return id
	}
	send("one")
	first := latest()
	become(first, "waiting_customer")
	send("two")
	if diff := cmp.Diff([]string{"outbound text sent: one", "outbound text sent: two"},
		c.said(t, first)); diff != "" {
		t.Error(diff)
	}
	before := first
	for _, status := range []conversation.Status{conversation.Resolved, conversation.Closed} {
		become(before, status)
		send("three")
		if after := latest(); after == before || len(c.said(t, after)) != 1 {
			t.Errorf("after %s it goes on in %d, %d was before", status, after, before)
		}
		before = latest()
	}
	// Someone else who gets the number does not see what was said before.
	if err := c.contacts().Delete(t.Context(), c.Account, c.contact.ID); err != nil {
		t.Fatal(err)
	}
	c.newContact(t, c.agent, ada)
	send("four")
	if after := latest(); after == before {
		t.Error("the conversation of a contact that was deleted goes on")
	}
}

// TestAtOnce sends several messages to a new contact at once: they are all there, in one conversation.
func TestAtOnce(t *testing.T) {
	c := serve(t).client(t)
	const n = 8
	var sends sync.WaitGroup
	for i := range n {
		sends.Go(func() {
			a, err := c.Try("POST", c.path(), map[string]any{"to": ada, "text": fmt.Sprint("Number ", i)})
			if err != nil || a.Status != 201 {
				t.Errorf("%d %s, %v", a.Status, a.Body, err)
			}
		})
	}
	sends.Wait()
	talks := c.conversations(t)
	if len(talks) != 1 || talks[0].Messages != n || len(c.said(t, talks[0].ID)) != n ||
		len(c.graph.Calls()) != n {
		t.Errorf("%+v", talks)
	}
}

// TestIdempotencyKey sends a request again.
func TestIdempotencyKey(t *testing.T) {
	c := serve(t).client(t)
	c.graph.Answer(platforms.Overloaded)
	c.Header = http.Header{api.IdempotencyKeyHeader: {"one"}}
	for _, path := range []string{c.path(), "/messages/send/"} {
		body := map[string]any{"to": ada, "text": "Hi", "agent_id": c.agent, "phone_number": ada,
			"message": "Hi"}
		first := c.Call(t, "POST", path, body)
		again := c.Call(t, "POST", path, body)
		if first.Status/100 != 2 || again.Status != first.Status || again.Body != first.Body ||
			again.Header.Get(api.ReplayedHeader) != "true" {
			t.Errorf("%d %s, %d %s", first.Status, first.Body, again.Status, again.Body)
		}
		if n := len(c.graph.Calls()); n != 1 {
			t.Errorf("%s: %d calls", path, n)
		}
	}
}

// TestPages walks through a long conversation.
func TestPages(t *testing.T) {
	c := serve(t).client(t)
	for i := range 51 {
		c.Want(t, 201, "POST", c.path(), map[string]any{"to": ada, "text": fmt.Sprint(i)})
	}
	list := fmt.Sprintf("/messages/?conversation_id=%d", c.conversations(t)[0].ID)
	first := c.Want(t, 200, "GET", list, nil)
	second := c.Want(t, 200, "GET", first.Text("next"), nil)
	if len(first.Results()) != 50 || first.Results()[0]["content"] != "0" || len(second.Results()) != 1 ||
		second.Results()[0]["content"] != "50" ||
		second.Number("count") != "51" || second.Fields["next"] != nil {
		t.Errorf("%s\n%s", first.Body, second.Body)
	}
	c.WantError(t, 404, "not_found", "", "GET", list+"&page=3", nil)
}

// TestOthers asks for what is another workspace's, or was an agent's that is gone.
func TestOthers(t *testing.T) {
	s := serve(t)
	c, stranger := s.client(t), s.client(t)
	c.Want(t, 201, "POST", c.path(), map[string]any{"to": ada, "text": "Hi"})
	talk := c.conversations(t)[0].ID
	list := fmt.Sprintf("/messages/?conversation_id=%d", talk)
	message := fmt.Sprintf("/messages/%s/", c.Want(t, 200, "GET", list, nil).Results()[0]["id"])
	notFound := func(who apitest.Client) {
		t.Helper()
		for _, path := range []string{list, message} {
			who.WantError(t, 404, "not_found", "", "GET", path, nil)
		}
		who.WantError(t, 404, "not_found", "", "POST", c.path(), map[string]any{"to": ada, "text": "Hi"})
		who.WantError(t, 404, "not_found", "", "POST", "/messages/send/",
			map[string]any{"agent_id": c.agent, "phone_number": ada, "message": "Hi"})
	}
	notFound(stranger.Client)
	for _, path := range []string{"/messages/?conversation_id=1", "/messages/?conversation_id=-1",
		"/messages/1/", "/messages/x/"} {
		c.WantError(t, 404, "not_found", "", "GET", path, nil)
	}
	nobody := apitest.Client{Base: c.Base}
	nobody.WantError(t, 401, "authentication_required", "", "GET", message, nil)
	if err := (&agent.Store{Table: c.Table, Now: c.Now, IDs: c.IDs}).Delete(t.Context(), c.Account,
		c.agent); err != nil {
		t.Fatal(err)
	}
	notFound(c.Client)
}
