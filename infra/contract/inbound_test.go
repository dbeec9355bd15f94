package contract

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/platforms"
)

// TestInbound has Meta verify an agent's address and post a message there.
func TestInbound(t *testing.T) {
	t.Parallel()
	s := Open(t)
	w := s.fixture(t)
	inbound := w.path(t, "/inbound/{agent_id}/{channel_type}/")
	meta := s.Caller("")
	const query = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token="
	a := meta.Want(t, 200, "GET", inbound+query+"open+sesame", nil)
	if kind := a.Header.Get("Content-Type"); a.Body != "1158201444" || kind != "text/plain; charset=utf-8" {
		t.Errorf("%s %q", kind, a.Body)
	}
	meta.WantError(t, 403, "forbidden", "", "GET", inbound+query+"another", nil)
	meta.WantError(t, 403, "forbidden", "", "GET", strings.Replace(inbound, "whatsapp", "messenger", 1), nil)
	meta.WantError(t, 404, "not_found", "", "GET", strings.Replace(inbound, "whatsapp", "webchat", 1), nil)
	meta.WantError(t, 404, "not_found", "", "GET", strings.Replace(inbound, "whatsapp", "fax", 1), nil)

	post := func(secret, body string) {
		meta.Header = http.Header{"X-Hub-Signature-256": {platforms.SignGraph(secret, []byte(body))}}
	}
	message := string(platforms.WhatsAppText("106540352242922", "16505551234", "wamid.1", "Hi",
		time.Now().Unix()))
	post("another secret", message)
	meta.WantError(t, 403, "forbidden", "", "POST", inbound, message)
	for range 2 {
		post("hunter2", message)
		if a := meta.Want(t, 200, "POST", inbound, message); a.Body != "" {
			t.Errorf("%q", a.Body)
		}
	}
	post("hunter2", "[]")
	meta.WantError(t, 400, "bad_request", "", "POST", inbound, "[]")
	meta.WantError(t, 404, "not_found", "", "POST", strings.Replace(inbound, "whatsapp", "webchat", 1), "")
	if s.graph != nil { // containers take less than Meta may post
		meta.WantError(t, 413, "payload_too_large", "", "POST", inbound, strings.Repeat(" ", 3<<20+1))
	}

	talks := w.path(t, "/agents/{agent_id}/conversations/")
	talk := eventually(t, &w.Client.Client, talks, 1).Results()[0]
	if talk["channel"] != "whatsapp" || talk["contact_name"] != "Sheena Nelson" {
		t.Errorf("%v", talk)
	}
}

