// Package upload extracts text from files uploaded as knowledge: PDF, DOCX, HTML, plain text and Markdown.
//
// Package pdf reads PDF, package page reads HTML. DOCX is read here: it takes a handful of XML elements, and
// libraries for it are made for writing documents.
package upload

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"strings"

	"frontdesk/shared/logline"
	"frontdesk/shared/page"
	"frontdesk/shared/upload/pdf"
)

// MaxFile is the size limit of a file in bytes. Base64 is applied twice, in the JSON and by API Gateway for
// Lambda, and the result must stay within Lambda's limit of 6 MB.
const MaxFile = 3 << 20

// An Error is why a file cannot be read. Its text may be shown to the user who sent the file.
type Error string

// Error returns the sentence.
func (e Error) Error() string { return string(e) }

const (
	unknownKind Error = "Only files of the kinds PDF, DOCX, HTML, TXT and MD can be read. " +
		"Save the document as one of them."
	oldWord   Error = "The file is of an old version of Word. Save it as DOCX."
	notWord   Error = "The file is no DOCX document."
	encrypted Error = "The file is encrypted. Save it without a password and without restrictions."
	damaged   Error = "The file is damaged and cannot be read."
	tooLong   Error = "The file holds more text than a document may have, which is 1 MiB."
	tooMany   Error = "The file has more paragraphs and cells than are read at once, some 50,000. Divide it."
	intricate Error = "The file is built in a way that cannot be read."
	noText    Error = "The file holds no text. Scanned pages are pictures, whose text cannot be read."
	tooMuch   Error = "The file cannot be read within ten seconds. " +
		"Divide it, or save it anew from the program that made it."
)

// A Reader converts a file to a Page. Errors that are the file's fault are of type Error.
type Reader func(ctx context.Context, name string, data []byte) (page.Page, error)

// Magic numbers of files.
var (
	pdfBegins = []byte("%PDF-")
	zipBegins = []byte("PK\x03\x04")
	// OLE compound files: Word before DOCX, and encrypted DOCX.
	oleBegins = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
)

// Read reads a file in this process. The content determines the kind, or else the extension of the name. Time
// and memory are not limited: use Isolated for files from strangers.
func Read(ctx context.Context, name string, data []byte) (page.Page, error) {
	ending := strings.ToLower(path.Ext(name))
	switch {
	case bytes.Contains(data[:min(len(data), 1024)], pdfBegins):
		return readPDF(ctx, data)
	case bytes.HasPrefix(data, zipBegins):
		text, err := docx(data)
		if err != nil {
			return page.Page{}, err
		}
		return readText([]byte(text), "text/html; charset=utf-8")
	case bytes.HasPrefix(data, oleBegins) && ending == ".docx":
		return page.Page{}, encrypted
	case bytes.HasPrefix(data, oleBegins):
		return page.Page{}, oldWord
	case ending == ".pdf" || ending == ".docx":
		return page.Page{}, damaged
	case ending == ".html" || ending == ".htm" || ending == ".xhtml":
		return readText(data, "text/html")
	case ending == ".md" || ending == ".markdown":
		return readText(data, "text/markdown")
	case ending == ".txt" || ending == ".text":
		return readText(data, "text/plain")
	case strings.HasPrefix(http.DetectContentType(data), "text/html"):
		return readText(data, "text/html")
	}
	return page.Page{}, unknownKind
}

func readText(data []byte, contentType string) (page.Page, error) {
	p, err := page.Read(data, contentType)
	switch {
	case errors.Is(err, page.TooLarge):
		return page.Page{}, tooLong
	case errors.Is(err, page.TooManyTags):
		return page.Page{}, tooMany
	case errors.Is(err, page.NoText):
		return page.Page{}, noText
	case err != nil:
		return page.Page{}, intricate
	}
	return p, nil
}

func readPDF(ctx context.Context, data []byte) (page.Page, error) {
	text, err := pdf.HTML(data)
	switch {
	case errors.Is(err, pdf.ErrEncrypted):
		return page.Page{}, encrypted
	case errors.Is(err, pdf.ErrTooLong):
		return page.Page{}, tooLong
	case errors.Is(err, pdf.ErrNoText):
		return page.Page{}, noText
	case err != nil:
		logline.Add(ctx, slog.String("unread", err.Error()))
		return page.Page{}, damaged
	}
	return readText([]byte(text), "text/html; charset=utf-8")
}
