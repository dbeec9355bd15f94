package instagram_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/channeltest"
	"frontdesk/shared/channel/instagram"
	"frontdesk/shared/secret"
)

const (
	business  = "17841477965412210"
	appSecret = "ig-app-secret"
)

// connectionBy is that of an agent to an account, by a log-in.
func connectionBy(login string) channel.Connection {
	return channel.Connection{
		AccountID: 7, AgentID: 8, URL: "https://desk.example/api/v1/inbound/8/instagram/",
		Texts: map[channel.Setting]string{channel.PageID: business, channel.Login: login},
		Secrets: map[channel.Setting]secret.Plain{
			channel.AccessToken: "ig-access-token", channel.AppSecret: appSecret,
			channel.VerifyToken: "ig-verify-token",
		},
	}
}

func sign(r *channel.Request) {
	mac := hmac.New(sha256.New, []byte(appSecret))
	mac.Write(r.Body)
	r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
}

func posted(events string) string {
	return `{"object":"instagram","entry":[{"id":"` + business + `","time":1661141837537,"messaging":[` + events + `]}]}`
}

// from is an event of a contact.
func from(event string) string {
	return `{"sender":{"id":"IGS1"},"recipient":{"id":"` + business + `"},"timestamp":1661141837000,` + event + `}`
}

func TestProvider(t *testing.T) {
	for _, login := range []string{"", "page", "instagram"} {
		channeltest.Run(t, channeltest.Subject{
			New:        func(address string) channel.Provider { return instagram.New(address, address) },
			Connection: connectionBy(login), Credential: channel.AccessToken, Sign: sign,
			Batch: posted(from(`"message":{"mid":"m_1","text":"Hi"}`) + `,` + from(`"read":{"mid":"m_9"}`) + `,` +
				from(`"message":{"mid":"m_2","text":"Are you open?"}`)),
			IDs: []string{"m_1", "m_9:read", "m_2"},
			Unknown: []string{
				strings.Replace(posted(from(`"message":{"mid":"m","text":"x"}`)), "instagram", "page", 1),
				strings.Replace(posted(from(`"message":{"mid":"m","text":"x"}`)), business, "5", 1),
				posted(from(`"seen":{}`)),
			},
			Refusals: []channeltest.Refusal{
				channeltest.Refuse(
					"a closed window", 403,
					`{"error":{"message":"outside of allowed window %s","type":"IGApiException","code":10,"error_subcode":2534022}}`,
					channel.WindowClosed,
				),
				channeltest.Refuse("a revoked token", 400, `{"error":{"message":"%s","code":190,"error_subcode":460}}`, channel.Reconnect),
				channeltest.Refuse("too many calls", 400, `{"error":{"message":"x","code":80002}}`, channel.Transient),
			},
		})
	}
}

// TestParse reads what only Instagram has; package messenger has the rest.
func TestParse(t *testing.T) {
	story := []channel.Attachment{{Type: channel.StoryMessage, URL: "https://cdn.example/story.jpeg"}}
	for _, test := range []struct {
		name, event string
		want        channel.Update
	}{
		{"a story mention", `"message":{"mid":"m_1","attachments":[{"type":"story_mention","payload":{"url":"https://cdn.example/story.jpeg"}}]}`,
			channel.Update{Type: channel.StoryMessage, Text: "[story mention]", Silent: true,
				Attachments: story}},
		{"a reply to a story", `"message":{"mid":"m_1","text":"Is it vegan?","reply_to":{"story":{"url":"https://cdn.example/story.jpeg","id":"5"}}}`,
			channel.Update{Type: channel.StoryMessage, Text: "[story reply] Is it vegan?",
				Attachments: story}},
		{"a heart", `"message":{"mid":"m_1","attachments":[{"type":"like_heart"}]}`, channel.Update{
			Type: channel.StickerMessage, Text: "[sticker]", Silent: true,
			Attachments: []channel.Attachment{{Type: channel.StickerMessage}},
		}},
		{"a shared reel", `"message":{"mid":"m_1","text":"Like this?","attachments":[{"type":"ig_reel",` +
			`"payload":{"reel_video_id":"5","title":"Wheels","url":"https://cdn.example/reel"}}]}`, channel.Update{
			Type: channel.VideoMessage, Text: "[video] Like this?", Attachments: []channel.Attachment{
				{Type: channel.VideoMessage, Name: "Wheels", URL: "https://cdn.example/reel"}},
		}},
		{"a picture to be seen once", `"message":{"mid":"m_1","attachments":[{"type":"ephemeral"}]}`,
			channel.Update{Type: channel.UnsupportedMessage, Text: "[unsupported]", NeedsWords: true,
				Attachments: []channel.Attachment{{Type: channel.UnsupportedMessage}}}},
		{"a deletion", `"message":{"mid":"m_1","is_deleted":true}`, channel.Update{
			ID: "m_1:deleted", Type: channel.DeletedMessage, Text: "[deleted]", Silent: true,
		}},
		{"an edit", `"message_edit":{"mid":"m_1","text":"For two","num_edit":1}`, channel.Update{
			ID: "m_1:edit:1661141837000", Type: channel.EditedMessage, Text: "[edited] For two",
		}},
	} {
		test.want.Kind, test.want.MessageID = channel.MessageUpdate, "m_1"
		if test.want.ID == "" {
			test.want.ID = "m_1"
		}
		test.want.From = channel.Person{Address: "IGS1"}
		test.want.At = time.UnixMilli(1661141837000).UTC()
		r := channel.Request{Method: "POST", Body: []byte(posted(from(test.event)))}
		got, err := instagram.New("", "").Parse(connectionBy(""), r)
		if diff := cmp.Diff([]channel.Update{test.want}, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, diff)
		}
	}
}

