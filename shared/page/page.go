// Package page fetches a web page for the knowledge base and extracts its text.
//
// The HTML parser and the encodings are those of golang.org/x/net. The text is extracted here, since it is
// searched and quoted, for which libraries are not made: html-to-markdown adds marks and escapes that would
// appear in answers, html2text joins the cells of tables, go-readability drops footers with opening hours and
// addresses, and go-trafilatura takes 100 ms at every start of a process.
package page

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/egress"
)

const (
	// maxBody limits a page and the text extracted from it, in bytes.
	maxBody = 2 << 20
	// timeout limits fetching a page, with redirects.
	timeout = 10 * time.Second
	// maxRedirects suffices for sites that redirect to https, to their main host and to a language.
	maxRedirects = 5

	accept = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8"
)

// UserAgent is the User-Agent of requests. Its product name is the one for robots.txt.
const UserAgent = "Mozilla/5.0 (compatible; Frontdesk/1.0)"

// A Page is the text of a page.
type Page struct {
	// Title is the page's title on one line; "" if it has none.
	Title string
	// Text is never empty. Text of HTML has each paragraph on one line, with blank lines between. Headings
	// begin with number signs as in Markdown, and list entries with "- ". Rows of tables are entries too: "-
	// Latte: Small $3, Large $4". Emphasis, images, the targets of links, navigation and links in footers are
	// left out. Plain text and Markdown are unchanged.
	Text string
}

// An Error is why a page has no text. Its text may be shown to the user who chose the address.
type Error string

// Error returns the sentence.
func (e Error) Error() string { return string(e) }

const (
	// TooLarge says that a page or its text exceeds maxBody.
	TooLarge Error = "The page is larger than 2 MiB."
	// TooManyTags says that HTML has more than maxTags tags.
	TooManyTags Error = "The page has more than 100,000 tags, which is more than are read."
	// NoText says that a page has no words.
	NoText Error = "The page holds no text. A page that is drawn by scripts alone cannot be read."
)

const (
	isPDF      Error = "The address holds a PDF document. Add its text as a document instead."
	isBinary   Error = "The address holds no readable text."
	unreadable Error = "The page is built in a way that cannot be read."
)

// Fetch reads the page at an address: HTML, plain text or Markdown in any encoding of the Encoding Standard,
// up to 2 MiB. It follows up to five redirects and takes at most ten seconds. The text of its error, an
// Error or an [*egress.Error], may be shown to the user who chose the address.
func Fetch(ctx context.Context, client *egress.Client, address string) (Page, error) {
	p, _, err := FetchLinked(ctx, client, address)
	return p, err
}

// FetchLinked is Fetch that also returns the page's links.
func FetchLinked(ctx context.Context, client *egress.Client, address string) (Page, Links, error) {
	answer, err := client.Do(ctx, egress.Call{
		URL:       address,
		Header:    http.Header{"User-Agent": {UserAgent}, "Accept": {accept}},
		Timeout:   timeout,
		MaxBody:   maxBody,
		Redirects: maxRedirects,
	})
	links := Links{URL: answer.URL}
	switch {
	case err != nil:
		return Page{}, links, err
	case answer.Status < 200 || answer.Status > 299:
		links.Status = answer.Status
		return Page{}, links, Error(fmt.Sprintf("The page answered %d.", answer.Status))
	}
	p, err := read(answer.Body, answer.Header.Get("Content-Type"), answer.Cut, &links)
	return p, links, err
}

// Read converts a body of one of the types that Fetch reads. Its errors are of type Error.
func Read(body []byte, contentType string) (Page, error) {
	return read(body, contentType, false, new(Links))
}

// read converts the body of a response and collects its links. cut is set if the body is incomplete.
func read(body []byte, contentType string, cut bool, links *Links) (Page, error) {
	sniffed := http.DetectContentType(body)
	kind, _, _ := mime.ParseMediaType(contentType)
	if kind == "" {
		kind, _, _ = mime.ParseMediaType(sniffed)
	}
	var convert func(string, *Links) (Page, error)
	switch kind {
	case "application/pdf":
		return Page{}, isPDF
	case "text/html", "application/xhtml+xml":
		convert = fromHTML
	case "text/plain", "text/markdown", "text/x-markdown":
		convert = fromText
	default:
		return Page{}, Error(fmt.Sprintf("The address holds %.100q, which is neither HTML nor plain text.",
			kind))
	}
	switch {
	case sniffed == "application/pdf":
		return Page{}, isPDF
	case !strings.HasPrefix(sniffed, "text/"):
		return Page{}, isBinary
	case cut:
		return Page{}, TooLarge
	}
	p, err := convert(decode(body, contentType), links)
	if err != nil {
		return Page{}, err
	}
	if strings.IndexFunc(p.Text, readable) < 0 {
		return Page{}, NoText
	}
	return p, nil
}

// readable reports whether r is a letter or a number, so that a text with it says something.
func readable(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// fromText keeps text unchanged except for invisible characters. The first top-level Markdown heading is the
// title.
func fromText(s string, _ *Links) (Page, error) {
	var (
		p Page
		b strings.Builder
	)
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)) {
		line = strings.TrimRightFunc(strings.Map(visible, line), unicode.IsSpace)
		if title, ok := strings.CutPrefix(line, "# "); ok && p.Title == "" {
			p.Title = collapse(title)
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	p.Text = strings.Trim(b.String(), "\n")
	return p, nil
}

// visible drops invisible characters, which would break up words for a search: control characters except
// white space, soft hyphens and zero-width spaces.
func visible(r rune) rune {
	switch {
	case r == '\u00ad', r == '\u200b', r == '\u2060', r == '\ufeff', unicode.IsControl(r) &&
		!unicode.IsSpace(r):
		return -1
	}
	return r
}

// collapse puts s on one line, with single spaces.
func collapse(s string) string {
	return strings.Join(strings.Fields(strings.Map(visible, s)), " ")
}
