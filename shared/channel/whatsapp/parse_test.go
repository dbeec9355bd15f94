package whatsapp_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/whatsapp"
)

const (
	userID = "US.20417830516642"
	// profile is Meta's note of who wrote, beside the messages.
	profile = `"contacts":[{"profile":{"name":"Ines Prado","username":"ines"},"wa_id":"16505550177",` +
		`"user_id":"` + userID + `"}],`
)

// at is the time of all updates here.
var at = time.Date(2025, 6, 8, 20, 59, 43, 0, time.UTC)

// of is what Meta posts of a field of the number, with a value.
func of(field, value string) string {
	return `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"` + field +
		`","value":{"messaging_product":"whatsapp","metadata":{"display_phone_number":"15550783881",` +
		`"phone_number_id":"` + number + `"},` + value + `}}]}]}`
}

// parse reads a post and wants updates.
func parse(t *testing.T, name, body string, want ...channel.Update) {
	t.Helper()
	got, err := whatsapp.New("").Parse(connection, channel.Request{Method: "POST", Body: []byte(body)})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%s: %v\n%s", name, err, diff)
	}
}

// TestParseMessages reads each kind of message.
func TestParseMessages(t *testing.T) {
	type update = channel.Update
	text := func(text string) update { return update{Type: channel.TextMessage, Text: text} }
	chosen := func(choice, title string) update {
		return update{Type: channel.TextMessage, Text: title, Choice: choice}
	}
	// one is a message that is a file.
	one := func(as channel.MessageType, text, file, contentType, name string) update {
		return update{Type: as, Text: text, Attachments: []channel.Attachment{
			{Type: as, ID: file, ContentType: contentType, Name: name}}}
	}
	asks := func(u update) update { u.NeedsWords = true; return u }
	silent := func(u update) update { u.Silent = true; return u }
	about := func(id string, u update) update { u.MessageID = id; return u }
	unsupported := update{Type: channel.UnsupportedMessage, Text: "[unsupported]", NeedsWords: true}
	for _, test := range []struct {
		name, message string
		want          update
	}{
		{"a text", `"type":"text","text":{"body":"Caf\u00e9 offen?"}`, text("Café offen?")},
		{"a reply to a template", `"type":"button","context":{"from":"15550783881","id":"wamid.0"},` +
			`"button":{"payload":"KEEP","text":"Keep it"}`, chosen("KEEP", "Keep it")},
		{"a button", `"type":"interactive","interactive":{"type":"button_reply",` +
			`"button_reply":{"id":"yes","title":"Yes, please"}}`, chosen("yes", "Yes, please")},
		{"a row of a list", `"type":"interactive","interactive":{"type":"list_reply",` +
			`"list_reply":{"id":"t2","title":"Tuesday","description":"10 to 11"}}`, chosen("t2", "Tuesday")},
		{"a form", `"type":"interactive","interactive":{"type":"nfm_reply",` +
			`"nfm_reply":{"name":"flow","body":"Sent","response_json":"{\"flow_token\":\"t\"}"}}`, text("Sent")},
		{"interactive without its body", `"type":"interactive"`, unsupported},

		{"an image", `"type":"image","image":{"mime_type":"image/jpeg","sha256":"x=","id":"71"}`,
			asks(one(channel.ImageMessage, "[image]", "71", "image/jpeg", ""))},
		{"an image with a caption", `"type":"image","image":{"caption":"Do you have this one?",` +
			`"mime_type":"image/jpeg","sha256":"x=","id":"72","url":"https://lookaside.example/72"}`,
			one(channel.ImageMessage, "[image] Do you have this one?", "72", "image/jpeg", "")},
		{"a voice message", `"type":"audio","audio":{"mime_type":"audio/ogg; codecs=opus","id":"73","voice":true}`,
			asks(one(channel.AudioMessage, "[voice message]", "73", "audio/ogg; codecs=opus", ""))},
		{"a document", `"type":"document","document":{"filename":"plan.pdf","mime_type":"application/pdf","id":"74"}`,
			asks(one(channel.FileMessage, "[file] plan.pdf", "74", "application/pdf", "plan.pdf"))},
		{"a sticker", `"type":"sticker","sticker":{"mime_type":"image/webp","id":"75","animated":true}`,
			silent(one(channel.StickerMessage, "[sticker]", "75", "image/webp", ""))},

		{"a location", `"type":"location","location":{"latitude":40.25,"longitude":-3.5,"name":"Bike shed",` +
			`"address":"2 Mill Lane"}`,
			update{Type: channel.LocationMessage, Text: "[location] Bike shed, 2 Mill Lane, 40.25, -3.5"}},
		{"contacts", `"type":"contacts","contacts":[{"name":{"formatted_name":"Bo Lind","first_name":"Bo"},` +
			`"phones":[{"phone":"+1 (983) 555-0119","wa_id":"19835550119","type":"MOBILE"}]},` +
			`{"name":{"formatted_name":"Cy"}}]`,
			update{Type: channel.ContactsMessage, Text: "[contact] Bo Lind +1 (983) 555-0119, Cy"}},
		{"an order", `"type":"order","order":{"catalog_id":"9","text":"By Friday","product_items":[` +
			`{"product_retailer_id":"bell","quantity":2,"item_price":30,"currency":"USD"},` +
			`{"product_retailer_id":"lamp","quantity":"1","item_price":"4.50","currency":"USD"}]}`,
			update{Type: channel.OrderMessage,
				Text: "[order] By Friday\n2 × bell (30 USD)\n1 × lamp (4.50 USD)"}},

		{"a reaction", `"type":"reaction","reaction":{"message_id":"wamid.0","emoji":"\ud83d\udc4d"}`,
			silent(about("wamid.0", update{Type: channel.ReactionMessage, Text: "[reaction] 👍"}))},
		{"a reaction taken back", `"type":"reaction","reaction":{"message_id":"wamid.0"}`,
			silent(about("wamid.0", update{Type: channel.ReactionMessage, Text: "[reaction]"}))},
		{"an edit", `"type":"edit","edit":{"original_message_id":"wamid.0",` +
			`"message":{"type":"text","text":{"body":"For three"}}}`,
			about("wamid.0", update{Type: channel.EditedMessage, Text: "[edited] For three"})},
		{"a deletion", `"type":"revoke","revoke":{"original_message_id":"wamid.0"}`,
			silent(about("wamid.0", update{Type: channel.DeletedMessage, Text: "[deleted]"}))},

		{"a poll", `"type":"unsupported","errors":[{"code":131051,"title":"Message type unknown",` +
			`"error_data":{"details":"Not supported."}}],"unsupported":{"type":"poll"}`, unsupported},
		{"a kind yet unknown", `"type":"hologram","hologram":{"id":"1"}`, unsupported},
		{"from an advertisement", `"type":"text","text":{"body":"Hi"},"referral":{` +
			`"source_url":"https://fb.example/a","source_id":"77","source_type":"ad","headline":"Spring bikes",` +
			`"body":"All sizes","media_type":"image","ctwa_clid":"c"}`,
			update{Type: channel.TextMessage, Text: "Hi", Source: &channel.Source{
				Type: "ad", ID: "77", URL: "https://fb.example/a", Headline: "Spring bikes"}}},
	} {
		test.want.Kind, test.want.ID, test.want.At = channel.MessageUpdate, "wamid.1", at
		if test.want.MessageID == "" {
			test.want.MessageID = "wamid.1"
		}
		test.want.From = channel.Person{
			Address: "+16505550177", Phone: "+16505550177", Aliases: []string{userID}, Name: "Ines Prado",
		}
		parse(t, test.name,
			of("messages", profile+`"messages":[{"from":"16505550177","from_user_id":"`+userID+
				`","id":"wamid.1","timestamp":"1749416383",`+test.message+`}]`), test.want)
	}
}

