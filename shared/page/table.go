package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxHeading is the length of a column name up to which it is repeated in each row, in bytes.
const maxHeading = 40

// A row is a row of a table.
type row struct {
	cells []string
	head  bool // all cells are column names
	even  bool // no cell spans several columns
}

// table writes each row of a table as a list entry that can be understood alone. A table that is only layout
// is written like other elements.
func (w *writer) table(n *html.Node) {
	w.blank()
	defer w.blank()
	if isLayout(n) {
		w.children(n)
		return
	}
	for c := range n.ChildNodes() {
		if c.DataAtom == atom.Caption && !hidden(c) {
			w.inline(c, "")
		}
	}
	var names []string
	rows := w.rows(n)
	for i, r := range rows {
		if i == 0 && r.head && r.even && len(r.cells) > 2 && len(rows) > 1 && short(r.cells) {
			names = r.cells
			continue
		}
		w.line()
		w.mark = w.bullet()
		w.text(r.text(names))
		w.mark = ""
	}
}

// isLayout reports whether a table only arranges parts of a page.
func isLayout(table *html.Node) bool {
	if role := attr(table, "role"); role == "presentation" || role == "none" {
		return true
	}
	for n := range table.Descendants() {
		switch n.DataAtom {
		case atom.Table, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Form:
			return true
		}
	}
	return false
}

// rows returns the rows of a table that have any text.
func (w *writer) rows(table *html.Node) []row {
	var rows []row
	for n := range table.Descendants() {
		if n.DataAtom != atom.Tr {
			continue
		}
		r := row{head: true, even: true}
		for c := range n.ChildNodes() {
			if c.DataAtom != atom.Td && c.DataAtom != atom.Th || hidden(c) {
				continue
			}
			r.cells = append(r.cells, flat(c, w.margin))
			r.head = r.head && (c.DataAtom == atom.Th || n.Parent.DataAtom == atom.Thead)
			r.even = r.even && !has(c, "colspan")
		}
		if strings.Join(r.cells, "") != "" {
			rows = append(rows, r)
		}
	}
	return rows
}

// short reports whether all column names are short enough to be repeated.
func short(names []string) bool {
	for _, name := range names {
		if len(name) > maxHeading {
			return false
		}
	}
	return true
}

// text returns a row as "first: second, third", with the column names before all cells except the first, if
// there are names.
func (r row) text(names []string) string {
	var rest []string
	for i, cell := range r.cells[1:] {
		if cell == "" {
			continue
		}
		if r.even && len(r.cells) == len(names) && names[i+1] != "" {
			cell = names[i+1] + " " + cell
		}
		rest = append(rest, cell)
	}
	first, others := r.cells[0], strings.Join(rest, ", ")
	switch {
	case first == "":
		return others
	case others == "":
		return first
	}
	return first + colon(first) + " " + others
}
