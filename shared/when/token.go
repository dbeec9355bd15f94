package when

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A token is a run of letters or digits, or another character except white space.
type token struct {
	text       string // folded
	number     int    // -1 for other tokens and long numbers
	start, end int    // byte offsets in the text
	spaced     bool   // preceded by white space
}

func (t token) isNumber() bool { return t.number >= 0 }

// isWord reports whether the token is letters.
func (t token) isWord() bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return unicode.IsLetter(r)
}

// maxTokens is the limit of tokens that are read of a text.
const maxTokens = 600

func tokens(s string) []token {
	var all []token
	spaced := false
	for i := 0; i < len(s) && len(all) < maxTokens; {
		r, size := utf8.DecodeRuneInString(s[i:])
		end := i + size
		switch {
		case unicode.IsSpace(r):
			i, spaced = end, true
			continue
		case unicode.IsLetter(r):
			end = run(s, end, func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) })
		case unicode.IsDigit(r):
			end = run(s, end, unicode.IsDigit)
		}
		t := token{text: fold(s[i:end]), number: -1, start: i, end: end, spaced: spaced}
		if unicode.IsDigit(r) && end-i <= 8 {
			t.number = value(s[i:end])
		}
		if t.text != "" {
			all = append(all, t)
		}
		i, spaced = end, false
	}
	return all
}

func run(s string, at int, in func(rune) bool) int {
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !in(r) {
			break
		}
		at += size
	}
	return at
}

// value returns the number in digits of any script, -1 if the script's zero is unknown.
func value(digits string) int {
	n := 0
	for _, r := range digits {
		switch {
		case '0' <= r && r <= '9':
			n = 10*n + int(r-'0')
		case '٠' <= r && r <= '٩':
			n = 10*n + int(r-'٠')
		case '۰' <= r && r <= '۹':
			n = 10*n + int(r-'۰')
		default:
			return -1
		}
	}
	return n
}

// fold returns letters in the form in which words are compared: lower case without accents, which people
// leave out.
func fold(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKC.String(s) {
		switch r = unicode.ToLower(r); r {
		case 'ß':
			b.WriteString("ss")
		case 'ı':
			b.WriteByte('i')
		case 'ø':
			b.WriteByte('o')
		case 'ё':
			b.WriteRune('е')
		case 'أ', 'إ', 'آ':
			b.WriteRune('ا')
		case 'ى':
			b.WriteRune('ي')
		case 'ة':
			b.WriteRune('ه')
		case '–', '—', '−', '‐', '‑':
			b.WriteByte('-')
		case '’', '‘', 'ʼ', '´', '`':
			b.WriteByte('\'')
		default:
			if unicode.Is(unicode.Mn, r) {
				continue
			}
			if unicode.Is(unicode.Latin, r) {
				r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}
