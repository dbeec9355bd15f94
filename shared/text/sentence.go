package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A SegmentKind is the role of a segment in the layout of a text.
type SegmentKind uint8

const (
	Sentence SegmentKind = iota // a sentence of running text
	Heading                     // a line that names the text after it
	// an entry of a list, or a separate short line such as "Mon-Fri: 9:00-17:00"
	Item
)

// A Segment is a sentence of a text, or a line that counts as one.
type Segment struct {
	// Start and End are the byte offsets of the segment in the text, without surrounding white space. An
	// Item's bullet is included.
	Start, End int
	Kind       SegmentKind
	// Block is the index of the paragraph, from 0. Blank lines separate paragraphs.
	Block int
}

// Sentences returns the sentences of s in order, without surrounding white space. Headings and list entries
// count as sentences. A line break within a wrapped sentence becomes a space.
func Sentences(s string) []string {
	segs := Segments(s)
	out := make([]string, len(segs))
	for i, seg := range segs {
		out[i] = seg.Text(s)
	}
	return out
}

// Text returns the text of the segment; s is the text from which it was made. Each run of white space
// becomes one space.
func (g Segment) Text(s string) string {
	s = s[g.Start:g.End]
	if !strings.ContainsAny(s, "\n\r\t") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// Segments splits s into sentences, headings and list entries.
func Segments(s string) []Segment {
	var segs []Segment
	lines := splitLines(s)
	block, used := 0, false
	for i := 0; i < len(lines); {
		if lines[i].start == lines[i].end {
			if used {
				block++
				used = false
			}
			i++
			continue
		}
		used = true
		paragraph := i
		for paragraph < len(lines) && lines[paragraph].start < lines[paragraph].end {
			paragraph++
		}
		segs = appendBlock(segs, s, lines[i:paragraph], block, hasText(lines[paragraph:]))
		i = paragraph
	}
	return segs
}

// hasText reports whether one of the lines has text.
func hasText(lines []line) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return l.start < l.end })
}

// A line is a range of bytes of s, without surrounding white space.
type line struct{ start, end int }

func splitLines(s string) []line {
	var lines []line
	for start := 0; start <= len(s); {
		end := strings.IndexFunc(s[start:], isLineBreak)
		next := len(s) + 1
		if end < 0 {
			end = len(s)
		} else {
			end += start
			_, size := utf8.DecodeRuneInString(s[end:])
			next = end + size
			if strings.HasPrefix(s[end:], "\r\n") {
				next++
			}
		}
		text := strings.TrimRightFunc(s[start:end], unicode.IsSpace)
		trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
		lines = append(lines, line{start + len(text) - len(trimmed), start + len(text)})
		start = next
	}
	return lines
}

func isLineBreak(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }

// appendBlock splits the lines of one paragraph. Wrapped lines are joined: those after which the first word
// of the next line would not have fitted. more is set if text follows the paragraph.
func appendBlock(segs []Segment, s string, lines []line, block int, more bool) []Segment {
	width := 0
	for _, l := range lines {
		width = max(width, l.end-l.start)
	}
	for i := 0; i < len(lines); {
		from := i
		for i++; i < len(lines); i++ {
			last, next := lines[i-1], lines[i]
			first := strings.IndexFunc(s[next.start:next.end], unicode.IsSpace)
			if first < 0 {
				first = next.end - next.start
			}
			lower, _ := utf8.DecodeRuneInString(s[next.start:next.end])
			wrapped := last.end-last.start+1+first > width || unicode.IsLower(lower) &&
				!isSentenceEnd(s[last.start:last.end])
			if width < 40 || !wrapped || bullet(s[next.start:next.end]) > 0 ||
				isHash(s[last.start:last.end]) {
				break
			}
		}
		start, end := lines[from].start, lines[i-1].end
		before := len(segs)
		kind := Sentence
		if bullet(s[start:end]) > 0 {
			kind = Item
		} else if i-from == 1 {
			kind = lineKind(s[start:end], len(lines) > 1 || block > 0 || more, i == 1, more &&
				len(lines) == 1)
		}
		if kind == Heading {
			segs = append(segs, Segment{start, end, Heading, block})
			continue
		}
		segs = appendSentences(segs, s, start, end, block)
		if kind == Item {
			for j := before; j < len(segs); j++ {
				segs[j].Kind = Item
			}
		}
	}
	return segs
}

