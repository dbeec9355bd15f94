package email

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-message/textproto"

	"frontdesk/shared/channel"
)

// maxAge is how old a signature of Mailgun's may be: as long as a post that was taken is known.
const maxAge = 7 * 24 * time.Hour

// Verify implements channel.Provider. Every post has the inbound_secret as the password of basic
// authentication. A post of Mailgun must also be signed if the connection has the key.
func (p *Provider) Verify(c channel.Connection, r channel.Request) error {
	secret := c.Secret(channel.InboundSecret)
	_, password, ok := (&http.Request{Header: r.Header}).BasicAuth()
	given, want := sha256.Sum256([]byte(password)), sha256.Sum256([]byte(secret))
	if !ok || secret == "" || subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		return channel.ErrForbidden
	}
	if key := c.Secret(channel.SigningKey); key != "" {
		if f, err := readForm(r); err == nil && f.mailgun() && !f.signed(string(key), p.now()) {
			return channel.ErrForbidden
		}
	}
	return nil
}

// Parse implements channel.Provider. It recognises the service by the content type and the fields of the
// post.
func (p *Provider) Parse(c channel.Connection, r channel.Request) ([]channel.Update, error) {
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	var l *letter
	var err error
	switch {
	case mediaType == "application/json", mediaType == "" && bytes.HasPrefix(bytes.TrimSpace(r.Body),
		[]byte("{")):
		l, err = readPostmark(r.Body)
	case mediaType == "multipart/form-data", mediaType == "application/x-www-form-urlencoded":
		var f form
		if f, err = readForm(r); err == nil {
			l, err = f.letter(c)
		}
	default:
		l, err = readRaw(c, r.Body)
	}
	if err != nil {
		return nil, err
	}
	return l.updates(c), nil
}

// readRaw reads a raw mail that a host of the inbound address took.
func readRaw(c channel.Connection, raw []byte) (*letter, error) {
	l, err := readMIME(raw)
	if err != nil {
		return nil, err
	}
	if _, address, ok := l.from(); ok {
		l.verified = l.vouchedByHost(c, address)
	}
	return l, nil
}

// ReadMail implements channel.MailReader: what the service that took the mail found counts, and whatever the
// mail says of itself counts for nothing.
func (p *Provider) ReadMail(c channel.Connection, m channel.ReceivedMail) ([]channel.Update, error) {
	l, err := readMIME(m.Raw)
	if err != nil {
		return nil, err
	}
	l.recipients = append(slices.Clone(m.Recipients), l.recipients...)
	l.bounced = m.Sender == ""
	if _, address, ok := l.from(); ok {
		of := domain(address)
		bySPF := m.SPF && aligned(domain(m.Sender), of)
		l.verified = m.DMARC || m.DMARCNone && (bySPF || m.DKIM && l.signedBy(of))
	}
	updates := l.updates(c)
	for i := range updates {
		updates[i].Silent = updates[i].Silent || m.Spam && updates[i].Kind == channel.MessageUpdate
	}
	return updates, nil
}

// postmark is the JSON that Postmark posts.
type postmark struct {
	From              string
	FromFull          postmarkAddress
	To                string
	Cc                string
	OriginalRecipient string
	MailboxHash       string
	Subject           string
	MessageID         string
	Date              string
	TextBody          string
	HTMLBody          string
	RawEmail          string
	Headers           []struct{ Name, Value string }
	Attachments       []struct {
		Name, ContentType, ContentID string
		Content                      []byte
	}
}

type postmarkAddress struct{ Email, Name string }

func readPostmark(body []byte) (*letter, error) {
	var p postmark
	if err := json.Unmarshal(body, &p); err != nil || p.From == "" && p.FromFull.Email == "" {
		return nil, channel.ErrMalformed
	}
	l := &letter{plain: p.TextBody, html: p.HTMLBody}
	for _, h := range slices.Backward(p.Headers) { // a header is read and written from its end
		addField(&l.header, h.Name, h.Value)
	}
	if p.FromFull.Email != "" {
		setAddress(&l.header, p.FromFull.Name, p.FromFull.Email)
	} else {
		setField(&l.header, "From", p.From)
	}
	setField(&l.header, "Subject", p.Subject)
	if !l.header.Has("Date") {
		setField(&l.header, "Date", p.Date)
	}
	if l.messageID() == "" && p.MessageID != "" { // Postmark's own id
		setField(&l.header, "Message-Id", "<"+strings.Trim(p.MessageID, "<> ")+"@inbound.postmarkapp.com>")
	}
	for _, a := range p.Attachments {
		f := file(cleanName(a.Name), a.ContentType, a.Content)
		f.ID = strings.Trim(a.ContentID, "<> ")
		l.files = append(l.files, f)
	}
	l.dropLogos()
	l.recipients = bareAddress().FindAllString(p.OriginalRecipient+" "+p.To+" "+p.Cc, -1)
	if _, address, ok := l.from(); ok {
		l.verified = l.vouchedByPostmark(domain(address))
	}
	return l, nil
}

