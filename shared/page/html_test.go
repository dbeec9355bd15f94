package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestHTML(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"paragraphs", "<p>One\n  two&nbsp; three.<p>Four.", "One two three.\n\nFour."},
		{"line breaks", "<p>Main street 1<br>3011 Bern<br/>", "Main street 1\n3011 Bern"},
		{"emphasis", "<p>Mon<b>day</b> is <em>our</em> day<i>!</i></p>", "Monday is our day!"},
		{"invisible characters", "<p>Öff\u00adnungs\u200bzeiten &shy;heu&shy;te\ufeff</p>",
			"Öffnungszeiten heute"},
		{"entities", "<p>Fish &amp; chips &lt; &euro;10 &#x2713;", "Fish & chips < €10 ✓"},
		{"headings",
			"<h1>Luna</h1><h2>  Opening\n<b>hours</b></h2>Daily.<h3></h3><h4><a href=/x>More</a></h4>x",
			"# Luna\n\n## Opening hours\n\nDaily.\n\n#### More\n\nx"},
		{"divs", "<div>One</div><div>Two<div>Three</div></div>four", "One\nTwo\nThree\nfour"},
		{"custom elements", "<x-card>One</x-card><x-card>Two</x-card>", "One\nTwo"},
		{"left out", `<head><style>p{}</style></head><nav>Home</nav><div role="navigation">Home</div>
			<script>document.write("<p>no</p>")</script><noscript>Switch it on</noscript><template>no</template>
			<svg><title>Logo</title><text>no</text></svg><span aria-hidden="true">★</span><select><option>no</select>
			<a class="skip-link" href="#main">Skip to content</a><dialog>Cookies?</dialog><textarea>no</textarea><iframe src=x>no</iframe><!-- no --><p>yes</p>`, "yes"},
		{"folded away", `<details><summary>Do you <b>deliver</b>?</summary>Yes, within 5 km.</details>
			<h3><button>Can I pay by card?</button></h3><div hidden>You can.</div>
			<dialog open>Closed on May 1st.</dialog>`,
			"#### Do you deliver?\n\nYes, within 5 km.\n\n### Can I pay by card?\n\nYou can.\n\nClosed on " +
				"May 1st."},
		{"lists",
			"Intro<ul><li>Dogs<li>Wifi<ul><li>free<li><p>fast</p></ul><li></li></ul><ol><li>One</ol>End",
			"Intro\n\n- Dogs\n- Wifi\n  - free\n  - fast\n\n- One\n\nEnd"},
		{"entries of several parts", "<ul><li><h3>Cut</h3><p>30 min</p><li><p>a</p><p>b</p></ul>",
			"### Cut\n\n30 min\n\n- a\n\nb"},
		{"definitions",
			"<dl><dt>Monday<dd>9–17<dt>Do you " +
				"park?<dd><p>Yes.</p><dt>Rooms:<dd><ul><li>Blue<li>Red</ul></dl>",
			"- Monday: 9–17\n- Do you park? Yes.\n- Rooms:\n\n- Blue\n- Red"},
		{"table of two columns",
			"<table><tr><th>Day<th>Hours<tr><td>Monday<td>9–17<br>19–22<tr><td><td>" +
				"<tr><td>Sunday:<td>closed</table>",
			"- Day: Hours\n- Monday: 9–17 19–22\n- Sunday: closed"},
		{"table of more columns", `<table><caption>Drinks</caption><thead><tr><td>Drink<td>Small<td>Large</thead>
			<tr><td>Latte<td>$3<td>$4<tr><td>Tea<td><td>$2<tr><td>Water<td colspan=2>free</table>`,
			"Drinks\n- Latte: Small $3, Large $4\n- Tea: Large $2\n- Water: free"},
		{"table without names", "<table><tr><td>Mon<td>9–12<td>14–18<tr><td><td>9–12<td>14–18</table>",
			"- Mon: 9–12, 14–18\n- 9–12, 14–18"},
		{"table of layout", "<table><tr><td><h2>Left</h2>Text<td><table><tr><td>Mon<td>9–17</table></table>",
			"## Left\n\nText\n\n- Mon: 9–17"},
		{"table for looks", "<table role=presentation><tr><td>One<td>Two</table>", "One\nTwo"},
		{"preformatted", "<pre>\nMon  9-17\n  Tue 9-17\n\nSun -</pre>x", "Mon 9-17\nTue 9-17\nSun -\n\nx"},
		{"links", `<p>See <a href="/menu">our menu</a> or <a name=x>here</a>.`, "See our menu or here."},
		{"contact links", `<a href="mailto:info@luna.test?subject=x">Write to us</a>, <a href="tel:+41311234567">call us</a>,
			<a href="MAILTO:info@luna.test">info@luna.test</a>, <a href="tel:+41311234567">031 123 45 67</a>,
			<a href="mailto:a@luna.test"><svg></svg></a>, <a href="mailto:">write</a>`,
			"Write to us (info@luna.test), call us (+41311234567), info@luna.test, 031 123 45 67, " +
				"a@luna.test, write"},
		{"footer", `<p>Text</p><footer><a href="/imprint">Imprint</a><ul><li><a href="/jobs">Jobs</a><li>Open daily</ul>
			<a href="tel:1">Call</a> © Luna</footer><aside><a href="/x">Related</a></aside>`,
			"Text\n\n- Open daily\n\nCall (1) © Luna"},
		{"misnested", "<p>One<div>Two</p>Three</b></div></section>Four", "One\n\nTwo\n\nThree\nFour"},
		{"unclosed", "<p>One <a href=x", "One"},
		{"no HTML", "just text", "just text"},
		{"other scripts", "<p>営業時間は<b>9時</b>から</p><p dir=rtl>مرحبا بكم</p><p>می\u200cخواهم",
			"営業時間は9時から\n\nمرحبا بكم\n\nمی\u200cخواهم"},
	} {
		p, err := fromHTML(test.html, new(Links))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, p.Text); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestTitle(t *testing.T) {
	for html, want := range map[string]string{
		"<title> Caf&eacute;\n Luna </title><h1>Welcome</h1>":  "Café Luna",
		"<svg><title>Logo</title></svg><h1>Welcome <b>all</b>": "Welcome all",
		"<title></title><h1></h1><h1>Second</h1>":              "Second",
		"<p>Text":                                                 "",
		"<body><title>Late</title>":                               "Late",
		"<title>A <b>bold</b> one</title>":                        "A <b>bold</b> one",
		"<TITLE>Loud</TITLE><template><title>x</title>":           "Loud",
		"<h1><span aria-hidden=true>★</span> Luna</h1><h1>x</h1>": "Luna",
	} {
		p, err := fromHTML(html, new(Links))
		if err != nil || p.Title != want {
			t.Errorf("title of %s is %q, %v; want %q", html, p.Title, err, want)
		}
	}
}

