package local

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/platforms"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/channel/registry"
)

const mailPassword = "0123456789abcdef"

// A mailShop is a service with an agent that is connected to e-mail over a stand-in.
type mailShop struct {
	*apitest.Client
	mail    *platforms.MailServer
	agent   string
	inbound string // where the inbound service posts
	smtp    string // where mail is taken by SMTP
}

func openMailShop(t *testing.T) *mailShop {
	s := &mailShop{mail: platforms.NewMailServer(t)}
	service, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now, AllowHosts: "127.0.0.1",
		Platforms: registry.Addresses{SMTP: s.mail.URL}, SMTPListen: "127.0.0.1:0",
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Close)
	s.smtp = service.mail.address
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	s.Client = &apitest.Client{Base: server.URL + "/api/v1/", Key: Key}
	s.agent = s.Want(t, 201, "POST", "/agents/",
		map[string]any{"name": "Mia", "business_name": "Acme"}).Number("id")
	s.Want(t, 201, "POST", "/agents/"+s.agent+"/knowledge/", map[string]any{
		"title": "FAQ", "doc_type": "faq", "content": "Q: When are you open?\nA: We are open from 9 to 5.",
	})
	s.Want(t, 200, "POST", "/agents/"+s.agent+"/train/", nil)
	connected := s.Want(t, 201, "POST", "/agents/"+s.agent+"/channels/", map[string]any{
		"channel_type": "email", "config": map[string]any{
			"from": "hello@acme.example", "inbound_address": "desk@acme.example",
			"inbound_secret": mailPassword,
		},
	})
	s.inbound = connected.Text("inbound_url")
	if connected.Fields["live"] != true {
		t.Fatalf("%s", connected.Body)
	}
	return s
}

// post posts a raw mail and wants it to be taken.
func (s *mailShop) post(t *testing.T, lines ...string) {
	t.Helper()
	body := []byte(strings.Join(lines, "\r\n") + "\r\n")
	if status, err := platforms.PostMail(s.inbound, mailPassword, "message/rfc822", body); err != nil ||
		status != 200 {
		t.Fatalf("the post answered %d, %v", status, err)
	}
}

// sent waits for so many mails and returns the last.
func (s *mailShop) sent(t *testing.T, n int) platforms.Mail {
	t.Helper()
	until(t, fmt.Sprintf("mail %d", n), func() bool { return len(s.mail.Sent()) >= n })
	if got := len(s.mail.Sent()); got != n {
		t.Fatalf("%d mails were sent, want %d", got, n)
	}
	return s.mail.Sent()[n-1]
}

// conversations are the agent's, the newest first.
func (s *mailShop) conversations(t *testing.T) []map[string]any {
	t.Helper()
	return s.Want(t, 200, "GET", "/agents/"+s.agent+"/conversations/", nil).Results()
}

func (s *mailShop) messages(t *testing.T, talk map[string]any) []map[string]any {
	t.Helper()
	return s.Want(t, 200, "GET", fmt.Sprintf("/conversations/%v/messages/", talk["id"]), nil).Results()
}

const vouched = "Authentication-Results: mx.acme.example; dmarc=pass header.from=example.com"

// TestMailServerRefuses has the server refuse mail for a while and for good.
func TestMailServerRefuses(t *testing.T) {
	s := openMailShop(t)
	s.mail.Refuse(451)
	s.post(t, vouched, "From: ada@example.com", "Message-ID: <one@example.com>", "", "When are you open?")
	var talk map[string]any
	status := func() any {
		if talk == nil {
			if talks := s.conversations(t); len(talks) > 0 {
				talk = talks[0]
			}
			return nil
		}
		messages := s.messages(t, talk)
		return messages[len(messages)-1]["status"]
	}
	until(t, "the reply", func() bool { return status() == "queued" })
	s.mail.Refuse(550)
	a := s.Want(t, 502, "POST", fmt.Sprintf("/conversations/%v/reply/", talk["id"]),
		map[string]any{"message": "Hello"})
	if !strings.Contains(a.Text("detail"), "550") || status() != "failed" {
		t.Errorf("%s", a.Body)
	}
	s.mail.Refuse(0)
	s.Want(t, 201, "POST", fmt.Sprintf("/conversations/%v/reply/", talk["id"]),
		map[string]any{"message": "Hello"})
}

// TestMailWithFile has a file come with a mail, which the business fetches.
func TestMailWithFile(t *testing.T) {
	s := openMailShop(t)
	mail := []string{
		vouched, "From: ada@example.com", "Message-ID: <one@example.com>",
		"Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/plain", "",
		"When are you open?",
		"--b", `Content-Type: application/pdf; name="plan.pdf"`, "Content-Disposition: attachment",
		"Content-Transfer-Encoding: base64", "", base64.StdEncoding.EncodeToString(make([]byte, 800_000)),
		"--b--",
	}
	s.post(t, mail...)
	s.post(t, mail...)
	s.sent(t, 1)
	messages := s.messages(t, s.conversations(t)[0])
	if len(messages) != 2 || messages[0]["content"] != "[file] When are you open?" ||
		messages[0]["type"] != "file" {
		t.Fatalf("%v", messages)
	}
	path := fmt.Sprintf("/messages/%v/attachments/", messages[0]["id"])
	file := s.Want(t, 200, "GET", path+"0/", nil)
	if len(file.Body) != 800_000 || file.Header.Get("Content-Type") != "application/pdf" ||
		!strings.Contains(file.Header.Get("Content-Disposition"), "plan.pdf") {
		t.Errorf("%d bytes, %v", len(file.Body), file.Header)
	}
	s.WantError(t, 404, "not_found", "", "GET", path+"1/", nil)
}
