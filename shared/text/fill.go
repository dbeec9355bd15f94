package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fill replaces the %s in a sentence by values, in order. Values are inserted unchanged, such as "100%silk".
// Surplus values are ignored, and surplus %s stay.
func Fill(sentence string, values ...string) string {
	var b strings.Builder
	for _, value := range values {
		before, after, ok := strings.Cut(sentence, "%s")
		if !ok {
			break
		}
		b.WriteString(before)
		b.WriteString(value)
		sentence = after
	}
	b.WriteString(sentence)
	return b.String()
}

// Capital returns a sentence with its first letter in upper case, if it has one.
func Capital(sentence string) string {
	first, size := utf8.DecodeRuneInString(sentence)
	if size == 0 || unicode.ToUpper(first) == first {
		return sentence
	}
	return string(unicode.ToUpper(first)) + sentence[size:]
}

// Numbered returns the lines as a numbered list from 1.
func Numbered(lines []string) string {
	numbered := make([]string, len(lines))
	for i, line := range lines {
		numbered[i] = strconv.Itoa(i+1) + ". " + line
	}
	return strings.Join(numbered, "\n")
}
