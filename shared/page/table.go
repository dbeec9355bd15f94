package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxHeading bounds the name of a column that is repeated in each row, in bytes.
const maxHeading = 40

// A row of a table.
type row struct {
	cells []string
	head  bool // all cells are names of columns
	even  bool // no cell spans columns
}

// table writes a table, each row as an entry of a list that reads well without the others. A table that only
// lays out a page is written like other elements.
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

// rows returns the rows of a table that say anything.
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

// short reports whether the names of columns may be repeated.
func short(names []string) bool {
	for _, name := range names {
		if len(name) > maxHeading {
			return false
		}
	}
	return true
}

// text writes a row as "first: second, third", each but the first behind the name of its column if there are
// names.
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
