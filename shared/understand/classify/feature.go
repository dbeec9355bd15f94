// Package classify is a linear classifier of short texts. It looks at words, pairs of words and pieces of
// words, each by its hash, so that a misspelt word still has most of its pieces in common with the right one.
// Its weights are bytes: a model is a file that is used as it lies in memory, without anything to do when a
// process starts.
package classify

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Feature is something that a text has: the hash of what it is, and how much it weighs.
type Feature struct {
	Hash  uint32
	Value float32
}

// maxWords bounds the words of a text that are looked at: the first half of them and the last.
const maxWords = 80

// Weights of the kinds of features, before all are brought to the length one.
const (
	wordWeight   = 1
	pairWeight   = 0.8
	pieceWeight  = 0.45
	markWeight   = 0.6
	markerWeight = 0.9
)

// Features returns what a text has. The extra ones are names of what the caller knows of the text. A text
// without letters and digits has no features but those of its marks.
func Features(s string, extra ...string) []Feature {
	words, marks := Words(s)
	if len(words) > maxWords {
		words = append(words[:maxWords/2:maxWords/2], words[len(words)-maxWords/2:]...)
	}
	out := make([]Feature, 0, len(words)*16)
	before := "^"
	for _, w := range words {
		out = append(out, Feature{hash('w', w, ""), wordWeight}, Feature{hash('p', before, w), pairWeight})
		out = pieces(out, w)
		before = w
	}
	if len(words) > 0 {
		out = append(out, Feature{hash('p', before, "$"), pairWeight})
	}
	out = append(out, Feature{hash('l', lengthOf(len(words)), ""), markWeight})
	for _, m := range marks {
		out = append(out, Feature{hash('m', string(m), ""), markWeight})
	}
	for _, e := range extra {
		out = append(out, Feature{hash('x', e, ""), markerWeight})
	}
	return unit(out)
}

// unit brings the features to the length one.
func unit(all []Feature) []Feature {
	sum := 0.0
	for _, f := range all {
		sum += float64(f.Value) * float64(f.Value)
	}
	if sum == 0 {
		return all
	}
	by := float32(1 / math.Sqrt(sum))
	for i := range all {
		all[i].Value *= by
	}
	return all
}

// lengthOf is the class that the number of a text's words is in.
func lengthOf(words int) string {
	switch {
	case words < 4:
		return string(rune('0' + words))
	case words < 7:
		return "short"
	case words < 14:
		return "middle"
	}
	return "long"
}

// pieces adds the runs of three to five letters of a word, whose ends count as letters.
func pieces(out []Feature, word string) []Feature {
	var buffer [40]rune
	letters := append(buffer[:0], '_')
	for _, r := range word {
		if len(letters) == cap(letters)-1 {
			break
		}
		letters = append(letters, r)
	}
	letters = append(letters, '_')
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(letters); i++ {
			h := uint32(2166136261)
			h = (h ^ uint32('0'+n)) * 16777619
			for _, r := range letters[i : i+n] {
				h = (h ^ uint32(r)) * 16777619
			}
			out = append(out, Feature{mix(h), pieceWeight})
		}
	}
	return out
}

// hash is FNV-1a of a kind and two texts, mixed, since its high bits are used as well.
func hash(kind byte, a, b string) uint32 {
	h := uint32(2166136261)
	h = (h ^ uint32(kind)) * 16777619
	for i := 0; i < len(a); i++ {
		h = (h ^ uint32(a[i])) * 16777619
	}
	h = (h ^ ' ') * 16777619
	for i := 0; i < len(b); i++ {
		h = (h ^ uint32(b[i])) * 16777619
	}
	return mix(h)
}

func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// Words returns the words of a text as they are compared: in lower case, without accents, a letter at most
// twice in a row, and each run of digits as zeros of its length, at most five. Apostrophes go. The marks are
// those of "?!.,:@€$+" that the text has, each once, and '☺' for emoji.
func Words(s string) (words []string, marks []rune) {
	var w wordReader
	for _, r := range Fold(s) {
		switch {
		case unicode.IsDigit(r):
			w.digit()
		case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r):
			w.letter(r)
		case r == '\'' || r == '’':
		default:
			w.end()
			if m := markOf(r); m != 0 && !slices.Contains(w.marks, m) {
				w.marks = append(w.marks, m)
			}
		}
	}
	w.end()
	return w.words, w.marks
}

// A wordReader builds the result of Words.
type wordReader struct {
	words []string
	marks []rune

	word   strings.Builder // the current one
	last   rune            // its last letter, 0 after a digit
	run    int             // how often that letter was repeated
	digits int             // at the end of the word
}

func (w *wordReader) digit() {
	if w.digits++; w.digits <= 5 {
		w.word.WriteByte('0')
	}
	w.last, w.run = 0, 0
}

func (w *wordReader) letter(r rune) {
	if w.digits > 0 {
		w.end() // "10am" is two words
	}
	if w.run++; r != w.last {
		w.run = 1
	}
	if w.last = r; w.run <= 2 {
		w.word.WriteRune(r)
	}
}

// end ends the current word, if there is one.
func (w *wordReader) end() {
	if w.word.Len() > 0 {
		w.words = append(w.words, w.word.String())
		w.word.Reset()
	}
	w.last, w.run, w.digits = 0, 0, 0
}

// markOf returns the mark that a character counts as, or 0.
func markOf(r rune) rune {
	switch {
	case strings.ContainsRune("?!.,:@€$+", r):
		return r
	case r == '？' || r == '؟':
		return '?'
	case r >= 0x2600 && r != '\ufe0f' && r != '\u200d' && (r < 0x2800 || r >= 0x1f000):
		return '☺'
	}
	return 0
}

// Fold returns a text in lower case and without accents.
func Fold(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf
	}
	s = strings.ToLower(s)
	if ascii {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	base := rune(0)
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case unicode.Is(unicode.Mn, r):
			if !unicode.In(base, unicode.Latin, unicode.Cyrillic, unicode.Arabic) {
				b.WriteRune(r)
			}
			continue
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
		default:
			b.WriteRune(r)
		}
		base = r
	}
	return b.String()
}

// Letters returns what tells the language of a text: its words, and the runs of one to four letters in them,
// with their accents.
func Letters(s string) []Feature {
	var out []Feature
	word := make([]rune, 0, 24)
	end := func() {
		if len(word) > 1 {
			word = append(word, '_')
			whole := uint32(2166136261)
			for _, r := range word {
				whole = (whole ^ uint32(r)) * 16777619
			}
			out = append(out, Feature{mix(whole ^ 'W'), 1})
			for n := 1; n <= 4; n++ {
				for i := 0; i+n <= len(word); i++ {
					h := uint32(2166136261) ^ uint32(n)
					for _, r := range word[i : i+n] {
						h = (h ^ uint32(r)) * 16777619
					}
					out = append(out, Feature{mix(h), letterWeights[n-1]})
				}
			}
		}
		word = append(word[:0], '_')
	}
	end()
	for _, r := range strings.ToLower(norm.NFC.String(s)) {
		switch {
		case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r):
			if len(word) < cap(word)-1 {
				word = append(word, r)
			}
		case r == '\'' || r == '’':
			if len(word) < cap(word)-1 {
				word = append(word, '\'')
			}
		default:
			end()
		}
	}
	end()
	return unit(out)
}

var letterWeights = [4]float32{0.15, 0.3, 0.45, 0.5}
