package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// A fixture is a workspace with an agent, and with one of everything that a path can name, made when it is
// first needed.
type fixture struct {
	*Client
	service *Service
	// names are what stands in a path, by the pattern up to there: "/agents/{agent_id}/" is the agent.
	names map[string]string
	said  said
}

// said is what a visitor's message left: the ids of the session.
type said struct{ session, reply string }

func (s *Service) fixture(t testing.TB) *fixture {
	t.Helper()
	return &fixture{Client: s.Client(t, "enterprise"), service: s, names: map[string]string{}}
}

// make makes what a path names by its last part, and returns the name. Mostly that is what a POST to the path
// before it makes.
func (w *fixture) make(t testing.TB, pattern string) string {
	t.Helper()
	switch pattern {
	case "/agents/{agent_id}/channels/{channel_type}/":
		w.Want(t, 201, "POST", w.path(t, "/agents/{agent_id}/channels/"), map[string]any{
			"channel_type": "whatsapp", "config": whatsApp,
		})
		return "whatsapp"
	case "/messages/{id}/attachments/{n}/":
		return "0"
	case "/inbound/{agent_id}/":
		return w.name(t, "/agents/{agent_id}/")
	case "/inbound/{agent_id}/{channel_type}/":
		return w.name(t, "/agents/{agent_id}/channels/{channel_type}/")
	case "/agents/{agent_id}/knowledge/unanswered/{question_id}/":
		w.Want(t, 200, "POST", w.path(t, "/agents/{agent_id}/chat/"),
			map[string]any{"message": "Who won the fixture cup in 1974?"})
		list := w.path(t, "/agents/{agent_id}/knowledge/unanswered/")
		return fmt.Sprint(w.Want(t, 200, "GET", list, nil).Results()[0]["id"])
	case "/sessions/{id}/":
		a := w.service.Caller("").Want(t, 201, "POST", "/session/", map[string]any{"token": w.token(t)})
		return a.Number("id")
	case "/passkeys/{id}/":
		id, _ := w.passkey(t)
		return id
	case "/contacts/{id}/tags/{tag_name}/":
		w.Want(t, 200, "POST", w.path(t, "/contacts/{id}/tags/"), map[string]any{"tags": []string{"vip"}})
		return "vip"
	case "/agents/{agent_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/":
		w.Want(t, 200, "POST", w.path(t, "/conversations/{id}/resolve/"), nil)
		list := w.path(t, "/agents/{agent_id}/webhooks/{webhook_id}/deliveries/")
		return fmt.Sprint(eventually(t, &w.Client.Client, list, 1).Results()[0]["id"])
	case "/conversations/{id}/":
		return w.Want(t, 200, "POST", w.path(t, "/agents/{agent_id}/chat/"),
			map[string]any{"message": "Hello"}).Number("conversation_id")
	case "/knowledge/{id}/":
		return w.Want(t, 201, "POST", w.path(t, "/agents/{agent_id}/knowledge/"),
			map[string]any{"title": "Dogs", "content": "Dogs are welcome."}).Number("id")
	case "/messages/{id}/":
		return w.talk(t).reply
	case "/widget/{embed_key}/":
		return w.Want(t, 200, "PATCH", w.path(t, "/agents/{agent_id}/widget/"),
			map[string]any{"accept_files": true}).Text("embed_key")
	}
	list := pattern[:strings.LastIndex(pattern, "{")]
	for _, o := range answers.description.operations {
		if o.method == "POST" && o.path == list {
			return w.Want(t, 201, "POST", w.path(t, list), w.body(t, o)).Number("id")
		}
	}
	t.Fatalf("nothing makes what %s names", pattern)
	return ""
}

// path fills a pattern with what it names.
func (w *fixture) path(t testing.TB, pattern string) string {
	t.Helper()
	path, parts := "", strings.SplitAfter(strings.TrimPrefix(pattern, "/"), "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			part = w.name(t, "/"+strings.Join(parts[:i+1], "")) + "/"
		}
		path += part
	}
	return "/" + path
}

// name returns what stands for the last part of a pattern.
func (w *fixture) name(t testing.TB, pattern string) string {
	t.Helper()
	if known, ok := w.names[pattern]; ok {
		return known
	}
	name := w.make(t, pattern)
	w.names[pattern] = name
	return name
}

// knownIDs are the ids that bodies and queries name, with the patterns that make what they are of.
var knownIDs = map[string]string{
	"agent_id":        "/agents/{agent_id}/",
	"contact_id":      "/contacts/{id}/",
	"conversation_id": "/conversations/{id}/",
}