// lineKind returns the kind of a line that has no bullet and was not wrapped. part is set if the text has
// other lines, first if the line begins its paragraph, alone if it is a whole paragraph with others after
// it. A separate question is a heading.
func lineKind(l string, part, first, alone bool) SegmentKind {
	switch {
	case alone && strings.HasSuffix(l, "?") && utf8.RuneCountInString(l) <= 80:
		return Heading
	case isHash(l):
		return Heading
	case strings.HasSuffix(l, ":") && utf8.RuneCountInString(l) <= 80:
		return Heading
	case isSentenceEnd(l) || utf8.RuneCountInString(l) > 60:
		return Sentence
	case first && part && !strings.ContainsAny(l, "0123456789:") && len(strings.Fields(l)) <= 8:
		return Heading
	case part:
		return Item
	}
	return Sentence
}

// isHash reports whether the line is a Markdown heading.
func isHash(l string) bool {
	rest := strings.TrimLeft(l, "#")
	return len(rest) < len(l) && len(l)-len(rest) <= 6 && strings.HasPrefix(rest, " ")
}

// bullet returns the length of the mark that makes a line a list entry, including the space after it; 0 for
// none.
func bullet(l string) int {
	r, size := utf8.DecodeRuneInString(l)
	if strings.ContainsRune("•◦▪‣·●○–—*+-✓✔➤→", r) {
		if rest := l[size:]; strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\t") {
			return size + 1
		}
		if r == '•' || r == '●' || r == '✓' || r == '✔' {
			return size
		}
		return 0
	}
	return numbering(l)
}

// numbering is bullet for numbers of up to three digits and letters: "1. ", "12) ", "a) ".
func numbering(l string) int {
	n := 0
	for n < len(l) && isDigit(l[n]) {
		n++
	}
	if n == 0 && len(l) > 2 && isASCIILetter(l[0]) && l[1] == ')' {
		n = 1
	}
	if n == 0 || n > 3 {
		return 0
	}
	if rest := l[n:]; strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ") {
		return n + 2
	}
	return 0
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isASCIILetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// appendSentences splits running text, s[start:end], into sentences.
func appendSentences(segs []Segment, s string, start, end, block int) []Segment {
	body := start + bullet(s[start:end]) // the full stop of an entry's number ends no sentence
	for i := body; i < end; {
		r, size := utf8.DecodeRuneInString(s[i:end])
		i += size
		if !isTerminator(r) {
			continue
		}
		stop := i
		for stop < end { // further punctuation, quotes and brackets belong to the sentence
			q, n := utf8.DecodeRuneInString(s[stop:end])
			if !isTerminator(q) && !strings.ContainsRune("\"'”’»)]}」』）】", q) {
				break
			}
			stop += n
		}
		if endsSentence(s[:end], body, i-size, stop) {
			segs = append(segs, Segment{start, stop, Sentence, block})
			for stop < end {
				q, n := utf8.DecodeRuneInString(s[stop:end])
				if !unicode.IsSpace(q) {
					break
				}
				stop += n
			}
			start, body = stop, stop
		}
		i = stop
	}
	if start < end {
		segs = append(segs, Segment{start, end, Sentence, block})
	}
	return segs
}

func isTerminator(r rune) bool { return strings.ContainsRune(".!?…。！？｡؟۔।", r) }

// isSentenceEnd reports whether s ends with the end of a sentence.
func isSentenceEnd(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)]}」』）】 ")
	r, _ := utf8.DecodeLastRuneInString(s)
	return isTerminator(r) && !(r == '.' && isAbbreviation(lastWord(s[:len(s)-1]), ""))
}

