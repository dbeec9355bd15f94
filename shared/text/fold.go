package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/blevesearch/snowballstem"
)

// MaxStem is the limit of a stem in bytes. Longer strings are no words and are cut.
const MaxStem = 64

// longestWord is the limit of a word's characters that are read, including those that are dropped.
const longestWord = 4 * MaxStem

// stemOf returns the stem of a word, and whether it is a stop word. Accents are removed after stemming,
// since stemmers need them, so that spelling without accents matches. A stop word is its own stem. Only the
// beginning of a very long word is read.
func (l *language) stemOf(word string) (stem string, stop bool) {
	if len(word) > longestStemmed {
		return l.newStemOf(word)
	}
	known := l.stems.Get(word, func() stemmed {
		stem, stop := l.newStemOf(word)
		return stemmed{stem, stop}
	})
	return known.stem, known.stop
}

// A stemmed is the result of stemOf.
type stemmed struct {
	stem string
	stop bool
}

const (
	mostStems      = 8192 // cached words of a language; texts repeat few different ones
	longestStemmed = 32   // bytes of a cached word
)

// newStemOf is stemOf without the cache.
func (l *language) newStemOf(word string) (stem string, stop bool) {
	word = l.lower(Truncate(word, longestWord))
	if word == "" { // it had only invisible characters
		return "", false
	}
	stop = l.isStop(l.fold(word))
	if stop || l.stem == nil || len(word) > MaxStem || word[0] <= '9' {
		return bound(l.fold(word)), stop
	}
	env := snowballstem.NewEnv(l.restore(word))
	l.stem(env)
	stem = env.Current()
	if stem == "" {
		stem = word
	}
	return bound(l.fold(stem)), stop
}

// lower returns a word in lower case and in Unicode's compatible form: "ﬁ" is "fi" and "Ａ" is "a".
func (l *language) lower(word string) string {
	if isASCII(word) && l.tag != "tr" {
		return strings.ToLower(word)
	}
	word = norm.NFKC.String(word)
	if l.tag == "tr" {
		word = strings.ToLowerSpecial(unicode.TurkishCase, word)
	} else {
		word = strings.ToLower(word)
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '’', 'ʼ', '‘', '`', '´':
			return '\''
		case 'ё':
			return 'е'
		case 'ţ': // the cedilla of old keyboards, where Romanian has a comma
			return 'ț'
		case 'ş':
			if l.tag == "ro" {
				return 'ș'
			}
		case 'ـ', '\u00ad', '\u200b', '\u200c', '\u200d', '\ufeff': // stretching and invisible
			return -1
		}
		return r
	}, word)
}

// restore puts back the accents of endings that people commonly type without: the stemmers know the accented
// form only.
func (l *language) restore(word string) string {
	switch l.tag {
	case "es":
		for _, e := range [...][2]string{{"cion", "ción"}, {"sion", "sión"}, {"logia", "logía"}} {
			if stem, ok := strings.CutSuffix(word, e[0]); ok {
				return stem + e[1]
			}
		}
	case "pt":
		for _, e := range [...][2]string{{"cao", "ção"}, {"coes", "ções"}, {"soes", "sões"}} {
			if stem, ok := strings.CutSuffix(word, e[0]); ok {
				return stem + e[1]
			}
		}
	case "de":
		return umlauts(word)
	}
	return word
}

// umlauts reads ae, oe and ue as ä, ö and ü, but where the e belongs to another sound: behind a vowel (neue,
// Steuer) or after q.
func umlauts(word string) string {
	if !strings.Contains(word, "ae") && !strings.Contains(word, "oe") && !strings.Contains(word, "ue") {
		return word
	}
	var b strings.Builder
	before := rune(' ')
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRuneInString(word[i:])
		if strings.HasPrefix(word[i+size:], "e") && !strings.ContainsRune("aeiouyäöüq", before) {
			if umlaut := umlautOf(r); umlaut != 0 {
				b.WriteRune(umlaut)
				i += size + 1
				before = 'e'
				continue
			}
		}
		b.WriteRune(r)
		before = r
		i += size
	}
	return b.String()
}

func umlautOf(r rune) rune {
	switch r {
	case 'a':
		return 'ä'
	case 'o':
		return 'ö'
	case 'u':
		return 'ü'
	}
	return 0
}

// fold takes away accents from letters of the scripts where people leave them out, but not from those that l
// keeps.
func (l *language) fold(word string) string {
	if isASCII(word) {
		return word
	}
	var b strings.Builder
	b.Grow(len(word))
	base := rune(0)
	for _, r := range word {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
			base = r
		case l.keep != "" && strings.ContainsRune(l.keep, r):
			b.WriteRune(r)
			base = r
		case unicode.Is(unicode.Mn, r):
			if !unicode.In(base, unicode.Latin, unicode.Greek, unicode.Arabic, unicode.Hebrew) {
				b.WriteRune(r)
			}
		case r == 'ß':
			b.WriteString("ss")
		case r == 'æ':
			b.WriteString("ae")
		case r == 'œ':
			b.WriteString("oe")
		case r == 'ø':
			b.WriteByte('o')
		case r == 'ı':
			b.WriteByte('i')
		case r == 'ł':
			b.WriteByte('l')
		case r == 'đ':
			b.WriteByte('d')
		case unicode.In(r, unicode.Latin, unicode.Greek):
			d := norm.NFD.String(string(r))
			first, _ := utf8.DecodeRuneInString(d)
			b.WriteRune(first)
			base = r
		default:
			b.WriteRune(r)
			base = r
		}
	}
	return b.String()
}

// bound cuts a stem at MaxStem bytes, between characters.
func bound(stem string) string {
	if len(stem) <= MaxStem {
		return stem
	}
	end := MaxStem
	for !utf8.RuneStart(stem[end]) {
		end--
	}
	return stem[:end]
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
