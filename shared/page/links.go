package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Links are the links of an HTML page, and what it asks of crawlers. URLs are as written, usually relative.
type Links struct {
	URL       string   // the URL that answered, after redirects
	Status    int      // set if the response is not a page, otherwise 0
	To        []string // without duplicates, in the order of the page
	Base      string   // what they are relative to, if not the page
	Canonical string   // canonical URL, if the page declares one
	NoIndex   bool     // the page must not be indexed
	NoFollow  bool     // its links must not be followed
}

// maxLinks is the limit of links of a page.
const maxLinks = 2000

// read collects the links and the robots metadata of a page.
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

// asks reports whether a list separated by spaces or commas has the word.
func asks(list, word string) bool {
	for each := range strings.FieldsFuncSeq(strings.ToLower(list),
		func(r rune) bool { return r == ' ' || r == ',' }) {
		if each == word {
			return true
		}
	}
	return false
}
