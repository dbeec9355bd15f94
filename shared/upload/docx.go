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
	// maxPart bounds a part of a document after decompression, in bytes. One that says it is larger, or
	// is, is refused: the text of the longest document takes a tenth of it.
	maxPart = 48 << 20
	// maxHTML is how many bytes the HTML may have that is made of a document: with its marks some times
	// those of the text.
	maxHTML = 4 << 20
	// maxDepth is how deep the elements of a part may lie in each other.
	maxDepth = 200
)

// docx makes HTML of a document of Word's format (ECMA-376), with its title, headings, lists and tables.
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

// part reads a part of a document.
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

// walk hands each element and text of a part over, until the part ends or see returns an error.
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

// coreTitle reads what a document calls itself.
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

// A style is what the style of a paragraph says of its place in the text.
type style struct {
	level int  // of the heading that it is, 0 for none
	entry bool // it is an entry of a list
}

// readStyles reads the styles of a document. Those of headings are known by their names, which are
// English whatever the language of the program, or by the level that they give in an outline.
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

// attribute is the value of an attribute, "" where there is none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// A docxWriter makes HTML of the body of a document.
type docxWriter struct {
	strings.Builder
	styles map[string]style // by their ids

	text    strings.Builder // of the paragraph at hand
	level   int             // of the heading that it is, 0 for none
	entry   bool            // it is an entry of a list
	listed  bool            // the paragraph before was one
	inText  bool
	skipped int // elements that are open and say nothing that is read
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

// unread are elements whose content is not what the document says now: what was deleted, instructions for
// fields, and the older form of what is there in a newer one.
var unread = map[string]bool{"del": true, "moveFrom": true, "instrText": true, "Fallback": true}

func (w *docxWriter) start(t xml.StartElement) {
	if unread[t.Name.Local] {
		w.skipped++
	}
	switch t.Name.Local {
	case "p": // one may lie in another, as the text of a box does
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
