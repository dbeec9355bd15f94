package email

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"

	"frontdesk/shared/channel"
)

const (
	// maxDepth limits the nesting of parts, and maxParts their number.
	maxDepth, maxParts = 20, 200
	// maxPlain is how many bytes of a mail's text are read.
	maxPlain = 2 << 20
	// logo is the size in bytes up to which a picture is taken for part of the layout.
	logo = 20 << 10
)

// wordDecoder decodes the encoded words of headers.
var wordDecoder = &mime.WordDecoder{CharsetReader: charset.NewReaderLabel}

// decodeWords decodes the encoded words of a header's value (RFC 2047). What cannot be decoded stays as it
// is.
func decodeWords(s string) string {
	if decoded, err := wordDecoder.DecodeHeader(s); err == nil {
		s = decoded
	}
	return decodeText([]byte(s))
}

// decodeIn converts a text to UTF-8. HTML may name its own charset.
func decodeIn(b []byte, label string, isHTML bool) string {
	encoding, name := charset.Lookup(label)
	if label == "" && isHTML && !utf8.Valid(b) {
		encoding, name, _ = charset.DetermineEncoding(b, "text/html")
	}
	if encoding != nil && name != "utf-8" {
		if decoded, err := encoding.NewDecoder().Bytes(b); err == nil {
			b = decoded
		}
	}
	return decodeText(b)
}

// decodeText converts a text to UTF-8. Invalid UTF-8 is read as Windows-1252, the usual charset of mail that
// names none.
func decodeText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	if decoded, err := charmap.Windows1252.NewDecoder().Bytes(b); err == nil {
		return string(decoded)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// digest returns a hash that identifies a text.
func digest(texts ...string) string {
	hash := sha256.New()
	for _, text := range texts {
		io.WriteString(hash, text+"\x00")
	}
	return hex.EncodeToString(hash.Sum(nil))[:32]
}

// readMIME parses a raw mail. It returns channel.ErrMalformed if it has no header.
func readMIME(raw []byte) (*letter, error) {
	// Some services prepend a line of the mbox format.
	if bytes.HasPrefix(raw, []byte("From ")) {
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	entity, err := message.Read(bytes.NewReader(sound(raw)))
	if entity == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) ||
		!entity.Header.Has("From") {
		return nil, channel.ErrMalformed
	}
	l := &letter{header: entity.Header.Header}
	for _, name := range []string{"To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To",
		"Envelope-To"} {
		for fields := l.header.FieldsByKey(name); fields.Next(); {
			l.recipients = append(l.recipients, bareAddress().FindAllString(fields.Value(), -1)...)
		}
	}
	mediaType, params, _ := entity.Header.ContentType()
	if mediaType == "multipart/report" {
		switch strings.ToLower(params["report-type"]) {
		case "delivery-status", "feedback-report":
			l.report = &report{}
		}
	}
	w := walker{letter: l}
	w.walk(entity, 0, false)
	l.dropLogos()
	return l, nil
}

// sound returns a mail without header lines that are not fields, which the header parser would refuse.
func sound(raw []byte) []byte {
	var kept []byte
	dropped := false
	for rest := raw; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		field := bytes.TrimRight(line, "\r")
		if len(field) == 0 {
			return append(append(kept, "\r\n"...), after...)
		}
		goesOn := field[0] == ' ' || field[0] == '\t'
		if !goesOn {
			name, _, ok := bytes.Cut(field, []byte(":"))
			dropped = !ok || len(name) == 0 || bytes.ContainsFunc(name,
				func(r rune) bool { return r <= ' ' || r > '~' })
		}
		if !dropped && (!goesOn || len(kept) > 0) {
			kept = append(append(kept, field...), "\r\n"...)
		}
		rest = after
	}
	return append(kept, "\r\n"...)
}

// A walker traverses the parts of a mail.
type walker struct {
	*letter
	parts int
}

// walk processes a part and its subparts. alternative is set if it is one of several forms of the same
// content.
func (w *walker) walk(e *message.Entity, depth int, alternative bool) {
	if w.parts++; w.parts > maxParts || depth > maxDepth {
		return
	}
	mediaType, params, err := e.Header.ContentType()
	if err != nil && mediaType == "" {
		mediaType = "text/plain"
	}
	if parts := e.MultipartReader(); parts != nil && strings.HasPrefix(mediaType, "multipart/") {
		for {
			part, err := parts.NextPart()
			if part == nil || err != nil && !message.IsUnknownCharset(err) &&
				!message.IsUnknownEncoding(err) {
				return // a mail that ends early has the parts before
			}
			w.walk(part, depth+1, alternative || mediaType == "multipart/alternative")
		}
	}
	w.leaf(e, mediaType, params, alternative)
}

