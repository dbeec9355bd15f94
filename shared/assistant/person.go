package assistant

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/text"
)

// maxName is the maximum number of words of a name after its title.
const maxName = 2

// personIn returns the first person that a text names with a title, including the title: "Dr. Anna Weber".
// It returns "" if there is none.
func personIn(language, said string) string {
	tokens := text.Tokens(language, said)
	for i, t := range tokens {
		if !slices.Contains(builtin.Titles, strings.ToLower(said[t.Start:t.End])) {
			continue
		}
		end := i + 1
		for end < len(tokens) && end <= i+maxName && follows(said, tokens[end-1], tokens[end]) {
			end++
		}
		if end > i+1 {
			return said[t.Start:tokens[end-1].End]
		}
	}
	return ""
}

// follows reports whether t is a capitalised word directly after another token. After an abbreviation a
// period may stand in between.
func follows(said string, before, t text.Token) bool {
	if t.Kind != text.Word || t.Start < before.End {
		return false
	}
	between := said[before.End:t.Start]
	short := utf8.RuneCountInString(said[before.Start:before.End]) <= 4
	first, _ := utf8.DecodeRuneInString(said[t.Start:])
	return unicode.IsUpper(first) && (between == " " || between == ". " && short)
}
