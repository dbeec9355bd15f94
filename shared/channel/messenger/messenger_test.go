package messenger_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/channeltest"
	"frontdesk/shared/channel/messenger"
	"frontdesk/shared/secret"
)

const (
	page      = "102290129340398"
	appSecret = "page-app-secret"
)

var connection = channel.Connection{
	AccountID: 7, AgentID: 8, URL: "https://desk.example/api/v1/inbound/8/messenger/",
	Texts: map[channel.Setting]string{channel.PageID: page},
	Secrets: map[channel.Setting]secret.Plain{
		channel.AccessToken: "page-access-token", channel.AppSecret: appSecret,
		channel.VerifyToken: "page-verify-token",
	},
}

func sign(r *channel.Request) {
	mac := hmac.New(sha256.New, []byte(appSecret))
	mac.Write(r.Body)
	r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
}

// posted is what Meta posts of events of a page.
func posted(events string) string {
	return `{"object":"page","entry":[{"id":"` + page + `","time":1661141837537,"messaging":[` + events + `]}]}`
}

// from is an event of a contact.
func from(event string) string {
	return `{"sender":{"id":"PS1"},"recipient":{"id":"` + page + `"},"timestamp":1661141837000,` + event + `}`
}

func TestProvider(t *testing.T) {
	channeltest.Run(t, channeltest.Subject{
		New:        func(address string) channel.Provider { return messenger.New(address) },
		Connection: connection, Credential: channel.AccessToken, Sign: sign,
		Batch: `{"object":"page","entry":[{"id":"` + page + `","messaging":[` +
			from(`"message":{"mid":"m_1","text":"Hi"}`) + `,` + from(`"optin":{"ref":"x"}`) + `,` +
			from(`"message":{"mid":"m_2","text":"\u00fcber"}`) + `]},{"id":` + page + `,"messaging":[` +
			from(`"postback":{"mid":"m_3","title":"Start","payload":"GO"}`) + `,` +
			from(`"delivery":{"mids":["m_9"],"watermark":1661141838000}`) + `]}]}`,
		IDs: []string{"m_1", "m_2", "m_3", "watermark:delivered:PS1:1661141838000"},
		Unknown: []string{
			`{"object":"instagram","entry":[{"id":"` + page + `","messaging":[` + from(`"message":{"mid":"m","text":"x"}`) + `]}]}`,
			`{"object":"page","entry":[{"id":"5","messaging":[` + from(`"message":{"mid":"m","text":"x"}`) + `]}]}`,
			`{"object":"page","entry":[{"id":"` + page + `","standby":[` + from(`"message":{"mid":"m","text":"x"}`) + `]}]}`,
			`{"object":"page","entry":[{"id":"` + page + `","changes":[{"field":"feed","value":{}}]}]}`,
			posted(from(`"account_linking":{"status":"linked"}`)),
			posted(from(`"message":{"text":"without an id"}`)),
			posted(`{"timestamp":1,"message":{"mid":"m","text":"from nobody"}}`),
			posted(`5,"x",null,[]`),
		},
		Refusals: []channeltest.Refusal{
			channeltest.Refuse(
				"a closed window", 400,
				`{"error":{"message":"(#10) outside of allowed window %s","type":"OAuthException","code":10,"error_subcode":2018278}}`,
				channel.WindowClosed,
			),
			channeltest.Refuse("a tag not approved", 400, `{"error":{"message":"x","code":100,"error_subcode":2018276}}`, channel.Rejected),
			channeltest.Refuse("no such user", 400, `{"error":{"message":"%s","code":100,"error_subcode":2018001}}`, channel.Rejected),
			channeltest.Refuse("not available", 400, `{"error":{"message":"x","code":551,"error_subcode":1545041}}`, channel.Rejected),
			channeltest.Refuse("an expired token", 400, `{"error":{"message":"%s","code":190,"error_subcode":463}}`, channel.Reconnect),
			channeltest.Refuse("no permission", 403, `{"error":{"message":"%s","code":200}}`, channel.Reconnect),
			channeltest.Refuse("too many calls", 400, `{"error":{"message":"x","code":613}}`, channel.Transient),
			channeltest.Refuse("out of order", 500, `{"error":{"message":"x","code":2}}`, channel.Transient),
			channeltest.Refuse("blocked", 400, `{"error":{"message":"x","code":368}}`, channel.Rejected),
		},
	})
}

