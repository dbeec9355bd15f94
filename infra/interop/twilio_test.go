package interop

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/sms"
	"frontdesk/shared/secret"
)

const (
	twilioAccount = "AC0123456789abcdef0123456789abcdef"
	twilioToken   = "twilio-auth-token"
)

func twilioConnection(address string) channel.Connection {
	return channel.Connection{
		AccountID: 7, AgentID: 8, URL: address,
		Texts:   map[channel.Setting]string{channel.AccountSID: twilioAccount, channel.From: "+12028831111"},
		Secrets: map[channel.Setting]secret.Plain{channel.AuthToken: twilioToken},
	}
}

// TestTwilioSigns has Twilio's library sign calls as Twilio does, which are then verified.
func TestTwilioSigns(t *testing.T) {
	twilio := python(t)
	sign := func(address string, form url.Values) http.Header {
		var answer struct{ Signature string }
		twilio.ask(t, map[string]any{
			"ask": "twilio_sign", "token": twilioToken, "url": address, "form": form,
		}, &answer)
		return http.Header{"X-Twilio-Signature": {answer.Signature}}
	}
	const path = "/prod/api/v1/inbound/8/sms/"
	for name, form := range map[string]url.Values{
		"a message": {
			"Body": {"When are you open?"}, "From": {"+14133881111"}, "ToCity": {""}, "NumMedia": {"0"},
		},
		"any characters": {"Body": {"a+b & c=d %20 \"é\" 漢字 🙂\r\n\tend "}, "From": {"+14133881111"},
			"FromCity": {"SÃO PAULO"}},
		"no text":      {"MediaUrl0": {"https://api.twilio.com/x?y=1&z=2"}, "NumMedia": {"1"}},
		"odd names":    {"a": {"1"}, "A": {"2"}, "a.b": {"3"}, "a[]": {"4"}, "aB": {"5"}, "ä": {"6"}},
		"repeated":     {"Digits": {"5678", "1234", "1234"}, "Sid": {"CA123"}, "SidAccount": {"AC123"}},
		"a NUL":        {"Body": {"a\x00b"}},
		"no parameter": {},
	} {
		for _, address := range []string{
			"https://desk.example" + path, "https://desk.example:443" + path, "http://desk.example" + path,
			"http://desk.example:3000" + path,
			"https://desk.example" + path + "?ref=fd-12-0",
			"https://desk.example" + path + "?a=%2B%20+&b=ä%C3%A4",
		} {
			for _, signed := range []string{address, strings.Replace(address, "https://desk.example/",
				"https://desk.example:443/", 1)} {
				base, query, _ := strings.Cut(address, "?")
				r := channel.Request{Method: http.MethodPost, RawQuery: query, Header: sign(signed, form),
					Body: []byte(form.Encode())}
				provider, connection := sms.New(""), twilioConnection(base)
				if err := provider.Verify(connection, r); err != nil {
					t.Errorf("%s, to %s, signed for %s: %v", name, address, signed, err)
				}
				r.Body = append(r.Body, "&Body=another"...)
				if err := provider.Verify(connection, r); !errors.Is(err, channel.ErrForbidden) {
					t.Errorf("%s: a changed form: %v", name, err)
				}
			}
		}
	}
	var reply struct{ Body string }
	twilio.ask(t, map[string]any{"ask": "twilio_reply"}, &reply)
	kind, body := sms.New("").Acknowledge()
	// They differ in a space before the end of the tag alone.
	if strings.ReplaceAll(reply.Body, " ", "") != strings.ReplaceAll(body, " ", "") || kind != "text/xml" {
		t.Errorf("the answer is %s %s, Twilio's library writes %s", kind, body, reply.Body)
	}
}

// TestTwilioSends has Twilio's library send what we send. Both make the same call.
func TestTwilioSends(t *testing.T) {
	twilio := python(t)
	type call struct {
		Method, Path, User, Password, Type string
		Form                               url.Values
	}
	var calls []call
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := req.ParseForm(); err != nil {
			t.Error(err)
		}
		user, password, _ := req.BasicAuth()
		kind := req.Header.Get("Content-Type")
		calls = append(calls, call{req.Method, req.URL.String(), user, password, kind, req.PostForm})
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		w.Write([]byte(`{"sid":"SM00000000000000000000000000000001","status":"queued","num_segments":"1"}`))
	}))
	defer api.Close()
	connection := twilioConnection("https://desk.example/api/v1/inbound/8/sms/")
	for _, text := range []string{"Yes.", "a+b & c=d %20 é 漢字 🙂\nend "} {
		calls = nil
		receipt, err := sms.New(api.URL).Send(t.Context(), connection, channel.Message{
			Ref: "fd-12-0", To: "+14133881111", Text: text,
		})
		if err != nil || len(calls) != 1 {
			t.Fatalf("%d calls, %v", len(calls), err)
		}
		message := map[string]string{"to": "+14133881111", "body": text, "from_": "+12028831111",
			"status_callback": calls[0].Form.Get("StatusCallback")}
		var sent struct{ SID string }
		twilio.ask(t, map[string]any{
			"ask": "twilio_send", "address": api.URL, "account": twilioAccount, "token": twilioToken,
			"message": message,
		}, &sent)
		if diff := cmp.Diff(calls[1], calls[0]); diff != "" || sent.SID != receipt.ID {
			t.Errorf("our call is another than that of Twilio's library (-theirs +ours):\n%s", diff)
		}
	}
}
