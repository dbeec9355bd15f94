package interop

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/infra/platforms"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/email"
	"frontdesk/shared/cloud/object"
	"frontdesk/shared/secret"
)

var mailConnection = channel.Connection{
	AccountID: 7, AgentID: 8, URL: "https://desk.example/api/v1/inbound/8/email/",
	Texts: map[channel.Setting]string{
		channel.From: "hello@acme.example", channel.InboundAddress: "desk@acme.example",
	},
	Secrets: map[channel.Setting]secret.Plain{channel.InboundSecret: "0123456789abcdef"},
}

// A readMail is one as mailparser reads it.
type readMail struct {
	From, To, ReplyTo struct{ Name, Address string }
	Subject           string
	Text              string
	HTML              string
	MessageID         string
	InReplyTo         string
	References        []string
	Attachments       []readFile
}

// A readFile is one that came with a mail.
type readFile struct {
	Name, Type string
	Content    []byte
}

// TestNodemailerWrites has nodemailer write mails of many kinds, as people's programs do, and compares what
// mailparser reads of them with what we read.
func TestNodemailerWrites(t *testing.T) {
	mailer := node(t)
	const text = "Hello,\n\nwhen are you open?\nÄpfel, 漢字 und 🙂 = 100 %.\n.\nFrom me"
	type fields = map[string]any
	const invitation = "BEGIN:VCALENDAR\r\nEND:VCALENDAR"
	file := fields{"filename": "plan.pdf", "content": "%PDF-1.4 and more", "contentType": "application/pdf"}
	named := fields{"filename": "Grundriß – 漢字 🙂 (1).pdf", "content": "x"}
	picture := fields{"filename": "a.png", "cid": "one", "content": "x"}
	for name, mail := range map[string]fields{
		"plain":  {"text": text},
		"base64": {"text": text, "textEncoding": "base64"},
		"both":   {"text": text, "html": "<p>Hello,</p><p>when are you open?</p>"},
		"HTML alone": {
			"html": "<p>Hello,</p><p>when are <b>you</b> open? Äpfel &amp; 漢字</p><script>x()</script>",
		},
		"with a file":      {"text": text, "attachments": []any{file}},
		"a file's name":    {"text": text, "attachments": []any{named}},
		"several files":    {"text": text, "html": "<p>x</p>", "attachments": []any{file, file}},
		"a file alone":     {"attachments": []any{file}},
		"a picture inside": {"html": `<p>Look <img src="cid:one"></p>`, "attachments": []any{picture}},
		"an invitation":    {"text": text, "icalEvent": fields{"method": "REQUEST", "content": invitation}},
		"a long line":      {"text": strings.Repeat("word ", 600)},
		"a long subject":   {"text": text, "subject": strings.Repeat("Öffnung am Sonntag, ", 8) + "bitte"},
		"an odd subject":   {"text": text, "subject": "  =?utf-8?q?not_encoded?= \t 漢字 "},
		"no subject":       {"text": text, "subject": ""},
		"a sender's name":  {"text": text, "from": `"Łukasz, 'the' \"boss\" <x@y.z>" <ada@example.com>`},
		"a calm sender":    {"text": text, "from": "ada@example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			message := map[string]any{
				"from": "Ada Lovelace <ada@example.com>", "to": "desk@acme.example",
				"subject": "Opening hours", "messageId": "<one@example.com>",
				"headers": fields{
					"Authentication-Results": "mx.acme.example; dmarc=pass header.from=example.com",
				},
			}
			for field, value := range mail {
				message[field] = value
			}
			var written struct{ Raw []byte }
			mailer.ask(t, map[string]any{"compose": message}, &written)
			theirs := mailer.readsMail(t, written.Raw)
			header := http.Header{"Content-Type": {"message/rfc822"}}
			updates, err := email.New(email.Config{}).Parse(mailConnection, channel.Request{
				Method: http.MethodPost, Header: header, Body: written.Raw,
			})
			if err != nil || len(updates) != 1 {
				t.Fatalf("%v, %v: %s", updates, err, written.Raw)
			}
			u := updates[0]
			got := readMail{MessageID: u.MessageID, Subject: u.Mail.Subject}
			got.From.Name, got.From.Address = u.From.Name, u.From.Email
			want := readMail{MessageID: theirs.MessageID, Subject: theirs.Subject, From: theirs.From}
			for _, a := range u.Attachments {
				got.Attachments = append(got.Attachments, readFile{a.Name, a.ContentType, a.Content})
			}
			if name != "a picture inside" { // such as the logo below a signature, which is no file
				want.Attachments = theirs.Attachments
			}
			if diff := cmp.Diff(squeeze(want), squeeze(got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-mailparser +ours\n%s", diff)
			}
			said := u.Text
			if note, rest, ok := strings.Cut(said, "] "); ok && strings.HasPrefix(note, "[") {
				said = rest
			}
			want.Text, got.Text = words(theirs.Text), words(said)
			files := len(theirs.Attachments) > 0 // whose names stand before our text
			if want.Text != got.Text && (!files || !strings.Contains(got.Text, want.Text)) {
				t.Errorf("mailparser reads %q, we %q", theirs.Text, said)
			}
		})
	}
}