// Pages that are made to cost far more than their size are read or refused within bounds. The bound of time
// is wide: it is for what grows with the square of the size, or faster.
func TestBombs(t *testing.T) {
	fill := func(unit string) string {
		n := maxBody / len(unit) / 4
		if tags := strings.Count(unit, "<"); tags > 0 {
			n = min(n, maxTags/tags/4)
		}
		return strings.Repeat(unit, n)
	}
	var emphasis, bodies strings.Builder
	for i := range 400 {
		fmt.Fprintf(&emphasis, "<b class=%d>", i)
	}
	for i := range maxTags / 2 {
		fmt.Fprintf(&bodies, "<body a%d>", i)
	}
	for name, html := range map[string]string{
		"paragraphs":       fill("<p>x"),
		"emphasis":         "<p>" + emphasis.String() + fill("<p>x"),
		"links":            fill("<a href=tel:><p>x"),
		"nested":           fill("<div>"),
		"nested lists":     strings.Repeat("<ul><li>", 200) + fill("<li>x"),
		"nested tables":    strings.Repeat("<table><tr><td>x", 120) + fill("x "),
		"links in tables":  strings.Repeat("<a href=tel:x><table><tr><td>", 90) + "x",
		"nested summaries": strings.Repeat("<details><summary>x", 200) + fill("x "),
		"nested entries":   strings.Repeat("<li><section>x", 200) + fill("x "),
		"end tags":         strings.Repeat("<div>", 500) + fill("</p>"),
		"attributes":       "<p " + fill("a b c d ") + ">x",
		"same attributes":  "<p " + fill("href ") + ">x",
		"bodies":           fill("<body href=x>"),
		"bodies, attributes repeated": "<body " + strings.Repeat("href=x ", maxBody/20) + ">" +
			strings.Repeat("<body open>", maxTags/2),
		"bodies, different": bodies.String(),
		"unclosed tag":      fill("<a "),
		"unclosed comment":  fill("<!--"),
		"entities":          fill("&amp"),
		"names of columns": "<table><tr><th>" + strings.Repeat("<th>"+strings.Repeat("y", maxHeading), 1000) +
			fill("<tr><td>x"+strings.Repeat("<td>x", 1000)),
		"spaces":      fill(" \n"),
		"rows":        "<table>" + fill("<tr><td>x"),
		"cells":       "<table><tr>" + fill("<td>x"),
		"foster":      "<table>" + fill("x<tr>"),
		"definitions": "<dl>" + fill("<dt>x<dd>y"),
	} {
		begin := time.Now()
		p, _ := fromHTML(html, new(Links))
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if len(p.Text) > maxBody+maxHeading {
			t.Errorf("%s: %d bytes of text", name, len(p.Text))
		}
	}
}

func TestUnreadable(t *testing.T) {
	for html, want := range map[string]Error{
		strings.Repeat("<p>x", maxTags+1):  TooManyTags,
		strings.Repeat("<div>", 600) + "x": unreadable,
	} {
		if _, err := fromHTML(html, new(Links)); err != want {
			t.Errorf("%.12s…: %v, want %q", html, err, want)
		}
	}
}

func FuzzHTML(f *testing.F) {
	f.Add("<p>One<table><tr><th>a<th>b<th>c<tr><td>x<td>y<td>z</table><dl><dt>a<dd>b</dl><pre>\n x</pre>")
	f.Add("<ul><li>a<ul><li>b</ul></ul><footer><a href=tel:1>x</a></footer><svg><style><p>x")
	f.Add("<a href=tel:x><table><td><a href=mailto:y><select><nav><template><h1>x")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := fromHTML(decode([]byte(s), "text/html"), new(Links))
		if err != nil {
			return
		}
		for i, line := range strings.Split(p.Text, "\n") {
			if strings.TrimRight(line, " ") != line {
				t.Errorf("line %d ends in a space: %q", i, line)
			}
		}
		if strings.Contains(p.Text, "\n\n\n") || strings.Trim(p.Text, "\n") != p.Text {
			t.Errorf("too many blank lines: %q", p.Text)
		}
		if strings.ContainsAny(p.Title, "\n\r\t") {
			t.Errorf("title of several lines: %q", p.Title)
		}
	})
}
