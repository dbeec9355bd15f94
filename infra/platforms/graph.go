// Package platforms provides stand-ins for the platforms of channels, for tests and for developers without an
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
	webhook   string            // the address that numbers and pages post to
	templates []string          // the names of the approved ones; nil is order_ready alone
	refused   string            // the access token that has ended
	accounts  map[string]string // the Instagram accounts of access tokens; InstagramAccount of all others
	before    map[string]func(GraphMessage)
}

// A GraphMessage is a message that a business sent.
type GraphMessage struct {
	From  string // the id of the number, page or account
	Token string
	ID    string // assigned by the API
	At    time.Time
	Body  map[string]any
}

// Text returns the text of a message of any of Meta's channels.
func (m GraphMessage) Text() string {
	for _, path := range []string{"text.body", "interactive.body.text", "message.text"} {
		if text, ok := at(m.Body, path).(string); ok {
			return text
		}
	}
	return ""
}

// A GraphButton is a button, a row of a list or a quick reply of a message: the value that it posts and its
// title.
type GraphButton struct{ Value, Title string }

// Buttons returns the buttons of a message of any of Meta's channels.
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

// To returns the id of the message's recipient.
func (m GraphMessage) To() string {
	for _, path := range []string{"to", "recipient", "recipient.id"} {
		if to, ok := at(m.Body, path).(string); ok {
			return to
		}
	}
	return ""
}

// at returns the value at a dotted path in nested objects.
func at(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

// A GraphAnswer is the answer to a call instead of its acceptance. The zero GraphAnswer breaks the connection
// after the message was taken.
type GraphAnswer struct {
	Status int
	Body   string
}

// A GraphFile is a file that can be fetched by its id.
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

// Answer sets the answers to the next messages, in order.
func (g *Graph) Answer(answers ...GraphAnswer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answers = append(g.answers, answers...)
}

// openFiles is the path prefix of files that are fetched without a token, as those of Messenger and Instagram
// are.
const openFiles = "/open/"

// Keep stores a file. It can be fetched by its id, as from WhatsApp, and at the returned address, as from
// Messenger and Instagram.
func (g *Graph) Keep(id string, f GraphFile) (address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.files == nil {
		g.files = map[string]GraphFile{}
	}
	g.files[id] = f
	return g.URL + openFiles + id
}

// Call sets the webhook address that checks report.
func (g *Graph) Call(webhook string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.webhook = webhook
}

// Own sets the Instagram account that an access token belongs to.
func (g *Graph) Own(token, account string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.accounts == nil {
		g.accounts = map[string]string{}
	}
	g.accounts[token] = account
}

// BeforeAnswer makes the API call do for each message sent with the access token, after it was taken and
// before the answer.
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

// Refuse expires an access token: every call with it is refused. "" expires none.
func (g *Graph) Refuse(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused = token
}

// Calls returns the messages, refused ones included, that came since the last call of Calls. Refused messages
// have no ID.
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

// Marked returns the ids of the messages marked as read.
func (g *Graph) Marked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string(nil), g.marked...)
}

var (
	messagesPath = regexp.MustCompile(`^/v\d+\.0/(\w+)/messages$`)
	objectPath   = regexp.MustCompile(`^/v\d+\.0/(\w+)(/\w+)?$`)
)

// Ids of the WhatsApp account of every number and of the Instagram account of every page.
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

// take accepts a message or a read receipt.
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

// keep stores a message, unless the next answer is a refusal, and returns it with the answer. A refused
// message has no ID.
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

// give answers a request for a file.
func (g *Graph) give(w http.ResponseWriter, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Header().Set("Content-Type", g.files[id].Type)
	w.Write(g.files[id].Content)
}

// read answers the requests of checks and downloads.
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

// templatePage returns a page of the approved templates, within the request's limit.
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

// SignGraph returns the signature header of a body, computed with an app's secret.
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

// Together merges the entries of several posts of Meta into one post.
func Together(posts ...[]byte) []byte {
	type post struct {
		Object string            `json:"object"`
		Entry  []json.RawMessage `json:"entry"`
	}
	var all post
	for _, body := range posts {
		var one post
		if err := json.Unmarshal(body, &one); err != nil {
			panic(err) // the functions here write valid posts
		}
		all.Object, all.Entry = one.Object, append(all.Entry, one.Entry...)
	}
	body, err := json.Marshal(all)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return body
}

// MessagingEvent returns the body that Meta posts for a message of Messenger, whose object is page, or of
// Instagram. The message is JSON.
func MessagingEvent(object, account, sender, recipient, message string) []byte {
	return messagingEvent(object, account, sender, recipient, time.Now(), "message", message)
}

// messagingEvent returns the body that Meta posts for an event of Messenger or Instagram: a field such as
// message, and its value in JSON.
func messagingEvent(object, account, sender, recipient string, at time.Time, field, value string) []byte {
	return fmt.Appendf(nil, `{"object":%q,"entry":[{"id":%q,"messaging":[{"sender":{"id":%q},`+
		`"recipient":{"id":%q},"timestamp":%d,%q:%s}]}]}`,
		object, account, sender, recipient, at.UnixMilli(), field, value)
}

// WhatsAppText returns the body that Meta posts for a text from a user to a number.
func WhatsAppText(number, from, id, text string, at int64) []byte {
	return whatsAppMessage(number, from, map[string]any{
		"id": id, "timestamp": fmt.Sprint(at), "type": "text", "text": map[string]any{"body": text},
	})
}

// WhatsAppButton returns the body that Meta posts when a user presses a button.
func WhatsAppButton(number, from, id, value, title string, at int64) []byte {
	return whatsAppMessage(number, from, map[string]any{
		"id": id, "timestamp": fmt.Sprint(at), "type": "interactive", "interactive": map[string]any{
			"type": "button_reply", "button_reply": map[string]any{"id": value, "title": title},
		},
	})
}

// whatsAppMessage returns the body that Meta posts for a message from a user.
func whatsAppMessage(number, from string, message map[string]any) []byte {
	message["from"], message["from_user_id"] = from, "US."+from
	return whatsAppValue(number, "messages", map[string]any{
		"contacts": []any{map[string]any{
			"profile": map[string]any{"name": "Sheena Nelson"}, "wa_id": from, "user_id": "US." + from,
		}},
		"messages": []any{message},
	})
}

// WhatsAppStatus returns the body that Meta posts for the delivery status of a message.
func WhatsAppStatus(number, to, id, ref, status string, at int64) []byte {
	return whatsAppValue(number, "messages", map[string]any{
		"contacts": []any{map[string]any{"wa_id": to, "user_id": "US." + to}},
		"statuses": []any{map[string]any{
			"id": id, "status": status, "timestamp": fmt.Sprint(at), "recipient_id": to,
			"recipient_user_id": "US." + to, "biz_opaque_callback_data": ref,
		}},
	})
}

// WhatsAppEcho returns the body that Meta posts for a text that the business sent to a user in WhatsApp's own
// app.
func WhatsAppEcho(number, to, id, text string, at int64) []byte {
	return whatsAppValue(number, "smb_message_echoes", map[string]any{"message_echoes": []any{map[string]any{
		"from": "15550783881", "to": to, "id": id, "timestamp": fmt.Sprint(at), "type": "text",
		"text": map[string]any{"body": text},
	}}})
}

// whatsAppValue returns the body that Meta posts for a number: a field such as messages, and its value.
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
