package page

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxIndent is the limit of levels by which an entry is indented.
const maxIndent = 4

// summaryLevel is the heading level of the summary of folded details, which are usually below the page's
// headings.
const summaryLevel = 4

// A writer writes the text of a page while it walks its elements.
type writer struct {
	b      strings.Builder
	breaks int    // line breaks due before the next word: 0, 1, or 2 for a blank line
	space  bool   // a space is due before the next word
	mark   string // begins the next line
	lists  int    // current nesting of lists
	flat   bool   // line breaks become spaces
	margin bool   // inside a footer or aside, where links are left out
}

func (w *writer) String() string { return w.b.String() }

// full reports whether the text has reached its limit. Then nothing more is written.
func (w *writer) full() bool { return w.b.Len() > maxBody }

// line ends a line, blank ends a paragraph.
func (w *writer) line()  { w.end(1) }
func (w *writer) blank() { w.end(2) }

func (w *writer) end(breaks int) {
	if w.flat {
		w.space = true
		return
	}
	w.breaks = max(w.breaks, breaks)
}

// text writes s with single spaces between words.
func (w *writer) text(s string) {
	for s = strings.Map(visible, s); s != ""; {
		word := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) })
		if word != 0 {
			w.space = true
		}
		if word < 0 {
			return
		}
		s = s[word:]
		end := strings.IndexFunc(s, unicode.IsSpace)
		if end < 0 {
			end = len(s)
		}
		w.word(s[:end])
		s = s[end:]
	}
}

// word writes a word after the line breaks and marks that are due.
func (w *writer) word(s string) {
	if w.full() {
		return
	}
	switch {
	case w.b.Len() == 0 || w.breaks > 0:
		if w.b.Len() > 0 {
			w.b.WriteString("\n\n"[:w.breaks])
		}
		w.b.WriteString(w.mark)
		w.mark = ""
	case w.space:
		w.b.WriteByte(' ')
	}
	w.breaks, w.space = 0, false
	w.b.WriteString(s)
}

// flat returns an element's text on one line. With margin it leaves out links.
func flat(n *html.Node, margin bool) string {
	w := writer{flat: true, margin: margin}
	w.children(n)
	return w.String()
}

// inline writes an element on its own line that begins with mark. It reports whether the element has any
// text; without text it writes nothing.
func (w *writer) inline(n *html.Node, mark string) bool {
	before := w.b.Len()
	w.line()
	w.mark, w.flat = mark, true
	w.children(n)
	w.mark, w.flat = "", false
	w.line()
	return w.b.Len() > before
}

func (w *writer) children(n *html.Node) {
	for c := range n.ChildNodes() {
		switch c.Type {
		case html.TextNode:
			w.text(c.Data)
		case html.ElementNode:
			if !hidden(c) {
				w.element(c)
			}
		}
	}
}

// element writes an element that is not hidden.
func (w *writer) element(n *html.Node) {
	switch n.DataAtom {
	case atom.A:
		w.link(n)
		return
	case atom.Footer, atom.Aside:
		defer func(outer bool) { w.margin = outer }(w.margin)
		w.margin = true
	}
	if !w.flat && w.block(n) {
		return
	}
	switch {
	case isParagraph(n):
		w.blank()
		w.children(n)
		w.blank()
	case isLine(n):
		w.line()
		w.children(n)
		w.line()
	default:
		w.children(n)
	}
}

// block writes an element with a special form outside lines, and reports whether it is one.
func (w *writer) block(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(n, int(n.Data[1]-'0'))
	case atom.Summary:
		w.heading(n, summaryLevel)
	case atom.Pre:
		w.pre(n)
	case atom.Ul, atom.Ol, atom.Menu:
		w.list(n)
	case atom.Li:
		w.entry(n)
	case atom.Dt:
		if w.inline(n, w.bullet()) {
			w.b.WriteString(colon(w.String()))
		}
	case atom.Dd:
		w.definition(n)
	case atom.Table:
		w.table(n)
	default:
		return false
	}
	return true
}

