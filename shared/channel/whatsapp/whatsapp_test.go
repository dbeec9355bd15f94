package whatsapp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/infra/platforms"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/whatsapp"
	"frontdesk/shared/secret"
)

const (
	number = "106540352242922"
	token  = "EAAG0bXk-token"
)

// connection is that of an agent to a number.
var connection = channel.Connection{
	AccountID: 7, AgentID: 8, Texts: map[channel.Setting]string{channel.PhoneNumberID: number},
	Secrets: map[channel.Setting]secret.Plain{channel.AccessToken: token},
}

func TestSend(t *testing.T) {
	graph := platforms.NewGraph(t)
	for _, test := range []struct {
		name    string
		message channel.Message
		want    map[string]any
	}{
		{"text", channel.Message{To: "+14155550123", Text: "Ready <now> & “here”"}, map[string]any{
			"messaging_product": "whatsapp", "recipient_type": "individual", "to": "+14155550123",
			"type": "text",
			"text": map[string]any{"body": "Ready <now> & “here”"},
		}},
		{"template",
			channel.Message{To: "+14155550123",
				Template: &channel.Template{Name: "order_ready", Language: "en_US"}}, map[string]any{
				"messaging_product": "whatsapp", "recipient_type": "individual", "to": "+14155550123",
				"type": "template",
				"template": map[string]any{"name": "order_ready",
					"language": map[string]any{"code": "en_US"}},
			}},
		{"template with values",
			channel.Message{To: "+14155550123",
				Template: &channel.Template{Name: "order_ready", Language: "de",
					Params: []string{"Ada", "4711"}}}, map[string]any{
				"messaging_product": "whatsapp", "recipient_type": "individual", "to": "+14155550123",
				"type": "template",
				"template": map[string]any{"name": "order_ready", "language": map[string]any{"code": "de"},
					"components": []any{
						map[string]any{"type": "body", "parameters": []any{
							map[string]any{"type": "text", "text": "Ada"},
							map[string]any{"type": "text", "text": "4711"},
						}},
					}},
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			receipt, err := whatsapp.New(graph.URL+"/").Send(t.Context(), connection, test.message)
			if err != nil || !strings.HasPrefix(receipt.ID, "wamid.") {
				t.Fatalf("%q, %v", receipt.ID, err)
			}
			want := []platforms.GraphMessage{{From: number, Token: token, ID: receipt.ID, Body: test.want}}
			untimed := cmpopts.IgnoreFields(platforms.GraphMessage{}, "At")
			if diff := cmp.Diff(want, graph.Calls(), untimed); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestChoices sends choices as buttons, as a list, or as the text alone.
func TestChoices(t *testing.T) {
	graph := platforms.NewGraph(t)
	many := func(n int) (choices []channel.Choice) {
		for i := range n {
			choices = append(choices, channel.Choice{Label: fmt.Sprint("Slot ", i), Value: fmt.Sprint(i)})
		}
		return choices
	}
	button := func(id, title string) any {
		return map[string]any{"type": "reply", "reply": map[string]any{"id": id, "title": title}}
	}
	var rows []any
	for i := range 10 {
		rows = append(rows, map[string]any{"id": fmt.Sprint(i), "title": fmt.Sprint("Slot ", i)})
	}
	list := func(rows ...any) any {
		return map[string]any{"button": "···", "sections": []any{map[string]any{"rows": rows}}}
	}
	const bicycle = "City bicycle with basket, blue"
	for _, test := range []struct {
		name    string
		text    string
		choices []channel.Choice
		kind    any // nil for a text
		action  any
	}{
		{"two", "Shall I?", choices("Yes", "Yes", "No", "No"), "button",
			map[string]any{"buttons": []any{button("Yes", "Yes"), button("No", "No")}}},
		{"ten", "When?", many(10), "list", list(rows...)},
		{"a long label", "Which?", choices(bicycle, bicycle), "list",
			list(map[string]any{"id": bicycle, "title": "City bicycle with…", "description": bicycle})},
		{"eleven", "When?", many(11), nil, nil},
		{"alike", "Which?", choices("A", "1", "A", "2"), nil, nil},
		{"a text that is too long", strings.Repeat("a", 1025), many(2), nil, nil},
		{"a value that is too long", "Which?", choices("A", strings.Repeat("é", 101)), nil, nil},
	} {
		m := channel.Message{To: "+14155550123", Text: test.text, Choices: test.choices}
		if _, err := whatsapp.New(graph.URL).Send(t.Context(), connection, m); err != nil {
			t.Fatal(err)
		}
		body := graph.Calls()[0].Body
		sent, _ := body["interactive"].(map[string]any)
		if diff := cmp.Diff(test.action, sent["action"]); diff != "" || sent["type"] != test.kind {
			t.Errorf("%s: %v\n%s", test.name, sent["type"], diff)
		}
		if test.kind == nil && body["type"] != "text" {
			t.Errorf("%s: %v", test.name, body)
		}
	}
}

// hi is a message that is sent.
var hi = channel.Message{To: "+14155550123", Text: "Hi"}

func TestRefusals(t *testing.T) {
	const notUnderstood = "WhatsApp gave an answer that is not understood."
	const mayBeSent = " It may have taken the message all the same."
	graph := platforms.NewGraph(t)
	coded := func(status, code int) platforms.GraphAnswer {
		return platforms.GraphAnswer{Status: status,
			Body: fmt.Sprintf(`{"error":{"message":"(#%d) Something","code":%d}}`, code, code)}
	}
	for _, test := range []struct {
		name   string
		answer platforms.GraphAnswer
		want   channel.Error
	}{
		{"rate limit", platforms.RateLimited,
			channel.Error{Class: channel.Transient, Status: 400, Code: 130429,
				Detail: "WhatsApp answered: (#130429) Rate limit hit " +
					"Message failed to send because there were too many messages sent from this phone " +
					"number in a short period of time"}},
		{"pair rate limit", platforms.PairLimited,
			channel.Error{Class: channel.Transient, Status: 400, Code: 131056,
				Detail: "WhatsApp answered: (#131056) " +
					"(Business Account, Consumer Account) pair rate limit hit Message failed to send " +
					"because there were too many messages sent from this phone number to the same phone " +
					"number in a short period of time."}},
		{"throttling", platforms.Throttled, channel.Error{Class: channel.Transient, Status: 429, Code: 4,
			Detail: "WhatsApp answered: (#4) Application request limit reached"}},
		{"overload", platforms.Overloaded, channel.Error{Class: channel.Transient, Status: 503, Code: 131016,
			Detail: "WhatsApp answered: (#131016) Service unavailable " +
				"A service is temporarily unavailable."}},
		{"account limit", coded(400, 80007), channel.Error{Class: channel.Transient, Status: 400, Code: 80007,
			Detail: "WhatsApp answered: (#80007) Something"}},
		{"unknown error", coded(500, 131000),
			channel.Error{Class: channel.Transient, Status: 500, Code: 131000,
				Detail: "WhatsApp answered: (#131000) Something"}},
		{"a code of the Graph API in a 400", coded(400, 2),
			channel.Error{Class: channel.Transient, Status: 400, Code: 2,
				Detail: "WhatsApp answered: (#2) Something"}},
		{"told to be transient",
			platforms.GraphAnswer{Status: 400,
				Body: `{"error":{"message":"Wait","code":99,"is_transient":true}}`},
			channel.Error{Class: channel.Transient, Status: 400, Code: 99,
				Detail: "WhatsApp answered: Wait"}},
		{"window closed", platforms.WindowClosed, channel.Error{Class: channel.WindowClosed, Status: 400,
			Code: 131047, Detail: "WhatsApp answered: (#131047) Re-engagement message " +
				"Message failed to send because more than 24 hours have passed since the customer last " +
				"replied to this number."}},
		{"no template", platforms.NoTemplate,
			channel.Error{Class: channel.Rejected, Status: 404, Code: 132001,
				Detail: "WhatsApp answered: (#132001) Template name does not exist in the translation " +
					"template name (order_ready) does not exist in en_US"}},
		{"undeliverable", coded(400, 131026),
			channel.Error{Class: channel.Rejected, Status: 400, Code: 131026,
				Detail: "WhatsApp answered: (#131026) Something"}},
		{"quality", coded(400, 131048), channel.Error{Class: channel.Rejected, Status: 400, Code: 131048,
			Detail: "WhatsApp answered: (#131048) Something"}},
		{"token expired", platforms.TokenExpired,
			channel.Error{Class: channel.Reconnect, Status: 401, Code: 190,
				Detail: "WhatsApp does not accept the channel's access token."}},
		{"token quoted", platforms.GraphAnswer{Status: 400, Body: `{"error":{"message":"Malformed access token EAAG0bXk-token","code":190}}`},
			channel.Error{Class: channel.Reconnect, Status: 400, Code: 190,
				Detail: "WhatsApp does not accept the channel's access token."}},
		{"token quoted elsewhere", platforms.GraphAnswer{Status: 400, Body: `{"error":{"message":"No number for EAAG0bXk-token","code":100}}`},
			channel.Error{Class: channel.Rejected, Status: 400, Code: 100,
				Detail: "WhatsApp answered: No number for [secret]"}},
		{"long words",
			platforms.GraphAnswer{Status: 400, Body: `{"error":{"message":"` + strings.Repeat("é ", 600) +
				`","code":100}}`},
			channel.Error{Class: channel.Rejected, Status: 400, Code: 100, Detail: "WhatsApp answered: " +
				strings.Repeat("é ", 250)}},
		{"a proxy's 502", platforms.GraphAnswer{Status: 502, Body: "<html>Bad Gateway</html>"},
			channel.Error{Class: channel.Unclear, Status: 502, Detail: notUnderstood + mayBeSent}},
		{"a proxy's 403", platforms.GraphAnswer{Status: 403, Body: "<html>Forbidden</html>"},
			channel.Error{Class: channel.Rejected, Status: 403, Detail: notUnderstood}},
		{"a redirect", platforms.GraphAnswer{Status: 302, Body: ""},
			channel.Error{Class: channel.Unclear, Status: 302, Detail: notUnderstood + mayBeSent}},
		{"a page instead of an answer", platforms.GraphAnswer{Status: 200, Body: "<html>Log in</html>"},
			channel.Error{Class: channel.Unclear, Status: 200, Detail: notUnderstood + mayBeSent}},
		{"no id", platforms.GraphAnswer{Status: 200, Body: `{"messages":[]}`},
			channel.Error{Class: channel.Unclear, Status: 200, Detail: notUnderstood + mayBeSent}},
		{"an id past all measure",
			platforms.GraphAnswer{Status: 200,
				Body: `{"messages":[{"id":"` + strings.Repeat("x", 513) + `"}]}`},
			channel.Error{Class: channel.Unclear, Status: 200, Detail: notUnderstood + mayBeSent}},
		{"a broken connection", platforms.Broken,
			channel.Error{Class: channel.Unclear, Detail: "WhatsApp did not answer." + mayBeSent}},
	} {
		t.Run(test.name, func(t *testing.T) {
			graph.Answer(test.answer)
			receipt, err := whatsapp.New(graph.URL).Send(t.Context(), connection, hi)
			got := refusal(t, receipt, err)
			if strings.Contains(got.Error()+got.Detail, token) {
				t.Errorf("the token is in %q or %q", got, got.Detail)
			}
			got.Cause = nil
			if *got != test.want {
				t.Errorf("got %#v, want %#v", *got, test.want)
			}
		})
	}
}

// refusal is the error of a Send, which must be one.
func refusal(t *testing.T, receipt channel.Receipt, err error) *channel.Error {
	t.Helper()
	var e *channel.Error
	if receipt != (channel.Receipt{}) || !errors.As(err, &e) {
		t.Fatalf("%+v, %v", receipt, err)
	}
	return e
}

// choices are made of labels and values in turn.
func choices(labelsAndValues ...string) (all []channel.Choice) {
	for i := 0; i < len(labelsAndValues); i += 2 {
		all = append(all, channel.Choice{Label: labelsAndValues[i], Value: labelsAndValues[i+1]})
	}
	return all
}
