package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/text/unicode/norm"
)

// Truncate returns the first n characters (Unicode code points) of s; nothing for n below 1.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// TruncateExpanded returns the beginning of s whose compatible form (Unicode's NFKC), which words are read
// from, has at most n characters. A single character may stand for 18: "ﷺ" is a whole sentence.
func TruncateExpanded(s string, n int) string {
	const most = 18 // characters that one stands for
	if len(s)*most <= n || isASCII(s) && len(s) <= n {
		return s
	}
	var expanded norm.Iter
	expanded.InitString(norm.NFKC, s)
	for !expanded.Done() {
		start := expanded.Pos()
		if n -= utf8.RuneCount(expanded.Next()); n < 0 {
			return s[:start]
		}
	}
	return s
}

// Cut returns the beginning of s, of at most n characters (Unicode code points): all of it if it fits, else
// up to the last sentence end in the latter half of what fits, else up to the last word end, and in any case
// never inside of what a reader sees as one character. White space at the end is dropped. It is empty where
// not even one such character fits.
func Cut(s string, n int) string {
	fits := Truncate(s, n)
	if len(fits) == len(s) {
		return s
	}
	for _, seg := range slices.Backward(Segments(fits)) {
		if seg.End < len(fits)/2 {
			break
		}
		if seg.End < len(fits) || isSentenceEnd(fits) {
			return strings.TrimRightFunc(s[:seg.End], unicode.IsSpace)
		}
	}
	next, _ := utf8.DecodeRuneInString(s[len(fits):])
	if !unicode.IsSpace(next) {
		if i := strings.LastIndexFunc(fits, unicode.IsSpace); i >= len(fits)/2 {
			return strings.TrimRightFunc(fits[:i], unicode.IsSpace)
		}
	}
	end := 0
	// The cluster at the cut may go on behind it, so it is looked for in s.
	for g := graphemes.FromString(s); g.Next() && g.End() <= len(fits); {
		end = g.End()
	}
	return strings.TrimRightFunc(s[:end], unicode.IsSpace)
}
