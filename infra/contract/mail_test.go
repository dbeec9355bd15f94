package contract

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/platforms"
)

// A mailbox is a business with its e-mail channel, and what the host of its address found about the mail of
// people at example.com.
type mailbox struct {
	*business
	platforms.Platform
	vouched, denied string // findings as header fields
}

func openMailbox(t *testing.T) mailbox {
	t.Helper()
	w := Open(t).business(t, nil)
	p := w.platform("email")
	_, host, _ := strings.Cut(p.Config["inbound_address"], "@")
	found := "Authentication-Results: mx." + host + "; dmarc=%s header.from=example.com"
	return mailbox{w, p, fmt.Sprintf(found, "pass"), fmt.Sprintf(found, "fail")}
}

// bring posts a raw mail, a line each, and wants it to be taken.
func (b mailbox) bring(t *testing.T, lines ...string) {
	t.Helper()
	body := []byte(strings.Join(lines, "\r\n") + "\r\n")
	status, err := platforms.PostMail(b.inbound["email"], b.Secret, "message/rfc822", body)
	if err != nil || status != 200 {
		t.Fatalf("the mail is answered %d, %v", status, err)
	}
}

// ask brings a mail of Ada's that asks when the business is open, with further header fields.
func (b mailbox) ask(t *testing.T, id string, more ...string) {
	t.Helper()
	b.bring(t, append(append([]string{b.vouched, "From: Ada Lovelace <Ada@example.com>", "Message-ID: " + id},
		more...), "", hours)...)
}

// reply waits for the nth mail.
func (b mailbox) reply(t *testing.T, n int) platforms.Mail {
	t.Helper()
	return b.sent(t, b.Platform, n).Mail
}