// leaf processes a part without subparts.
func (w *walker) leaf(e *message.Entity, mediaType string, params map[string]string, alternative bool) {
	disposition, _, _ := e.Header.ContentDisposition()
	name := fileName(e.Header)
	if w.report != nil && w.isReport(mediaType) {
		w.report.read(mediaType, readText(e.Body, "", false))
		return
	}
	isText := disposition != "attachment" && (name == "" || disposition == "inline")
	switch {
	case isText && mediaType == "text/plain":
		text := readText(e.Body, params["charset"], false)
		if strings.EqualFold(params["format"], "flowed") {
			text = unflow(text, strings.EqualFold(params["delsp"], "yes"))
		}
		w.plain = joined(w.plain, text)
	case isText && mediaType == "text/html":
		w.html = joined(w.html, readText(e.Body, params["charset"], true))
	case isText && alternative && strings.HasPrefix(mediaType, "text/"):
		// Another form of the text, such as a calendar's or an enriched one.
	default:
		w.attach(e, mediaType, name)
	}
}

// isReport reports whether a part is for machines that read reports.
func (w *walker) isReport(mediaType string) bool {
	return strings.HasPrefix(mediaType, "message/") || mediaType == "text/rfc822-headers"
}

func joined(before, after string) string {
	if strings.TrimSpace(before) == "" {
		return after
	}
	return before + "\n" + after
}

// readText reads a text of a charset as far as its encoding is sound.
func readText(r io.Reader, label string, isHTML bool) string {
	b, _ := io.ReadAll(io.LimitReader(r, maxPlain)) // what came before an error is there
	return strings.ReplaceAll(decodeIn(b, label, isHTML), "\r\n", "\n")
}

// fileName returns the name of a part, without a path (RFC 2231 and RFC 2047).
func fileName(h message.Header) string {
	_, params, _ := h.ContentDisposition()
	name := params["filename"]
	if name == "" {
		_, params, _ = h.ContentType()
		name = params["name"]
	}
	name = oneLine(decodeWords(name))
	return cutText(name[strings.LastIndexAny(name, `/\`)+1:], 200)
}

// attach adds a file.
func (w *walker) attach(e *message.Entity, mediaType, name string) {
	content, _ := io.ReadAll(e.Body) // a file that ends early is there as far as it goes
	a := file(name, mediaType, content)
	a.ID = strings.Trim(e.Header.Get("Content-Id"), "<> ")
	w.files = append(w.files, a)
}

// file returns an attachment with the type of its media type.
func file(name, mediaType string, content []byte) channel.Attachment {
	mediaType, _, _ = mime.ParseMediaType(mediaType)
	if mediaType == "" {
		mediaType = "application/octet-stream"
	}
	return channel.Attachment{
		Type: channel.TypeOfFile(mediaType), Name: name, ContentType: mediaType,
		Size: int64(len(content)), Content: content,
	}
}

// dropLogos leaves out small pictures that the HTML shows in its text, such as those of signatures, and those
// of tracking.
func (l *letter) dropLogos() {
	var files []channel.Attachment
	for _, f := range l.files {
		shown := f.ID != "" && strings.Contains(l.html, "cid:"+f.ID)
		if f.Type == channel.ImageMessage && shown && f.Size <= logo {
			continue
		}
		f.ID = ""
		files = append(files, f)
	}
	l.files = files
}

// unflow joins lines with soft breaks (format=flowed, RFC 3676).
func unflow(text string, deleteSpace bool) string {
	var b strings.Builder
	depth, open := 0, false // of the previous line, and whether it continues
	for i, line := range strings.Split(text, "\n") {
		quotes := len(line) - len(strings.TrimLeft(line, ">"))
		body := strings.TrimPrefix(line[quotes:], " ")
		if !open || quotes != depth || body == "-- " {
			if i > 0 {
				b.WriteByte('\n')
			}
			if b.WriteString(strings.Repeat(">", quotes)); quotes > 0 {
				b.WriteByte(' ')
			}
		}
		open = strings.HasSuffix(body, " ") && body != "-- "
		if open && deleteSpace {
			body = strings.TrimSuffix(body, " ")
		}
		b.WriteString(body)
		depth = quotes
	}
	return b.String()
}
