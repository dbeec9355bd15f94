package email

import (
	"bytes"
	"io"
	"net/mail"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/channel"
)

// TestCompose writes mail whose parts try to add headers, and reads it.
func TestCompose(t *testing.T) {
	const evil = "x\r\nBcc: evil@example.com\r\n\r\nbody"
	m := channel.Message{
		Ref: channel.NewRef(5, 0), To: "ada@example.com",
		Text: "Grüße 👋\n\n<b>https://acme.example/a?b=1&c</b>.",
		Thread: &channel.Thread{
			Conversation: 9, Subject: evil, InReplyTo: "<a@b>\r\nBcc: evil@example.com",
			References: strings.Fields(strings.Repeat("<long.message.id.of.a.thread@mail.example.com> "+
				"<x>\r\nBcc: <z@e> ", 40)),
		},
	}
	from := mail.Address{Name: "Acme \"\r\nBcc: e@e", Address: "hello@acme.example"}
	data, id := compose(connection, from, m.To, m, time.Now())
	read, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if read.Header.Get("Bcc") != "" || read.Header.Get("Message-Id") != id || len(read.Header) != 12 {
		t.Errorf("%v", read.Header)
	}
	for line := range bytes.Lines(data) {
		if len(line) > 100 || !bytes.HasSuffix(line, []byte("\r\n")) {
			t.Errorf("%q", line)
		}
	}
	if refs := refsIn(connection, read.Header.Get("References")); len(refs) != 1 || refs[0] != m.Ref {
		t.Errorf("%v", refs)
	}
	l, err := readMIME(data)
	if err != nil || tidy(l.plain) != tidy(m.Text) {
		t.Fatalf("%q, %v", l.plain, err)
	}
	if !strings.Contains(l.html, `<a href="https://acme.example/a?b=1&amp;c">`) || strings.Contains(l.html,
		"<b>") {
		t.Errorf("%s", l.html)
	}
	if conversation, stop := l.thread(connection); conversation != 0 || stop {
		t.Error("the sender's own address names a conversation")
	}
	reply := letter{recipients: []string{strings.ToUpper(strings.Trim(read.Header.Get("Reply-To"), "<>"))}}
	if at := strings.LastIndexByte(reply.recipients[0], '<'); at >= 0 {
		reply.recipients[0] = reply.recipients[0][at+1:]
	}
	if conversation, _ := reply.thread(connection); conversation != 9 {
		t.Errorf("%v names %d", reply.recipients, conversation)
	}
	other := connection
	other.AgentID++
	if conversation, _ := reply.thread(other); conversation != 0 {
		t.Error("the token holds for another agent")
	}
	if _, err := io.ReadAll(read.Body); err != nil {
		t.Error(err)
	}
}

// TestUnprompted has a mail that answers nothing say how to get no more.
func TestUnprompted(t *testing.T) {
	m := channel.Message{Ref: "fd-5-0", Text: "Hello", Unprompted: true,
		Thread: &channel.Thread{Conversation: 9}}
	data, _ := compose(connection, mail.Address{Address: "hello@acme.example"}, "ada@example.com", m,
		time.Now())
	read, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	address, ok := strings.CutPrefix(read.Header.Get("List-Unsubscribe"), "<mailto:")
	address, _, _ = strings.Cut(address, "?")
	if read.Header.Get("Auto-Submitted") != "auto-generated" || !ok {
		t.Fatalf("%v", read.Header)
	}
	asks := letter{recipients: []string{address}}
	if conversation, stop := asks.thread(connection); conversation != 9 || !stop {
		t.Errorf("%s: %d, %v", address, conversation, stop)
	}
}