// isParagraph reports whether blank lines separate an element from its neighbours.
func isParagraph(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Details, atom.Dialog,
		atom.Dl,
		atom.Fieldset, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5,
		atom.H6,
		atom.Header, atom.Hgroup, atom.Hr, atom.Main, atom.Menu, atom.Ol, atom.P, atom.Pre, atom.Search,
		atom.Section,
		atom.Table, atom.Ul:
		return true
	}
	return false
}

// isLine reports whether an element has its own lines. Custom elements usually do.
func isLine(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Br, atom.Button, atom.Caption, atom.Center, atom.Dd, atom.Div, atom.Dt, atom.Figcaption,
		atom.Legend, atom.Li,
		atom.Optgroup, atom.Option, atom.Summary, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
		atom.Tr:
		return true
	}
	return strings.Contains(n.Data, "-")
}

// link writes the text of a link, followed by the address of a mailto or tel link unless the text has it.
// Inside a margin other links are left out.
func (w *writer) link(n *html.Node) {
	scheme, address, _ := strings.Cut(attr(n, "href"), ":")
	scheme = strings.ToLower(scheme)
	contact := scheme == "mailto" || scheme == "tel"
	if !contact {
		if !w.margin || attr(n, "href") == "" {
			w.children(n)
		}
		return
	}
	before := w.b.Len()
	w.children(n)
	words := w.b.String()[before:]
	address, _, _ = strings.Cut(address, "?")
	if address == "" || scheme == "mailto" && strings.Contains(words, "@") || scheme == "tel" &&
		strings.ContainsAny(words, "0123456789") {
		return
	}
	if words == "" {
		w.text(address)
	} else {
		w.text(" (" + address + ")")
	}
}

// pre writes preformatted text with its line breaks.
func (w *writer) pre(n *html.Node) {
	w.blank()
	for d := range n.Descendants() {
		switch {
		case d.DataAtom == atom.Br:
			w.line()
		case d.Type == html.TextNode:
			for i, l := range strings.Split(d.Data, "\n") {
				if i > 0 {
					w.line()
				}
				w.text(l)
			}
		}
	}
	w.blank()
}

// heading writes a heading, if it has any text.
func (w *writer) heading(n *html.Node, level int) {
	w.blank()
	if w.inline(n, strings.Repeat("#", level)+" ") {
		w.blank()
	}
}

func (w *writer) list(n *html.Node) {
	part := w.blank
	if w.lists > 0 {
		part = w.line
	}
	part()
	w.lists++
	w.children(n)
	w.lists--
	part()
}

// bullet returns the mark of a list entry at the current nesting.
func (w *writer) bullet() string {
	return strings.Repeat("  ", min(max(w.lists-1, 0), maxIndent)) + "- "
}

// entry writes an entry of a list.
func (w *writer) entry(n *html.Node) {
	if oneLine(n) {
		w.inline(n, w.bullet())
		return
	}
	w.line()
	w.mark = w.bullet()
	w.children(n)
	w.mark = ""
	w.line()
}

// definition writes the definition of a term, on the same line if it is short.
func (w *writer) definition(n *html.Node) {
	if !oneLine(n) {
		w.blank()
		w.children(n)
		w.blank()
		return
	}
	w.breaks, w.space = 0, true
	w.flat = true
	w.children(n)
	w.flat = false
	w.line()
}

// colon returns the punctuation after a name: a colon unless the name ends with punctuation.
func colon(name string) string {
	switch name[len(name)-1] {
	case ':', '?', '!', '.':
		return ""
	}
	return ":"
}

// oneLine reports whether an element can be written on one line: it has at most one paragraph, and no lists,
// headings or tables.
func oneLine(n *html.Node) bool {
	paragraphs := 0
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.Dl, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ol, atom.Pre, atom.Table,
			atom.Ul:
			return false
		case atom.P, atom.Blockquote:
			paragraphs++
		}
	}
	return paragraphs <= 1
}
