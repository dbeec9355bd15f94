package email

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxHTML is how many bytes of HTML are read: the parser takes many times as much memory.
const maxHTML = 512 << 10

// htmlText converts HTML to plain text. own leaves out what mail programs mark as quoted or as a signature.
func htmlText(source string, own bool) string {
	if len(source) > maxHTML {
		source = strings.ToValidUTF8(source[:maxHTML], "")
	}
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return ""
	}
	t := textWriter{own: own}
	t.children(root)
	return tidy(t.b.String())
}

// tidy removes spaces at the ends of lines, and reduces several empty lines to one.
func tidy(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0':
			return ' '
		case r == '\u200b' || r == '\ufeff' || r == '\u00ad' || r < ' ' && r != '\n' && r != '\t' ||
			r == 0x7f:
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	lines := strings.Split(text, "\n")
	for i := range lines {
		if lines[i] != "-- " {
			lines[i] = strings.TrimRight(lines[i], " \t")
		}
	}
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// A textWriter writes nodes as text.
type textWriter struct {
	b     strings.Builder
	own   bool
	ended bool // what follows in the document is quoted
	depth int
}

// Elements whose content is no text of the mail, and those that begin a line.
var (
	unseen = []atom.Atom{atom.Script, atom.Style, atom.Head, atom.Title, atom.Template, atom.Noscript}
	blocks = []atom.Atom{
		atom.Address, atom.Article, atom.Blockquote, atom.Dd, atom.Div, atom.Dl, atom.Dt, atom.Footer,
		atom.H1,
		atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Li, atom.Ol, atom.Pre, atom.Section,
		atom.Table, atom.Tr, atom.Ul,
	}
)

func (t *textWriter) children(n *html.Node) {
	if t.depth++; t.depth <= 512 {
		for c := n.FirstChild; c != nil && !t.ended; c = c.NextSibling {
			t.node(c)
		}
	}
	t.depth--
}

func (t *textWriter) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		t.text(n.Data)
		return
	case n.Type != html.ElementNode:
		t.children(n)
		return
	case slices.Contains(unseen, n.DataAtom) || hidden().MatchString(attr(n, "style")):
		return
	}
	if t.own {
		switch quoted(n) {
		case endsMail:
			t.ended = true
			return
		case leftOut:
			return
		}
	}
	switch {
	case n.DataAtom == atom.Br:
		t.b.WriteByte('\n')
	case n.DataAtom == atom.P:
		t.line()
		t.children(n)
		t.line()
		t.b.WriteByte('\n')
	case n.DataAtom == atom.Td || n.DataAtom == atom.Th:
		t.children(n)
		t.b.WriteByte(' ')
	case slices.Contains(blocks, n.DataAtom):
		t.line()
		if n.DataAtom == atom.Li {
			t.b.WriteString("- ")
		}
		t.children(n)
		t.line()
	default:
		t.children(n)
	}
}

var hidden = pattern(`(?i)display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all`)

// line begins a line, unless one has just begun.
func (t *textWriter) line() {
	if s := t.b.String(); s != "" && !strings.HasSuffix(s, "\n") {
		t.b.WriteByte('\n')
	}
}

// space is the white space that separates words.
const space = " \t\r\n\u00a0"

// text writes a text with collapsed white space.
func (t *textWriter) text(s string) {
	words := strings.Fields(strings.ReplaceAll(s, "\u00a0", " "))
	before := t.b.String()
	begins := before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, " ")
	if strings.TrimLeft(s, space) != s && !begins {
		t.b.WriteByte(' ')
	}
	if len(words) == 0 {
		return
	}
	t.b.WriteString(strings.Join(words, " "))
	if strings.TrimRight(s, space) != s {
		t.b.WriteByte(' ')
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// What quoted says of an element.
const (
	kept     = iota
	leftOut  // it is quoted, or a signature
	endsMail // it is, and all that follows
)

// The marks of mail programs: classes and ids of elements that hold a quotation or a signature, and of those
// behind which the quoted mail follows.
var (
	quoteMarks = []string{
		"gmail_quote", "gmail_attr", "gmail_signature", "gmail_extra", "moz-cite-prefix", "moz-signature",
		"moz-forward-container", "yahoo_quoted", "protonmail_quote", "protonmail_signature_block",
		"zmail_extra",
		"tutanota_quote", "AppleMailSignature", "Signature", "OutlookMessageHeader",
		"ms-outlook-mobile-signature",
		"mail-editor-reference-message-container",
	}
	endMarks = []string{"divRplyFwdMsg", "appendonsend", "stopSpelling", "x_divRplyFwdMsg"}
	// A line above a header in bold is how Outlook sets off the mail that is answered.
	outlookLine = pattern(`(?i)border:\s*none;\s*border-top:\s*solid\s+#?(E1E1E1|B5C4DF)`)
)

func quoted(n *html.Node) int {
	id := attr(n, "id")
	if slices.Contains(endMarks, id) || outlookLine().MatchString(attr(n, "style")) {
		return endsMail
	}
	for class := range strings.FieldsSeq(attr(n, "class") + " " + id) {
		if slices.Contains(quoteMarks, class) {
			return leftOut
		}
	}
	if n.DataAtom == atom.Blockquote && (attr(n, "type") == "cite" || attr(n, "cite") != "") {
		return leftOut
	}
	return kept
}