// body is the example of an operation's body with the fixture's ids in it; nil where it takes none. The
// caller may change it.
func (w *fixture) body(t testing.TB, o *operation) map[string]any {
	t.Helper()
	if o.body == nil {
		return nil
	}
	body := clone(o.example).(map[string]any)
	for field := range o.body.Properties {
		if pattern, ok := knownIDs[field]; ok {
			body[field] = json.Number(w.name(t, pattern))
		}
		switch field {
		case "order":
			if o.method == "PUT" {
				body[field] = []json.Number{json.Number(w.name(t, o.path+"{item_id}/"))}
			}
		case "url":
			if strings.HasPrefix(o.path, "/agents/{agent_id}/webhooks/") ||
				strings.HasPrefix(o.path, "/agents/{agent_id}/websites/") {
				body[field] = "https://127.0.0.1:9/" // which refuses every call
			}
		case "session_id":
			body[field] = w.talk(t).session
		case "signature":
			if o.path == "/widget/{embed_key}/visitor/" {
				delete(body, field) // the example's is of other values
			}
		case "token":
			body[field] = w.token(t)
		case "message_id":
			body[field] = json.Number(w.talk(t).reply)
		}
	}
	return body
}

// token is that of a new link that signs the workspace's owner in.
func (w *fixture) token(t testing.TB) string {
	t.Helper()
	link, err := w.service.workspaces.OwnerLink(t.Context(), w.Account)
	if err != nil {
		t.Fatal(err)
	}
	return link.Token
}

// sends tells whether an operation sends a message by WhatsApp.
func (o *operation) sends() bool {
	return o.path == "/agents/{agent_id}/messages/" || o.path == "/messages/send/"
}

// asks tells whether an operation answers what WhatsApp answers.
func (o *operation) asks() bool { return strings.HasSuffix(o.path, "/{channel_type}/templates/") }

// whatsApp is the config of a number.
var whatsApp = map[string]any{
	"phone_number_id": "106540352242922", "access_token": "EAAG0bXk", "app_secret": "hunter2",
	"verify_token": "open sesame",
}

// connect connects the agent to WhatsApp, and has its contact have written there just now.
func (w *fixture) connect(t testing.TB) {
	t.Helper()
	w.Call(t, "POST", w.path(t, "/agents/{agent_id}/channels/"),
		map[string]any{"channel_type": "whatsapp", "config": whatsApp})
	phone := w.Want(t, 200, "GET", w.path(t, "/contacts/{id}/"), nil).Text("phone")
	agent, err := strconv.ParseInt(w.name(t, "/agents/{agent_id}/"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	item, err := (&conversation.Address{LastInboundAt: time.Now()}).Item(conversation.AddressKey(w.Account,
		agent, "whatsapp", phone), 0)
	if err == nil {
		err = w.service.Table.Transact(t.Context(), table.Put(item))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// query is the least query of an operation, "" or one that begins with a question mark.
func (w *fixture) query(t testing.TB, o *operation) string {
	t.Helper()
	for _, p := range o.parameters {
		switch {
		case p.In != "query" || !p.Required:
		case p.Name == "day":
			return "?day=2026-03-02"
		case p.Name == "session_id":
			return "?session_id=" + w.talk(t).session
		default:
			return "?" + p.Name + "=" + w.name(t, knownIDs[p.Name])
		}
	}
	return ""
}

// talk has a visitor talk to the agent once, and returns what came of it.
func (w *fixture) talk(t testing.TB) said {
	t.Helper()
	if w.said.session == "" {
		a := w.Want(t, 200, "POST", w.path(t, "/widget/{embed_key}/send/"),
			map[string]any{"message": "Hello"})
		w.said = said{a.Text("session_id"), a.Number("message_id")}
	}
	return w.said
}

// makeAll makes one of everything that the description's paths name.
func (w *fixture) makeAll(t testing.TB) {
	t.Helper()
	for _, p := range answers.description.paths {
		w.path(t, p.path)
	}
	w.talk(t)
	w.awaitCrawl(t)
}

// awaitCrawl waits until the website of the fixture is not being read any more.
func (w *fixture) awaitCrawl(t testing.TB) {
	t.Helper()
	path := w.path(t, "/agents/{agent_id}/websites/{website_id}/")
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		status := w.Client.Client.Want(t, 200, "GET", path, nil).Text("status")
		if status != "queued" && status != "crawling" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the website is still %s", status)
		}
	}
}

// clone copies a value of JSON.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := maps.Clone(v)
		for key := range c {
			c[key] = clone(c[key])
		}
		return c
	case []any:
		c := slices.Clone(v)
		for i := range c {
			c[i] = clone(c[i])
		}
		return c
	}
	return v
}
