package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Kind is the kind of a token.
type Kind uint8

const (
	Word    Kind = iota // a word, or part of one in scripts without spaces
	Number              // 12, 1,000, 3.5
	Price               // a number with its currency: €12.50, 12 kr
	Percent             // a number with its sign: 20%
	Time                // 10:30, 10am, 18h
	Phone               // +34 600 123 456
	Email               // an e-mail address
	URL                 // a web address that begins with its scheme or with www
)

// A Token is a word of a text, or something that counts as one.
type Token struct {
	// Stem is the form by which tokens are compared: a word's stem in lower case; a number without thousands
	// separators and with a decimal point, also for prices and percentages; a time in 24 hours as H:MM; a
	// phone number's digits; otherwise the token in lower case. It is not empty and has at most MaxStem
	// bytes.
	Stem string
	// Start and End are the token's byte offsets in the text: s[Start:End].
	Start, End int
	Kind       Kind
	// Stop is set if the word is so common in its language that it says little.
	Stop bool
}

// Tokens returns the words of s in order. language is a BCP 47 tag; in an unsupported one, words keep their
// endings and none is a stop word. Scripts without spaces between words (Chinese, Japanese, Korean, Thai and
// similar) yield overlapping pairs of neighbouring characters, or a single character. Punctuation, emoji and
// invalid UTF-8 yield nothing.
func Tokens(language, s string) []Token {
	c := scanner{lang: languageOf(language), s: s, at: -2}
	c.tokens = make([]Token, 0, len(s)/5+1)
	for c.pos < len(s) {
		c.next()
	}
	return c.tokens
}

// A scanner reads s once.
type scanner struct {
	lang   *language
	s      string
	pos    int
	at     int // index of the next @ from pos on; -1 for none, less if unknown
	tokens []Token
}

// class is the role of a character in words.
type class uint8

const (
	space  class = iota // also punctuation and everything else outside words
	letter              // of a script with spaces
	mark                // combines with the character before it
	digit
	pair // of a script without spaces
	sign // of a currency
)

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return letter
		case '0' <= r && r <= '9':
			return digit
		case r == '$':
			return sign
		}
		return space
	}
	switch {
	case r == utf8.RuneError:
		return space
	case r < 0x300: // Latin: most of the non-ASCII text
		if unicode.IsLetter(r) {
			return letter
		}
	case unicode.In(r, unicode.Mn, unicode.Mc):
		return mark
	case unicode.IsLetter(r):
		if r >= 0xe00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
			r == 'ー' || r == '々' {
			return pair
		}
		return letter
	}
	switch {
	case unicode.IsNumber(r):
		return digit
	case unicode.Is(unicode.Sc, r):
		return sign
	}
	return space
}

func (c *scanner) peek(pos int) (rune, int, class) {
	r, size := utf8.DecodeRuneInString(c.s[pos:])
	if size == 0 {
		return 0, 0, space
	}
	return r, size, classOf(r)
}

func (c *scanner) emit(stem string, end int, kind Kind, stop bool) {
	if stem != "" {
		c.tokens = append(c.tokens, Token{Stem: bound(stem), Start: c.pos, End: end, Kind: kind, Stop: stop})
	}
	c.pos = end
}

func (c *scanner) next() {
	r, size, class := c.peek(c.pos)
	switch class {
	case letter:
		if !c.address() {
			c.word()
		}
	case digit:
		if !c.phone() && !c.address() {
			c.number(c.pos)
		}
	case pair:
		c.pairs()
	case sign:
		from := c.pos + size
		if strings.HasPrefix(c.s[from:], " ") {
			from++
		}
		if _, _, k := c.peek(from); k == digit {
			c.number(from)
			if last := &c.tokens[len(c.tokens)-1]; last.Kind == Number {
				last.Kind = Price
			}
			return
		}
		c.pos += size
	default:
		if (r == '+' || r == '(') && c.phone() {
			return
		}
		c.pos += size
	}
}

// word reads a word that begins at pos.
func (c *scanner) word() {
	if c.acronym() {
		return
	}
	end, letters := c.pos, 0
	for end < len(c.s) {
		r, size, class := c.peek(end)
		if class == letter || class == mark || class == digit || r == '\u00ad' || r == 'ـ' {
			end += size
			letters++
			continue
		}
		if !c.lang.elides && isApostrophe(r) {
			if _, _, after := c.peek(end + size); after == letter {
				end += size
				continue
			}
		}
		break
	}
	word := c.s[c.pos:end]
	stem, stop := c.lang.stemOf(word)
	if rest, ok := c.prefixed(word, letters, end); ok {
		stem, stop = c.lang.stemOf(word + c.s[end+1:rest])
		end = rest
	} else if r, _, _ := c.peek(end); c.lang.elides && isApostrophe(r) && letters <= 2 {
		stop = true
	}
	c.emit(stem, end, Word, stop)
}

// prefixed returns the end of a word like e-mail or Wi-Fi, of which the part before the hyphen, which ends
// at end, is not a separate word. People also write it without a hyphen.
func (c *scanner) prefixed(word string, letters, end int) (int, bool) {
	if letters != 1 && !strings.EqualFold(word, "wi") || !strings.HasPrefix(c.s[end:], "-") {
		return 0, false
	}
	rest, n := end+1, 0
	for rest < len(c.s) {
		_, size, class := c.peek(rest)
		if class != letter && class != mark {
			break
		}
		rest += size
		n++
	}
	return rest, n >= 2 && !strings.HasPrefix(c.s[rest:], "-")
}

// acronym reads single letters with full stops, U.S.A., z.B., without the full stops.
func (c *scanner) acronym() bool {
	var letters []rune
	end := c.pos
	upper := false
	for end < len(c.s) {
		r, size, class := c.peek(end)
		if class != letter || !strings.HasPrefix(c.s[end+size:], ".") {
			if class == letter && len(letters) > 0 { // the last full stop may be missing: "a.m"
				if _, _, after := c.peek(end + size); after != letter && after != mark {
					letters = append(letters, r)
					end += size
				} else {
					return false
				}
			}
			break
		}
		upper = upper || unicode.IsUpper(r)
		letters = append(letters, r)
		end += size + 1
	}
	if len(letters) < 2 {
		return false
	}
	c.emit(c.lang.fold(c.lang.lower(string(letters))), end, Word, !upper)
	return true
}

// pairs reads a run of characters of scripts without spaces.
func (c *scanner) pairs() {
	var starts []int // offsets of characters with their marks, and the end of the run
	end := c.pos
	for end < len(c.s) {
		r, size, class := c.peek(end)
		if class != pair && (class != mark || len(starts) == 0) {
			break
		}
		// Half-width sound marks combine although they are classified as letters.
		if class == pair && r != 'ﾞ' && r != 'ﾟ' {
			starts = append(starts, end)
		}
		end += size
	}
	if len(starts) == 0 { // a stray sound mark
		c.pos = end
		return
	}
	starts = append(starts, end)
	for i := 0; i+2 < len(starts); i++ {
		c.pos = starts[i]
		c.emit(norm.NFKC.String(c.s[starts[i]:starts[i+2]]), starts[i+2], Word, false)
	}
	if len(starts) == 2 {
		c.pos = starts[0]
		c.emit(norm.NFKC.String(c.s[starts[0]:end]), end, Word, false)
	}
	c.pos = end
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '‘' }
