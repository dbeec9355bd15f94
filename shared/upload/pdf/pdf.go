// Package pdf reads the text of PDF documents, in the order in which they draw it.
//
// The objects, streams and fonts of a document are read by ledongthuc/pdf. What a page draws is
// interpreted here: the library joins the words of documents that place each word by itself, as LaTeX
// does, and leaves out the text of forms. The library ends neither with every hostile document nor within
// bounds of memory, so that a document of a stranger is to be read by a process that can be ended; see
// package upload.
package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/ledongthuc/pdf"
)

// Errors of documents that cannot be read.
var (
	ErrEncrypted = errors.New("pdf: the document is encrypted")
	ErrBroken    = errors.New("pdf: the document is damaged")
	ErrTooLong   = errors.New("pdf: the document is too long")
	ErrNoText    = errors.New("pdf: the document holds no text")
)

const (
	// maxPages is more pages than a megabyte of text fills.
	maxPages = 2000
	// maxText is how many bytes of text a document may hold.
	maxText = 2 << 20
)

// HTML returns the text of a document as HTML: its title, and headings, paragraphs, lists and tables as
// the sizes and places of the letters tell them. A page that cannot be read is left out. ErrNoText is of
// documents that are made of pictures alone.
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

// readPage returns the lines of a page; none where the page cannot be read.
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

// trim takes off what other programs put before and behind a document, and names a version that the
// library knows: 2.0 changes nothing of what text is made of.
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

// encrypted reports whether a document may be encrypted. The library opens some documents whose text
// needs no password, and says of others only that they are damaged; so none is read.
func encrypted(data []byte) bool { return bytes.Contains(data, []byte("/Encrypt")) }

// isBullet reports whether a text is the mark of a list's entry.
func isBullet(text string) bool {
	return strings.Trim(text, "•▪◦‣●○■□–-*\u00b7\uf0b7 ") == "" && strings.TrimSpace(text) != ""
}
