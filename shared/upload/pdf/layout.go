package pdf

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Distances, relative to the font size.
const (
	sameLine = 0.5  // vertical distance up to which runs are on one line
	wordGap  = 0.18 // horizontal distance between words
	cellGap  = 1.5  // horizontal distance between cells of a table
	// lineGap is the line spacing of a paragraph if the document's usual spacing is unknown.
	lineGap = 1.7
	// heading is how much larger than most text a heading is at least.
	heading = 1.15
)

// maxHeading is the length limit of a heading in bytes.
const maxHeading = 150

// A line is text side by side. It has several cells in a table.
type line struct {
	cells    []string
	page     int
	start, y float64
	size     float64
}

func (l line) text() string { return strings.Join(l.cells, " ") }

// linesOf joins the runs of a page into lines, in drawing order.
func linesOf(runs []run, page int) []line {
	var lines []line
	for len(runs) > 0 {
		n := 1
		for n < len(runs) && math.Abs(runs[n].y-runs[0].y) < sameLine*max(runs[n].size, runs[0].size) {
			n++
		}
		if l := lineOf(runs[:n], page); strings.TrimSpace(l.text()) != "" {
			lines = append(lines, l)
		}
		runs = runs[n:]
	}
	return lines
}

// lineOf joins runs that are side by side.
func lineOf(runs []run, page int) line {
	l := line{page: page, start: runs[0].start, y: runs[0].y}
	var cell strings.Builder
	end := func() {
		if text := strings.Join(strings.Fields(cell.String()), " "); text != "" {
			l.cells = append(l.cells, readable(text))
		}
		cell.Reset()
	}
	for i, r := range runs {
		l.size = max(l.size, r.size)
		if i > 0 {
			last := runs[i-1]
			gap := (r.start - last.end) / max(last.size, 1)
			switch {
			case gap > cellGap && (last.measured || gap > 2*cellGap), gap < -2*cellGap:
				end()
			case gap > wordGap && last.measured, math.Abs(gap) > wordGap && !last.measured:
				cell.WriteByte(' ')
			}
		}
		cell.WriteString(r.text)
	}
	end()
	if len(l.cells) > 1 && isBullet(l.cells[0]) {
		l.cells = []string{l.cells[0] + " " + strings.Join(l.cells[1:], " ")}
	}
	return l
}

// readable returns text that was drawn from left to right in reading order, which for Arabic and Hebrew is
// reversed.
func readable(text string) string {
	right, letters := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if unicode.In(r, unicode.Arabic, unicode.Hebrew) {
				right++
			}
		}
	}
	if right == 0 || 2*right < letters {
		return text
	}
	runes := []rune(norm.NFKC.String(text))
	slices.Reverse(runes)
	for i := 0; i < len(runes); { // numbers are left to right even there
		n := i
		for n < len(runes) && (unicode.IsDigit(runes[n]) || n > i && strings.ContainsRune(".,:", runes[n])) {
			n++
		}
		slices.Reverse(runes[i:n])
		i = max(n, i+1)
	}
	return string(runes)
}

// layOut converts lines to HTML.
func layOut(lines []line) string {
	body, gap := usualSize(lines), usualGap(lines)
	var b strings.Builder
	for len(lines) > 0 {
		l := lines[0]
		n := 1
		switch {
		case len(l.cells) > 1:
			for n < len(lines) && len(lines[n].cells) > 1 {
				n++
			}
			b.WriteString(tableOf(lines[:n]))
		case l.size > heading*body && len(l.text()) <= maxHeading:
			level := 2
			if l.size > 1.6*body {
				level = 1
			}
			fmt.Fprintf(&b, "<h%d>%s</h%[1]d>\n", level, html.EscapeString(l.text()))
		default:
			for n < len(lines) && follows(lines[n-1], lines[n], gap) {
				n++
			}
			b.WriteString(paragraph(lines[:n]))
		}
		lines = lines[n:]
	}
	return b.String()
}

// usualSize returns the font size of most letters.
func usualSize(lines []line) float64 {
	letters := map[float64]int{}
	for _, l := range lines {
		letters[math.Round(l.size*2)/2] += len(l.text())
	}
	best := 0.0
	for size, n := range letters {
		if n > letters[best] || n == letters[best] && size < best {
			best = size
		}
	}
	return best
}

// usualGap returns the most frequent line spacing, relative to the font size, with a tolerance.
func usualGap(lines []line) float64 {
	counts := map[float64]int{}
	for i := 1; i < len(lines); i++ {
		gap := (lines[i-1].y - lines[i].y) / max(lines[i].size, 1)
		if lines[i-1].size == lines[i].size && gap > 0.8 && gap < 2.5 {
			counts[math.Round(gap*20)/20]++
		}
	}
	best := 0.0
	for gap, n := range counts {
		if n > counts[best] || n == counts[best] && gap < best {
			best = gap
		}
	}
	if best == 0 {
		return lineGap
	}
	return best * 1.12
}

// follows reports whether a line continues the paragraph of the previous one.
func follows(last, next line, gap float64) bool {
	if len(next.cells) != 1 || isEntry(next.cells[0]) || math.Abs(last.size-next.size) > 0.6 {
		return false
	}
	if last.page != next.page { // a sentence may continue on the next page
		r := []rune(next.text())
		return unicode.IsLower(r[0])
	}
	distance := (last.y - next.y) / max(next.size, 1)
	return distance > 0 && distance <= gap
}

// isEntry reports whether a line begins a list entry.
func isEntry(text string) bool {
	mark, rest, ok := strings.Cut(text, " ")
	return ok && rest != "" && isBullet(mark)
}

// paragraph joins lines, and rejoins words hyphenated at line ends.
func paragraph(lines []line) string {
	text := lines[0].text()
	for _, l := range lines[1:] {
		next := l.text()
		before, parted := strings.CutSuffix(text, "-")
		r := []rune(next)
		if parted && before != "" && unicode.IsLower(r[0]) {
			text = before + next
			continue
		}
		text += " " + next
	}
	if isEntry(text) {
		_, text, _ = strings.Cut(text, " ")
		return "<ul><li>" + html.EscapeString(text) + "</li></ul>\n"
	}
	return "<p>" + html.EscapeString(text) + "</p>\n"
}

func tableOf(lines []line) string {
	var b strings.Builder
	b.WriteString("<table>")
	for _, l := range lines {
		b.WriteString("<tr>")
		for _, cell := range l.cells {
			b.WriteString("<td>" + html.EscapeString(cell) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>\n")
	return b.String()
}
