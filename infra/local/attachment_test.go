package local

import (
	"fmt"
	"net/url"
	"testing"

	"frontdesk/infra/platforms"
)

// TestSMSAttachment fetches a picture that came by SMS from where Twilio's API leads to.
func TestSMSAttachment(t *testing.T) {
	s := openShop(t)
	inbound := s.connect(t, "sms", map[string]any{
		"account_sid": "AC00000000000000000000000000000001", "auth_token": "sms-token",
		"from": "+14155550199",
	})
	picture := s.twilio.Keep("ME1", platforms.GraphFile{Type: "image/png", Content: []byte("a picture")})
	status, _, err := platforms.PostTwilio(inbound, "sms-token", url.Values{
		"AccountSid": {"AC00000000000000000000000000000001"}, "MessageSid": {"SM1"}, "From": {"+14155550123"},
		"To": {"+14155550199"}, "Body": {"Look"}, "NumMedia": {"1"}, "MediaUrl0": {picture},
		"MediaContentType0": {"image/png"},
	})
	if err != nil || status != 200 {
		t.Fatal(status, err)
	}
	until(t, "the reply", func() bool { return len(s.twilio.Sent()) == 1 })
	_, messages := s.conversation(t)
	a := s.Want(t, 200, "GET", fmt.Sprintf("/messages/%v/attachments/0/", messages[0]["id"]), nil)
	if a.Body != "a picture" || a.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%q %v", a.Body, a.Header)
	}
}
