// Package platforms stands in for the platforms of channels: for tests, and for developers who have no
// account there.
package platforms

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Graph stands in for Meta's Graph API. It takes messages as the API does, and keeps them. The zero Graph
// is ready to be served.
type Graph struct {
	URL string // where it is served, without a slash at its end; files are fetched below it

	mu        sync.Mutex
	sent      []GraphMessage
	calls     []GraphMessage
	marked    []string
	answers   []GraphAnswer
	files     map[string]GraphFile
	webhook   string            // what numbers and pages are told to post to
	templates []string          // the names of the approved ones; nil is order_ready alone
	refused   string            // the access token that has ended
	accounts  map[string]string // the Instagram accounts of access tokens; InstagramAccount of all others
	before    map[string]func(GraphMessage)
}

// A GraphMessage is a message that was sent.
type GraphMessage struct {
	From  string // the id of the number, page or account
	Token string
	ID    string // that it got
	At    time.Time
	Body  map[string]any
}

// Text is the text of a message, of whichever channel.
func (m GraphMessage) Text() string {
	for _, path := range []string{"text.body", "interactive.body.text", "message.text"} {
		if text, ok := at(m.Body, path).(string); ok {
			return text
		}
	}
	return ""
}

// A GraphButton is a button, a row of a list or a quick reply of a message: what it brings back, and what
// stands on it.
type GraphButton struct{ Value, Title string }

// Buttons are those of a message, of whichever channel.
func (m GraphMessage) Buttons() []GraphButton {
	var all []GraphButton
	add := func(list any, value, title string) {
		items, _ := list.([]any)
		for _, item := range items {
			v, _ := at(item, value).(string)
			t, _ := at(item, title).(string)
			all = append(all, GraphButton{v, t})
		}
	}
	add(at(m.Body, "interactive.action.buttons"), "reply.id", "reply.title")
	sections, _ := at(m.Body, "interactive.action.sections").([]any)
	for _, section := range sections {
		add(at(section, "rows"), "id", "title")
	}
	add(at(m.Body, "message.quick_replies"), "payload", "title")
	return all
}

// To is whom a message was sent to.
func (m GraphMessage) To() string {
	for _, path := range []string{"to", "recipient", "recipient.id"} {
		if to, ok := at(m.Body, path).(string); ok {
			return to
		}
	}
	return ""
}

// at is what stands in nested objects under names with dots between.
func at(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

// A GraphAnswer is what a call gets instead of being accepted. The zero one breaks the connection, after
// the message was taken.
type GraphAnswer struct {
	Status int
	Body   string
}

// A GraphFile is one that can be fetched by its id.
type GraphFile struct {
	Type    string
	Content []byte
}

// NewGraph serves a Graph until the test ends.
func NewGraph(t testing.TB) *Graph {
	g := new(Graph)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	g.URL = server.URL
	return g
}

// Answer says what the next messages get, one after the other.
func (g *Graph) Answer(answers ...GraphAnswer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answers = append(g.answers, answers...)
}

// openFiles is below which path a file is fetched without a token, as those of Messenger and Instagram are.
const openFiles = "/open/"

// Keep has a file to fetch by its id, as WhatsApp has it, and at the address that it returns, as Messenger
// and Instagram do.
func (g *Graph) Keep(id string, f GraphFile) (address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.files == nil {
		g.files = map[string]GraphFile{}
	}
	g.files[id] = f
	return g.URL + openFiles + id
}

// Call sets the address that checks say is called.
func (g *Graph) Call(webhook string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.webhook = webhook
}

// Own has an access token be of an Instagram account.
func (g *Graph) Own(token, account string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.accounts == nil {
		g.accounts = map[string]string{}
	}
	g.accounts[token] = account
}

// BeforeAnswer has do called for each message that is sent under an access token: when it was taken, and
// before the API answers.
func (g *Graph) BeforeAnswer(token string, do func(GraphMessage)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.before == nil {
		g.before = map[string]func(GraphMessage){}
	}
	g.before[token] = do
}

// Templates sets the names of the approved templates.
func (g *Graph) Templates(names ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.templates = names
}

// Refuse ends an access token: every call with it is answered as one whose token has expired. "" ends none.
func (g *Graph) Refuse(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused = token
}

// Calls returns the messages that came since it was last called, those too that were refused, and forgets
// them. Refused ones have no ID.
func (g *Graph) Calls() []GraphMessage {
	g.mu.Lock()
	defer g.mu.Unlock()
	calls := g.calls
	g.calls = nil
	return calls
}

// Sent returns the messages that were sent so far.
func (g *Graph) Sent() []GraphMessage {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]GraphMessage(nil), g.sent...)
}

