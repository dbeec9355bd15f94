package email

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/channel"
	"frontdesk/shared/secret"
)

// read parses a post and wants one update of it.
func read(t *testing.T, contentType, body string) channel.Update {
	t.Helper()
	r := channel.Request{Method: "POST", Header: http.Header{"Content-Type": {contentType}},
		Body: []byte(body)}
	updates, err := bySES("").Parse(connection, r)
	if err != nil || len(updates) != 1 {
		t.Fatalf("%v, %v", updates, err)
	}
	return updates[0]
}

func raw(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n" }

// TestRawMail reads mail of many shapes.
func TestRawMail(t *testing.T) {
	for name, test := range map[string]struct{ mail, want string }{
		"no MIME":         {raw("From: a@example.com", "", "Hello", "you"), "Hello\nyou"},
		"a mailbox line":  {raw("From a@example.com Mon Jun 1", "From: a@example.com", "", "Hi"), "Hi"},
		"a broken header": {raw("From: a@example.com", "nonsense", "X: y", "", "Hi"), "Hi"},
		"ISO-8859-1": {raw("From: a@example.com", "Content-Type: text/plain; charset=ISO-8859-1",
			"Content-Transfer-Encoding: quoted-printable", "", "Gr=FC=DFe aus =\r\nK=F6ln"),
			"Grüße aus Köln"},
		"Shift JIS": {raw("From: a@example.com", "Content-Type: text/plain; charset=Shift_JIS",
			"Content-Transfer-Encoding: base64", "", "iWOLxo6eitQ="), "営業時間"},
		"8 bits of no charset": {raw("From: a@example.com", "", "Caf\xe9"), "Café"},
		"an unknown charset": {raw("From: a@example.com", "Content-Type: text/plain; charset=x-none", "",
			"Hi"), "Hi"},
		"flowed": {raw("From: a@example.com", "Content-Type: text/plain; format=flowed", "",
			"One sentence ", "over two lines.", "", "> quoted ", "> text"), "One sentence over two lines."},
		"HTML alone": {raw("From: a@example.com", "Content-Type: text/html", "",
			"<style>p{}</style><p>Are you&nbsp;<b>open</b>?</p><ul><li>Monday</li></ul>",
			"<div class=gmail_quote>On Monday you wrote</div>"), "Are you open?\n\n- Monday"},
		"Outlook's HTML": {raw("From: a@example.com", "Content-Type: text/html", "",
			`<p>Thanks</p><div id="divRplyFwdMsg">From: b</div><p>old</p>`), "Thanks"},
		"alternatives in a mixture": {raw("From: a@example.com",
			"Content-Type: multipart/mixed; boundary=o", "",
			"--o", "Content-Type: multipart/alternative; boundary=i", "",
			"--i", "Content-Type: text/plain", "", "Plain", "--i", "Content-Type: text/html", "", "<p>HTML",
			"--i--",
			"--o--"), "Plain"},
		"an end too early": {raw("From: a@example.com", "Content-Type: multipart/mixed; boundary=o", "",
			"--o", "Content-Type: text/plain", "", "There"), "There"},
		"only a subject": {raw("From: a@example.com", "Subject: =?utf-8?b?w5ZmZm51bmc=?=?", "", ""),
			"Öffnung?"},
		"only a forward": {raw("From: a@example.com", "", "---------- Forwarded message ---------",
			"From: b", "Hi"),
			"---------- Forwarded message ---------\nFrom: b\nHi"},
	} {
		t.Run(name, func(t *testing.T) {
			if u := read(t, "message/rfc822", test.mail); u.Text != test.want {
				t.Errorf("%q, want %q", u.Text, test.want)
			}
		})
	}
}

// TestOwnWords leaves out what mail programs quote, in several languages.
func TestOwnWords(t *testing.T) {
	const own = "Yes, Friday at 9:30 is fine.\n\nSee you"
	for name, rest := range map[string]string{
		"Gmail": "On Mon, Jun 1, 2026 at 9:30 AM Acme <hello@acme.example> wrote:\n\n> Friday?",
		"Gmail, wrapped": "On Mon, Jun 1, 2026 at 9:30 AM Acme Front Desk\n<hello@acme.example> " +
			"wrote:\n> Friday?",
		"German":         "Am Mo., 1. Juni 2026 um 09:30 Uhr schrieb Acme <hello@acme.example>:\n> Freitag?",
		"Apple's German": "> Am 01.06.2026 um 09:30 schrieb Acme <hello@acme.example>:\n> \n> Freitag?",
		"Thunderbird":    "Am 01.06.26 um 09:30 schrieb Acme:\n> Freitag?",
		"French":         "Le lun. 1 juin 2026 à 09:30, Acme <hello@acme.example> a écrit :\n> Vendredi ?",
		"Spanish":        "El lun, 1 jun 2026 a las 9:30, Acme (<hello@acme.example>) escribió:\n> ¿Viernes?",
		"Italian": "Il giorno lun 1 giu 2026 alle ore 09:30 Acme <hello@acme.example> ha " +
			"scritto:\n> Venerdì?",
		"Dutch":    "Op ma 1 jun 2026 om 09:30 schreef Acme <hello@acme.example>:\n> Vrijdag?",
		"no marks": "On 1 Jun 2026, at 09:30, Acme <hello@acme.example> wrote:\n\nFriday?",
		"Outlook": "________________________________\nFrom: Acme <hello@acme.example>\nSent: " +
			"Monday\nTo: Ada\nSubject: x\n\nFriday?",
		"Outlook's German": "Von: Acme <hello@acme.example>\nGesendet: Montag, 1. Juni 2026 09:30\nAn: " +
			"Ada\nBetreff: x\n\nFreitag?",
		"original":       "-----Ursprüngliche Nachricht-----\nVon: Acme\n\nFreitag?",
		"a signature":    "-- \nAda Lovelace\n+44 20 7946 0000",
		"a phone":        "Sent from my iPhone\n\n> On 1 Jun 2026, at 09:30, Acme wrote:\n> Friday?",
		"a German phone": "Von meinem iPhone gesendet",
	} {
		if got := ownWords(own + "\n\n" + rest); got != own {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, text := range map[string]string{
		"a sentence":  "On Monday I wrote to you about 3 things:\n1. the bike\n2. the key",
		"From: alone": "From: here it is far\nTell me the way",
	} {
		if got := ownWords(text); got != text {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := ownWords("> Friday?\nYes\n> At nine?\nNo, at ten"); got != "Yes\nNo, at ten" {
		t.Errorf("between the lines: %q", got)
	}
}

func TestPostmark(t *testing.T) {
	u := read(t, "application/json",
		`{"From":"ada@example.com","FromFull":{"Email":"Ada@example.com","Name":"Ada, Countess"},
		"OriginalRecipient":"desk+x@acme.example","Subject":"Hours","MessageID":"73e6d360",
		"Date":"Mon, 1 Jun 2026 09:30:00 +0200",
		"TextBody":"Open?","Headers":[{"Name":"Message-ID","Value":"<one@example.com>"},
		{"Name":"Received-SPF","Value":"Pass (ok) identity=mailfrom; envelope-from=ada@mail.example.com;"},
		{"Name":"In-Reply-To","Value":"<zero@example.com>"}],
		"Attachments":[{"Name":"../a.pdf","Content":"aGk=","ContentType":"application/pdf",
		"ContentLength":2}]}`)
	want := channel.Update{
		Kind: channel.MessageUpdate, ID: "<one@example.com>", MessageID: "<one@example.com>",
		Type: channel.FileMessage,
		From: channel.Person{Address: "ada@example.com", Name: "Ada, Countess", Email: "ada@example.com"},
		At:   time.Date(2026, 6, 1, 7, 30, 0, 0, time.UTC), Text: "[file] Open?",
		Attachments: []channel.Attachment{{
			Type: channel.FileMessage, Name: "a.pdf", ContentType: "application/pdf", Size: 2,
			Content: []byte("hi"),
		}},
		Mail: &channel.Mail{Subject: "Hours", Parents: []string{"<zero@example.com>"}},
	}
	u.At = u.At.UTC()
	if diff := cmp.Diff(want, u); diff != "" {
		t.Error(diff)
	}
}

// multipartForm is a form as SendGrid posts it.
func multipartForm(t *testing.T, fields map[string]string) (contentType, body string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	file, err := w.CreateFormFile("attachment1", "photo.jpg")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(file, "jpeg")
	w.Close()
	return w.FormDataContentType(), b.String()
}

func TestSendGrid(t *testing.T) {
	fields := map[string]string{
		"headers": "Message-ID: <one@example.com>\nDate: Mon, 1 Jun 2026 09:30:00 " +
			"+0000\nAuto-Submitted: no\n",
		"from": "Ada Lovelace <ada@example.com>", "to": "desk@acme.example", "subject": "Öffnung",
		"text": "Gr\xfc\xdfe", "charsets": `{"text":"iso-8859-1","subject":"UTF-8"}`,
		"envelope": `{"to":["desk@acme.example"],"from":"ada@example.com"}`, "SPF": "fail",
		"dkim":        "{@example.com : pass}",
		"attachments": "1", "attachment-info": `{"attachment1":{"filename":"photo.jpg","type":"image/jpeg"}}`,
	}
	contentType, body := multipartForm(t, fields)
	u := read(t, contentType, body)
	if u.Text != "[file] Grüße" || u.From.Email != "ada@example.com" || u.From.Name != "Ada Lovelace" ||
		u.Silent ||
		u.MessageID != "<one@example.com>" || u.Mail.Subject != "Öffnung" || len(u.Attachments) != 1 ||
		u.Attachments[0].Name != "photo.jpg" {
		t.Errorf("%+v", u)
	}
	fields["dkim"] = "{@evil.example : pass}"
	contentType, body = multipartForm(t, fields)
	if u := read(t, contentType, body); u.From.Claimed != "ada@example.com" || u.From.Email != "" {
		t.Errorf("%+v", u.From)
	}
	delete(fields, "text")
	fields["email"] = raw("From: ada@example.com", "Message-ID: <two@example.com>", "", "Raw")
	fields["SPF"] = "pass"
	contentType, body = multipartForm(t, fields)
	if u := read(t, contentType, body); u.Text != "Raw" || u.From.Email != "ada@example.com" {
		t.Errorf("%+v", u)
	}
}

// TestMailgun reads a form, which is signed where the connection has the key.
func TestMailgun(t *testing.T) {
	c := connection
	c.Secrets = map[channel.Setting]secret.Plain{channel.InboundSecret: password,
		channel.SigningKey: "mailgun-key"}
	post := func(key string, at time.Time) (channel.Request, error) {
		stamp := fmt.Sprint(at.Unix())
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(stamp + "token"))
		form := url.Values{
			"sender": {"ada@example.com"}, "from": {"Ada <ada@example.com>"},
			"recipient": {"desk@acme.example"},
			"subject":   {"Hours"}, "body-plain": {"Open?"}, "Message-Id": {"<one@example.com>"},
			"message-headers": {`[["X-Mailgun-Spf","Pass"],["Received","by x"],["Subject","Hours"]]`},
			"timestamp":       {stamp}, "token": {"token"}, "signature": {hex.EncodeToString(mac.Sum(nil))},
		}
		r := channel.Request{Method: "POST", Header: http.Header{
			"Content-Type": {"application/x-www-form-urlencoded"},
		}, Body: []byte(form.Encode())}
		signedIn(&r)
		return r, bySES("").Verify(c, r)
	}
	r, err := post("mailgun-key", time.Now())
	if err != nil {
		t.Error(err)
	}
	updates, err := bySES("").Parse(c, r)
	if err != nil || len(updates) != 1 || updates[0].Text != "Open?" ||
		updates[0].From.Email != "ada@example.com" {
		t.Errorf("%+v, %v", updates, err)
	}
	for name, post := range map[string]func() (channel.Request, error){
		"another key": func() (channel.Request, error) { return post("another", time.Now()) },
		"an old post": func() (channel.Request, error) {
			return post("mailgun-key",
				time.Now().Add(-8*24*time.Hour))
		},
	} {
		if _, err := post(); !errors.Is(err, channel.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTrust says who is believed.
func TestTrust(t *testing.T) {
	for found, want := range map[string]bool{
		"mx.acme.example; dmarc=pass header.from=example.com":                                       true,
		"acme.example 1; dmarc=pass (p=none) header.from=Example.com":                               true,
		"mx.acme.example; dmarc=fail header.from=example.com; spf=pass smtp.mailfrom=a@example.com": false,
		"mx.acme.example; dmarc=pass header.from=evil.example":                                      false,
		"mx.acme.example; dkim=pass header.d=mail.example.com":                                      true,
		"mx.acme.example; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=a@evil.example":   false,
		"mx.acme.example; dkim=fail header.d=example.com":                                           false,
		"mx.evil.example; dmarc=pass header.from=example.com":                                       false,
		"evilacme.example; dmarc=pass header.from=example.com":                                      false,
		"mx.acme.example (dmarc=pass); none":                                                        false,
	} {
		u := read(t, "message/rfc822", raw("Authentication-Results: "+found, "From: ada@example.com", "",
			"Hi"))
		if (u.From.Email != "") != want || (u.From.Claimed == "") != want {
			t.Errorf("%s: %+v", found, u.From)
		}
	}
	if aligned("a.github.io", "b.github.io") || aligned("", "") || !aligned("a.example.co.uk",
		"example.co.uk") {
		t.Error("domains of one owner are told wrongly")
	}
}
