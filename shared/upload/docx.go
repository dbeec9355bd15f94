package upload

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

const (
	// maxPart limits a part of a document after decompression, in bytes. The longest permitted text takes a
	// tenth of it.
	maxPart = 48 << 20
	// maxHTML limits the HTML made of a document, in bytes. With its tags it is several times as long as the
	// text.
	maxHTML = 4 << 20
	// maxDepth limits the nesting of elements.
	maxDepth = 200
)

// docx converts a DOCX document (ECMA-376) to HTML with its title, headings, lists and tables.
func docx(data []byte) (string, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", damaged
	}
	title, err := part(archive, "docProps/core.xml", coreTitle)
	if err != nil && !errors.Is(err, errNoPart) {
		return "", err
	}
	styles, err := part(archive, "word/styles.xml", readStyles)
	if err != nil && !errors.Is(err, errNoPart) {
		return "", err
	}
	body, err := part(archive, "word/document.xml", func(d *xml.Decoder) (string, error) {
		w := docxWriter{styles: styles}
		err := w.read(d)
		return w.String(), err
	})
	if errors.Is(err, errNoPart) {
		return "", notWord
	}
	return "<title>" + html.EscapeString(title) + "</title>" + body, err
}

var errNoPart = errors.New("upload: no such part")

// part reads a part of a document. It returns errNoPart if there is none.
func part[T any](archive *zip.Reader, name string, read func(*xml.Decoder) (T, error)) (T, error) {
	var none T
	for _, file := range archive.File {
		if file.Name != name {
			continue
		}
		if file.UncompressedSize64 > maxPart {
			return none, tooLong
		}
		content, err := file.Open()
		if err != nil {
			return none, damaged
		}
		defer content.Close()
		limited := &io.LimitedReader{R: content, N: maxPart}
		decoder := xml.NewDecoder(limited)
		decoder.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, damaged }
		value, err := read(decoder)
		var problem Error
		switch {
		case limited.N <= 0:
			return none, tooLong
		case errors.As(err, &problem):
			return none, problem
		case err != nil:
			return none, damaged
		}
		return value, nil
	}
	return none, errNoPart
}

// walk calls see for each token of a part until the part ends or see returns an error.
func walk(d *xml.Decoder, see func(xml.Token) error) error {
	depth := 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return damaged
			}
		case xml.EndElement:
			depth--
		}
		if err := see(token); err != nil {
			return err
		}
	}
}

// coreTitle reads the title in a document's properties.
func coreTitle(d *xml.Decoder) (title string, err error) {
	inside := false
	err = walk(d, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			inside = t.Name.Local == "title"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				title += string(t)
			}
		}
		return nil
	})
	return title, err
}

// A style is what a paragraph style says about structure.
type style struct {
	level int  // heading level, 0 for none
	entry bool // list entry
}

// readStyles reads the styles of a document. Headings are recognized by their style names, which are English
// in all languages, or by their outline level.
func readStyles(d *xml.Decoder) (map[string]style, error) {
	styles, id := map[string]style{}, ""
	err := walk(d, func(token xml.Token) error {
		t, ok := token.(xml.StartElement)
		if !ok {
			return nil
		}
		s := styles[id]
		switch t.Name.Local {
		case "style":
			id = attribute(t, "styleId")
			return nil
		case "name":
			name := strings.ToLower(attribute(t, "val"))
			if level, ok := strings.CutPrefix(name, "heading "); ok {
				s.level, _ = strconv.Atoi(level)
			} else if name == "title" {
				s.level = 1
			}
		case "outlineLvl":
			if level, err := strconv.Atoi(attribute(t, "val")); err == nil && s.level == 0 && level < 9 {
				s.level = level + 1
			}
		case "numPr":
			s.entry = true
		}
		styles[id] = s
		return nil
	})
	return styles, err
}

// attribute returns the value of an attribute, or "".
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// A docxWriter converts the body of a document to HTML.
type docxWriter struct {
	strings.Builder
	styles map[string]style // by id

	text    strings.Builder // of the current paragraph
	level   int             // its heading level, 0 for none
	entry   bool            // it is a list entry
	listed  bool            // the previous paragraph was a list entry
	inText  bool
	skipped int // open elements whose content is left out
}

func (w *docxWriter) read(d *xml.Decoder) error {
	err := walk(d, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			w.start(t)
		case xml.EndElement:
			w.end(t)
		case xml.CharData:
			if w.inText && w.skipped == 0 {
				w.text.Write(t)
			}
		}
		if w.Len()+w.text.Len() > maxHTML {
			return tooLong
		}
		return nil
	})
	w.endList()
	return err
}

// unread are elements whose content is left out: deleted text, field instructions, and fallbacks of content
// that is present in a newer form.
var unread = map[string]bool{"del": true, "moveFrom": true, "instrText": true, "Fallback": true}

func (w *docxWriter) start(t xml.StartElement) {
	if unread[t.Name.Local] {
		w.skipped++
	}
	switch t.Name.Local {
	case "p": // paragraphs can be nested, as in text boxes
		w.paragraph()
		w.level, w.entry = 0, false
	case "pStyle":
		s := w.styles[attribute(t, "val")]
		w.level, w.entry = s.level, w.entry || s.entry
	case "numPr":
		w.entry = true
	case "t":
		w.inText = true
	case "tab", "br", "cr":
		w.text.WriteByte(' ')
	case "noBreakHyphen":
		w.text.WriteByte('-')
	case "tbl":
		w.endList()
		w.WriteString("<table>")
	case "tr":
		w.WriteString("<tr>")
	case "tc":
		w.WriteString("<td>")
	}
}

func (w *docxWriter) end(t xml.EndElement) {
	if unread[t.Name.Local] {
		w.skipped--
	}
	switch t.Name.Local {
	case "t":
		w.inText = false
	case "p":
		w.paragraph()
	case "tbl":
		w.endList()
		w.WriteString("</table>")
	case "tr":
		w.WriteString("</tr>")
	case "tc":
		w.endList()
		w.WriteString("</td>")
	}
}

func (w *docxWriter) paragraph() {
	text := strings.TrimSpace(w.text.String())
	w.text.Reset()
	if text == "" {
		return
	}
	text = html.EscapeString(text)
	switch {
	case w.level > 0:
		w.endList()
		fmt.Fprintf(w, "<h%d>%s</h%[1]d>", min(w.level, 6), text)
	case w.entry:
		if !w.listed {
			w.WriteString("<ul>")
		}
		w.listed = true
		w.WriteString("<li>" + text + "</li>")
	default:
		w.endList()
		w.WriteString("<p>" + text + "</p>")
	}
}

func (w *docxWriter) endList() {
	if w.listed {
		w.WriteString("</ul>")
	}
	w.listed = false
}
