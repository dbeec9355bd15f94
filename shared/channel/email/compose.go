package email

import (
	"bytes"
	"fmt"
	"html"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/channel"
)

const (
	// maxSubject is how many characters of a subject are kept.
	maxSubject = 200
	// maxReferences is how many Message-IDs of a thread are named.
	maxReferences = 20
)

// compose writes a mail: its text as it is and as HTML, in UTF-8, with lines of at most 76 characters. It
// returns the mail and its Message-ID. No value can add a header.
func compose(
	c channel.Connection, from mail.Address, to string, m channel.Message, now time.Time,
) (data []byte, messageID string) {
	var thread channel.Thread
	if m.Thread != nil {
		thread = *m.Thread
	}
	messageID = ownID(c, m.Ref, domain(from.Address))
	var b bytes.Buffer
	header := func(name, value string) { writeHeader(&b, name, value) }
	header("From", from.String())
	header("To", (&mail.Address{Address: to}).String())
	if reply := replyAddress(c, thread); reply != "" {
		header("Reply-To", (&mail.Address{Name: from.Name, Address: reply}).String())
	}
	header("Subject", mime.QEncoding.Encode("utf-8", subject(thread, m.Text)))
	header("Date", now.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	header("Message-ID", messageID)
	if id := messageIDs(thread.InReplyTo); len(id) > 0 {
		header("In-Reply-To", id[0])
	}
	// Our own id is also among the references, since SES replaces the Message-ID.
	header("References", strings.Join(append(references(thread), messageID), " "))
	automatic(header, c, thread, m)
	header("MIME-Version", "1.0")
	boundary := strings.Trim(messageID[:strings.IndexByte(messageID, '@')], "<") + ".part"
	header("Content-Type", `multipart/alternative; boundary="`+boundary+`"`)
	for _, part := range []struct{ kind, text string }{
		{"text/plain", m.Text}, {"text/html", asHTML(m.Text)},
	} {
		fmt.Fprintf(&b, "\r\n--%s\r\n", boundary)
		header("Content-Type", part.kind+"; charset=utf-8")
		header("Content-Transfer-Encoding", "quoted-printable")
		b.WriteString("\r\n")
		w := quotedprintable.NewWriter(&b)
		w.Write([]byte(strings.ReplaceAll(part.text, "\r\n", "\n"))) // a bytes.Buffer takes everything
		w.Close()
	}
	fmt.Fprintf(&b, "\r\n--%s--\r\n", boundary)
	return b.Bytes(), messageID
}

// automatic adds the headers that keep other machines from answering (RFC 3834), and to an unprompted
// message the headers for unsubscribing. A person's message gets neither.
func automatic(header func(name, value string), c channel.Connection, thread channel.Thread,
	m channel.Message) {
	if m.ByPerson {
		return
	}
	header("X-Auto-Response-Suppress", "All")
	if !m.Unprompted {
		header("Auto-Submitted", "auto-replied")
		return
	}
	header("Auto-Submitted", "auto-generated")
	token := threadToken(c, thread.Conversation)
	if address := tagged(c.Text(channel.InboundAddress), unsubscribe+token); token != "" && address != "" {
		header("List-Unsubscribe", "<mailto:"+(&url.URL{Path: address}).EscapedPath()+"?subject=unsubscribe>")
	}
}

// replyAddress returns the Reply-To address: the inbound address with the conversation's token, or "".
func replyAddress(c channel.Connection, thread channel.Thread) string {
	inbound := c.Text(channel.InboundAddress)
	if address := tagged(inbound, threadToken(c, thread.Conversation)); address != "" {
		return address
	}
	return inbound
}

// bounceAddress returns the envelope sender, which receives delivery reports: the inbound address if it is in
// the sender's domain, otherwise "", since a sender may not use other domains.
func bounceAddress(c channel.Connection, m channel.Message) string {
	inbound := c.Text(channel.InboundAddress)
	if inbound == "" || domain(inbound) != domain(c.Text(channel.From)) {
		return ""
	}
	if m.Thread != nil {
		return replyAddress(c, *m.Thread)
	}
	return inbound
}

// writeHeader writes a header field, folded at spaces. Line breaks and other control characters in the value
// become spaces.
func writeHeader(b *bytes.Buffer, name, value string) {
	value = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, value)
	b.WriteString(name + ":")
	column := len(name) + 1
	for word := range strings.FieldsSeq(value) {
		if column+1+len(word) > 76 && column > len(name)+1 {
			b.WriteString("\r\n")
			column = 0
		}
		b.WriteString(" " + word)
		column += 1 + len(word)
	}
	b.WriteString("\r\n")
}

// replyPrefix is what mail programs put before the subject of an answer.
var replyPrefix = pattern(`(?i)^\s*(re|aw|antw|sv|vs|ref|rif|r|odp|ynt|ответ|رد)\s*(\[\d+\])?\s*[:：]`)

// subject returns the subject of a message: that of its thread, or the beginning of its text.
func subject(thread channel.Thread, text string) string {
	s := oneLine(thread.Subject)
	if s == "" {
		line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return cutText(oneLine(line), 78)
	}
	if thread.InReplyTo != "" && !replyPrefix().MatchString(s) {
		s = "Re: " + s
	}
	return cutText(s, maxSubject)
}

// oneLine returns a text on one line without control characters.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.Join(strings.Fields(s), " ")
}

// cutText cuts a text to a number of characters, with an ellipsis.
func cutText(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// idPattern is a Message-ID with its angle brackets. Others than these are not repeated.
var idPattern = pattern(`<[!-;=?-~]{1,400}>`)

// messageIDs returns the Message-IDs in a header's value, in their order.
func messageIDs(value string) []string { return idPattern().FindAllString(value, -1) }

// references returns the Message-IDs that a mail continues, oldest first, at most maxReferences: the thread's
// first and the latest.
func references(thread channel.Thread) []string {
	var ids []string
	for _, value := range append(slices.Clone(thread.References), thread.InReplyTo) {
		for _, id := range messageIDs(value) {
			ids = append(slices.DeleteFunc(ids, func(known string) bool { return known == id }), id)
		}
	}
	if n := len(ids) - maxReferences; n > 0 {
		ids = append(ids[:1:1], ids[n+1:]...)
	}
	return ids
}

// links matches the addresses in a text that become links.
var links = pattern(`https?://[^\s<>"]*[^\s<>".,;:!?()\[\]'*_]`)

// asHTML converts plain text to HTML, with paragraphs, lines and links.
func asHTML(text string) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><body dir=\"auto\">")
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		b.WriteString("\n<p>")
		for i, line := range strings.Split(strings.Trim(paragraph, "\n"), "\n") {
			if i > 0 {
				b.WriteString("<br>\n")
			}
			at := 0
			for _, found := range links().FindAllStringIndex(line, -1) {
				address := html.EscapeString(line[found[0]:found[1]])
				b.WriteString(html.EscapeString(line[at:found[0]]))
				fmt.Fprintf(&b, `<a href="%s">%s</a>`, address, address)
				at = found[1]
			}
			b.WriteString(html.EscapeString(line[at:]))
		}
		b.WriteString("</p>")
	}
	b.WriteString("\n</body></html>\n")
	return b.String()
}
