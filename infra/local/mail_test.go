package local

import (
	"net/smtp"
	"strings"
	"testing"
)

// TestMailBySMTP sends mail to an agent, to an agent that there is not, and to both.
func TestMailBySMTP(t *testing.T) {
	s := openMailShop(t)
	desk := "desk-" + s.agent + "@in.acme.example"
	s.Want(t, 200, "POST", "/agents/"+s.agent+"/channels/", map[string]any{
		"channel_type": "email", "config": map[string]any{"inbound_address": desk},
	})
	nobody := "desk-5@in.acme.example"
	for n, recipients := range [][]string{{nobody}, {desk}, {nobody, desk}} {
		mail := strings.Join([]string{
			"From: Ada <ada@customer.example>", "To: " + recipients[0], "Subject: Hours",
			"Message-ID: <" + string(rune('a'+n)) + "@customer.example>", "", "When are you open?", "",
		}, "\r\n")
		if err := smtp.SendMail(s.smtp, nil, "ada@customer.example", recipients, []byte(mail)); err != nil {
			t.Fatal(err)
		}
	}
	s.sent(t, 2) // which may be answered at the same time
	for _, reply := range s.mail.Sent() {
		if !strings.Contains(string(reply.Raw), "We are open from 9 to 5.") {
			t.Errorf("%s", reply.Raw)
		}
	}
}