var envelopeFrom = pattern(`envelope-from=<?"?([^\s;>"]+)`)

// vouchedByPostmark reads the fields that Postmark puts above those of the mail.
func (l *letter) vouchedByPostmark(of string) bool {
	spf := strings.ToLower(l.header.Get("Received-Spf"))
	if m := envelopeFrom().FindStringSubmatch(spf); m != nil && strings.HasPrefix(spf, "pass") &&
		aligned(domain(m[1]), of) {
		return true
	}
	return slices.Contains(strings.Split(l.header.Get("X-Spam-Tests"), ","), "DKIM_VALID_AU")
}

// A form is a post of SendGrid or Mailgun.
type form struct {
	url.Values
	files []channel.Attachment
}

// maxFields is the limit of fields and files of a form.
const maxFields = 500

func readForm(r channel.Request) (form, error) {
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return form{}, channel.ErrMalformed
	}
	if mediaType == "application/x-www-form-urlencoded" {
		values, err := url.ParseQuery(string(r.Body))
		if err != nil {
			return form{}, channel.ErrMalformed
		}
		return form{Values: values}, nil
	}
	if mediaType != "multipart/form-data" || params["boundary"] == "" {
		return form{}, channel.ErrMalformed
	}
	f := form{Values: url.Values{}}
	parts := multipart.NewReader(bytes.NewReader(r.Body), params["boundary"])
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil || n >= maxFields {
			return form{}, channel.ErrMalformed
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return form{}, channel.ErrMalformed
		}
		if name := part.FileName(); name != "" {
			a := file(cleanName(name), part.Header.Get("Content-Type"), content)
			a.ID = part.FormName() // until it is known what it is
			f.files = append(f.files, a)
		} else {
			f.Add(part.FormName(), string(content))
		}
	}
}