// TestDeliver sends a text that is too long for one message, by each log-in to its own host and path.
func TestDeliver(t *testing.T) {
	sentence := "Wir haben heute für Sie geöffnet, grüßen Sie herzlich und freuen uns auf Ihren Besuch. "
	long := strings.TrimSpace(strings.Repeat(sentence, 25))
	for login, wantPath := range map[string]string{
		"": "/page/v24.0/me/messages", "page": "/page/v24.0/me/messages",
		"instagram": "/direct/v24.0/" + business + "/messages",
	} {
		var texts []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			var body struct {
				Recipient struct{ ID string }
				Message   struct{ Text string }
			}
			if err := json.NewDecoder(req.Body).Decode(&body); err != nil || body.Recipient.ID != "IGS1" {
				t.Errorf("%v, %+v", err, body)
			}
			if req.URL.Path != wantPath {
				t.Errorf("%q sends to %s", login, req.URL.Path)
			}
			texts = append(texts, body.Message.Text)
			fmt.Fprintf(w, `{"recipient_id":"IGS1","message_id":"m_%d"}`, len(texts))
		}))
		p := instagram.New(server.URL+"/page", server.URL+"/direct")
		m := channel.Message{Ref: "fd-5-0", To: "IGS1", Text: long}
		receipt, err := channel.Deliver(t.Context(), p, connectionBy(login), m)
		server.Close()
		if err != nil || receipt.ID != "m_3" || len(texts) != 3 || strings.Join(texts, " ") != long {
			t.Fatalf("%+v, %v, %d texts: %q", receipt, err, len(texts), texts)
		}
		for _, text := range texts {
			if len(text) > 1000 || !strings.HasSuffix(text, "Besuch.") {
				t.Errorf("%d bytes: %s", len(text), text)
			}
		}
	}
}

// TestDeliverPartly has the second part of a text fail.
func TestDeliverPartly(t *testing.T) {
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body)
		if sent++; sent == 2 {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":{"message":"Limit reached.","code":613}}`)
			return
		}
		io.WriteString(w, `{"recipient_id":"IGS1","message_id":"m_1"}`)
	}))
	defer server.Close()
	m := channel.Message{Ref: "fd-5-0", To: "IGS1", Text: strings.Repeat("All is well. ", 200)}
	_, err := channel.Deliver(t.Context(), instagram.New(server.URL, ""), connectionBy(""), m)
	want := &channel.Error{
		Class: channel.Rejected, Status: 400, Code: 613,
		Detail: "Only 1 of the 3 parts of the message were sent. Instagram answered: Limit reached.",
	}
	if diff := cmp.Diff(error(want), err); diff != "" || sent != 2 {
		t.Errorf("%d sent:\n%s", sent, diff)
	}
}

func TestRefresh(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		calls++
		if req.URL.Path != "/refresh_access_token" ||
			req.URL.Query().Get("grant_type") != "ig_refresh_token" ||
			req.Header.Get("Authorization") != "Bearer ig-access-token" {
			t.Errorf("%s %v", req.URL, req.Header)
		}
		io.WriteString(w, `{"access_token":"fresh","token_type":"bearer","expires_in":5183944}`)
	}))
	defer server.Close()
	const day = 24 * time.Hour
	for _, test := range []struct {
		login string
		age   time.Duration
		want  secret.Plain
	}{{"instagram", 31 * day, "fresh"}, {"instagram", 2 * day, ""}, {"page", 31 * day, ""}} {
		p := instagram.New("", server.URL)
		got, err := p.Refresh(t.Context(), connectionBy(test.login), test.age)
		if err != nil || got[channel.AccessToken] != test.want {
			t.Errorf("%+v: %v, %v", test, len(got), err)
		}
	}
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}
