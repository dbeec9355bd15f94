package whatsapp_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/channeltest"
	"frontdesk/shared/channel/whatsapp"
	"frontdesk/shared/secret"
)

// TestProvider runs the suite of all providers.
func TestProvider(t *testing.T) {
	const app = "wa-app-secret"
	of := func(number, value string) string {
		return `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{` +
			`"metadata":{"phone_number_id":"` + number + `"},` + value + `}}]}]}`
	}
	const text = `{"from":"16505551234","id":"wamid.1","timestamp":"1749416383","type":"text","text":{"body":"Hi"}}`
	channeltest.Run(t, channeltest.Subject{
		New: func(address string) channel.Provider { return whatsapp.New(address) },
		Connection: channel.Connection{
			AccountID: 7, AgentID: 8, URL: "https://desk.example/api/v1/inbound/8/whatsapp/",
			Texts: map[channel.Setting]string{channel.PhoneNumberID: "106540352242922"},
			Secrets: map[channel.Setting]secret.Plain{
				channel.AccessToken: "wa-access-token", channel.AppSecret: app,
				channel.VerifyToken: "wa-verify-token",
			},
		},
		Credential: channel.AccessToken,
		Sign: func(r *channel.Request) {
			mac := hmac.New(sha256.New, []byte(app))
			mac.Write(r.Body)
			r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
		},
		Batch: of("106540352242922", `"messages":[`+text+`,{"from":"16505551234","id":"wamid.2","timestamp":"1749416384",`+
			`"type":"holograph"}],"statuses":[{"id":"wamid.9","status":"read","timestamp":"1","recipient_id":"16505551234"}]`),
		IDs: []string{"wamid.1", "wamid.2", "wamid.9:read"},
		Unknown: []string{
			of("5", `"messages":[`+text+`]`),
			of("106540352242922", `"statuses":[{"id":"wamid.9","status":"warmed","recipient_id":"1"}]`),
			of("106540352242922", `"errors":[{"code":130429}]`),
			of("106540352242922", `"messages":[{"from":"1","id":"wamid.3","group_id":"5","type":"text","text":{"body":"x"}}]`),
			`{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"account_update","value":{"event":"X"}}]}]}`,
		},
		Refusals: []channeltest.Refusal{
			channeltest.Refuse("a closed window", 400, `{"error":{"message":"%s","code":131047}}`,
				channel.WindowClosed),
			channeltest.Refuse("an expired token", 401, `{"error":{"message":"%s","code":190}}`,
				channel.Reconnect),
			channeltest.Refuse("too many messages", 400, `{"error":{"message":"%s","code":130429}}`,
				channel.Transient),
			channeltest.Refuse("not on WhatsApp", 400, `{"error":{"message":"%s","code":131026}}`,
				channel.Rejected),
		},
	})
}
