package whatsapp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/whatsapp/whatsapptest"
)

var number = Number{ID: "106540352242922", Token: "EAAG0bXk-token"}

func TestSend(t *testing.T) {
	graph := whatsapptest.New(t)
	for _, test := range []struct {
		name    string
		message Message
		want    map[string]any
	}{
		{"text", Message{To: "+14155550123", Text: "Ready <now> & “here”"}, map[string]any{
			"messaging_product": "whatsapp", "recipient_type": "individual", "to": "+14155550123", "type": "text",
			"text": map[string]any{"body": "Ready <now> & “here”"},
		}},
		{"template", Message{To: "+14155550123", Template: &Template{Name: "order_ready", Language: "en_US"}}, map[string]any{
			"messaging_product": "whatsapp", "recipient_type": "individual", "to": "+14155550123", "type": "template",
			"template": map[string]any{"name": "order_ready", "language": map[string]any{"code": "en_US"}},
		}},
		{"template with values", Message{To: "+14155550123", Template: &Template{"order_ready", "de", []string{"Ada", "4711"}}}, map[string]any{
			"messaging_product": "whatsapp", "recipient_type": "individual", "to": "+14155550123", "type": "template",
			"template": map[string]any{"name": "order_ready", "language": map[string]any{"code": "de"}, "components": []any{
				map[string]any{"type": "body", "parameters": []any{
					map[string]any{"type": "text", "text": "Ada"}, map[string]any{"type": "text", "text": "4711"},
				}},
			}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			id, err := New(graph.URL+"/").Send(t.Context(), number, test.message)
			if err != nil || !strings.HasPrefix(id, "wamid.") {
				t.Fatalf("%q, %v", id, err)
			}
			want := []whatsapptest.Call{{Number: number.ID, Token: string(number.Token), Body: test.want}}
			if diff := cmp.Diff(want, graph.Calls()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	graph := whatsapptest.New(t)
	coded := func(status, code int) whatsapptest.Answer {
		return whatsapptest.Answer{Status: status, Body: fmt.Sprintf(`{"error":{"message":"(#%d) Something","code":%d}}`, code, code)}
	}
	for _, test := range []struct {
		name   string
		answer whatsapptest.Answer
		want   Error
	}{
		{"rate limit", whatsapptest.RateLimited, Error{Transient: true, Status: 400, Code: 130429, Detail: "WhatsApp answered: (#130429) Rate limit hit " +
			"Message failed to send because there were too many messages sent from this phone number in a short period of time"}},
		{"pair rate limit", whatsapptest.PairLimited, Error{Transient: true, Status: 400, Code: 131056, Detail: "WhatsApp answered: (#131056) " +
			"(Business Account, Consumer Account) pair rate limit hit Message failed to send because there were too many messages sent from " +
			"this phone number to the same phone number in a short period of time."}},
		{"throttling", whatsapptest.Throttled, Error{Transient: true, Status: 429, Code: 4, Detail: "WhatsApp answered: (#4) Application request limit reached"}},
		{"overload", whatsapptest.Overloaded, Error{Transient: true, Status: 503, Code: 131016,
			Detail: "WhatsApp answered: (#131016) Service unavailable A service is temporarily unavailable."}},
		{"account limit", coded(400, 80007), Error{Transient: true, Status: 400, Code: 80007, Detail: "WhatsApp answered: (#80007) Something"}},
		{"unknown error", coded(500, 131000), Error{Transient: true, Status: 500, Code: 131000, Detail: "WhatsApp answered: (#131000) Something"}},
		{"a code of the Graph API in a 400", coded(400, 2), Error{Transient: true, Status: 400, Code: 2, Detail: "WhatsApp answered: (#2) Something"}},
		{"told to be transient", whatsapptest.Answer{Status: 400, Body: `{"error":{"message":"Wait","code":99,"is_transient":true}}`},
			Error{Transient: true, Status: 400, Code: 99, Detail: "WhatsApp answered: Wait"}},
		{"window closed", whatsapptest.WindowClosed, Error{Status: 400, Code: 131047, Detail: "WhatsApp answered: (#131047) Re-engagement message " +
			"Message failed to send because more than 24 hours have passed since the customer last replied to this number."}},
		{"no template", whatsapptest.NoTemplate, Error{Status: 404, Code: 132001,
			Detail: "WhatsApp answered: (#132001) Template name does not exist in the translation template name (order_ready) does not exist in en_US"}},
		{"undeliverable", coded(400, 131026), Error{Status: 400, Code: 131026, Detail: "WhatsApp answered: (#131026) Something"}},
		{"quality", coded(400, 131048), Error{Status: 400, Code: 131048, Detail: "WhatsApp answered: (#131048) Something"}},
		{"token expired", whatsapptest.TokenExpired, Error{Status: 401, Code: 190, Detail: "WhatsApp does not accept the channel's access token."}},
		{"token quoted", whatsapptest.Answer{Status: 400, Body: `{"error":{"message":"Malformed access token EAAG0bXk-token","code":190}}`},
			Error{Status: 400, Code: 190, Detail: "WhatsApp does not accept the channel's access token."}},
		{"token quoted elsewhere", whatsapptest.Answer{Status: 400, Body: `{"error":{"message":"No number for EAAG0bXk-token","code":100}}`},
			Error{Status: 400, Code: 100, Detail: "WhatsApp answered: No number for [secret]"}},
		{"long words", whatsapptest.Answer{Status: 400, Body: `{"error":{"message":"` + strings.Repeat("é ", 600) + `","code":100}}`},
			Error{Status: 400, Code: 100, Detail: "WhatsApp answered: " + strings.Repeat("é ", 250)}},
		{"a proxy's 502", whatsapptest.Answer{Status: 502, Body: "<html>Bad Gateway</html>"}, Error{Transient: true, Unclear: true, Status: 502, Detail: notUnderstood + mayBeSent}},
		{"a proxy's 403", whatsapptest.Answer{Status: 403, Body: "<html>Forbidden</html>"}, Error{Status: 403, Detail: notUnderstood}},
		{"a redirect", whatsapptest.Answer{Status: 302, Body: ""}, Error{Transient: true, Unclear: true, Status: 302, Detail: notUnderstood + mayBeSent}},
		{"a page instead of an answer", whatsapptest.Answer{Status: 200, Body: "<html>Log in</html>"}, Error{Transient: true, Unclear: true, Status: 200, Detail: notUnderstood + mayBeSent}},
		{"no id", whatsapptest.Answer{Status: 200, Body: `{"messages":[]}`}, Error{Transient: true, Unclear: true, Status: 200, Detail: notUnderstood + mayBeSent}},
		{"an id past all measure", whatsapptest.Answer{Status: 200, Body: `{"messages":[{"id":"` + strings.Repeat("x", 513) + `"}]}`},
			Error{Transient: true, Unclear: true, Status: 200, Detail: notUnderstood + mayBeSent}},
		{"a broken connection", whatsapptest.Broken, Error{Transient: true, Unclear: true, Detail: "WhatsApp did not answer." + mayBeSent}},
	} {
		t.Run(test.name, func(t *testing.T) {
			graph.Answer(test.answer)
			id, err := New(graph.URL).Send(t.Context(), number, Message{To: "+14155550123", Text: "Hi"})
			got := refusal(t, id, err)
			if strings.Contains(got.Error()+got.Detail, string(number.Token)) {
				t.Errorf("the token is in %q or %q", got, got.Detail)
			}
			got.cause = nil
			if *got != test.want {
				t.Errorf("got %#v, want %#v", *got, test.want)
			}
		})
	}
}

// refusal is the error of a Send, which must be one.
func refusal(t *testing.T, id string, err error) *Error {
	t.Helper()
	var e *Error
	if id != "" || !errors.As(err, &e) {
		t.Fatalf("%q, %v", id, err)
	}
	return e
}

// TestSlow calls something that takes its time, and something that has no end.
func TestSlow(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"silence": func(_ http.ResponseWriter, req *http.Request) {
			io.Copy(io.Discard, req.Body)
			<-req.Context().Done()
		},
		"drops": func(w http.ResponseWriter, req *http.Request) {
			io.Copy(io.Discard, req.Body)
			for req.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(serve)
			defer server.Close()
			client := New(server.URL)
			client.timeout = 100 * time.Millisecond
			begun := time.Now()
			id, err := client.Send(t.Context(), number, Message{To: "+14155550123", Text: "Hi"})
			if e := refusal(t, id, err); !e.Transient || !e.Unclear || time.Since(begun) > 5*time.Second {
				t.Errorf("%v after %v", e, time.Since(begun))
			}
		})
	}
}

// TestAddresses has only the host that was named be called in private, and Meta's own be the default.
func TestAddresses(t *testing.T) {
	if got := New("").address; got != "https://graph.facebook.com/v24.0/" {
		t.Errorf("%s", got)
	}
	client := New("http://127.0.0.1:8125/")
	for address, allowed := range map[string]bool{
		client.address + "1/messages": true, "http://127.0.0.1:8126/": false, "http://localhost:8125/": false,
	} {
		if err := client.web.Check(address); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
	if e := refusal(t, "", func() error { _, err := New("nonsense").Send(t.Context(), number, Message{}); return err }()); !e.Transient {
		t.Errorf("%v", e)
	}
	for _, nowhere := range []string{"http://127.0.0.1:1", "http://no-such-host.invalid"} { // nothing was sent there
		_, err := New(nowhere).Send(t.Context(), number, Message{})
		if e := refusal(t, "", err); !e.Transient || e.Unclear || e.Detail != "WhatsApp could not be reached." {
			t.Errorf("%s: %#v", nowhere, e)
		}
	}
}