// TestParse reads events one by one.
func TestParse(t *testing.T) {
	at := time.Date(2022, 8, 22, 4, 17, 17, 0, time.UTC)
	person := channel.Person{Address: "PS1"}
	wrote := func(change func(*channel.Update)) channel.Update {
		u := channel.Update{
			Kind: channel.MessageUpdate, ID: "m_1", At: at, From: person, Type: channel.TextMessage,
			MessageID: "m_1",
		}
		change(&u)
		return u
	}
	echo := `{"sender":{"id":"` + page + `"},"recipient":{"id":"PS1"},"timestamp":1661141837000,"message":`
	file := []channel.Attachment{{Type: channel.ImageMessage, URL: "https://cdn.example/1"}}
	for _, test := range []struct {
		name, event string
		want        channel.Update
	}{
		{"a text", from(`"message":{"mid":"m_1","text":"Hi"}`), wrote(func(u *channel.Update) { u.Text = "Hi" })},
		{"a quick reply", from(`"message":{"mid":"m_1","text":"Red","quick_reply":{"payload":"RED"}}`),
			wrote(func(u *channel.Update) { u.Text, u.Choice = "Red", "RED" })},
		{"a button", from(`"postback":{"mid":"m_1","title":"Start","payload":"GET_STARTED","referral":{"ref":"spring","source":"ADS","ad_id":"77"}}`),
			wrote(func(u *channel.Update) {
				u.Text, u.Choice = "Start", "GET_STARTED"
				u.Source = &channel.Source{Type: "ADS", ID: "77", Headline: "spring"}
			})},
		{"a button without an id", from(`"postback":{"title":"Start","payload":"GO"}`),
			wrote(func(u *channel.Update) {
				u.ID, u.MessageID = "postback:PS1:GO:1661141837000", ""
				u.Text, u.Choice = "Start", "GO"
			})},
		{"an image", from(`"message":{"mid":"m_1","attachments":[{"type":"image","payload":{"url":"https://cdn.example/1"}}]}`),
			wrote(func(u *channel.Update) {
				u.Type, u.Text, u.NeedsWords, u.Attachments = channel.ImageMessage, "[image]", true, file
			})},
		{"an image with words", from(`"message":{"mid":"m_1","text":"This?","attachments":[{"type":"image","payload":{"url":"https://cdn.example/1"}}]}`),
			wrote(func(u *channel.Update) {
				u.Type, u.Text, u.Attachments = channel.ImageMessage, "[image] This?", file
			})},
		{"a sticker", from(`"message":{"mid":"m_1","attachments":[{"type":"image","payload":{"url":"https://cdn.example/1","sticker_id":369239263222822}}]}`),
			wrote(func(u *channel.Update) {
				u.Type, u.Text, u.Silent = channel.StickerMessage, "[sticker]", true
				u.Attachments = []channel.Attachment{{Type: channel.StickerMessage,
					URL: "https://cdn.example/1"}}
			})},
		{"a location", from(`"message":{"mid":"m_1","attachments":[{"type":"location","payload":{"coordinates":{"lat":52.5,"long":13.4}}}]}`),
			wrote(func(u *channel.Update) {
				u.Type, u.Text = channel.LocationMessage, "[location] 52.5, 13.4"
				u.Attachments = []channel.Attachment{{Type: channel.LocationMessage}}
			})},
		{"a reply to a message", from(`"message":{"mid":"m_1","text":"That one","reply_to":{"mid":"m_0"}}`),
			wrote(func(u *channel.Update) { u.Text = "That one" })},
		{"two files", from(`"message":{"mid":"m_1","text":"See both","attachments":[` +
			`{"type":"file","payload":{"url":"https://cdn.example/2"}},` +
			`{"type":"video","payload":{"url":"https://cdn.example/3"}}]}`),
			wrote(func(u *channel.Update) {
				u.Type, u.Text = channel.FileMessage, "[file] See both"
				u.Attachments = []channel.Attachment{
					{Type: channel.FileMessage, URL: "https://cdn.example/2"},
					{Type: channel.VideoMessage, URL: "https://cdn.example/3"},
				}
			})},
		{"a voice message", from(`"message":{"mid":"m_1","attachments":[{"type":"audio",` +
			`"payload":{"url":"https://cdn.example/4"}}]}`),
			wrote(func(u *channel.Update) {
				u.Type, u.Text, u.NeedsWords = channel.AudioMessage, "[audio]", true
				u.Attachments = []channel.Attachment{
					{Type: channel.AudioMessage, URL: "https://cdn.example/4"},
				}
			})},
		{"a new kind of attachment", from(`"message":{"mid":"m_1","attachments":[{"type":"hologram","payload":{}}]}`),
			wrote(func(u *channel.Update) {
				u.Type, u.Text, u.NeedsWords = channel.UnsupportedMessage, "[unsupported]", true
				u.Attachments = []channel.Attachment{{Type: channel.UnsupportedMessage}}
			})},
		{"unsupported", from(`"message":{"mid":"m_1","is_unsupported":true}`), wrote(func(u *channel.Update) {
			u.Type, u.Text, u.NeedsWords = channel.UnsupportedMessage, "[unsupported]", true
		})},
		{"deleted", from(`"message":{"mid":"m_1","is_deleted":true}`), wrote(func(u *channel.Update) {
			u.ID, u.Type, u.Text, u.Silent = "m_1:deleted", channel.DeletedMessage, "[deleted]", true
		})},
		{"edited", from(`"message_edit":{"mid":"m_1","text":"Hello","num_edit":1}`), wrote(func(u *channel.Update) {
			u.ID, u.Type, u.Text = "m_1:edit:1661141837000", channel.EditedMessage, "[edited] Hello"
		})},
		{"a reaction", from(`"reaction":{"mid":"m_1","action":"react","emoji":"❤","reaction":"love"}`),
			wrote(func(u *channel.Update) {
				u.ID, u.Type = "m_1:reaction:PS1:1661141837000", channel.ReactionMessage
				u.Text, u.Silent = "[reaction] ❤", true
			})},
		{"a reaction taken back", from(`"reaction":{"mid":"m_1","action":"unreact"}`),
			wrote(func(u *channel.Update) {
				u.ID, u.Type = "m_1:reaction:PS1:1661141837000", channel.ReactionMessage
				u.Text, u.Silent = "[reaction]", true
			})},
		{"read", from(`"read":{"watermark":1661141838000}`), channel.Update{
			Kind: channel.StatusUpdate, ID: "watermark:read:PS1:1661141838000", At: at.Add(time.Second),
			From:   person,
			Status: channel.Seen, Watermark: true,
		}},
		{"our own message", echo + `{"mid":"m_1","is_echo":true,"app_id":5,"metadata":"fd-5-0","text":"Hi"}}`,
			channel.Update{
				Kind: channel.StatusUpdate, ID: "m_1:sent", At: at, From: person, MessageID: "m_1",
				Status: channel.Accepted, Ref: "fd-5-0",
			}},
		{"a person's message", echo + `{"mid":"m_1","is_echo":true,"text":"I take over."}}`,
			wrote(func(u *channel.Update) { u.Kind, u.Text = channel.EchoUpdate, "I take over." })},
	} {
		got, err := messenger.New("").Parse(connection, channel.Request{Method: "POST",
			Body: []byte(posted(test.event))})
		if diff := cmp.Diff([]channel.Update{test.want}, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, diff)
		}
	}
}