// Marked returns the ids of the messages that were marked as read.
func (g *Graph) Marked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string(nil), g.marked...)
}

var (
	messagesPath = regexp.MustCompile(`^/v\d+\.0/(\w+)/messages$`)
	objectPath   = regexp.MustCompile(`^/v\d+\.0/(\w+)(/\w+)?$`)
)

// Ids that the stand-in knows: of every number's WhatsApp account, and of every page's Instagram account.
const (
	WhatsAppAccount  = "102290129340398"
	InstagramAccount = "17841400000000000"
)

// ServeHTTP answers as the API does.
func (g *Graph) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if id, ok := strings.CutPrefix(req.URL.Path, openFiles); ok {
		g.give(w, id)
		return
	}
	token, ok := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	body, err := io.ReadAll(req.Body)
	if !ok || err != nil {
		respond(w, 401, `{"error":{"message":"An access token is required to request this resource.","type":"OAuthException","code":104}}`)
		return
	}
	if g.isRefused(token) {
		respond(w, TokenExpired.Status, TokenExpired.Body)
		return
	}
	path := messagesPath.FindStringSubmatch(req.URL.Path)
	isJSON := req.Header.Get("Content-Type") == "application/json"
	if path != nil && req.Method == http.MethodPost && isJSON {
		g.take(w, path[1], token, body)
		return
	}
	if req.Method == http.MethodGet {
		g.read(w, req)
		return
	}
	respond(w, 400, `{"error":{"message":"Unsupported post request.","type":"GraphMethodException","code":100,"error_subcode":33}}`)
}

func (g *Graph) isRefused(token string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return token == g.refused && token != ""
}

// take takes a message, or a sign that one was read.
func (g *Graph) take(w http.ResponseWriter, from, token string, body []byte) {
	var message map[string]any
	if err := json.Unmarshal(body, &message); err != nil {
		respond(w, 400, `{"error":{"message":"(#100) Invalid parameter","type":"OAuthException","code":100}}`)
		return
	}
	if message["status"] == "read" || message["sender_action"] != nil {
		id, _ := message["message_id"].(string)
		g.mu.Lock()
		g.marked = append(g.marked, id)
		g.mu.Unlock()
		respond(w, 200, `{"success":true}`)
		return
	}
	m, answer := g.keep(from, token, message)
	if before := g.beforeAnswer(token); before != nil && m.ID != "" {
		before(m)
	}
	if answer.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	respond(w, answer.Status, answer.Body)
}

func (g *Graph) beforeAnswer(token string) func(GraphMessage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.before[token]
}

// keep takes a message, unless the next answer is a refusal, and returns it with the answer. One that was
// refused has no ID.
func (g *Graph) keep(from, token string, message map[string]any) (GraphMessage, GraphAnswer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var next GraphAnswer
	queued := len(g.answers) > 0
	if queued {
		next, g.answers = g.answers[0], g.answers[1:]
		if next.Status != 0 {
			refused := GraphMessage{From: from, Token: token, Body: message}
			g.calls = append(g.calls, refused)
			return refused, next
		}
	}
	m := GraphMessage{
		From: from, Token: token, ID: fmt.Sprintf("m_%s_%d", from, len(g.sent)+1), At: time.Now(),
		Body: message,
	}
	if message["messaging_product"] == "whatsapp" {
		m.ID = fmt.Sprintf("wamid.%s.%d", from, len(g.sent)+1)
	}
	g.sent, g.calls = append(g.sent, m), append(g.calls, m)
	switch {
	case queued:
		return m, Broken
	case message["messaging_product"] == "whatsapp":
		return m, GraphAnswer{200, fmt.Sprintf(`{"messaging_product":"whatsapp",`+
			`"contacts":[{"input":%q,"wa_id":%q}],"messages":[{"id":%q}]}`,
			m.To(), strings.TrimPrefix(m.To(), "+"), m.ID)}
	}
	return m, GraphAnswer{200, fmt.Sprintf(`{"recipient_id":%q,"message_id":%q}`, m.To(), m.ID)}
}

