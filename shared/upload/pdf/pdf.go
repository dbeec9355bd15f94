// Package pdf extracts the text of PDF documents, in drawing order.
//
// ledongthuc/pdf reads objects, streams and fonts. Content streams are interpreted here: the library joins
// the words of documents that position each word, such as those of LaTeX, and omits the text of forms. With a
// malicious document the library may not terminate or may exhaust memory, so documents of strangers must be
// read in a process that can be killed; see package upload.
package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/ledongthuc/pdf"
)

// Errors of documents that cannot be read, for errors.Is.
var (
	ErrEncrypted = errors.New("pdf: the document is encrypted")
	ErrBroken    = errors.New("pdf: the document is damaged")
	ErrTooLong   = errors.New("pdf: the document is too long")
	ErrNoText    = errors.New("pdf: the document holds no text")
)

const (
	// maxPages is the limit of pages, more than a megabyte of text fills.
	maxPages = 2000
	// maxText is the limit of a document's text in bytes.
	maxText = 2 << 20
)

// HTML returns the text of a document as HTML: its title, and headings, paragraphs, lists and tables inferred
// from the sizes and positions of letters. Unreadable pages are left out. It returns ErrNoText for documents
// of images alone.
func HTML(data []byte) (text string, err error) {
	data = trim(data)
	defer func() {
		cause := recover() // the library panics on what it does not understand
		switch {
		case cause != nil && encrypted(data):
			text, err = "", ErrEncrypted
		case cause != nil:
			text, err = "", fmt.Errorf("%w: %v", ErrBroken, cause)
		}
	}()
	reader, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	switch {
	case encrypted(data) && (err != nil || !reader.Trailer().Key("Encrypt").IsNull()):
		return "", ErrEncrypted
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrBroken, err)
	}
	pages := reader.NumPage()
	if pages > maxPages {
		return "", ErrTooLong
	}
	var lines []line
	size := 0
	for n := 1; n <= pages; n++ {
		page := readPage(reader, n)
		for _, l := range page {
			size += len(l.text())
		}
		if size > maxText {
			return "", ErrTooLong
		}
		lines = append(lines, page...)
	}
	if size == 0 {
		return "", ErrNoText
	}
	title := reader.Trailer().Key("Info").Key("Title").Text()
	return "<title>" + html.EscapeString(title) + "</title>" + layOut(lines), nil
}

// readPage returns the lines of a page. On a damaged page these are the lines before the damage.
func readPage(reader *pdf.Reader, n int) (lines []line) {
	p := &painter{}
	defer func() {
		if recover() != nil {
			lines = linesOf(p.runs, n) // what was drawn before
		}
	}()
	page := reader.Page(n)
	if page.V.IsNull() {
		return nil
	}
	p.draw(page.V.Key("Contents"), page.Resources(), identity, 0)
	return linesOf(p.runs, n)
}

// trim removes data around the document, and replaces version 2.0, which the library refuses, by 1.7: the
// difference does not affect text.
func trim(data []byte) []byte {
	if start := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")); start > 0 {
		data = data[start:]
	}
	const end = "%%EOF"
	if last := bytes.LastIndex(data, []byte(end)); last >= 0 {
		data = data[:last+len(end)]
	}
	if header := []byte("%PDF-2.0"); bytes.HasPrefix(data, header) {
		data = append([]byte("%PDF-1.7"), data[len(header):]...)
	}
	return data
}

// encrypted reports whether a document may be encrypted. The library opens some encrypted documents without a
// password and reports others as damaged, so all are refused.
func encrypted(data []byte) bool { return bytes.Contains(data, []byte("/Encrypt")) }

// isBullet reports whether a text is the mark of a list entry.
func isBullet(text string) bool {
	return strings.Trim(text, "•▪◦‣●○■□–-*\u00b7\uf0b7 ") == "" && strings.TrimSpace(text) != ""
}