// squeeze is a mail whose values are compared by their words. A part without a name, such as the invitation
// beside the file that it is in too, is no file.
func squeeze(m readMail) readMail {
	m.Subject, m.From.Name = words(m.Subject), words(m.From.Name)
	var files []readFile
	for _, f := range m.Attachments {
		if f.Name != "" {
			f.Type, _, _ = strings.Cut(f.Type, ";")
			files = append(files, f)
		}
	}
	m.Attachments = files
	return m
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// readsMail is what mailparser reads of a mail.
func (p *peer) readsMail(t *testing.T, raw []byte) readMail {
	t.Helper()
	var mail readMail
	p.ask(t, map[string]any{"read": raw}, &mail)
	return mail
}

// written are mails that are hard to write.
var written = map[string]channel.Message{
	"plain": {Text: "We are open from 9 to 5."},
	"any text": {Text: "Äpfel, 漢字 & 🙂 = 100 %.\n\n.\n..dots\nFrom here\n<b>no markup</b> " +
		"https://acme.example/?a=1&b=2\n trailing \nend"},
	"long":      {Text: strings.Repeat("a", 3000) + " " + strings.Repeat("漢", 1500)},
	"any name":  {Text: "Hi", FromName: `Łukasz, "the" <boss> 漢字`},
	"a header?": {Text: "Hi", FromName: "Acme\r\nBcc: all@example.com"},
	"a thread": {Text: "Hi", Thread: &channel.Thread{
		Conversation: 12, Subject: "Ö: " + strings.Repeat("Öffnung ", 20), InReplyTo: "<one@example.com>",
		References: []string{"<zero@example.com>", "<one@example.com>"},
	}},
	"by a person": {Text: "Hi", ByPerson: true},
	"a subject's header?": {Text: "Hi", Thread: &channel.Thread{
		Conversation: 12, Subject: "A\r\nBcc: all@example.com",
		InReplyTo: "<one@example.com>\r\nBcc: x@example.com",
	}},
}

// TestOthersReadMail has mailparser and Python's email read what we send.
func TestOthersReadMail(t *testing.T) {
	server, mailparser, parser := platforms.NewMailServer(t), node(t), python(t)
	provider := email.New(email.Config{SMTP: server.URL})
	for name, m := range written {
		t.Run(name, func(t *testing.T) {
			m.Ref, m.To = "fd-12-0", "ada@example.com"
			if m.FromName == "" {
				m.FromName = "Acme"
			}
			if _, err := provider.Send(t.Context(), mailConnection, m); err != nil {
				t.Fatal(err)
			}
			sent := server.Sent()
			raw := sent[len(sent)-1].Raw
			checkMail(t, m, mailparser.readsMail(t, []byte(raw)))
			var other struct {
				Name, Address, Text, HTML string
				Headers                   map[string]string
				Defects                   []string
			}
			parser.ask(t, map[string]any{"ask": "mail_read", "raw": raw}, &other)
			read := readMail{
				Subject: other.Headers["Subject"], Text: other.Text, HTML: other.HTML,
				InReplyTo:  other.Headers["In-Reply-To"],
				References: strings.Fields(other.Headers["References"]),
			}
			read.From.Name, read.From.Address = other.Name, other.Address
			read.To.Address = strings.Trim(other.Headers["To"], "<>")
			checkMail(t, m, read)
			if len(other.Defects) > 0 {
				t.Errorf("Python finds defects: %q\n%s", other.Defects, raw)
			}
			if strings.Contains(strings.ToLower(raw), "\nbcc:") {
				t.Errorf("a value added a header:\n%s", raw)
			}
			for line := range strings.SplitSeq(raw, "\r\n") {
				if len(line) > 998 || strings.ContainsAny(line, "\r\n") {
					t.Errorf("%d bytes in the line %q", len(line), line)
				}
			}
		})
	}
}

// checkMail compares a message with how it is read.
func checkMail(t *testing.T, m channel.Message, read readMail) {
	t.Helper()
	text := strings.TrimRight(strings.ReplaceAll(read.Text, "\r\n", "\n"), "\n")
	if text != m.Text {
		t.Errorf("the text is %q, want %q", text, m.Text)
	}
	if read.From.Address != "hello@acme.example" || words(read.From.Name) != words(m.FromName) ||
		read.To.Address != m.To {
		t.Errorf("from %q, to %q", read.From, read.To)
	}
	if !strings.Contains(read.HTML, "<p>") || strings.Contains(read.HTML, "<b>") {
		t.Errorf("the HTML is %s", read.HTML)
	}
	if m.Thread == nil {
		return
	}
	if subject := words(m.Thread.Subject); !strings.HasSuffix(words(read.Subject), subject) {
		t.Errorf("the subject is %q, want %q", read.Subject, subject)
	}
	if read.InReplyTo != "<one@example.com>" {
		t.Errorf("in reply to %q", read.InReplyTo)
	}
	for _, ref := range m.Thread.References {
		if !strings.Contains(strings.Join(read.References, " "), ref) {
			t.Errorf("the references %q lack %s", read.References, ref)
		}
	}
}

// bySES sends by a stand-in of SES.
func bySES(address, key, secretKey string) *email.Provider {
	return email.New(email.Config{SES: awsAt(address, key, secretKey)})
}

// awsAt is the configuration of a service of AWS at an address.
func awsAt(address, key, secretKey string) aws.Config {
	return aws.Config{
		Region: "eu-west-1", BaseEndpoint: &address,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: key, SecretAccessKey: secretKey}, nil
		}),
	}
}

