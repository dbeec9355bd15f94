package conversation

import (
	"slices"
	"strings"
	"unicode"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// A Choice is an answer to a question of the agent that it offers as a button.
type Choice struct {
	Label string `json:"label" doc:"What the button says." example:"Friday 15:00"`
	Value string `json:"value" doc:"What choosing it says, in words that stand alone." example:"Friday, 27 November at 15:00"`
}

// Choices are choices whose labels say all that there is to say.
func Choices(labels ...string) []Choice {
	var all []Choice
	for _, label := range labels {
		all = append(all, Choice{label, label})
	}
	return all
}

// YesNo are the two answers to a question in a language, a BCP 47 tag.
func YesNo(tag string) []Choice {
	words := language.Of(tag).Requests()
	yes, _, _ := strings.Cut(words.Yes, ",")
	no, _, _ := strings.Cut(words.No, ",")
	return Choices(text.Capital(strings.TrimSpace(yes)), text.Capital(strings.TrimSpace(no)))
}

// Chosen is the choice that an answer names: by its label or its value in any case, or by its place from 1,
// as in "2."; false where it names none.
func Chosen(choices []Choice, answer string) (Choice, bool) {
	answer = strings.TrimSpace(answer)
	for _, c := range choices {
		if strings.EqualFold(answer, c.Label) || strings.EqualFold(answer, c.Value) {
			return c, true
		}
	}
	mark := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	place := number(strings.TrimFunc(answer, mark))
	if place < 1 || place > len(choices) {
		return Choice{}, false
	}
	return choices[place-1], true
}

// number is the number that a text is, in the digits that the languages of the product write; 0 for any other
// text.
func number(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case n > 99:
			return 0
		case '0' <= r && r <= '9':
			n = 10*n + int(r-'0')
		case '٠' <= r && r <= '٩':
			n = 10*n + int(r-'٠')
		case '۰' <= r && r <= '۹':
			n = 10*n + int(r-'۰')
		default:
			return 0
		}
	}
	return n
}

// Offered are the choices of the last message to the contact among messages, the oldest first; nil where it
// has none.
func Offered(messages []Message) []Choice {
	for _, m := range slices.Backward(messages) {
		if m.Direction == Outbound {
			return m.Choices
		}
	}
	return nil
}

// Pressed is the choice of that value that one of the messages offered, the latest first; false where none
// did.
func Pressed(messages []Message, value string) (Choice, bool) {
	for _, m := range slices.Backward(messages) {
		for _, c := range m.Choices {
			if c.Value == value {
				return c, true
			}
		}
	}
	return Choice{}, false
}