func TestSend(t *testing.T) {
	var bodies []map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/v24.0/"+page+"/messages" ||
			req.Header.Get("Authorization") != "Bearer page-access-token" {
			t.Errorf("%s %v", req.URL, req.Header)
		}
		var body map[string]any
		if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		bodies = append(bodies, body)
		io.WriteString(w, `{"recipient_id":"PS1","message_id":"m_7"}`)
	}))
	defer server.Close()
	text := map[string]any{"text": "Hi", "metadata": "fd-5-0"}
	m := channel.Message{Ref: "fd-5-0", To: "PS1", Text: "Hi"}
	for _, test := range []struct {
		name   string
		change func(m *channel.Message)
		want   map[string]any
	}{
		{"a text", func(*channel.Message) {}, map[string]any{"messaging_type": "RESPONSE", "message": text}},
		{"a person within the window", func(m *channel.Message) {
			m.ByPerson = true
		}, map[string]any{"messaging_type": "RESPONSE", "message": text}},
		{"a person after the window", func(m *channel.Message) {
			m.ByPerson, m.AfterWindow = true, true
		}, map[string]any{"messaging_type": "MESSAGE_TAG", "tag": "HUMAN_AGENT", "message": text}},
		{"an agent after the window", func(m *channel.Message) {
			m.AfterWindow = true
		}, map[string]any{"messaging_type": "RESPONSE", "message": text}},
		{"choices", func(m *channel.Message) {
			m.Choices = choices("Yes", "Yes", "No", "n")
		}, map[string]any{"messaging_type": "RESPONSE", "message": map[string]any{
			"text": "Hi", "metadata": "fd-5-0", "quick_replies": []any{
				map[string]any{"content_type": "text", "title": "Yes", "payload": "Yes"},
				map[string]any{"content_type": "text", "title": "No", "payload": "n"},
			},
		}}},
		{"a label that is too long", func(m *channel.Message) {
			m.Choices = choices("No, on another day please", "No, on another day please")
		}, map[string]any{"messaging_type": "RESPONSE", "message": map[string]any{
			"text": "Hi", "metadata": "fd-5-0", "quick_replies": []any{map[string]any{
				"content_type": "text",
				"title":        "No, on another day…", "payload": "No, on another day please",
			}},
		}}},
		{"labels that are alike once cut", func(m *channel.Message) {
			m.Choices = choices("Bicycle, mountain, red", "1", "Bicycle, mountain, blue", "2")
		}, map[string]any{"messaging_type": "RESPONSE", "message": text}},
		{"more choices than there are quick replies", func(m *channel.Message) {
			for n := range 14 {
				m.Choices = append(m.Choices, choices(fmt.Sprint(n), fmt.Sprint(n))...)
			}
		}, map[string]any{"messaging_type": "RESPONSE", "message": text}},
	} {
		bodies = nil
		sent := m
		test.change(&sent)
		receipt, err := messenger.New(server.URL).Send(t.Context(), connection, sent)
		if err != nil || receipt != (channel.Receipt{ID: "m_7"}) {
			t.Errorf("%s: %+v, %v", test.name, receipt, err)
		}
		test.want["recipient"] = map[string]any{"id": "PS1"}
		if diff := cmp.Diff([]map[string]any{test.want}, bodies); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// choices are made of labels and values in turn.
func choices(labelsAndValues ...string) (all []channel.Choice) {
	for i := 0; i < len(labelsAndValues); i += 2 {
		all = append(all, channel.Choice{Label: labelsAndValues[i], Value: labelsAndValues[i+1]})
	}
	return all
}
