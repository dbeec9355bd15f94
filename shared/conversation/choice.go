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

// Choices returns choices whose values are their labels.
func Choices(labels ...string) []Choice {
	var all []Choice
	for _, label := range labels {
		all = append(all, Choice{label, label})
	}
	return all
}

// YesNo returns the two answers to a question in a language, a BCP 47 tag.
func YesNo(tag string) []Choice {
	words := language.Of(tag).Requests()
	yes, _, _ := strings.Cut(words.Yes, ",")
	no, _, _ := strings.Cut(words.No, ",")
	return Choices(text.Capital(strings.TrimSpace(yes)), text.Capital(strings.TrimSpace(no)))
}

// Chosen returns the choice that an answer names by its label or value, in any case, or by its number from 1,
// as in "2."; false if it names none.
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

// number returns the number that a text consists of, in any of the product's digits; 0 for any other text.
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

// Offered returns the choices of the last message to the contact. messages are in order of time. It returns
// nil if that message has none.
func Offered(messages []Message) []Choice {
	for _, m := range slices.Backward(messages) {
		if m.Direction == Outbound {
			return m.Choices
		}
	}
	return nil
}

// Pressed returns the latest choice with that value which one of the messages offered; false if there is
// none.
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