// TestParsePeople reads who wrote, with and without a number, and who has another one.
func TestParsePeople(t *testing.T) {
	hi := func(from channel.Person) channel.Update {
		return channel.Update{Kind: channel.MessageUpdate, ID: "wamid.1", MessageID: "wamid.1", At: at,
			From: from,
			Type: channel.TextMessage, Text: "Hi"}
	}
	const text = `"id":"wamid.1","timestamp":"1749416383","type":"text","text":{"body":"Hi"}}]`
	parse(t, "a user with a name only",
		of("messages", `"contacts":[{"profile":{"name":"Ines"},"user_id":"`+userID+
			`"}],"messages":[{"from_user_id":"`+userID+`",`+text),
		hi(channel.Person{Address: userID, Name: "Ines"}))
	parse(t, "the id in place of the number", of("messages", `"messages":[{"from":"`+userID+`",`+text),
		hi(channel.Person{Address: userID}))
	parse(t, "a number alone", of("messages", `"messages":[{"from":"16505550177",`+text),
		hi(channel.Person{Address: "+16505550177", Phone: "+16505550177"}))
	moved := channel.Person{Address: "+12195550158", Phone: "+12195550158"}
	parse(t, "a new number", of("messages", `"messages":[{"from":"16505550177","id":"wamid.1",`+
		`"timestamp":"1749416383","type":"system","system":{"body":"User Ines changed numbers",`+
		`"wa_id":"12195550158","type":"user_changed_number"}}]`), channel.Update{
		Kind: channel.IdentityUpdate, ID: "wamid.1", At: at, From: moved, Previous: "+16505550177",
	})
	moved.Aliases = []string{"US.8"}
	parse(t, "a new id", of("user_id_update", `"user_id_update":[{"wa_id":"12195550158",`+
		`"user_id":{"previous":"US.7","current":"US.8"},"timestamp":"1749416383"}]`), channel.Update{
		Kind: channel.IdentityUpdate, ID: "user_id:US.7:US.8", At: at, From: moved, Previous: "US.7",
	})
}