// give answers with a file.
func (g *Graph) give(w http.ResponseWriter, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Header().Set("Content-Type", g.files[id].Type)
	w.Write(g.files[id].Content)
}

// read answers what checks and downloads ask for.
func (g *Graph) read(w http.ResponseWriter, req *http.Request) {
	if id, ok := strings.CutPrefix(req.URL.Path, "/files/"); ok {
		g.give(w, id)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if req.URL.Path == "/refresh_access_token" {
		token := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
		respond(w, 200, fmt.Sprintf(`{"access_token":%q,"token_type":"bearer","expires_in":5184000}`, token+"-fresh"))
		return
	}
	path := objectPath.FindStringSubmatch(req.URL.Path)
	switch {
	case path == nil:
		respond(w, 404, `{"error":{"message":"Unknown path","type":"OAuthException","code":100}}`)
	case path[2] == "/message_templates":
		respond(w, 200, g.templatePage(req))
	case path[2] == "/subscribed_apps":
		data := "[]"
		if g.webhook != "" {
			data = `[{"id":"1","name":"Acme","subscribed_fields":["messages","messaging_postbacks","message_echoes",` +
				`"message_deliveries","message_reads"]}]`
		}
		respond(w, 200, `{"data":`+data+`}`)
	case g.files[path[1]].Type != "":
		respond(w, 200, fmt.Sprintf(`{"messaging_product":"whatsapp","url":"%s/files/%s","mime_type":%q,"id":%q}`,
			g.URL, path[1], g.files[path[1]].Type, path[1]))
	default:
		token := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
		account := cmp.Or(g.accounts[token], InstagramAccount)
		respond(w, 200, fmt.Sprintf(`{"id":%q,"user_id":%q,"name":"Acme","username":"acme","verified_name":"Acme",`+
			`"display_phone_number":"+1 555-078-3881","instagram_business_account":{"id":%q},`+
			`"health_status":{"can_send_message":"AVAILABLE","entities":[`+
			`{"entity_type":"PHONE_NUMBER","id":%q,"can_send_message":"AVAILABLE"},`+
			`{"entity_type":"WABA","id":%q,"can_send_message":"AVAILABLE"}]},`+
			`"webhook_configuration":{"application":%q}}`,
			path[1], account, account, path[1], WhatsAppAccount, g.webhook))
	}
}

// templatePage is a page of the approved templates, as long as the request's limit allows.
func (g *Graph) templatePage(req *http.Request) string {
	query := req.URL.Query()
	limit, _ := strconv.Atoi(query.Get("limit"))
	if limit <= 0 {
		limit = 25
	}
	names := g.templates
	if names == nil {
		names = []string{"order_ready"}
	}
	from, _ := strconv.Atoi(query.Get("after"))
	from = min(from, len(names))
	to := min(from+limit, len(names))
	var page []string
	for _, name := range names[from:to] {
		page = append(page, fmt.Sprintf(`{"name":%q,"language":"en_US","status":"APPROVED","category":"UTILITY",`+
			`"components":[{"type":"BODY","text":"Hello {{1}}, your order is ready."}]}`, name))
	}
	next := ""
	if to < len(names) {
		next = `,"next":"https://graph.facebook.com/next"`
	}
	return fmt.Sprintf(`{"data":[%s],"paging":{"cursors":{"before":"%d","after":"%d"}%s}}`, strings.Join(page, ","), from, to, next)
}

func respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	io.WriteString(w, body)
}

