// Package whatsapptest stands in for Meta's Graph API in tests: it takes messages over HTTP as the API does and answers
// in its form.
package whatsapptest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"testing"
)

// A Graph is the stand-in, an http.Handler. It accepts messages unless it was told what to answer.
type Graph struct {
	URL string // where New serves it; ends in no slash

	mu      sync.Mutex
	calls   []Call
	answers []Answer
}

// A Call is a request that came.
type Call struct {
	Number string // the id of the number that it is to be sent from
	Token  string
	Body   map[string]any
}

// An Answer is what a call gets instead of being accepted.
type Answer struct {
	Status int
	Body   string
}

// Answers that the API gives, as its documentation and those who use it show them.
var (
	RateLimited = Answer{400, `{"error":{"message":"(#130429) Rate limit hit","type":"OAuthException","code":130429,` +
		`"error_data":{"messaging_product":"whatsapp","details":"Message failed to send because there were too many messages sent from this phone number in a short period of time"},` +
		`"error_subcode":2494055,"fbtrace_id":"Az8or2yhqkZfEZ-_4Qn_Bam"}}`}
	PairLimited = Answer{400, `{"error":{"message":"(#131056) (Business Account, Consumer Account) pair rate limit hit","type":"OAuthException","code":131056,` +
		`"error_data":{"messaging_product":"whatsapp","details":"Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time."},"fbtrace_id":"A3"}}`}
	Throttled  = Answer{429, `{"error":{"message":"(#4) Application request limit reached","type":"OAuthException","is_transient":true,"code":4,"fbtrace_id":"A4"}}`}
	Overloaded = Answer{503, `{"error":{"message":"(#131016) Service unavailable","type":"OAuthException","code":131016,` +
		`"error_data":{"messaging_product":"whatsapp","details":"A service is temporarily unavailable."},"fbtrace_id":"A5"}}`}
	WindowClosed = Answer{400, `{"error":{"message":"(#131047) Re-engagement message","type":"OAuthException","code":131047,` +
		`"error_data":{"messaging_product":"whatsapp","details":"Message failed to send because more than 24 hours have passed since the customer last replied to this number."},"fbtrace_id":"A6"}}`}
	NoTemplate = Answer{404, `{"error":{"message":"(#132001) Template name does not exist in the translation","type":"OAuthException","code":132001,` +
		`"error_data":{"messaging_product":"whatsapp","details":"template name (order_ready) does not exist in en_US"},"fbtrace_id":"A7"}}`}
	WrongParams = Answer{400, `{"error":{"message":"(#132000) Number of parameters does not match the expected number of params","type":"OAuthException","code":132000,` +
		`"error_data":{"messaging_product":"whatsapp","details":"body: number of localizable_params (1) does not match the expected number of params (2)"},"fbtrace_id":"A8"}}`}
	TokenExpired = Answer{401, `{"error":{"message":"Error validating access token: Session has expired on Sunday, 01-Mar-26 08:00:00 PST.",` +
		`"type":"OAuthException","code":190,"error_subcode":463,"fbtrace_id":"A9"}}`}
	// Broken is no answer: the connection ends.
	Broken = Answer{}
)

// New starts a Graph for the time of a test.
func New(t testing.TB) *Graph {
	g := &Graph{}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	g.URL = server.URL
	return g
}

// Answer says what the next calls get, one after the other.
func (g *Graph) Answer(answers ...Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answers = append(g.answers, answers...)
}

// Calls returns the calls that came since the last time, and forgets them.
func (g *Graph) Calls() []Call {
	g.mu.Lock()
	defer g.mu.Unlock()
	calls := g.calls
	g.calls = nil
	return calls
}

var paths = regexp.MustCompile(`^/v\d+\.0/(\d+)/messages$`)

// ServeHTTP takes a message.
func (g *Graph) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path := paths.FindStringSubmatch(req.URL.Path)
	token := ""
	_, err := fmt.Sscanf(req.Header.Get("Authorization"), "Bearer %s", &token)
	call := Call{Token: token}
	if path == nil || req.Method != http.MethodPost || err != nil || req.Header.Get("Content-Type") != "application/json" {
		answer(w, Answer{400, `{"error":{"message":"Unsupported post request.","type":"GraphMethodException","code":100,"error_subcode":33,"fbtrace_id":"A1"}}`})
		return
	}
	call.Number = path[1]
	text, err := io.ReadAll(req.Body)
	if err == nil {
		err = json.Unmarshal(text, &call.Body)
	}
	if err != nil {
		answer(w, Answer{400, `{"error":{"message":"(#100) Invalid parameter","type":"OAuthException","code":100,"fbtrace_id":"A2"}}`})
		return
	}
	g.mu.Lock()
	g.calls = append(g.calls, call)
	next := Answer{200, fmt.Sprintf(`{"messaging_product":"whatsapp","contacts":[{"input":%q,"wa_id":"14155550123"}],`+
		`"messages":[{"id":"wamid.HBgLMTQxNTU1NTAxMjMVAgARGBI%d"}]}`, call.Body["to"], len(g.calls))}
	if len(g.answers) > 0 {
		next, g.answers = g.answers[0], g.answers[1:]
	}
	g.mu.Unlock()
	answer(w, next)
}

func answer(w http.ResponseWriter, a Answer) {
	if a == Broken {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(a.Status)
	io.WriteString(w, a.Body)
}
