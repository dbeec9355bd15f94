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

// TestEmail has a person ask by e-mail, get an answer in the thread, and answer that.
func TestEmail(t *testing.T) {
	s := openMailShop(t)
	question := []string{
		vouched, "From: Ada Lovelace <Ada@example.com>", "To: desk@acme.example",
		"Subject: =?utf-8?q?=C3=96ffnung?=",
		"Message-ID: <one@example.com>", "Date: " + time.Now().Format(time.RFC1123Z), "",
		"When are you open?", "", "On Mon, 1 Jun 2026 at 09:30, Acme <hello@acme.example> wrote:",
		"> Buy now!",
	}
	if status, err := platforms.PostMail(s.inbound, "another password", "message/rfc822", nil); err != nil ||
		status != 403 {
		t.Errorf("a wrong password answered %d, %v", status, err)
	}
	s.post(t, question...)
	s.post(t, question...) // the service repeats itself
	reply := s.sent(t, 1)
	for name, want := range map[string]string{
		"From": `"Acme" <hello@acme.example>`, "To": "<ada@example.com>", "Subject": "Re: Öffnung",
		"In-Reply-To": "<one@example.com>", "Auto-Submitted": "auto-replied",
	} {
		if got := reply.Header(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if text := reply.Part("text/plain"); !strings.Contains(text, "9 to 5") ||
		!strings.Contains(reply.Part("text/html"), "<p>") {
		t.Errorf("%s", reply.Raw)
	}
	if reply.Recipient != "ada@example.com" || !strings.HasPrefix(reply.Sender, "desk+") {
		t.Errorf("%+v", reply)
	}
	talks := s.conversations(t)
	if len(talks) != 1 || talks[0]["contact_name"] != "Ada Lovelace" {
		t.Fatalf("%v", talks)
	}
	messages := s.messages(t, talks[0])
	if len(messages) != 2 || messages[0]["subject"] != "Öffnung" ||
		messages[0]["content"] != "When are you open?" ||
		messages[1]["status"] != "sent" {
		t.Fatalf("%v", messages)
	}

	// An answer is told by its token alone, by its Message-ID alone, and goes on with the conversation.
	s.post(t, vouched, "From: ada@example.com", "To: "+reply.Header("Reply-To"),
		"Message-ID: <two@example.com>", "",
		"When are you open on Monday?")
	second := s.sent(t, 2)
	if second.Header("Subject") != "Re: Öffnung" ||
		!strings.Contains(second.Header("References"), "<one@example.com>") {
		t.Errorf("%s", second.Raw)
	}
	s.post(t, vouched, "From: ada@example.com", "To: hello@acme.example", "Message-ID: <three@example.com>",
		"In-Reply-To: "+second.Header("Message-Id"), "", "When are you open?")
	s.sent(t, 3)
	s.post(t, vouched, "From: ada@example.com", "To: hello@acme.example", "Message-ID: <four@example.com>",
		"References: <nobody@example.com> <three@example.com>", "", "When are you open?")
	s.sent(t, 4)
	if talks = s.conversations(t); len(talks) != 1 || len(s.messages(t, talks[0])) != 8 {
		t.Fatalf("%v", talks)
	}

	// Without any of them another begins, with the same contact.
	s.post(t, vouched, "From: ada@example.com", "Subject: Re: Öffnung", "Message-ID: <five@example.com>", "",
		"When are you open?")
	s.sent(t, 5)
	talks = s.conversations(t)
	if len(talks) != 2 || talks[0]["contact_id"] != talks[1]["contact_id"] {
		t.Fatalf("%v", talks)
	}

	// A person's reply is no automatic one.
	s.Want(t, 201, "POST", fmt.Sprintf("/conversations/%v/reply/", talks[0]["id"]),
		map[string]any{"message": "Ada, this is Grace."})
	if by := s.sent(t, 6); by.Header("Auto-Submitted") != "" ||
		by.Header("In-Reply-To") != "<five@example.com>" {
		t.Errorf("%s", by.Raw)
	}
}

// TestForgedMail has somebody write under another's address.
func TestForgedMail(t *testing.T) {
	s := openMailShop(t)
	s.post(t, vouched, "From: ada@example.com", "Message-ID: <one@example.com>", "", "When are you open?")
	reply := s.sent(t, 1)
	forged := func(id string, more ...string) {
		s.post(t, append(append([]string{
			"Authentication-Results: mx.acme.example; dmarc=fail header.from=example.com",
			"Authentication-Results: mx.acme.example; dmarc=pass header.from=example.com",
			"From: ada@example.com", "To: " + reply.Header("Reply-To"), "Message-ID: " + id,
		}, more...), "", "When are you open?")...)
	}
	forged("<two@evil.example>", "In-Reply-To: "+reply.Header("Message-Id"))
	claimed := s.sent(t, 2)
	if claimed.Recipient != "ada@example.com" {
		t.Errorf("%+v", claimed)
	}
	talks := s.conversations(t)
	if len(talks) != 2 || talks[0]["contact_id"] == talks[1]["contact_id"] {
		t.Fatalf("a forged mail leads to the contact: %v", talks)
	}
	contact := s.Want(t, 200, "GET", fmt.Sprintf("/contacts/%v/", talks[0]["contact_id"]), nil)
	if contact.Text("identity") != "claimed" || contact.Text("email") != "" {
		t.Errorf("%s", contact.Body)
	}
	forged("<three@evil.example>", "In-Reply-To: "+claimed.Header("Message-Id"))
	s.sent(t, 3)
	forged("<four@evil.example>")
	s.sent(t, 4)
	if talks = s.conversations(t); len(talks) != 3 || talks[0]["contact_id"] == talks[1]["contact_id"] {
		t.Errorf("%v", talks)
	}
}

// TestMachinesAreNotAnswered has machines write.
func TestMachinesAreNotAnswered(t *testing.T) {
	s := openMailShop(t)
	for i, more := range []string{
		"Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <list.example.com>", "Return-Path: <>",
	} {
		s.post(t, vouched, "From: ada@example.com", more, fmt.Sprintf("Message-ID: <%d@example.com>", i), "",
			"When are you open?")
	}
	until(t, "the messages", func() bool { return len(s.conversations(t)) == 4 })
	s.post(t, vouched, "From: grace@example.com", "Auto-Submitted: no", "Message-ID: <person@example.com>",
		"", "When are you open?")
	if reply := s.sent(t, 1); reply.Recipient != "grace@example.com" {
		t.Fatalf("%+v", reply)
	}
	// What cannot be delivered is told by a report, which names the message.
	refused := s.mail.Sent()[0]
	s.post(t, "From: MAILER-DAEMON@mx.example.com", "To: "+refused.Sender, "Message-ID: <dsn@mx.example.com>",
		"Content-Type: multipart/report; report-type=delivery-status; boundary=b", "",
		"--b", "Content-Type: text/plain", "", "Sorry.",
		"--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example.com", "",
		"Final-Recipient: rfc822; grace@example.com", "Action: failed", "Status: 5.1.1",
		"Diagnostic-Code: smtp; 550 5.1.1 No such user",
		"--b", "Content-Type: message/rfc822", "", refused.Raw, "--b--")
	talk := s.conversations(t)[0]
	until(t, "the failure", func() bool { return s.messages(t, talk)[1]["status"] == "failed" })
	detail := s.messages(t, talk)[1]["status_detail"]
	contact := s.Want(t, 200, "GET", fmt.Sprintf("/contacts/%v/", talk["contact_id"]), nil)
	if !strings.Contains(fmt.Sprint(detail), "No such user") || contact.Fields["opted_in"] != false {
		t.Errorf("%v, %s", detail, contact.Body)
	}
}

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