// SignGraph is the signature header of a body, under an app's secret.
func SignGraph(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// PostGraph posts a body to an address as Meta does, and returns the status of the answer.
func PostGraph(address, secret string, body []byte) (int, error) {
	req, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Hub-Signature-256", SignGraph(secret, body))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

// Together is one post of Meta's with what several have.
func Together(posts ...[]byte) []byte {
	type post struct {
		Object string            `json:"object"`
		Entry  []json.RawMessage `json:"entry"`
	}
	var all post
	for _, body := range posts {
		var one post
		if err := json.Unmarshal(body, &one); err != nil {
			panic(err) // the functions here write proper posts
		}
		all.Object, all.Entry = one.Object, append(all.Entry, one.Entry...)
	}
	body, err := json.Marshal(all)
	if err != nil {
		panic(err) // it was read as JSON
	}
	return body
}

// MessagingEvent is what Meta posts of a message of Messenger, whose object is page, or of Instagram, for an
// account. The message is JSON.
func MessagingEvent(object, account, sender, recipient, message string) []byte {
	return messagingEvent(object, account, sender, recipient, time.Now(), "message", message)
}

// messagingEvent is what Meta posts of an event of Messenger or Instagram: a field such as message, whose
// value is JSON.
func messagingEvent(object, account, sender, recipient string, at time.Time, field, value string) []byte {
	return fmt.Appendf(nil, `{"object":%q,"entry":[{"id":%q,"messaging":[{"sender":{"id":%q},`+
		`"recipient":{"id":%q},"timestamp":%d,%q:%s}]}]}`,
		object, account, sender, recipient, at.UnixMilli(), field, value)
}

// WhatsAppText is what Meta posts of a text that a user wrote to a number.
func WhatsAppText(number, from, id, text string, at int64) []byte {
	return whatsAppMessage(number, from, map[string]any{
		"id": id, "timestamp": fmt.Sprint(at), "type": "text", "text": map[string]any{"body": text},
	})
}

// WhatsAppButton is what Meta posts of a button that a user pressed: its value and its title.
func WhatsAppButton(number, from, id, value, title string, at int64) []byte {
	return whatsAppMessage(number, from, map[string]any{
		"id": id, "timestamp": fmt.Sprint(at), "type": "interactive", "interactive": map[string]any{
			"type": "button_reply", "button_reply": map[string]any{"id": value, "title": title},
		},
	})
}

// whatsAppMessage is what Meta posts of a message of a user.
func whatsAppMessage(number, from string, message map[string]any) []byte {
	message["from"], message["from_user_id"] = from, "US."+from
	return whatsAppValue(number, "messages", map[string]any{
		"contacts": []any{map[string]any{
			"profile": map[string]any{"name": "Sheena Nelson"}, "wa_id": from, "user_id": "US." + from,
		}},
		"messages": []any{message},
	})
}

// WhatsAppStatus is what Meta posts of what became of a message.
func WhatsAppStatus(number, to, id, ref, status string, at int64) []byte {
	return whatsAppValue(number, "messages", map[string]any{
		"contacts": []any{map[string]any{"wa_id": to, "user_id": "US." + to}},
		"statuses": []any{map[string]any{
			"id": id, "status": status, "timestamp": fmt.Sprint(at), "recipient_id": to,
			"recipient_user_id": "US." + to, "biz_opaque_callback_data": ref,
		}},
	})
}

// WhatsAppEcho is what Meta posts of a text that a person of the business wrote to a user in WhatsApp's own
// app.
func WhatsAppEcho(number, to, id, text string, at int64) []byte {
	return whatsAppValue(number, "smb_message_echoes", map[string]any{"message_echoes": []any{map[string]any{
		"from": "15550783881", "to": to, "id": id, "timestamp": fmt.Sprint(at), "type": "text",
		"text": map[string]any{"body": text},
	}}})
}

// whatsAppValue is a post of Meta's about a number: the value of a field such as messages.
func whatsAppValue(number, field string, value map[string]any) []byte {
	value["messaging_product"] = "whatsapp"
	value["metadata"] = map[string]any{"display_phone_number": "15550783881", "phone_number_id": number}
	body, err := json.Marshal(map[string]any{
		"object": "whatsapp_business_account",
		"entry": []any{map[string]any{
			"id": WhatsAppAccount, "changes": []any{map[string]any{"field": field, "value": value}},
		}},
	})
	if err != nil {
		panic(err) // it holds plain values
	}
	return body
}
