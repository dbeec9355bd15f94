package page

import (
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxTags limits the tags of a page: one for every 20 bytes of the largest page. A page built to exhaust
// memory has up to 700,000.
const maxTags = 100_000

// fromHTML converts HTML to a Page and collects its links.
func fromHTML(s string, links *Links) (Page, error) {
	bare, err := strip(s)
	if err != nil {
		return Page{}, err
	}
	root, err := html.Parse(strings.NewReader(bare))
	if err != nil {
		return Page{}, unreadable // nested deeper than the parser allows
	}
	var w writer
	w.children(root)
	if w.full() {
		return Page{}, TooLarge
	}
	p := Page{Title: title(root, atom.Title), Text: w.String()}
	links.read(root)
	if p.Title == "" {
		p.Title = title(root, atom.H1)
	}
	return p, nil
}

// strip returns the HTML without comments, emphasis, and attributes that do not affect the text. The parser
// repeats open emphasis tags in every paragraph and collects attributes of repeated tags, so a small page
// could exhaust memory.
func strip(s string) (string, error) {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for tags := 0; ; {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() != io.EOF {
				return "", unreadable
			}
			return b.String(), nil
		case html.DoctypeToken, html.TextToken:
			b.Write(z.Raw())
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t := z.Token()
			if emphasis(t.DataAtom) {
				continue
			}
			if tags++; tags > maxTags {
				return "", TooManyTags
			}
			t.Attr = telling(t.Attr)
			b.WriteString(t.String())
		}
	}
}

// emphasis reports whether an element only changes the look of its text.
func emphasis(a atom.Atom) bool {
	switch a {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike,
		atom.Strong,
		atom.Tt, atom.U:
		return true
	}
	return false
}

// telling returns the attributes that matter for the text, without duplicates. It reuses the slice.
func telling(attrs []html.Attribute) []html.Attribute {
	kept := attrs[:0]
	for _, a := range attrs {
		switch a.Key {
		case "aria-hidden", "class", "colspan", "content", "href", "name", "open", "rel", "role":
			if !slices.ContainsFunc(kept, func(k html.Attribute) bool { return k.Key == a.Key }) {
				kept = append(kept, a)
			}
		}
	}
	return kept
}

// title returns the text of the first element of that kind that has any.
func title(root *html.Node, kind atom.Atom) string {
	for n := range root.Descendants() {
		if n.DataAtom == kind && n.Namespace == "" {
			if s := flat(n, false); s != "" {
				return s
			}
		}
	}
	return ""
}

// attr returns an attribute without surrounding white space, "" if it is missing.
func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// hidden reports whether visitors do not see the element, or see it on every page of the site. Folded
// content, such as the answers of an FAQ, counts as visible.
func hidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Audio, atom.Canvas, atom.Datalist, atom.Embed, atom.Head, atom.Iframe, atom.Math, atom.Nav,
		atom.Noembed,
		atom.Noframes, atom.Noscript, atom.Object, atom.Script, atom.Select, atom.Style, atom.Svg,
		atom.Template,
		atom.Textarea, atom.Title, atom.Video:
		return true
	case atom.Dialog:
		return !has(n, "open")
	case atom.A: // for example "Skip to content"
		return strings.HasPrefix(attr(n, "href"), "#") && strings.Contains(attr(n, "class"), "skip")
	}
	switch attr(n, "role") {
	case "navigation", "search", "dialog", "alertdialog", "menu", "menubar":
		return true
	}
	return attr(n, "aria-hidden") == "true"
}

// has reports whether an element has an attribute.
func has(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}
