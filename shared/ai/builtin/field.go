package builtin

import (
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// field answers a question for one of the business's own fields that says nothing else: "Where are you?",
// "What was the number again?" Such questions have too few words to score. Named reports whether the
// message has a word for the field, so that it means the field and not what a document says about something
// else: "What are your opening hours?" is not about those of the pool. Among several fields the one with
// the very words wins: "any offers?" is not about what the business offers.
func (m message) field(r ai.Request) (a answer, named bool) {
	most := -1
	for _, p := range r.Passages {
		if p.Document != 0 || len(p.Questions) > 0 || p.Title == "" {
			continue
		}
		if asks, names := m.asksOnlyFor(p.Title); asks {
			if words := m.wordsIn(p.Title); words > most {
				most, named = words, names
				a = answer{text: text.Cut(p.Text, r.MaxLength), confidence: sure}
			}
		}
	}
	return a, named
}

// wordsIn counts the significant words of the message that are literally in a title.
func (m message) wordsIn(title string) int {
	n := 0
	for _, t := range m.tokens {
		word := m.text[t.Start:t.End]
		if !t.Stop && slices.ContainsFunc(m.lexicon.tokens(title), func(o text.Token) bool {
			return strings.EqualFold(word, title[o.Start:o.End])
		}) {
			n++
		}
	}
	return n
}

// asksOnlyFor reports whether everything that the message says is in a title or related to it, and whether
// it says anything. A message without significant words asks for a place if the title does.
func (m message) asksOnlyFor(title string) (asks, named bool) {
	words := m.lexicon.tokens(title)
	about := map[string]bool{}
	for _, t := range words {
		if t.Stop {
			continue
		}
		about[t.Stem] = true
		for _, other := range m.lexicon.related[t.Stem] {
			about[other] = true
		}
	}
	telling := false
	for i, t := range m.tokens {
		switch {
		case t.Stop, m.talk[i], m.lexicon.filler[t.Stem], m.lexicon.light[t.Stem] && !about[t.Stem]:
		case about[t.Stem]:
			telling = true
		default:
			return false, false
		}
	}
	if telling {
		return true, true
	}
	kind, _, _ := m.asks()
	of, _, _ := message{lexicon: m.lexicon, tokens: words}.asks()
	return kind == askWhere && of == askWhere, false
}
