// Package page reads a page of the web for the knowledge base: it fetches an address and makes readable text
// of it.
//
// The HTML parser and the encodings are those of golang.org/x/net. The text is written here, since it is made
// for being searched and quoted, and what libraries write is made for other ends: html-to-markdown adds marks
// and escapes that a visitor would read in an answer, html2text runs the cells of a table together,
// go-readability drops footers with opening hours and addresses in them, and go-trafilatura costs 100 ms at
// every start of a process.
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
	// maxBody bounds a page as it is sent, and the text made of it, in bytes.
	maxBody = 2 << 20
	// timeout bounds the fetching of a page, redirects included.
	timeout = 10 * time.Second
	// maxRedirects is more than a site needs that sends visitors to https, to its main host and to their
	// language.
	maxRedirects = 5

	accept = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8"
)

// UserAgent is what pages are asked for as. Its product is that of robots.txt files.
const UserAgent = "Mozilla/5.0 (compatible; Frontdesk/1.0)"

// A Page is what an address holds.
type Page struct {
	// Title is what the page calls itself, on one line; empty if it does not.
	Title string
	// Text is never empty. That of an HTML page has each paragraph on one line, and blank lines between them.
	// Headings begin with as many number signs as their level, as in Markdown, and entries of lists with "-
	// ". A row of a table is such an entry too: "- Latte: Small $3, Large $4". Emphasis, images and the
	// targets of links are left out, and so is what leads to other pages: navigation, and links in footers.
	// Plain text and Markdown are as they were sent.
	Text string
}

// An Error says why a page has no text to offer, as a sentence that may be shown to whoever named its
// address.
type Error string

// Error returns the sentence.
func (e Error) Error() string { return string(e) }

const (
	// TooLarge says that a page, or the text of it, has more bytes than are read.
	TooLarge Error = "The page is larger than 2 MiB."
	// TooManyTags says that HTML has more than maxTags tags.
	TooManyTags Error = "The page has more than 100,000 tags, which is more than are read."
	// NoText says that a page was read and has no words.
	NoText Error = "The page holds no text. A page that is drawn by scripts alone cannot be read."
)

const (
	isPDF      Error = "The address holds a PDF document. Add its text as a document instead."
	isBinary   Error = "The address holds no readable text."
	unreadable Error = "The page is built in a way that cannot be read."
)

// Fetch reads the page at an address: HTML, plain text or Markdown in any encoding of the web, of at most 2
// MiB. It follows up to five redirects and takes at most ten seconds. Whatever the error, its text is a
// sentence that may be shown to whoever named the address; it is an Error or an [*egress.Error].
func Fetch(ctx context.Context, client *egress.Client, address string) (Page, error) {
	p, _, err := FetchLinked(ctx, client, address)
	return p, err
}

// FetchLinked is Fetch with where the page leads to.
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

// Read makes a Page of a body of one of the types that Fetch reads. Its errors are of the type Error.
func Read(body []byte, contentType string) (Page, error) {
	return read(body, contentType, false, new(Links))
}

// read makes a Page of the body of an answer, and takes its links in; cut says that it goes on.
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

// readable reports whether a text that has r says something.
func readable(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// fromText takes text as it is, but for what is invisible. The first heading of Markdown is the title.
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

// visible drops characters that are not seen, and would part or hide words from a search: control characters
// other than those that are white space, soft hyphens, and spaces of no width.
func visible(r rune) rune {
	switch {
	case r == '\u00ad', r == '\u200b', r == '\u2060', r == '\ufeff', unicode.IsControl(r) &&
		!unicode.IsSpace(r):
		return -1
	}
	return r
}

// collapse puts s on one line, with one space wherever it has white space.
func collapse(s string) string {
	return strings.Join(strings.Fields(strings.Map(visible, s)), " ")
}