func cleanName(name string) string {
	name = oneLine(decodeWords(name))
	return cutText(name[strings.LastIndexAny(name, `/\`)+1:], 200)
}

// mailgun reports whether a form is Mailgun's; SendGrid's has the envelope as one field.
func (f form) mailgun() bool { return !f.Has("envelope") }

// signed reports whether Mailgun signed the form recently.
func (f form) signed(key string, now time.Time) bool {
	mac := hmac.New(sha256.New, []byte(key))
	io.WriteString(mac, f.Get("timestamp")+f.Get("token"))
	given, err := hex.DecodeString(f.Get("signature"))
	seconds, errTime := strconv.ParseInt(f.Get("timestamp"), 10, 64)
	age := now.Sub(time.Unix(seconds, 0)).Abs()
	return err == nil && errTime == nil && age < maxAge && hmac.Equal(given, mac.Sum(nil))
}

// letter returns the mail of a form.
func (f form) letter(c channel.Connection) (*letter, error) {
	for _, field := range []string{"email", "body-mime"} { // raw forms of SendGrid and Mailgun
		if raw := f.Get(field); raw != "" && strings.Contains(raw, ":") {
			l, err := readMIME([]byte(raw))
			if err != nil {
				return nil, err
			}
			f.complete(l)
			return l, nil
		}
	}
	if f.Get("from") == "" && f.Get("From") == "" && f.Get("sender") == "" {
		return nil, channel.ErrMalformed
	}
	l := &letter{}
	if f.mailgun() {
		var fields [][]string
		if json.Unmarshal([]byte(f.Get("message-headers")), &fields) == nil {
			for _, field := range slices.Backward(fields) {
				if len(field) == 2 {
					addField(&l.header, field[0], field[1])
				}
			}
		}
		l.plain, l.html = f.Get("body-plain"), f.Get("body-html")
	} else {
		fields := bufio.NewReader(bytes.NewReader(sound([]byte(f.Get("headers")))))
		if h, err := textproto.ReadHeader(fields); err == nil {
			l.header = h
		}
		charsets := map[string]string{}
		_ = json.Unmarshal([]byte(f.Get("charsets")), &charsets) // without it all is UTF-8
		l.plain, l.html = inCharset(f.Get("text"), charsets["text"]), inCharset(f.Get("html"),
			charsets["html"])
	}
	for _, a := range f.files {
		if strings.HasPrefix(a.ID, "attachment") {
			a.ID = f.contentID(a.ID)
			l.files = append(l.files, a)
		}
	}
	l.dropLogos()
	f.complete(l)
	return l, nil
}

// contentID returns the id by which the HTML refers to a file of the form, or "".
func (f form) contentID(name string) string {
	var byID map[string]string // Mailgun: <content id> to field
	_ = json.Unmarshal([]byte(f.Get("content-id-map")), &byID)
	for id, field := range byID {
		if field == name {
			return strings.Trim(id, "<> ")
		}
	}
	var info map[string]struct {
		ID string `json:"content-id"`
	}
	_ = json.Unmarshal([]byte(f.Get("attachment-info")), &info)
	return strings.Trim(info[name].ID, "<> ")
}

// complete sets what the service reports apart from the mail: its envelope, and the result of its checks of
// the sender.
func (f form) complete(l *letter) {
	for header, field := range map[string][]string{
		"From": {"from", "From", "sender"}, "Subject": {"subject", "Subject"}, "Message-Id": {"Message-Id"},
		"In-Reply-To": {"In-Reply-To"}, "References": {"References"}, "Date": {"Date"},
	} {
		for _, name := range field {
			if !l.header.Has(header) && f.Get(name) != "" {
				setField(&l.header, header, f.Get(name))
			}
		}
	}
	var envelope struct {
		To   []string `json:"to"`
		From *string  `json:"from"`
	}
	if json.Unmarshal([]byte(f.Get("envelope")), &envelope) == nil && envelope.From != nil {
		l.bounced = *envelope.From == ""
	}
	named := f.Get("recipient") + " " + f.Get("to") + " " + f.Get("To") + " " + f.Get("cc") + " " +
		f.Get("Cc")
	l.recipients = append(append(envelope.To, l.recipients...), bareAddress().FindAllString(named, -1)...)
	_, address, ok := l.from()
	switch {
	case !ok:
	case f.mailgun():
		l.verified = f.vouchedByMailgun(l, domain(address))
	default:
		mailFrom := ""
		if envelope.From != nil {
			mailFrom = *envelope.From
		}
		l.verified = f.vouchedBySendGrid(mailFrom, domain(address))
	}
}

// vouchedByMailgun reads Mailgun's fields.
func (f form) vouchedByMailgun(l *letter, of string) bool {
	found := func(name string) bool {
		value := f.Get(name)
		if value == "" {
			value = l.header.Get(name)
		}
		return strings.EqualFold(strings.TrimSpace(value), "pass")
	}
	if found("X-Mailgun-Spf") && aligned(domain(f.Get("sender")), of) {
		return true
	}
	return found("X-Mailgun-Dkim-Check-Result") && l.signedBy(of)
}

// signedBy reports whether the mail has signatures, all of them of a domain: it is not known which of them
// passed.
func (l *letter) signedBy(of string) bool {
	signatures, own := 0, 0
	for fields := l.header.FieldsByKey("Dkim-Signature"); fields.Next(); {
		signatures++
		if m := signatureDomain().FindStringSubmatch(fields.Value()); m != nil && aligned(m[1], of) {
			own++
		}
	}
	return signatures > 0 && signatures == own
}

var (
	signatureDomain = pattern(`(?:^|;)\s*d\s*=\s*([^\s;]+)`)
	sendGridDKIM    = pattern(`@([^\s:@,{}]+)\s*:\s*(\w+)`)
)

// vouchedBySendGrid reads SendGrid's fields, such as SPF "pass" and dkim "{@acme.example : pass}".
func (f form) vouchedBySendGrid(mailFrom, of string) bool {
	if strings.EqualFold(strings.TrimSpace(f.Get("SPF")), "pass") && aligned(domain(mailFrom), of) {
		return true
	}
	for _, m := range sendGridDKIM().FindAllStringSubmatch(f.Get("dkim"), -1) {
		if strings.EqualFold(m[2], "pass") && aligned(m[1], of) {
			return true
		}
	}
	return false
}

// inCharset converts a text of a form, which names its charset, to UTF-8.
func inCharset(text, name string) string {
	return decodeIn([]byte(text), name, false)
}

// addField prepends a field to a header.
func addField(h *textproto.Header, name, value string) {
	if fieldName().MatchString(name) {
		h.Add(name, oneLine(value))
	}
}

// setField sets a field of a header.
func setField(h *textproto.Header, name, value string) {
	h.Del(name)
	addField(h, name, value)
}

// setAddress sets the field From.
func setAddress(h *textproto.Header, name, address string) {
	setField(h, "From", mime.QEncoding.Encode("utf-8", oneLine(name))+" <"+oneLine(address)+">")
}

var fieldName = pattern(`^[!-9;-~]{1,80}$`)
