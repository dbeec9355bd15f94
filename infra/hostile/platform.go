package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Secrets that the posts to the channels of every shop are signed with.
const (
	appSecret     = "0123456789abcdef0123456789abcdef"
	inboundSecret = "0123456789abcdef"
)

// post returns a random request to a webhook address of a channel. Half of those for WhatsApp and e-mail have
// valid signatures, so that their content is read.
func (m *maker) post() request {
	s := one(m, append(m.agents, m.deleted)...)
	channel := one(m, "whatsapp", "whatsapp", "email", "email", "messenger", "instagram", "sms", "webchat",
		"%00")
	r := request{method: "POST", header: http.Header{}}
	r.path = "inbound/" + one(m, s.id, s.id, s.id, "1", "-1", "x") + "/" + channel + "/"
	var body string
	switch channel {
	case "email":
		body = m.mail()
		secret := one(m, inboundSecret, inboundSecret+"x")
		r.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("x:"+secret)))
		r.header.Set("Content-Type", one(m, "message/rfc822", "application/json", "multipart/form-data",
			"application/x-www-form-urlencoded"))
	default:
		body = m.update()
		mac := hmac.New(sha256.New, []byte(one(m, appSecret, "another")))
		mac.Write([]byte(body))
		r.header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	r.body = body
	if m.IntN(8) == 0 {
		r.method, r.body = "GET", nil
		r.path += "?" + url.Values{"hub.mode": {"subscribe"}, "hub.challenge": {m.text()},
			"hub.verify_token": {m.text()}}.Encode()
	}
	return r
}

// update returns a message as Meta posts it, with values of wrong types and odd texts in it.
func (m *maker) update() string {
	value := func(usual any) any {
		if m.IntN(5) > 0 {
			return usual
		}
		return one[any](m, nil, -1, 1e308, true, "", m.text(), []any{nil}, map[string]any{"a": nil})
	}
	message := map[string]any{
		"id": value("wamid." + m.text()), "from": value(one(m, "14155550100", m.text())),
		"timestamp": value(one(m, "1772000000", "-1", "99999999999999999999")),
		"type":      value(one(m, "text", "image", "reaction", "button", "interactive", "unknown", m.text())),
		"text":      value(map[string]any{"body": value(m.text())}),
		"image":     value(map[string]any{"id": value("1"), "caption": value(m.text())}),
		"context":   value(map[string]any{"id": value("wamid.x")}),
	}
	entry := map[string]any{"id": value("1"), "changes": value([]any{map[string]any{
		"field": value("messages"), "value": value(map[string]any{
			"messaging_product": "whatsapp", "metadata": value(map[string]any{"phone_number_id": "1060"}),
			"contacts": value([]any{map[string]any{"wa_id": value("14155550100"),
				"profile": value(map[string]any{"name": value(m.text())})}}),
			"messages": value([]any{value(message)}),
			"statuses": value([]any{value(map[string]any{"id": value("wamid.x"), "status": value("read")})}),
		})}})}
	text, err := json.Marshal(map[string]any{"object": value("whatsapp_business_account"),
		"entry": value([]any{entry})})
	if err != nil {
		panic(err) // of texts and numbers alone
	}
	if m.IntN(10) == 0 {
		text = text[:m.IntN(len(text))]
	}
	return string(text)
}

// mail returns a mail with odd texts in it.
func (m *maker) mail() string {
	text := m.text()
	switch m.IntN(4) {
	case 0: // a multipart body within itself
		text = strings.Repeat("--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n", m.IntN(200))
	case 1:
		text = "<!doctype html>" + strings.Repeat(one(m, "<div>", "<b>", "<table><tr><td>", "<p>&amp;"),
			m.IntN(20_000)) + text
	}
	kind := one(m, "text/plain; charset=utf-8", "text/html; charset=shift_jis", "text/html",
		"multipart/alternative; boundary=b", "message/rfc822", m.text())
	return fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: %s\r\nDate: %s\r\n"+
		"Content-Type: %s\r\nContent-Transfer-Encoding: %s\r\n\r\n%s",
		one(m, "Ada <ada@example.com>", m.text()), one(m, "desk@in.acme.example", m.text()), m.text(),
		one(m, "<1@example.com>", m.text()), one(m, "Mon, 2 Mar 2026 10:00:00 +0000", m.text()), kind,
		one(m, "8bit", "base64", "quoted-printable", m.text()), text)
}
