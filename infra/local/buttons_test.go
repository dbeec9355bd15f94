package local

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/platforms"
)

// salon has the shop's agent arrange appointments for two services, and answer without a pause.
func (s *shop) salon(t *testing.T) {
	t.Helper()
	s.Want(t, 200, "PATCH", "/agents/"+s.agent+"/", map[string]any{
		"booking_enabled": true, "business_hours": "Mon-Sun 9-18", "channel_pause_seconds": 0,
		"available_services": []string{"Hair cut", "Colour with highlights and cut"},
	})
}

// lastContents are the last contact's words and the last reply of the shop's conversation.
func (s *shop) lastContents(t *testing.T) (said, reply string) {
	t.Helper()
	_, messages := s.conversation(t)
	for _, m := range messages {
		if m["direction"] == "inbound" {
			said = m["content"].(string)
		} else {
			reply = m["content"].(string)
		}
	}
	return said, reply
}

// TestWhatsAppButtons has a person choose a service by the row of a list.
func TestWhatsAppButtons(t *testing.T) {
	s := openShop(t)
	s.salon(t)
	const user = "16505551234"
	now := time.Now().Unix()
	s.post(t, 200,
		platforms.WhatsAppText(phoneNumberID, user, "wamid.1", "I'd like to book an appointment", now))
	until(t, "the question", func() bool { return len(s.graph.Sent()) == 1 })
	sent := fmt.Sprint(s.graph.Sent()[0].Body["interactive"])
	const rows = "rows:[map[id:Hair cut title:Hair cut] map[description:Colour with highlights and cut " +
		"id:Colour with highlights and cut title:Colour with highlights…]]"
	if !strings.Contains(sent, rows) || !strings.Contains(sent, "type:list") {
		t.Fatal(sent)
	}
	const service = "Colour with highlights and cut"
	s.post(t, 200,
		platforms.WhatsAppButton(phoneNumberID, user, "wamid.2", service, "Colour with highlights…", now+1))
	until(t, "the next question", func() bool { return len(s.graph.Sent()) == 2 })
	if said, reply := s.lastContents(t); said != service || !strings.Contains(reply, "Which day") {
		t.Errorf("%q: %q", said, reply)
	}
	_, messages := s.conversation(t)
	if offered := fmt.Sprint(messages[1]["choices"]); !strings.Contains(offered, "label:Hair cut") {
		t.Errorf("the message offers %s", offered)
	}
}

// TestQuickReplies has people of Messenger and of Instagram choose a service by its quick reply.
func TestQuickReplies(t *testing.T) {
	const account = "17841477965412210"
	for channelType, object := range map[string]string{"messenger": "page", "instagram": "instagram"} {
		t.Run(channelType, func(t *testing.T) {
			s := openShop(t)
			s.salon(t)
			s.inbound = s.connect(t, channelType, map[string]any{
				"page_id": account, "access_token": "token", "app_secret": appSecret,
				"verify_token": "a word",
			})
			write := func(message string) {
				s.post(t, 200, platforms.MessagingEvent(object, account, "U1", account, message))
			}
			write(`{"mid":"m_1","text":"I'd like to book an appointment"}`)
			until(t, "the question", func() bool { return len(s.graph.Sent()) == 1 })
			sent := s.graph.Sent()[0].Body["message"].(map[string]any)
			const replies = "[map[content_type:text payload:Hair cut title:Hair cut] map[content_type:text " +
				"payload:Colour with highlights and cut title:Colour with…]]"
			if got := fmt.Sprint(sent["quick_replies"]); got != replies {
				t.Fatal(got)
			}
			write(`{"mid":"m_2","text":"Colour with…","quick_reply":{"payload":"Colour with highlights and cut"}}`)
			until(t, "the next question", func() bool { return len(s.graph.Sent()) == 2 })
			if said, reply := s.lastContents(t); said != "Colour with highlights and cut" ||
				!strings.Contains(reply, "Which day") {
				t.Errorf("%q: %q", said, reply)
			}
		})
	}
}

// TestNumberedChoices has a person choose by number where there are no buttons.
func TestNumberedChoices(t *testing.T) {
	s := openShop(t)
	s.salon(t)
	const twilioAccount = "AC0123456789abcdef0123456789abcdef"
	inbound := s.connect(t, "sms", map[string]any{
		"account_sid": twilioAccount, "auth_token": "sms-token", "from": "+12028831111",
	})
	write := func(id, text string) {
		t.Helper()
		status, body, err := platforms.PostTwilio(inbound, "sms-token", url.Values{
			"AccountSid": {twilioAccount}, "MessageSid": {id}, "SmsStatus": {"received"},
			"From": {"+14133881111"}, "To": {"+12028831111"}, "Body": {text}, "NumMedia": {"0"},
		})
		if err != nil || status != 200 {
			t.Fatalf("%d %s, %v", status, body, err)
		}
	}
	write("SM1", "I'd like to book an appointment")
	until(t, "the question", func() bool { return len(s.twilio.Sent()) == 1 })
	if text := s.twilio.Sent()[0].Form.Get("Body"); !strings.Contains(text, "1. Hair cut\n2. Colour with") {
		t.Fatal(text)
	}
	write("SM2", "2")
	until(t, "the next question", func() bool { return len(s.twilio.Sent()) == 2 })
	if said, reply := s.lastContents(t); said != "2" || !strings.Contains(reply, "Which day") {
		t.Errorf("%q: %q", said, reply)
	}
}
