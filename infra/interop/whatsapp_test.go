package interop

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/platforms"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/whatsapp"
	"frontdesk/shared/secret"
)

const (
	phoneNumberID = "106540352242922"
	appSecret     = "7d6f5e4c3b2a1908"
	user          = "16505551234"
	at            = 1749416383 // when all of it happens
)

var whatsappConnection = channel.Connection{
	AccountID: 7, AgentID: 8, URL: "https://desk.example/api/v1/inbound/8/whatsapp/",
	Texts:   map[channel.Setting]string{channel.PhoneNumberID: phoneNumberID},
	Secrets: map[channel.Setting]secret.Plain{channel.AccessToken: "EAAG0bXk", channel.AppSecret: appSecret},
}

// A reading is an update as pywa reads it: the handler that it is for, and its fields.
type reading struct {
	As     string
	Update map[string]any
}

// field is what stands in an update under names with dots between, as text; "" where there is nothing.
func (r reading) field(path string) string {
	var v any = r.Update
	for name := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			v = nil
			if len(at) > 0 {
				v = at[0].(map[string]any)[name]
			}
		}
	}
	if v == nil {
		return ""
	}
	if n, ok := v.(float64); ok {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprint(v)
}

// TestPywaReads has pywa verify and read what the stand-in of Meta posts and what Meta is documented to post,
// and compares what it finds with what we do.
func TestPywaReads(t *testing.T) {
	pywa := python(t)
	const context = `"context":{"from":"15550783881","id":"wamid.0"},`
	for _, test := range []struct {
		name     string
		as, kind string // pywa's handler, and its type of message
		said     string // where pywa has what the message says
		want     channel.MessageType
		message  string
	}{
		{"a text", "on_message", "text", "text", channel.TextMessage,
			`"type":"text","text":{"body":"Caf\u00e9 \ud83d\ude42?"}`},
		{"a template's button", "on_callback_button", "button", "title", channel.TextMessage,
			context + `"type":"button","button":{"payload":"KEEP","text":"Keep it"}`},
		{"a button", "on_callback_button", "interactive", "title", channel.TextMessage,
			context + `"type":"interactive","interactive":{"type":"button_reply",` +
				`"button_reply":{"id":"yes","title":"Yes, please"}}`},
		{"a row of a list", "on_callback_selection", "interactive", "title", channel.TextMessage,
			context + `"type":"interactive","interactive":{"type":"list_reply",` +
				`"list_reply":{"id":"t2","title":"Tuesday","description":"10 to 11"}}`},
		{"a form", "on_flow_completion", "interactive", "body", channel.TextMessage,
			context + `"type":"interactive","interactive":{"type":"nfm_reply",` +
				`"nfm_reply":{"name":"flow","body":"Sent","response_json":"{\"flow_token\":\"t\"}"}}`},
		{"an image", "on_message", "image", "image.caption", channel.ImageMessage,
			`"type":"image","image":{"caption":"This?","mime_type":"image/jpeg","sha256":"x=","id":"72"}`},
		{"a voice message", "on_message", "audio", "", channel.AudioMessage,
			`"type":"audio","audio":{"mime_type":"audio/ogg","sha256":"x=","id":"73","voice":true}`},
		{"a document", "on_message", "document", "document.filename", channel.FileMessage,
			`"type":"document","document":{"filename":"plan.pdf","mime_type":"application/pdf",` +
				`"sha256":"x=","id":"74"}`},
		{"a sticker", "on_message", "sticker", "", channel.StickerMessage,
			`"type":"sticker","sticker":{"mime_type":"image/webp","sha256":"x=","id":"75","animated":true}`},
		{"a location", "on_message", "location", "location.name", channel.LocationMessage,
			`"type":"location","location":{"latitude":40.25,"longitude":-3.5,"name":"Bike shed"}`},
		{"a contact", "on_message", "contacts", "contacts.name.formatted_name", channel.ContactsMessage,
			`"type":"contacts","contacts":[{"name":{"formatted_name":"Bo Lind","first_name":"Bo"},` +
				`"phones":[{"phone":"+1 (983) 555-0119","wa_id":"19835550119","type":"MOBILE"}]}]`},
		{"an order", "on_message", "order", "order.text", channel.OrderMessage,
			`"type":"order","order":{"catalog_id":"9","text":"By Friday","product_items":[` +
				`{"product_retailer_id":"bell","quantity":2,"item_price":30,"currency":"USD"}]}`},
		{"a reaction", "on_message", "reaction", "reaction.emoji", channel.ReactionMessage,
			`"type":"reaction","reaction":{"message_id":"wamid.0","emoji":"\ud83d\udc4d"}`},
		{"a poll", "on_message", "unsupported", "", channel.UnsupportedMessage,
			`"type":"unsupported","errors":[{"code":131051,"title":"Message type unknown",` +
				`"message":"Message type unknown","error_data":{"details":"Not supported."}}],` +
				`"unsupported":{"type":"poll"}`},
		{"an edit", "on_edited_message", "text", "message.text", channel.EditedMessage,
			`"type":"edit","edit":{"original_message_id":"wamid.0",` +
				`"message":{"type":"text","text":{"body":"For three"}}}`},
		{"a deletion", "on_deleted_message", "revoke", "", channel.DeletedMessage,
			`"type":"revoke","revoke":{"original_message_id":"wamid.0"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := platforms.WhatsAppText(phoneNumberID, user, "wamid.1", "TEXT", at)
			body := strings.Replace(string(text), `"text":{"body":"TEXT"}`, `"x":0`, 1)
			body = strings.Replace(body, `"type":"text"`, test.message, 1)
			theirs, ours := pywa.reads(t, body), parse(t, body)
			if len(theirs) != 1 || len(ours) != 1 {
				t.Fatalf("pywa: %v, ours: %v", theirs, ours)
			}
			p, u := theirs[0], ours[0]
			if p.As != test.as || p.field("type") != test.kind || u.Type != test.want {
				t.Errorf("pywa reads a %s for %s, we a %s: %v", p.field("type"), p.As, u.Type, p.Update)
			}
			got := []string{u.ID, strings.TrimPrefix(u.From.Phone, "+"), u.From.Name, fmt.Sprint(u.At.Unix())}
			want := []string{p.field("id"), p.field("from_user.wa_id"), p.field("from_user.name"),
				p.field("timestamp")}
			known := slices.Contains(u.From.Aliases, p.field("from_user.bsuid"))
			if diff := cmp.Diff(want, got); diff != "" || !known {
				t.Errorf("-pywa +ours %s\n%v", diff, u.From)
			}
			said := p.field(test.said)
			if test.said != "" && (said == "" || !strings.Contains(u.Text, said)) {
				t.Errorf("pywa reads %q, we %q", said, u.Text)
			}
		})
	}
}

// TestPywaReadsStatuses has pywa read the stand-in's statuses, an echo and a change of number.
func TestPywaReadsStatuses(t *testing.T) {
	pywa := python(t)
	for word, want := range map[string]channel.Status{
		"sent": channel.Accepted, "delivered": channel.Delivered, "read": channel.Seen,
		"played": channel.Seen, "failed": channel.Failed,
	} {
		body := string(platforms.WhatsAppStatus(phoneNumberID, user, "wamid.9", "fd-12-0", word, at))
		if word == "failed" {
			body = strings.Replace(body, `"status":`, `"errors":[{"code":131026,"title":"Undeliverable",`+
				`"message":"Undeliverable","error_data":{"details":"No WhatsApp."}}],"status":`, 1)
		}
		theirs, ours := pywa.reads(t, body), parse(t, body)
		if len(theirs) != 1 || len(ours) != 1 {
			t.Fatalf("%s: pywa: %v, ours: %v", word, theirs, ours)
		}
		p, u := theirs[0], ours[0]
		if p.As != "on_message_status" || p.field("status") != word || u.Status != want ||
			p.field("id") != u.MessageID || p.field("tracker") != u.Ref ||
			p.field("timestamp") != fmt.Sprint(u.At.Unix()) {
			t.Errorf("%s: pywa %v, ours %+v", word, p, u)
		}
		if word == "failed" && p.field("error.code") != fmt.Sprint(u.Error.Code) {
			t.Errorf("pywa %v, ours %+v", p.Update["error"], u.Error)
		}
	}
	moved := string(platforms.WhatsAppText(phoneNumberID, user, "wamid.1", "TEXT", at))
	moved = strings.Replace(moved, `"text":{"body":"TEXT"},`, "", 1)
	moved = strings.Replace(moved, `"type":"text"`, `"type":"system","system":{"body":"User changed",`+
		`"wa_id":"12195555358","type":"user_changed_number"}`, 1)
	theirs, ours := pywa.reads(t, moved), parse(t, moved)
	if len(theirs) != 1 || len(ours) != 1 || theirs[0].As != "on_phone_number_change" ||
		"+"+theirs[0].field("new_wa_id") != ours[0].From.Phone || ours[0].Kind != channel.IdentityUpdate {
		t.Errorf("pywa %v, ours %+v", theirs, ours)
	}
}

// reads is what pywa reads of a post, signed as the stand-in signs.
func (p *peer) reads(t *testing.T, body string) []reading {
	t.Helper()
	var answer struct {
		Refused int
		Updates []reading
	}
	p.ask(t, map[string]any{
		"ask": "pywa_read", "number": phoneNumberID, "secret": appSecret, "body": body,
		"signature": platforms.SignGraph(appSecret, []byte(body)),
	}, &answer)
	if answer.Refused != 0 {
		t.Fatalf("pywa refuses the signature: %d", answer.Refused)
	}
	return answer.Updates
}

func parse(t *testing.T, body string) []channel.Update {
	t.Helper()
	r := channel.Request{Method: "POST", Body: []byte(body)}
	updates, err := whatsapp.New("").Parse(whatsappConnection, r)
	if err != nil {
		t.Fatal(err)
	}
	return updates
}

// TestPywaSends has pywa send what we send, to the stand-in. Both make the same calls, and pywa understands
// the stand-in's answers.
func TestPywaSends(t *testing.T) {
	pywa, graph := python(t), platforms.NewGraph(t)
	choices := func(n int) (all []channel.Choice, theirs []map[string]string) {
		for i := range n {
			label, value := fmt.Sprint("Choice ", i), fmt.Sprint("value ", i)
			all = append(all, channel.Choice{Label: label, Value: value})
			theirs = append(theirs, map[string]string{"title": label, "id": value})
		}
		return all, theirs
	}
	few, fewOfTheirs := choices(3)
	many, manyOfTheirs := choices(7)
	template := channel.Template{Name: "order_ready", Language: "en_US", Params: []string{"Ada", "R2 & D2"}}
	for name, test := range map[string]struct {
		message  channel.Message
		question map[string]any
	}{
		"a text": {
			channel.Message{To: "+" + user, Text: "Café, from 9 to 5 🙂\nhttps://acme.example"},
			map[string]any{"to": user, "text": "Café, from 9 to 5 🙂\nhttps://acme.example"},
		},
		"to an id": {
			channel.Message{To: "US.13491208655302741918", Text: "Hi"},
			map[string]any{"to": "US.13491208655302741918", "text": "Hi"},
		},
		"with buttons": {
			channel.Message{To: "+" + user, Text: "Which?", Choices: few},
			map[string]any{"to": user, "text": "Which?", "buttons": fewOfTheirs},
		},
		"with a list": {
			channel.Message{To: "+" + user, Text: "Which?", Choices: many},
			map[string]any{"to": user, "text": "Which?", "rows": manyOfTheirs},
		},
		"a template": {
			channel.Message{To: "+" + user, Template: &template},
			map[string]any{"to": user, "template": map[string]any{
				"name": template.Name, "language": template.Language, "params": template.Params,
			}},
		},
		"a template without values": {
			channel.Message{To: "+" + user, Template: &channel.Template{Name: "hello", Language: "de"}},
			map[string]any{"to": user, "template": map[string]any{
				"name": "hello", "language": "de", "params": []string{},
			}},
		},
	} {
		graph.Calls()
		test.message.Ref = "fd-12-0"
		if _, err := whatsapp.New(graph.URL).Send(t.Context(), whatsappConnection, test.message); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		test.question["ask"], test.question["address"] = "pywa_send", graph.URL
		test.question["number"], test.question["ref"] = phoneNumberID, test.message.Ref
		var sent struct{ ID string }
		pywa.ask(t, test.question, &sent)
		calls := graph.Calls()
		if len(calls) != 2 || calls[1].ID != sent.ID || calls[0].From != calls[1].From ||
			calls[0].Token != calls[1].Token {
			t.Fatalf("%s: pywa got %q of %+v", name, sent.ID, calls)
		}
		if to, ok := calls[0].Body["to"].(string); ok {
			calls[0].Body["to"] = strings.TrimPrefix(to, "+") // the API takes either
		}
		if diff := cmp.Diff(said(calls[1].Body), said(calls[0].Body), foldTypes); diff != "" {
			t.Errorf("%s: -pywa +ours\n%s", name, diff)
		}
	}

	err := whatsapp.New(graph.URL).Mark(t.Context(), whatsappConnection, "+"+user, "wamid.1")
	if err != nil {
		t.Error(err)
	}
	var read struct{ Done bool }
	pywa.ask(t, map[string]any{"ask": "pywa_send", "address": graph.URL, "number": phoneNumberID, "to": "",
		"read": "wamid.1"}, &read)
	if marked := graph.Marked(); !read.Done || len(marked) != 2 || marked[0] != marked[1] {
		t.Errorf("marked as read: %v", marked)
	}
}

// said is a body without what says nothing: empty texts and lists, and false.
func said(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, value := range v {
			if value = said(value); value != nil {
				kept[name] = value
			}
		}
		return kept
	case []any:
		if len(v) == 0 {
			return nil
		}
		var kept []any
		for _, value := range v {
			kept = append(kept, said(value))
		}
		return kept
	case bool:
		if !v {
			return nil
		}
	case string:
		if v == "" {
			return nil
		}
	}
	return v
}

// foldTypes takes the types of a template's parts for the same in either case, as the API does.
var foldTypes = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().String() == `["type"]`
}, cmp.Comparer(func(a, b any) bool {
	return strings.EqualFold(fmt.Sprint(a), fmt.Sprint(b))
}))

// TestPywaErrors compares how Meta's errors are taken.
func TestPywaErrors(t *testing.T) {
	pywa, graph := python(t), platforms.NewGraph(t)
	class := func(answer platforms.GraphAnswer) channel.Class {
		graph.Answer(answer)
		_, err := whatsapp.New(graph.URL).Send(t.Context(), whatsappConnection, channel.Message{
			Ref: "fd-12-0", To: "+" + user, Text: "Hi",
		})
		var refusal *channel.Error
		if !errors.As(err, &refusal) {
			t.Fatalf("%v", err)
		}
		return refusal.Class
	}
	for answer, want := range map[platforms.GraphAnswer]string{
		platforms.RateLimited: "ThrottlingError", platforms.PairLimited: "ThrottlingError",
		platforms.Throttled: "ThrottlingError", platforms.WindowClosed: "ReEngagementMessage",
		platforms.NoTemplate: "TemplateNotExists", platforms.WrongParams: "TemplateParamCountMismatch",
		platforms.TokenExpired: "ExpiredAccessToken",
	} {
		graph.Answer(answer)
		var failure struct{ Classes []string }
		pywa.ask(t, map[string]any{"ask": "pywa_failure", "address": graph.URL, "number": phoneNumberID,
			"to": user}, &failure)
		if !slices.Contains(failure.Classes, want) {
			t.Errorf("pywa takes it for %v, want %s: %s", failure.Classes, want, answer.Body)
		}
	}
	var codes map[string][]int
	pywa.ask(t, map[string]any{"ask": "pywa_codes"}, &codes)
	// What takes days to pass is no reason to try again within the hour.
	days := []int{131048, 131064, 133016}
	for group, want := range map[string]channel.Class{
		"AuthorizationError": channel.Reconnect, "ThrottlingError": channel.Transient,
		"IntegrityError": channel.Rejected,
	} {
		if len(codes[group]) == 0 {
			t.Errorf("pywa knows no codes of %s", group)
		}
		for _, code := range codes[group] {
			wanted := want
			if slices.Contains(days, code) {
				wanted = channel.Rejected
			}
			answer := platforms.GraphAnswer{Status: 400, Body: fmt.Sprintf(
				`{"error":{"message":"(#%d) No","type":"OAuthException","code":%d}}`, code, code)}
			if code == 0 { // which Meta gives where it knows no code, and here with this status
				answer.Status = 401
			}
			if got := class(answer); got != wanted {
				t.Errorf("%d is taken as %s, pywa says %s", code, got, group)
			}
		}
	}
}
