package local

import (
	"fmt"
	"testing"
	"time"

	"frontdesk/infra/platforms"
)

// connect connects the shop's agent to a channel and returns the address that the platform is to call.
func (s *shop) connect(t *testing.T, channelType string, config map[string]any) string {
	t.Helper()
	return s.Want(t, 201, "POST", "/agents/"+s.agent+"/channels/",
		map[string]any{"channel_type": channelType, "config": config}).Text("inbound_url")
}

// TestInstagramEcho loses the answer of a send: the message's echo, which carries no reference of ours,
// settles it and is not taken for a person's.
func TestInstagramEcho(t *testing.T) {
	const business = "17841477965412210"
	s := openShop(t)
	s.inbound = s.connect(t, "instagram", map[string]any{
		"page_id": business, "access_token": "ig-token", "app_secret": appSecret, "verify_token": "a word",
	})
	event := func(sender, recipient, message string) []byte {
		return platforms.MessagingEvent("instagram", business, sender, recipient, message)
	}
	s.graph.Answer(platforms.GraphAnswer{})
	s.post(t, 200, event("IGS1", business, `{"mid":"m_1","text":"When are you open?"}`))
	until(t, "a reply", func() bool { return len(s.graph.Sent()) == 1 })
	reply := s.graph.Sent()[0]
	if reply.From != "me" || reply.To() != "IGS1" || reply.Token != "ig-token" {
		t.Fatalf("%+v", reply)
	}
	time.Sleep(time.Second) // the send is noted as unclear
	s.post(t, 200,
		event(business, "IGS1", fmt.Sprintf(`{"mid":%q,"is_echo":true,"text":%q}`, reply.ID, reply.Text())))
	until(t, "the status sent", func() bool {
		_, messages := s.conversation(t)
		return len(messages) == 2 && messages[1]["status"] == "sent"
	})
	s.post(t, 200, event("IGS1", business, `{"mid":"m_2","text":"When are you open on Monday?"}`))
	until(t, "the second reply", func() bool { return len(s.graph.Sent()) == 2 })
	if talk, messages := s.conversation(t); talk["status"] == "handed_off" || len(messages) < 3 {
		t.Errorf("%v %v", talk, messages)
	}
}

// TestPersonWritesFirst has a person of the business write in the platform's own app to somebody who was
// never heard of, and again after the conversation was resolved. The answers are for the person.
func TestPersonWritesFirst(t *testing.T) {
	const page, user = "102290129340398", "16505551234"
	whatsApp := func(id, text string) []byte {
		return fmt.Appendf(nil, `{"object":"whatsapp_business_account","entry":[{"changes":[{`+
			`"field":"smb_message_echoes","value":{"metadata":{"phone_number_id":%q},"message_echoes":[{`+
			`"from":"15550783881","to":%q,"id":%q,"timestamp":"%d","type":"text","text":{"body":%q}}]}}]}]}`,
			phoneNumberID, user, id, time.Now().Unix(), text)
	}
	messenger := func(id, text string) []byte {
		return platforms.MessagingEvent("page", page, page, "PS1",
			fmt.Sprintf(`{"mid":%q,"is_echo":true,"text":%q}`, id, text))
	}
	for name, test := range map[string]struct {
		echo, answer func(id, text string) []byte
		phone        string
	}{
		"whatsapp": {whatsApp, func(id, text string) []byte {
			return platforms.WhatsAppText(phoneNumberID, user, id, text, time.Now().Unix())
		}, "+" + user},
		"messenger": {messenger, func(id, text string) []byte {
			return platforms.MessagingEvent("page", page, "PS1", page,
				fmt.Sprintf(`{"mid":%q,"text":%q}`, id, text))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := openShop(t)
			s.Want(t, 200, "PATCH", "/agents/"+s.agent+"/", map[string]any{"channel_pause_seconds": 0})
			if name == "messenger" {
				s.inbound = s.connect(t, "messenger", map[string]any{
					"page_id": page, "access_token": "token", "app_secret": appSecret,
					"verify_token": "a word",
				})
			}
			talks := func() []map[string]any {
				return s.Want(t, 200, "GET", "/agents/"+s.agent+"/conversations/", nil).Results()
			}
			s.post(t, 200, test.echo("m1", "Your bicycle is ready."))
			s.post(t, 200, test.echo("m1", "Your bicycle is ready."))
			until(t, "a conversation", func() bool { return len(talks()) == 1 })
			s.post(t, 200, test.answer("m2", "When are you open?"))
			until(t, "the answer",
				func() bool { _, messages := s.conversation(t); return len(messages) == 2 })
			talk, messages := s.conversation(t)
			if talk["takeover_mode"] != "human" || talk["handoff_reason"] != "manual" ||
				fmt.Sprint(talk["unread"]) != "1" ||
				messages[0]["direction"] != "outbound" || messages[0]["sent_by_ai"] != false ||
				messages[0]["status"] != "sent" || messages[1]["direction"] != "inbound" {
				t.Errorf("%v\n%v", talk, messages)
			}
			contacts := s.Want(t, 200, "GET", "/contacts/?agent_id="+s.agent, nil)
			if n := contacts.Number("count"); n != "1" || contacts.Results()[0]["phone"] != test.phone ||
				fmt.Sprint(contacts.Results()[0]["id"]) != fmt.Sprint(talk["contact_id"]) {
				t.Errorf("%s", contacts.Body)
			}
			s.Want(t, 200, "POST", fmt.Sprintf("/conversations/%v/resolve/", talk["id"]), nil)
			s.post(t, 200, test.echo("m3", "And it is clean, too."))
			until(t, "another conversation", func() bool { return len(talks()) == 2 })
			s.post(t, 200, test.answer("m4", "Great, when are you open?"))
			until(t, "the second answer", func() bool { return fmt.Sprint(talks()[0]["unread"]) == "1" })
			if sent := s.graph.Sent(); len(sent) != 0 {
				t.Errorf("%+v was sent", sent)
			}
			again := talks()[0]
			s.Want(t, 200, "POST", fmt.Sprintf("/conversations/%v/resume-ai/", again["id"]), nil)
			s.post(t, 200, test.answer("m5", "When are you open?"))
			until(t, "a reply of the agent", func() bool { return len(s.graph.Sent()) == 1 })
			if again["contact_id"] != talk["contact_id"] {
				t.Errorf("%v with another contact than %v", again, talk)
			}
		})
	}
}