// TestMailThreads has a person ask by e-mail, get an answer in the thread, and answer that: by the token in
// the address, by In-Reply-To and by References, each alone.
func TestMailThreads(t *testing.T) {
	t.Parallel()
	b := openMailbox(t)
	b.bring(t, b.vouched, "From: Ada Lovelace <Ada@example.com>", "To: "+b.Config["inbound_address"],
		"Subject: =?utf-8?q?=C3=96ffnung?=", "Message-ID: <one@example.com>", "", hours, "",
		"On Mon, 1 Jun 2026 at 09:30, Acme <hello@acme.example> wrote:", "> Buy now!")
	reply := b.reply(t, 1)
	for name, want := range map[string]string{
		"From": fmt.Sprintf(`"Acme" <%s>`, b.Config["from"]), "To": "<ada@example.com>",
		"Subject": "Re: Öffnung", "In-Reply-To": "<one@example.com>", "Auto-Submitted": "auto-replied",
		"X-Auto-Response-Suppress": "All",
	} {
		if got := reply.Header(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(reply.Part("text/plain"), hoursAnswer) ||
		!strings.Contains(reply.Part("text/html"), "<p>") {
		t.Errorf("%s", reply.Raw)
	}
	asked := b.stored(t, "email", 2)[0]
	if asked["subject"] != "Öffnung" || asked["content"] != hours {
		t.Errorf("%v", asked)
	}

	b.ask(t, "<two@example.com>", "To: "+reply.Header("Reply-To"))
	second := b.reply(t, 2)
	if second.Header("Subject") != "Re: Öffnung" ||
		!strings.Contains(second.Header("References"), "<one@example.com>") {
		t.Errorf("%s", second.Raw)
	}
	b.ask(t, "<three@example.com>", "In-Reply-To: "+second.Header("Message-Id"))
	b.reply(t, 3)
	b.ask(t, "<four@example.com>", "References: <nobody@example.com> <three@example.com>")
	b.reply(t, 4)
	talks := b.talks(t, "email")
	if len(talks) != 1 || talks[0]["contact_name"] != "Ada Lovelace" || len(b.stored(t, "email", 8)) != 8 {
		t.Fatalf("%v", talks)
	}

	// The same subject alone begins another conversation, with the same contact.
	b.ask(t, "<five@example.com>", "Subject: Re: =?utf-8?q?=C3=96ffnung?=")
	b.reply(t, 5)
	talks = b.talks(t, "email")
	if len(talks) != 2 || talks[0]["contact_id"] != talks[1]["contact_id"] {
		t.Fatalf("%v", talks)
	}

	// A person's reply is no automatic one.
	b.Want(t, 201, "POST", fmt.Sprintf("/conversations/%v/reply/", talks[0]["id"]),
		map[string]any{"message": "Ada, this is Grace."})
	if by := b.reply(t, 6); by.Header("Auto-Submitted") != "" ||
		by.Header("In-Reply-To") != "<five@example.com>" {
		t.Errorf("%s", by.Raw)
	}
}

// TestWhoIsBelieved has somebody write under another's address, with the thread's token and Message-IDs: a
// claim that leads to no contact and no conversation of the other.
func TestWhoIsBelieved(t *testing.T) {
	t.Parallel()
	b := openMailbox(t)
	b.ask(t, "<one@example.com>")
	reply := b.reply(t, 1)
	owner := b.Want(t, 200, "GET", contactOf(b.talks(t, "email")[0]), nil)
	if owner.Text("identity") != "verified" || owner.Text("email") != "ada@example.com" {
		t.Errorf("%s", owner.Body)
	}
	forge := func(id string, more ...string) {
		t.Helper()
		// The field that the forger wrote stands below that of the host.
		b.bring(t, append(append([]string{b.denied, b.vouched, "From: ada@example.com", "Message-ID: " + id},
			more...), "", hours)...)
	}
	forge("<two@evil.example>", "To: "+reply.Header("Reply-To"), "In-Reply-To: "+reply.Header("Message-Id"))
	claimed := b.reply(t, 2)
	if claimed.Recipient != "ada@example.com" {
		t.Errorf("%+v", claimed)
	}
	talks := b.talks(t, "email")
	if len(talks) != 2 || talks[0]["contact_id"] == talks[1]["contact_id"] {
		t.Fatalf("a forged mail leads to the contact: %v", talks)
	}
	c := b.Want(t, 200, "GET", contactOf(talks[0]), nil)
	if c.Text("identity") != "claimed" || c.Text("email") != "" ||
		!strings.Contains(c.Body, `"email":"ada@example.com"`) { // in claimed alone
		t.Errorf("%s", c.Body)
	}
	forge("<three@evil.example>", "In-Reply-To: "+claimed.Header("Message-Id"))
	b.reply(t, 3) // goes on with its own thread
	forge("<four@evil.example>")
	b.reply(t, 4)
	if talks = b.talks(t, "email"); len(talks) != 3 || talks[0]["contact_id"] == talks[1]["contact_id"] {
		t.Errorf("%v", talks)
	}
	// Whom no field vouches for, or that of another host, is not believed either.
	for n, field := range []string{
		"X-Nothing: 1", strings.Replace(b.vouched, ";", ".evil.example;", 1),
		"Authentication-Results: mx.evil.example; dmarc=pass header.from=example.com",
	} {
		b.bring(t, field, "From: ada@example.com", fmt.Sprintf("Message-ID: <unknown%d@example.com>", n), "",
			hours)
		b.reply(t, 5+n)
		c := b.Want(t, 200, "GET", contactOf(b.talks(t, "email")[0]), nil)
		if c.Text("identity") != "claimed" {
			t.Errorf("%s: %s", field, c.Body)
		}
	}
}

// TestMailLoops has machines write: what they send is stored and not answered.
func TestMailLoops(t *testing.T) {
	t.Parallel()
	b := openMailbox(t)
	machines := [][2]string{
		{"ada@example.com", "Auto-Submitted: auto-replied"},
		{"ada@example.com", "Auto-Submitted: auto-generated"},
		{"ada@example.com", "Precedence: bulk"}, {"ada@example.com", "Precedence: list"},
		{"ada@example.com", "Precedence: junk"}, {"ada@example.com", "Precedence: auto_reply"},
		{"ada@example.com", "List-Id: <list.example.com>"}, {"ada@example.com", "X-Autoreply: yes"},
		{"ada@example.com", "Return-Path: <>"}, {"no-reply@example.com", "X-Nothing: 1"},
		{"MAILER-DAEMON@example.com", "X-Nothing: 1"}, {b.Config["from"], "X-Nothing: 1"},
		{b.Config["inbound_address"], "X-Nothing: 1"},
	}
	for i, m := range machines {
		b.bring(t, b.vouched, "From: "+m[0], m[1], fmt.Sprintf("Message-ID: <%d@example.com>", i), "", hours)
	}
	until(t, "all messages", func() bool { return len(b.talks(t, "email")) == len(machines) })
	b.bring(t, b.vouched, "From: grace@example.com", "Auto-Submitted: no", "Message-ID: <person@example.com>",
		"", hours)
	if reply := b.reply(t, 1); reply.Recipient != "grace@example.com" {
		t.Fatalf("%+v", reply)
	}
}

// TestManyMails has an address write more in an hour than a person does: what is too much is stored and not
// answered, so that two machines that say nothing of it do not write to each other for ever.
func TestManyMails(t *testing.T) {
	t.Parallel()
	b := openMailbox(t)
	const answered, all = 20, 23
	if left := time.Until(time.Now().Truncate(time.Hour).Add(time.Hour)); left < time.Minute {
		time.Sleep(left) // the hour is the clock's
	}
	b.ask(t, "<0@example.com>")
	reply := b.reply(t, 1)
	for n := 1; n < all; n++ {
		b.ask(t, fmt.Sprintf("<%d@example.com>", n), "To: "+reply.Header("Reply-To"))
	}
	until(t, "all messages", func() bool {
		inbound := slices.DeleteFunc(b.messages(t, "email"), func(m map[string]any) bool {
			return m["direction"] != "inbound"
		})
		return len(inbound) == all
	})
	time.Sleep(settle)
	b.reply(t, answered)
}

// dsn is a report that a mail could not be delivered, as mail servers write it, with the mail that it is
// about.
func dsn(of platforms.Mail, action, status, diagnostic string) []string {
	return []string{
		"Content-Type: multipart/report; report-type=delivery-status; boundary=b", "",
		"--b", "Content-Type: text/plain", "", "Sorry.",
		"--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example.com", "",
		"Final-Recipient: rfc822; " + of.Recipient, "Action: " + action, "Status: " + status,
		"Diagnostic-Code: smtp; " + diagnostic,
		"--b", "Content-Type: message/rfc822", "", of.Raw, "--b--",
	}
}

// TestReturnedMail has mail come back: who has no such address, complains, or writes to the address that ends
// messages, gets none any more. A report about mail that was not sent from here changes nothing.
func TestReturnedMail(t *testing.T) {
	t.Parallel()
	b := openMailbox(t)
	daemon := func(to platforms.Mail, id string, lines ...string) {
		t.Helper()
		b.bring(t, append([]string{
			"From: MAILER-DAEMON@mx.example.com", "To: " + to.Sender,
			"Message-ID: <" + id + "@mx.example.com>",
		}, lines...)...)
	}
	people := 0
	write := func(name string) (platforms.Mail, func() (status, detail string, optedIn any)) {
		t.Helper()
		people++
		b.bring(t, b.vouched, "From: "+name+"@example.com", "Message-ID: <"+name+"@example.com>", "", hours)
		reply, talk := b.reply(t, people), b.talks(t, "email")[0]
		b.status(t, "email", 1, "sent")
		return reply, func() (string, string, any) {
			list := fmt.Sprintf("/conversations/%v/messages/", talk["id"])
			m := b.Want(t, 200, "GET", list, nil).Results()[1]
			return text(m["status"]), text(m["status_detail"]),
				b.Want(t, 200, "GET", contactOf(talk), nil).Fields["opted_in"]
		}
	}

	gone, state := write("gone")
	daemon(gone, "1", dsn(gone, "failed", "5.1.1", "550 5.1.1 No such user")...)
	until(t, "the opt-out of who is gone", func() bool {
		status, detail, optedIn := state()
		return status == "failed" && strings.Contains(detail, "No such user") && optedIn == false
	})

	full, state := write("full")
	daemon(full, "2", dsn(full, "delayed", "4.2.2", "452 4.2.2 Mailbox full")...)
	forged := full
	forged.Raw = strings.NewReplacer("fd-", "fd-9").Replace(forged.Raw)
	daemon(full, "3", dsn(forged, "failed", "5.1.1", "550 5.1.1 No such user")...)
	time.Sleep(settle)
	if status, _, optedIn := state(); status != "sent" || optedIn != true {
		t.Errorf("after reports that say nothing: %s, %v", status, optedIn)
	}
	daemon(full, "4", dsn(full, "failed", "5.2.2", "552 5.2.2 Mailbox full")...)
	until(t, "the failure", func() bool { status, _, _ := state(); return status == "failed" })
	if _, detail, optedIn := state(); optedIn != true || !strings.Contains(detail, "Mailbox full") {
		t.Errorf("whose mailbox is full: %q, %v", detail, optedIn)
	}

	angry, state := write("angry")
	daemon(angry, "5", "Content-Type: multipart/report; report-type=feedback-report; boundary=b", "",
		"--b", "Content-Type: text/plain", "", "This is an abuse report.",
		"--b", "Content-Type: message/feedback-report", "", "Feedback-Type: abuse", "Version: 1",
		"--b", "Content-Type: message/rfc822", "", angry.Raw, "--b--")
	optedOut := func() bool { _, _, optedIn := state(); return optedIn == false }
	until(t, "the opt-out of who complains", optedOut)

	quiet, state := write("quiet")
	local, host, _ := strings.Cut(strings.Trim(quiet.Header("Reply-To"), "<>"), "@")
	base, token, _ := strings.Cut(local, "+")
	b.bring(t, b.vouched, "From: quiet@example.com", "To: "+base+"+stop-"+token+"@"+host,
		"Message-ID: <stop@example.com>", "", "unsubscribe")
	until(t, "the opt-out by the address", optedOut)
	b.reply(t, people) // nothing of all that was answered
}

// TestMailServices has mail come in the forms of Postmark and of Mailgun, which signs them.
func TestMailServices(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	p := w.platform("email")
	inbound, to := w.inbound["email"], p.Config["inbound_address"]
	postmark := fmt.Appendf(nil, `{"From":"ada@example.com","FromFull":{"Email":"ada@example.com","Name":"Ada"},`+
		`"OriginalRecipient":%q,"Subject":"Hours","MessageID":"73e6d360","TextBody":%q,"Headers":[`+
		`{"Name":"Message-ID","Value":"<one@example.com>"},`+
		`{"Name":"Received-SPF","Value":"Pass (ok) identity=mailfrom; envelope-from=ada@example.com;"}]}`, to, hours)
	if status, err := platforms.PostMail(inbound, "another password", "application/json",
		postmark); err != nil ||
		status != 403 {
		t.Errorf("a wrong password is answered %d, %v", status, err)
	}
	if status, err := platforms.PostMail(inbound, p.Secret, "application/json", postmark); err != nil ||
		status != 200 {
		t.Fatalf("Postmark is answered %d, %v", status, err)
	}
	if reply := w.sent(t, p, 1); reply.Person != "ada@example.com" ||
		reply.Mail.Header("Subject") != "Re: Hours" {
		t.Errorf("%+v", reply)
	}
	if messages := w.messages(t, "email"); messages[0]["subject"] != "Hours" {
		t.Errorf("%v", messages)
	}

	signed := map[string]string{"signing_key": "mailgun-key"}
	for name, value := range p.Config {
		signed[name] = value
	}
	w.connect(t, "email", signed)
	mailgun := func(key string, at time.Time) int {
		stamp := fmt.Sprint(at.Unix())
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(stamp + "token"))
		form := url.Values{
			"sender": {"grace@example.com"}, "from": {"Grace <grace@example.com>"}, "recipient": {to},
			"subject": {"Hours"}, "body-plain": {hours}, "Message-Id": {"<two@example.com>"},
			"message-headers": {`[["X-Mailgun-Spf","Pass"]]`},
			"timestamp":       {stamp}, "token": {"token"}, "signature": {hex.EncodeToString(mac.Sum(nil))},
		}
		status, err := platforms.PostMail(inbound, p.Secret, "application/x-www-form-urlencoded",
			[]byte(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	if got := mailgun("another", time.Now()); got != 403 {
		t.Errorf("another key is answered %d", got)
	}
	if got := mailgun("mailgun-key", time.Now().AddDate(0, 0, -9)); got != 403 {
		t.Errorf("an old post is answered %d", got)
	}
	if got := mailgun("mailgun-key", time.Now()); got != 200 {
		t.Fatalf("Mailgun is answered %d", got)
	}
	if reply := w.sent(t, p, 2); reply.Person != "grace@example.com" {
		t.Errorf("%+v", reply)
	}
}