// TestParseStatuses reads statuses in the order in which they come, and messages of the business's own app.
func TestParseStatuses(t *testing.T) {
	to := channel.Person{Address: "+16505550177", Phone: "+16505550177"}
	status := func(word string, is channel.Status) channel.Update {
		return channel.Update{Kind: channel.StatusUpdate, ID: "wamid.9:" + word, MessageID: "wamid.9", At: at,
			From: to, Status: is, Ref: "fd-5-0"}
	}
	post := func(word, more string) string {
		return `{"id":"wamid.9","status":"` + word +
			`","timestamp":"1749416383","recipient_id":"16505550177",` +
			`"biz_opaque_callback_data":"fd-5-0"` + more + `}`
	}
	failed := status("failed", channel.Failed)
	failed.Error = &channel.Error{Class: channel.Rejected, Code: 131026,
		Detail: "WhatsApp answered: Message undeliverable The number is not on WhatsApp."}
	parse(t, "statuses", of("messages", `"statuses":[`+
		post("read", `,"pricing":{"billable":"true","category":"service"}`)+`,`+post("deleted", "")+`,`+
		post("delivered", "")+`,`+post("played", "")+`,`+post("sent", `,"conversation":{"id":"c"}`)+`,`+
		post("failed", `,"errors":[{"code":131026,"title":"Message undeliverable",`+
			`"error_data":{"details":"The number is not on WhatsApp."}}]`)+`]`),
		status("read", channel.Seen), status("delivered", channel.Delivered), status("played", channel.Seen),
		status("sent", channel.Accepted), failed)
	byID := status("sent", channel.Accepted)
	byID.From = channel.Person{Address: userID}
	parse(t, "a status of a user without a number",
		of("messages", `"statuses":[{"id":"wamid.9","status":"sent",`+
			`"timestamp":1749416383,"recipient_user_id":"`+userID+`","biz_opaque_callback_data":"fd-5-0"}]`),
		byID)
	parse(t, "an echo",
		of("smb_message_echoes", `"message_echoes":[{"from":"15550783881","to":"16505550177",`+
			`"id":"wamid.8","timestamp":"1749416383","type":"text","text":{"body":"I take over."}}]`), channel.Update{
			Kind: channel.EchoUpdate, ID: "wamid.8", MessageID: "wamid.8", At: at, From: to,
			Type: channel.TextMessage, Text: "I take over.",
		})
	parse(t, "errors of the account", of("messages", `"errors":[{"code":130429,"title":"Rate limit hit"}]`))
}
