package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/text/unicode/norm"
)

// Truncate returns the first n characters (Unicode code points) of s, "" for n below 1.
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

// TruncateExpanded returns the longest beginning of s whose compatible form (Unicode's NFKC), from which
// words are read, has at most n characters. One character may expand to 18: "ﷺ" is a whole sentence.
func TruncateExpanded(s string, n int) string {
	const most = 18 // characters in the expansion of one
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

// Cut returns a beginning of s with at most n characters (Unicode code points): all of s if it fits,
// otherwise up to the last sentence end in the second half of what fits, otherwise up to the last word end.
// It never splits a grapheme cluster. White space at the end is dropped. It returns "" if not even one
// cluster fits.
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
	// The cluster at the cut may continue after it, so it is looked for in s.
	for g := graphemes.FromString(s); g.Next() && g.End() <= len(fits); {
		end = g.End()
	}
	return strings.TrimRightFunc(s[:end], unicode.IsSpace)
}