// TestSESTakesMail has aws-ses-v2-local take what we send, and read it.
func TestSESTakesMail(t *testing.T) {
	cli := installed(t, "node", "node_modules", "aws-ses-v2-local", "dist", "cli.js")
	address := serve(t, "node", cli, "--port", "PORT", "--host", "127.0.0.1")
	provider := bySES(address, "x", "y")
	for name, m := range written {
		m.Ref, m.To = "fd-12-0", "ada@example.com"
		if m.FromName == "" {
			m.FromName = "Acme"
		}
		receipt, err := provider.Send(t.Context(), mailConnection, m)
		if err != nil || receipt.ID == "" {
			t.Fatalf("%s: %v", name, err)
		}
		resp, err := http.Get(address + "/store")
		if err != nil {
			t.Fatal(err)
		}
		var store struct {
			Emails []struct {
				MessageID   string
				From        string
				Subject     string
				Body        struct{ Text, HTML string }
				Destination struct{ To []string }
			}
		}
		decode(t, resp, &store)
		if len(store.Emails) == 0 {
			t.Fatalf("%s: nothing is stored", name)
		}
		got := store.Emails[len(store.Emails)-1]
		to := strings.Join(got.Destination.To, " ")
		if got.MessageID != receipt.ID || to != m.To || strings.TrimRight(got.Body.Text, "\n") != m.Text {
			t.Errorf("%s: %q is stored as %+v", name, receipt.ID, got)
		}
	}
}

// TestAWSSignature has moto judge the signature of our calls of SES and S3 as AWS does, by botocore.
func TestAWSSignature(t *testing.T) {
	prepare := python(t)
	python3 := installed(t, "python", "bin", "python")
	address := serve(t, python3, "-m", "moto.server", "-H", "127.0.0.1", "-p", "PORT")
	var user struct{ Key, Secret string }
	const (
		key     = "mail/6n4thuhcbhpfiuf25gshf70rss364fuejrvmqko1"
		content = "From: ada@example.com\r\n\r\nHi\r\n"
	)
	question := map[string]any{
		"ask": "aws_prepare", "address": address, "sender": "hello@acme.example", "bucket": "mails",
		"key": key, "content": content,
	}
	prepare.ask(t, question, &user)
	m := channel.Message{Ref: "fd-12-0", To: "ada@example.com", FromName: "Acme", Text: "Äpfel & 🙂"}
	receipt, err := bySES(address, user.Key, user.Secret).Send(t.Context(), mailConnection, m)
	if err != nil || receipt.ID == "" {
		t.Errorf("the mail is refused: %v", err)
	}
	_, err = bySES(address, user.Key, "another secret").Send(t.Context(), mailConnection, m)
	var refusal *channel.Error
	if !errors.As(err, &refusal) || refusal.Status != http.StatusForbidden {
		t.Errorf("a wrong signature: %v", err)
	}
	got, err := object.New("mails", awsAt(address, user.Key, user.Secret)).Get(t.Context(), key, 100)
	if err != nil || string(got) != content {
		t.Errorf("the object is %q, %v", got, err)
	}
	_, err = object.New("mails", awsAt(address, user.Key, "another secret")).Get(t.Context(), key, 100)
	if err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("a wrong signature: %v", err)
	}
}

// decode reads a JSON answer.
func decode(t *testing.T, resp *http.Response, out any) {
	t.Helper()
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		t.Fatal(err)
	}
}