// TestInboundBytes has messages come by the other channels to an agent that answers nobody. Among them are a
// text in another encoding than UTF-8 and a file of every byte, which must pass what lies before the service.
func TestInboundBytes(t *testing.T) {
	t.Parallel()
	s := Open(t)
	w := s.fixture(t)
	w.Want(t, 200, "POST", w.path(t, "/agents/{agent_id}/pause/"), nil)
	const secret, account, page = "hunter2", "AC0123456789abcdef0123456789abcdef", "102290129340398"
	meta := map[string]any{"page_id": page, "access_token": "EAAG0bXk", "app_secret": secret}
	connect := func(channel string, config map[string]any) string {
		return w.Want(t, 201, "POST", w.path(t, "/agents/{agent_id}/channels/"), map[string]any{
			"channel_type": channel, "config": config,
		}).Text("inbound_url")
	}
	taken := func(channel string, status int, err error) {
		t.Helper()
		if err != nil || status != 200 {
			t.Errorf("%s: the post is answered %d, %v", channel, status, err)
		}
	}
	for channel, object := range map[string]string{"messenger": "page", "instagram": "instagram"} {
		body := platforms.MessagingEvent(object, page, "person", page,
			`{"mid":"m_1","text":"\u00c4pfel \ud83c\udf4e?"}`)
		status, err := platforms.PostGraph(connect(channel, meta), secret, body)
		taken(channel, status, err)
	}
	sms := connect("sms", map[string]any{
		"account_sid": account, "auth_token": secret, "from": "+12028831111",
	})
	status, answer, err := platforms.PostTwilio(sms, secret, url.Values{
		"AccountSid": {account}, "MessageSid": {"SM1"}, "SmsStatus": {"received"}, "From": {"+14133881111"},
		"To": {"+12028831111"}, "Body": {"Äpfel 🍎?"}, "NumMedia": {"0"}, "ToCity": {""},
	})
	taken("sms", status, err)
	if !strings.HasSuffix(answer, "<Response/>") {
		t.Errorf("Twilio is answered %q", answer)
	}
	status, _, err = platforms.PostTwilio(sms, secret, url.Values{
		"AccountSid": {account}, "MessageSid": {"SM2"}, "Body": {strings.Repeat("a", 64<<10)},
	})
	if err != nil || status != 413 {
		t.Errorf("a form of more than 64 KB is answered %d, %v", status, err)
	}

	const password = "0123456789abcdef"
	email := connect("email", map[string]any{
		"from": "hello@acme.example", "inbound_address": "desk@acme.example", "inbound_secret": password,
	})
	status, err = platforms.PostMail(email, password, "message/rfc822", []byte(
		"From: ada@example.com\r\nMessage-ID: <one@example.com>\r\n"+
			"Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"+
			"\xc4pfel?\r\n"))
	taken("raw mail", status, err)
	content := make([]byte, 256)
	for i := range content {
		content[i] = byte(i)
	}
	status, err = platforms.PostMail(email, password, "multipart/form-data; boundary=b", []byte(
		formOf("from", "Grace <grace@example.com>")+formOf("to", "desk@acme.example")+
			formOf("text", "Äpfel?")+formOf("envelope",
			`{"to":["desk@acme.example"],"from":"grace@example.com"}`)+
			"--b\r\nContent-Disposition: form-data; name=\"attachment1\"; filename=\"a.bin\"\r\n"+
			"Content-Type: application/octet-stream\r\n\r\n"+string(content)+"\r\n--b--\r\n"))
	taken("a form", status, err)

	talks := eventually(t, &w.Client.Client, w.path(t, "/agents/{agent_id}/conversations/"), 5).Results()
	said := map[string][]string{}
	for _, talk := range talks {
		message := w.Want(t, 200, "GET", fmt.Sprintf("/conversations/%v/messages/", talk["id"]),
			nil).Results()[0]
		channel := talk["channel"].(string)
		said[channel] = append(said[channel], message["content"].(string))
		if message["type"] == "file" {
			file := w.Want(t, 200, "GET", fmt.Sprintf("/messages/%v/attachments/0/", message["id"]), nil)
			if file.Body != string(content) {
				t.Errorf("the file is %q", file.Body)
			}
		}
	}
	slices.Sort(said["email"])
	want := map[string][]string{
		"messenger": {"Äpfel 🍎?"}, "instagram": {"Äpfel 🍎?"}, "sms": {"Äpfel 🍎?"},
		"email": {"[file] Äpfel?", "Äpfel?"},
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

// formOf is a field of a form whose boundary is b.
func formOf(name, value string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
}

// TestChecks asks WhatsApp about a channel.
func TestChecks(t *testing.T) {
	s := Open(t)
	graph := s.standIns.Graph
	w := s.fixture(t)
	channel := w.path(t, "/agents/{agent_id}/channels/{channel_type}/")
	status := func() any {
		t.Helper()
		return w.Want(t, 200, "GET", w.path(t, "/agents/{agent_id}/channels/"), nil).Results()[0]["status"]
	}
	failing := func() string {
		t.Helper()
		var names []string
		a := w.Want(t, 200, "POST", channel+"check/", nil)
		findings, _ := a.Fields["findings"].([]any)
		for _, f := range findings {
			if f := f.(map[string]any); f["ok"] != true {
				names = append(names, f["name"].(string))
			}
		}
		if a.Fields["ok"] != (len(names) == 0) || len(findings) == 0 {
			t.Errorf("%s", a.Body)
		}
		return strings.Join(names, " ")
	}
	if got := failing(); got != "webhook subscription" {
		t.Errorf("nothing is subscribed, and failing are %q", got)
	}
	list := w.Want(t, 200, "GET", w.path(t, "/agents/{agent_id}/channels/"), nil)
	graph.Call(text(list.Results()[0]["inbound_url"]))
	if got := failing(); got != "" {
		t.Errorf("failing: %q", got)
	}
	graph.Refuse("EAAG0bXk")
	if got := failing(); got != "credentials" || status() != "reconnect" {
		t.Errorf("failing: %q, %v", got, status())
	}
	w.WantError(t, 502, "server_error", "", "GET", channel+"templates/", nil)
	graph.Refuse("")
	if got := failing(); got != "" || status() != "connected" {
		t.Errorf("failing: %q, %v", got, status())
	}

	graph.Templates(strings.Fields(strings.Repeat("order_ready ", 401))...)
	a := w.Want(t, 200, "GET", channel+"templates/?page=9", nil)
	if a.Number("count") != "401" || len(a.Results()) != 1 || a.Text("previous") == "" ||
		a.Fields["next"] != nil {
		t.Errorf("%s", a.Body)
	}
	second := w.Want(t, 200, "GET", w.Want(t, 200, "GET", channel+"templates/", nil).Text("next"), nil)
	if len(second.Results()) != 50 || second.Results()[0]["body"] != "Hello {{1}}, your order is ready." {
		t.Errorf("%s", second.Body)
	}
	w.Want(t, 204, "DELETE", channel, nil)
	w.WantError(t, 404, "not_found", "", "POST", channel+"check/", nil)
	w.WantError(t, 404, "not_found", "", "POST", strings.Replace(channel, "whatsapp", "fax", 1)+"check/", nil)
	w.WantError(t, 404, "not_found", "", "GET", strings.Replace(channel, "whatsapp", "sms", 1)+"templates/",
		nil)
	w.WantError(t, 422, "unprocessable", "", "GET", channel+"templates/", nil)
}

// TestAttachments fetches a picture that a contact sent.
func TestAttachments(t *testing.T) {
	s := Open(t)
	graph := s.standIns.Graph
	w := s.fixture(t)
	inbound := w.path(t, "/inbound/{agent_id}/{channel_type}/")
	graph.Keep("1003383421387256", platforms.GraphFile{Type: "image/png", Content: []byte("\x89PNG")})
	text := string(platforms.WhatsAppText("106540352242922", "16505551234", "wamid.1", "Hi",
		time.Now().Unix()))
	picture := strings.Replace(text, `"type":"text"`, `"type":"image","image":{"caption":"Look",`+
		`"mime_type":"image/png","id":"1003383421387256"}`, 1)
	meta := s.Caller("")
	meta.Header = http.Header{"X-Hub-Signature-256": {platforms.SignGraph("hunter2", []byte(picture))}}
	meta.Want(t, 200, "POST", inbound, picture)
	talk := eventually(t, &w.Client.Client, w.path(t, "/agents/{agent_id}/conversations/"), 1).Results()[0]
	list := fmt.Sprintf("/conversations/%v/messages/", talk["id"])
	message := w.Want(t, 200, "GET", list, nil).Results()[0]
	attachments, _ := message["attachments"].([]any)
	if message["type"] != "image" || message["content"] != "[image] Look" || len(attachments) != 1 {
		t.Fatalf("%v", message)
	}
	file := fmt.Sprintf("/messages/%v/attachments/0/", message["id"])
	a := w.Want(t, 200, "GET", file, nil)
	if a.Body != "\x89PNG" || a.Header.Get("Content-Type") != "image/png" ||
		!strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%q %v", a.Body, a.Header)
	}
	for _, n := range []string{"1", "-1", "00", "x"} {
		path := strings.Replace(file, "/0/", "/"+n+"/", 1)
		w.WantError(t, 404, "not_found", "", "GET", path, nil)
	}
	s.fixture(t).WantError(t, 404, "not_found", "", "GET", file, nil)
	graph.Refuse("EAAG0bXk")
	w.WantError(t, 502, "server_error", "", "GET", file, nil)
	graph.Refuse("")
	w.Want(t, 204, "DELETE", w.path(t, "/agents/{agent_id}/channels/{channel_type}/"), nil)
	w.WantError(t, 422, "unprocessable", "", "GET", file, nil)
}
