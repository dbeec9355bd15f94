package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fill puts values in the places of a sentence that are marked by %s, in their order. What a value says stays
// as it is, "100%silk" too. Values beyond the places are left out, and places beyond the values stay.
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

// Capital is a sentence with a capital letter in front, where it begins with a letter that has one.
func Capital(sentence string) string {
	first, size := utf8.DecodeRuneInString(sentence)
	if size == 0 || unicode.ToUpper(first) == first {
		return sentence
	}
	return string(unicode.ToUpper(first)) + sentence[size:]
}

// Numbered writes a list to choose from: each line with its number, from 1, before it.
func Numbered(lines []string) string {
	numbered := make([]string, len(lines))
	for i, line := range lines {
		numbered[i] = strconv.Itoa(i+1) + ". " + line
	}
	return strings.Join(numbered, "\n")
}
