package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Links are where a page of HTML leads to, and what it asks of those who go through websites. The addresses
// are as the page has them, most of them relative.
type Links struct {
	URL       string   // the address that answered, after redirects
	Status    int      // what it answered where that is no page; else 0
	To        []string // each once, in the order of the page
	Base      string   // what they are relative to, where that is not the page
	Canonical string   // the address that the page goes by, where it says so
	NoIndex   bool     // it is not to be taken
	NoFollow  bool     // its links are not to be followed
}

// maxLinks bounds the links of a page.
const maxLinks = 2000

// read collects what links and metadata of a page say.
func (l *Links) read(root *html.Node) {
	seen := map[string]bool{}
	for n := range root.Descendants() {
		href := attr(n, "href")
		switch n.DataAtom {
		case atom.A, atom.Area:
			if href == "" || seen[href] || len(l.To) >= maxLinks || asks(attr(n, "rel"), "nofollow") {
				continue
			}
			seen[href] = true
			l.To = append(l.To, href)
		case atom.Base:
			if l.Base == "" {
				l.Base = href
			}
		case atom.Link:
			if asks(attr(n, "rel"), "canonical") && l.Canonical == "" {
				l.Canonical = href
			}
		case atom.Meta:
			if name := strings.ToLower(attr(n, "name")); name == "robots" || name == "frontdesk" {
				content := attr(n, "content")
				l.NoIndex = l.NoIndex || asks(content, "noindex") || asks(content, "none")
				l.NoFollow = l.NoFollow || asks(content, "nofollow") || asks(content, "none")
			}
		}
	}
}

// asks reports whether a list of words, with spaces or commas between, has one.
func asks(list, word string) bool {
	for each := range strings.FieldsFuncSeq(strings.ToLower(list),
		func(r rune) bool { return r == ' ' || r == ',' }) {
		if each == word {
			return true
		}
	}
	return false
}
