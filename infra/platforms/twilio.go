package platforms

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Twilio stands in for Twilio's API. It takes messages as the API does, and keeps them.
type Twilio struct {
	URL string // where NewTwilio serves it; without a slash at its end

	mu      sync.Mutex
	sent    []TwilioMessage
	files   map[string]GraphFile
	webhook string // the address that numbers post to
	refused string // the auth token that is no longer accepted
}

// A TwilioMessage is a message that was sent.
type TwilioMessage struct {
	Account, Token string
	ID             string // assigned by the API
	Form           url.Values
	At             time.Time
}

// NewTwilio serves a Twilio until the test ends.
func NewTwilio(t testing.TB) *Twilio {
	w := &Twilio{}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.URL = server.URL
	return w
}

// Sent returns the messages that were sent so far.
func (t *Twilio) Sent() []TwilioMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.sent)
}

// Keep stores a file to fetch, and returns its address.
func (t *Twilio) Keep(id string, f GraphFile) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.files == nil {
		t.files = map[string]GraphFile{}
	}
	t.files[id] = f
	return t.URL + "/2010-04-01/Media/" + id
}

// Refuse revokes an auth token: every call with it is refused. "" revokes none.
func (t *Twilio) Refuse(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused = token
}

func (t *Twilio) isRefused(token string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return token == t.refused && token != ""
}

// give answers a request for a file. As with Twilio, the API redirects to the file's address.
func (t *Twilio) give(w http.ResponseWriter, req *http.Request) bool {
	id, ok := strings.CutPrefix(req.URL.Path, "/2010-04-01/Media/")
	if !ok {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[id]
	switch {
	case f.Type == "":
		respond(w, 404, `{"code":20404,"message":"The requested resource was not found","status":404}`)
	case req.URL.RawQuery == "":
		http.Redirect(w, req, req.URL.Path+"?kept", http.StatusTemporaryRedirect)
	default:
		w.Header().Set("Content-Type", f.Type)
		w.Write(f.Content)
	}
	return true
}

// Call sets the webhook address that checks report for incoming messages.
func (t *Twilio) Call(webhook string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.webhook = webhook
}

// describe answers the requests of a check: for the account and for one of its numbers.
func (t *Twilio) describe(w http.ResponseWriter, req *http.Request, account string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch req.URL.Path {
	case "/2010-04-01/Accounts/" + account + ".json":
		respond(w, 200, fmt.Sprintf(`{"sid":%q,"friendly_name":"Acme","status":"active","type":"Full"}`, account))
	case "/2010-04-01/Accounts/" + account + "/IncomingPhoneNumbers.json":
		respond(w, 200, fmt.Sprintf(`{"incoming_phone_numbers":[{"phone_number":%q,"sms_url":%q,"sms_method":"POST"}]}`,
			req.URL.Query().Get("PhoneNumber"), t.webhook))
	default:
		return false
	}
	return true
}

// ServeHTTP answers as the API does.
func (t *Twilio) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	account, token, ok := req.BasicAuth()
	if !ok || req.ParseForm() != nil || t.isRefused(token) {
		respond(w, 401, `{"code":20003,"message":"Authenticate","status":401}`)
		return
	}
	if t.give(w, req) {
		return
	}
	if req.Method == http.MethodGet && t.describe(w, req, account) {
		return
	}
	if req.Method != http.MethodPost || req.URL.Path != "/2010-04-01/Accounts/"+account+"/Messages.json" {
		respond(w, 404, `{"code":20404,"message":"The requested resource was not found","status":404}`)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	m := TwilioMessage{account, token, fmt.Sprintf("SM%032d", len(t.sent)+1), req.PostForm, time.Now()}
	t.sent = append(t.sent, m)
	respond(w, 201, fmt.Sprintf(`{"sid":%q,"status":"queued","num_segments":"1","error_code":null}`, m.ID))
}

// PostTwilio posts a form to an address as Twilio does, and returns the status and body of the answer. The
// signature covers the address exactly as given.
func PostTwilio(address, token string, form url.Values) (status int, body string, err error) {
	signed := address
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range slices.Compact(slices.Sorted(slices.Values(form[name]))) {
			signed += name + value
		}
	}
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write([]byte(signed))
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}
