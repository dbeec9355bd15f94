package builtin

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// field answers a question for something that the business states in a field of its own, where it says nothing else:
// "Where are you?", "What was the number again?" There is too little in it to weigh.
func (m message) field(r ai.Request) answer {
	for _, p := range r.Passages {
		if p.Document == 0 && len(p.Questions) == 0 && p.Title != "" && m.asksOnlyFor(p.Title) {
			return answer{text: text.Cut(p.Text, r.MaxLength), confidence: sure}
		}
	}
	return answer{}
}

// asksOnlyFor reports whether all that the message says is in a title, or related to it. One that says nothing asks for a
// place when both do.
func (m message) asksOnlyFor(title string) bool {
	words := text.Tokens(m.language, title)
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
		case t.Stop, m.talk[i], m.lexicon.filler[t.Stem]:
		case about[t.Stem]:
			telling = true
		default:
			return false
		}
	}
	if telling {
		return true
	}
	kind, _, _ := m.asks()
	of, _, _ := message{lexicon: m.lexicon, tokens: words}.asks()
	return kind == askWhere && of == askWhere
}
