package email

import (
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message/textproto"

	"frontdesk/shared/channel"
)

// A letter is a received mail, whichever service posted it.
type letter struct {
	header textproto.Header
	// recipients are all known addresses that it was sent to; the tag of one may identify the conversation.
	recipients []string
	plain      string // the text part
	html       string // the HTML part
	files      []channel.Attachment
	report     *report
	// verified is set if the domain of From authenticates the mail, as in DMARC.
	verified bool
	// bounced is set if the envelope has no sender, as for delivery reports.
	bounced bool
}

// get returns a header field, decoded and on one line, or "".
func (l *letter) get(name string) string { return oneLine(decodeWords(l.header.Get(name))) }

// from returns the sender that the mail states, with the address in lower case.
func (l *letter) from() (name, address string, ok bool) {
	value := l.header.Get("From")
	parser := mail.AddressParser{WordDecoder: wordDecoder}
	list, err := parser.ParseList(value)
	if err != nil || len(list) == 0 {
		// Many senders write names that the standard wants quoted.
		found := bareAddress().FindAllString(value, -1)
		if len(found) == 0 {
			return "", "", false
		}
		before, _, _ := strings.Cut(value, "<")
		list = []*mail.Address{{Name: strings.Trim(decodeWords(before), `" `), Address: found[len(found)-1]}}
	}
	address = strings.ToLower(list[0].Address)
	if name = oneLine(list[0].Name); strings.EqualFold(name, address) {
		name = ""
	}
	return cutText(name, 100), address, deliverable(address) && len(address) <= 254
}

var bareAddress = pattern(`[^\s<>"(),:;@]+@[A-Za-z0-9.-]+`)

// updates returns what a mail reports.
func (l *letter) updates(c channel.Connection) []channel.Update {
	id := l.id()
	if l.report != nil {
		return l.report.updates(c, id)
	}
	name, address, ok := l.from()
	if !ok {
		return nil
	}
	conversation, stop := l.thread(c)
	at, err := mail.ParseDate(l.header.Get("Date"))
	if err != nil || at.After(time.Now().Add(24*time.Hour)) {
		at = time.Time{}
	}
	from := channel.Person{Address: address, Name: name, Email: address}
	if !l.verified {
		from = channel.Person{Address: channel.ClaimedMail(address), Name: name, Claimed: address}
	}
	if stop && conversation != 0 {
		return []channel.Update{{
			Kind: channel.ConsentUpdate, ID: id + ":stop", From: from, At: at, Conversation: conversation,
		}}
	}
	u := channel.Update{
		Kind: channel.MessageUpdate, ID: id, From: from, At: at, Type: channel.TextMessage,
		MessageID: l.messageID(), Conversation: conversation, Attachments: l.files, Silent: l.automatic(c,
			address),
		Mail: &channel.Mail{Subject: cutText(l.get("Subject"), maxSubject), Parents: l.parents(),
			Refs: l.refs(c)},
	}
	l.describe(&u)
	return []channel.Update{u}
}

// describe sets the text of an update, and a description if the mail has no text.
func (l *letter) describe(u *channel.Update) {
	text := l.text()
	if text == "" && len(l.files) == 0 {
		text = u.Mail.Subject
	}
	u.Text, u.NeedsWords = text, text == ""
	if len(l.files) > 0 {
		u.Type = l.files[0].Type
		u.Text = strings.TrimSpace("[" + string(u.Type) + "] " + text)
	}
}

// text returns the writer's own text, without quotations and signature.
func (l *letter) text() string {
	full := tidy(l.plain)
	quoted := full
	if full == "" {
		full = htmlText(l.html, false)
		quoted = htmlText(l.html, true)
	}
	if reply := ownWords(quoted); reply != "" {
		return reply
	}
	return full
}

// id returns the mail's unique id: its Message-ID, or else a hash of its content.
func (l *letter) id() string {
	if id := l.messageID(); id != "" {
		return id
	}
	return "none:" + digest(l.header.Get("From"), l.header.Get("Date"), l.header.Get("Subject"), l.plain,
		l.html)
}

// messageID returns the mail's Message-ID with its angle brackets; "" if it has none that can be repeated.
func (l *letter) messageID() string {
	if ids := messageIDs(l.header.Get("Message-Id")); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// maxParents is how many previous mails are looked up.
const maxParents = 8

// parents returns the Message-IDs of the mails that this one answers, most likely first.
func (l *letter) parents() []string {
	ids := messageIDs(l.header.Get("In-Reply-To"))
	references := messageIDs(l.header.Get("References"))
	slices.Reverse(references)
	var parents []string
	for _, id := range append(ids, references...) {
		if !slices.Contains(parents, id) && len(parents) < maxParents {
			parents = append(parents, id)
		}
	}
	return parents
}

// refs returns the references of our messages that this one answers, latest first.
func (l *letter) refs(c channel.Connection) []string {
	refs := refsIn(c, l.header.Get("References")+" "+l.header.Get("In-Reply-To"))
	return slices.Compact(refs[:min(len(refs), maxParents)])
}

// thread returns the conversation whose token is in an address that the mail was sent to; 0 if there is none.
// stop reports that the address is the one for unsubscribing.
func (l *letter) thread(c channel.Connection) (conversation int64, stop bool) {
	for _, address := range l.recipients {
		tag := strings.ToLower(tagOf(address, c.Text(channel.InboundAddress)))
		token, asks := strings.CutPrefix(tag, unsubscribe)
		if of := readThreadToken(c, token); of != 0 {
			return of, asks
		}
	}
	return 0, false
}

// roles matches local parts of addresses without a reader.
var roles = pattern(`^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|donotreply|bounces?|` +
	`notifications?|auto-?reply|mdaemon)([+._-].*)?$`)

// automatic reports whether a mail must not be answered: it was written by a machine, distributed by a list,
// or sent by this service (RFC 3834).
func (l *letter) automatic(c channel.Connection, from string) bool {
	value := func(name string) string {
		word, _, _ := strings.Cut(strings.ToLower(l.header.Get(name)), ";")
		return strings.TrimSpace(word)
	}
	for _, name := range []string{
		"List-Id", "List-Post", "X-Autoreply", "X-Autorespond", "X-Auto-Reply-From", "X-Mailer-Daemon-Error",
		"X-Loop", "X-Failed-Recipients", "Feedback-Id",
	} {
		if l.header.Has(name) {
			return true
		}
	}
	auto := value("Auto-Submitted")
	returnPath := strings.TrimSpace(l.header.Get("Return-Path"))
	own := []string{c.Text(channel.From), c.Text(channel.InboundAddress)}
	return auto != "" && auto != "no" ||
		slices.Contains([]string{"bulk", "list", "junk", "auto_reply"}, value("Precedence")) ||
		l.bounced || returnPath == "<>" ||
		roles().MatchString(from[:strings.LastIndexByte(from, '@')]) ||
		slices.ContainsFunc(own, func(own string) bool {
			return own != "" && (strings.EqualFold(from, own) || tagOf(from, own) != "")
		})
}