// endsSentence decides whether the punctuation mark at index at, with everything that belongs to it up to
// stop, ends a sentence of s that begins at from.
func endsSentence(s string, from, at, stop int) bool {
	mark, _ := utf8.DecodeRuneInString(s[at:])
	if stop == len(s) {
		return true
	}
	next, size := utf8.DecodeRuneInString(s[stop:])
	switch mark {
	case '。', '！', '？', '｡', '؟', '۔', '।':
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s[from:at])
	if !unicode.IsSpace(next) {
		// "closed.We open" lacks the space. "example.com", "3.5" and "U.S." end no sentence.
		second, _ := utf8.DecodeRuneInString(s[stop+size:])
		return stop == at+1 && unicode.IsLower(before) && unicode.IsUpper(next) && unicode.IsLower(second) &&
			len(lastWord(s[from:at])) > 1
	}
	rest := strings.TrimLeftFunc(s[stop:], unicode.IsSpace)
	rest = strings.TrimLeft(rest, "\"'“‘„«([¿¡")
	first, _ := utf8.DecodeRuneInString(rest)
	if mark == '!' || mark == '?' {
		return true
	}
	if unicode.IsLower(first) {
		return false
	}
	if mark == '.' && stop == at+1 {
		return !isAbbreviation(lastWord(s[from:at]), rest)
	}
	return true
}

// lastWord returns the text after the last white space of s, without opening quotes and brackets.
func lastWord(s string) string {
	if i := strings.LastIndexFunc(s, unicode.IsSpace); i >= 0 {
		_, size := utf8.DecodeRuneInString(s[i:])
		s = s[i+size:]
	}
	return strings.TrimLeft(s, "\"'“‘„«([¿¡")
}

// isAbbreviation reports whether the full stop after word belongs to it instead of ending a sentence: after
// initials, after ordinal numbers in languages that write them so, and after common abbreviations. The text
// after it, rest, does not begin with a lower-case letter.
func isAbbreviation(word, rest string) bool {
	if word == "" {
		return false
	}
	letters := utf8.RuneCountInString(word)
	first, _ := utf8.DecodeRuneInString(word)
	if unicode.IsUpper(first) && rest != "" && (letters == 1 || isInitials(word)) {
		return true // "J. Smith", "the U.S. South"
	}
	if '0' <= first && first <= '9' {
		return letters <= 2 && startsWithMonth(rest)
	}
	switch strings.ToLower(word) {
	// English
	case "mr", "mrs", "ms", "dr", "prof", "st", "jr", "vs", "approx", "dept", "est", "fig", "vol", "gen",
		"sgt", "capt", "rev", "hon",
		"e.g", "i.e", "c", "cf", "incl", "excl", "ext",
		// Spanish
		"sr", "sra", "srta", "dra", "ud", "uds", "vd", "vds", "pág", "av", "avda", "núm", "p.ej", "p. ej",
		"c/",
		"mme", "mlle", "bd", "p.ex", "env", "réf", // French
		// German
		"z.b", "d.h", "u.a", "z", "bzw", "ca", "inkl", "zzgl", "evtl", "ggf", "hr", "fr", "frl", "str", "nr",
		"tel", "bspw", "vgl",
		"sig", "sig.ra", "dott", "es", "ecc", // Italian
		"exmo", "exma", "ex", // Portuguese
		"dhr", "mevr", "mw", "bijv", "o.a", "d.w.z", // Dutch
		"t.ex", "bl.a", "kl", "fr.o.m", "t.o.m", "f.eks", "bl", // Scandinavian
		"esim", "mm", "puh", "klo", // Finnish
		"pl", "ún", // Hungarian
		"ул", "г", "тел", "д", "им", "руб", // Russian
		"vb", "no", "örn": // Turkish; "No." is English, too
		// At the end of a text these may end a sentence too, but that makes no difference.
		return rest != "" && !(strings.EqualFold(word, "no") && !(rest[0] >= '0' && rest[0] <= '9'))
	}
	return false
}

// isInitials reports whether word is single capitals with full stops between them, such as "U.S".
func isInitials(word string) bool {
	for part := range strings.SplitSeq(word, ".") {
		r, size := utf8.DecodeRuneInString(part)
		if size != len(part) || !unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

// startsWithMonth reports whether s begins with the name of a month in one of the languages that write "3.
// Mai".
func startsWithMonth(s string) bool {
	r := []rune(strings.ToLower(Truncate(s, 3)))
	switch string(r) {
	case "jan", "feb", "mär", "mar", "apr", "mai", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dez",
		"dec", "des",
		"oca", "şub", "nis", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara",
		"már", "ápr", "máj", "jún", "júl", "sze",
		"tam", "hel", "maa", "huh", "tou", "kes", "hei", "elo", "syy", "lok", "mrs", "jou":
		return true
	}
	return false
}
