package when

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/language"
)

// A topic is what a part of a text states hours for.
type topic uint8

const (
	unlabelled topic = iota
	own              // the business, by an explicit label
	meal             // lunch or dinner
	other            // another label: "Sauna: 14-22"
	workshop
	reception
	kitchen
	arranged // by appointment
	phone
	delivery
	online
	guests // breakfast, bar, pool
	emergency
	season // a part of the year
)

// A labelPhrase is a phrase that names a topic.
type labelPhrase struct {
	topic topic
	words []string // folded
}

// labelsOf returns the phrases of a language for the topics.
func labelsOf(h *language.Hours) []labelPhrase {
	var all []labelPhrase
	for _, of := range []struct {
		topic   topic
		phrases string
	}{
		{emergency, h.Emergency}, {phone, h.Phone}, {reception, h.Reception}, {kitchen, h.Kitchen},
		{delivery, h.Delivery}, {online, h.Online}, {workshop, h.Workshop}, {guests, h.Breakfast},
		{arranged, h.Arrange}, {meal, h.Meals}, {season, h.Season}, {own, h.Own},
	} {
		for phrase := range strings.SplitSeq(of.phrases, ",") {
			var words []string
			for _, t := range tokens(phrase) {
				words = append(words, t.text)
			}
			if len(words) > 0 {
				all = append(all, labelPhrase{of.topic, words})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b labelPhrase) int { return len(b.words) - len(a.words) })
	return all
}

// inflects is the least length of a label's word that may have an ending or begin a compound, in characters.
const inflects = 4

// topicAt returns the topic of a phrase at the beginning of the words, and its number of words.
func (l *lexicon) topicAt(words []token) (topic, int) {
	for _, p := range l.labels {
		if len(p.words) > len(words) {
			continue
		}
		last := len(p.words) - 1
		match := true
		for i, w := range p.words {
			ending := i == last && utf8.RuneCountInString(w) >= inflects
			match = match && (words[i].text == w || ending && strings.HasPrefix(words[i].text, w))
		}
		if match {
			return p.topic, len(p.words)
		}
	}
	return unlabelled, 0
}

// topicIn returns the first topic among words, unlabelled if there is none.
func (l *lexicon) topicIn(words []token) topic {
	for i := range words {
		if t, n := l.topicAt(words[i:]); n > 0 {
			return t
		}
	}
	return unlabelled
}

// A Part has the hours of a part of the business or of a service: "Reception: every day 7-23".
type Part struct {
	Label string // label in the text; the whole text if none is separate
	Text  string // statement with its label
	Hours Hours  // without Parts
	topic topic
}

// About returns the part whose label a text names, in the language of the label: "is the reception open at
// night?" It compares words and known synonyms. ok is false if there is none.
func (h Hours) About(language, text string) (Part, bool) {
	l := lexiconOf(language)
	words := tokens(text)
	said := l.topicIn(withoutOwn(l, words))
	for _, p := range h.Parts {
		if p.topic != other && p.topic != season && p.topic == said {
			return p, true
		}
	}
	for _, p := range h.Parts {
		if l.namesOf(p.Label, words) {
			return p, true
		}
	}
	return Part{}, false
}

// namesOf reports whether one of the words is a telling word of a label or a compound with it: "Massages" and
// "Massage", "Massagen" and "Rückenmassage".
func (l *lexicon) namesOf(label string, words []token) bool {
	for _, t := range tokens(label) {
		if !t.isWord() || utf8.RuneCountInString(t.text) < inflects || l.knows(t.text) {
			continue
		}
		stem := t.text[:len(t.text)-min(ending, len(t.text)-inflects)]
		long := utf8.RuneCountInString(stem) > inflects
		if slices.ContainsFunc(words, func(w token) bool {
			return w.text == t.text || long && strings.Contains(w.text, stem)
		}) {
			return true
		}
	}
	return false
}

// ending is the greatest number of bytes that a label's word loses in a compound or in another number.
const ending = 2

// Of returns the hours of a service: those of a part whose label has a word of its name, "Sauna: 14-22",
// otherwise h. If h itself is of a part that the service is not of, such as a restaurant, it returns the
// hours of all labelled parts together.
func (h Hours) Of(language, service string) Hours {
	if p, ok := h.About(language, service); ok && p.Hours.anything && p.topic != emergency &&
		p.topic != phone {
		return p.Hours
	}
	words := tokens(service)
	said := func(t token) bool {
		return slices.ContainsFunc(words, func(w token) bool { return w.text == t.text })
	}
	if h.label == "" || lexiconOf(language).namesOf(h.label, words) ||
		slices.ContainsFunc(tokens(h.label), said) {
		return h
	}
	for _, p := range h.Parts {
		if p.topic == other || p.topic == guests {
			for d, spans := range p.Hours.week {
				h.week[d] = joined(h.week[d], spans)
			}
		}
	}
	return h
}

// joined returns the periods of two lists together, in order.
func joined(a, b []Span) []Span {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b Span) int { return a.From - b.From })
	var out []Span
	for _, s := range all {
		if n := len(out); n > 0 && s.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}

// withoutOwn returns the words without those for the business's own hours: "are you open".
func withoutOwn(l *lexicon, words []token) []token {
	var left []token
	for i := 0; i < len(words); {
		if t, n := l.topicAt(words[i:]); t == own {
			i += n
			continue
		}
		left = append(left, words[i])
		i++
	}
	return left
}
