package builtin

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
)

// Titles are the titles before the names of people, in lower case and without a period.
var Titles = []string{
	"dr", "dra", "dott", "dottoressa", "prof", "mr", "mrs", "ms", "miss", "frau", "herr", "mme", "mlle",
	"madame", "monsieur", "sr", "sra", "señor", "señora", "senhor", "senhora", "signor", "signora",
	"mevrouw", "meneer", "fru", "doamna", "domnul", "доктор",
}

// A member is a person whom a paragraph introduces: the sentence that begins with the name, and those after
// it up to the next name: "Ada Byron repairs clocks. She works on Mondays."
type member struct {
	passage  int
	from, to int          // the range of the sentences
	name     []text.Token // without titles
}

const (
	// namesFully is the minimum number of words of a name without a title, leastOfName the minimum length
	// in bytes of a word of a name that may be misspelt.
	namesFully, leastOfName = 2, 5
	// sureOfMember is the confidence of an answer about the person that the message itself identifies,
	// likelyMember if what was said before does.
	sureOfMember, likelyMember = 0.8, 0.65
	// maxEarlier is the maximum number of earlier messages that may say what a person is asked for.
	maxEarlier = 6
	// maxBeforeWho is the maximum number of words before the question word of a question for a person, in
	// the message or its clause: "And with whom would that be?"
	maxBeforeWho = 2
)

// roster returns the people whom the documents introduce.
func (rd *reading) roster(l *lexicon) []member {
	var all []member
	for i, p := range rd.passages {
		if p.Document == 0 || len(p.Questions) > 0 {
			continue
		}
		units := rd.units[i]
		for j := range units {
			u := &units[j]
			if u.kind != text.Sentence {
				continue
			}
			if name, sure := l.beginsWithName(u); len(name) > 0 {
				m := member{passage: i, from: j, to: j + 1, name: name}
				if sure || j+1 < len(units) && units[j+1].block == u.block && l.person[units[j+1].first()] {
					all = append(all, m)
					continue
				}
			}
			if n := len(all); n > 0 && all[n-1].passage == i && all[n-1].to == j &&
				units[all[n-1].from].block == u.block {
				all[n-1].to++
			}
		}
	}
	return all
}

// first returns the stem of the unit's first word, or "".
func (u *unit) first() string {
	if len(u.tokens) == 0 {
		return ""
	}
	return u.tokens[0].Stem
}

// beginsWithName returns the words of the name with which a sentence begins, nil if it begins with none.
// It is sure if the name has a title, or if the language writes no other nouns in capitals.
func (l *lexicon) beginsWithName(u *unit) (name []text.Token, sure bool) {
	at := 0
	for at < len(u.tokens) && slices.Contains(Titles, strings.ToLower(u.word(at))) {
		at++
	}
	titled := at > 0
	for ; at < len(u.tokens); at++ {
		t := u.tokens[at]
		first, _ := utf8.DecodeRuneInString(u.word(at))
		if t.Kind != text.Word || !unicode.IsUpper(first) || t.Stop || l.light[t.Stem] || l.times[t.Stem] ||
			len(name) == 0 && len(concept.Of(l.tag, t.Stem)) > 0 ||
			len(name) > 0 && strings.TrimSpace(u.text[u.tokens[at-1].End:t.Start]) != "" {
			break
		}
		name = append(name, t)
	}
	if len(name) == len(u.tokens) || !titled && len(name) < namesFully {
		return nil, false
	}
	return name, titled || l.tag != "de"
}

// word returns a word of the unit as it is written.
func (u *unit) word(at int) string { return u.text[u.tokens[at].Start:u.tokens[at].End] }

// named reports whether a text has the first name or the last name of the member.
func (m member) named(tokens []text.Token) bool {
	return slices.ContainsFunc(tokens, func(t text.Token) bool {
		return !t.Stop && slices.ContainsFunc(m.name, func(n text.Token) bool {
			return t.Stem == n.Stem ||
				len(n.Stem) >= leastOfName && similarity(t.Stem, n.Stem) > leastSimilarity
		})
	})
}

// asksForPerson reports whether the message, or a clause of it, is a question for a person.
func (m message) asksForPerson() bool {
	at, n := find(m.lexicon.ask[askWho], m.tokens)
	return n > 0 && (at <= maxBeforeWho ||
		strings.ContainsAny(m.text[m.tokens[at-maxBeforeWho].End:m.tokens[at].Start], ",;:.!?؟،\n"))
}

// mentionsPerson reports whether the message has a pronoun of a person.
func (m message) mentionsPerson() bool {
	return slices.ContainsFunc(m.tokens, m.lexicon.isPerson)
}

// isPerson reports whether a word is a pronoun of a person.
func (l *lexicon) isPerson(t text.Token) bool { return l.person[t.Stem] }

// ofPerson answers a question for a person, "Who does that?", by the sentence that introduces the one with
// whom a document connects what is asked or, if the message does not say it, what was said before. It
// answers the question when somebody is there by that person's days. The answer has no text if it is
// another question, if nobody or several people are meant, or if the agent has many documents. Known is the
// confidence of the best sentence.
func (q *question) ofPerson(rd *reading, r ai.Request, known float64) answer {
	if knowsMuch(r) {
		return answer{} // most names in it are not of people who work there
	}
	read := q.theirs.read
	who, when := read.asksForPerson(), q.kinds&anyTime != 0 && q.kind == askWhen
	if !who && !when {
		return answer{}
	}
	all := rd.roster(q.lexicon)
	if len(all) == 0 {
		return answer{}
	}
	if when {
		return q.presence(rd, all, r)
	}
	if of, at := rd.memberFor(q.lexicon, all, text.Tokens(q.language, q.said)); of != nil {
		return rd.introduce(of, at, sureOfMember, r.MaxLength)
	}
	if !q.goesOn || q.own() > 1 && known >= threshold {
		return answer{}
	}
	for _, before := range q.earlier(r) {
		if of, at := rd.memberFor(q.lexicon, all, text.Tokens(q.language, before)); of != nil {
			return rd.introduce(of, at, likelyMember, r.MaxLength)
		}
	}
	return answer{}
}

// earlier returns what the message may depend on, the nearest first: the contact's last message, the topic,
// and, as long as these depend on the ones before, the earlier messages.
func (q *question) earlier(r ai.Request) (all []string) {
	for _, turn := range slices.Backward(r.History) {
		if !turn.Inbound {
			continue
		}
		all = append(all, turn.Text)
		before := message{lexicon: q.lexicon, language: q.language, text: turn.Text,
			tokens: text.Tokens(q.language, turn.Text)}
		if len(all) == maxEarlier || !before.pointsBack() {
			break
		}
	}
	return slices.Insert(all, min(1, len(all)), r.Topic)
}

// memberFor returns the member of whom a document says most of what a text is about, and the place of the
// last sentence that says it of nobody else; nil if there is none, or several.
func (rd *reading) memberFor(l *lexicon, all []member, about []text.Token) (of *member, at int) {
	scores, places := make([]float64, len(all)), make([]int, len(all))
	for name := range l.matters(about) {
		at, having := make([]int, len(all)), 0
		for i, m := range all {
			if at[i] = rd.placeOf(l, m, name); at[i] >= 0 {
				having++
			}
		}
		if 2*having > len(all) && len(all) > 1 {
			continue // it distinguishes nobody
		}
		for i := range all {
			if at[i] >= 0 {
				scores[i] += math.Log1p(float64(len(all)) / float64(having))
				places[i] = max(places[i], at[i])
			}
		}
	}
	best := 0
	for i := range scores {
		if scores[i] > scores[best] {
			best = i
		}
	}
	for i := range scores {
		if scores[best] == 0 || i != best && scores[i] == scores[best] {
			return nil, 0
		}
	}
	return &all[best], places[best]
}

// matters returns the words of a text that may concern one person more than others, and their concepts.
func (l *lexicon) matters(about []text.Token) map[string]bool {
	names := map[string]bool{}
	for i, t := range about {
		of := concept.In(l.tag, about[i:i+1])
		if t.Stop || t.Kind != text.Word || l.light[t.Stem] || l.times[t.Stem] || l.units[t.Stem] ||
			slices.ContainsFunc(of, func(f concept.Found) bool { return kindOf[f.Name] != 0 }) {
			continue // a price or a time concerns nobody in particular
		}
		names[t.Stem] = true
		for _, f := range of {
			names[concept.Word(f.Name)] = true
		}
	}
	return names
}

// placeOf returns the first sentence about a member that has a word or a concept, or -1.
func (rd *reading) placeOf(l *lexicon, m member, name string) int {
	for j := m.from; j < m.to; j++ {
		u := &rd.units[m.passage][j]
		if j > m.from+1 && !slices.ContainsFunc(u.tokens, l.isPerson) {
			continue // it may be about something else
		}
		if slices.ContainsFunc(l.namesIn(u), func(other string) bool {
			return name == other || beginsAlike(name, other)
		}) {
			return j
		}
	}
	return -1
}

// namesIn returns the significant words of a unit, and its concepts.
func (l *lexicon) namesIn(u *unit) (names []string) {
	for _, t := range u.tokens {
		if !t.Stop && !l.light[t.Stem] {
			names = append(names, t.Stem)
		}
	}
	for _, f := range l.sense(u.text).concepts {
		names = append(names, concept.Word(f.Name))
	}
	return names
}

// presence answers when a person is there, with the sentences that state days: of the person that the
// message names or, if it has a pronoun, the person named last.
func (q *question) presence(rd *reading, all []member, r ai.Request) answer {
	named := func(said string) (found []member) {
		tokens := text.Tokens(q.language, said)
		for _, m := range all {
			if m.named(tokens) {
				found = append(found, m)
			}
		}
		return found
	}
	of := named(q.said)
	if len(of) == 0 && q.person && q.own() == 0 {
		for _, turn := range slices.Backward(r.History[max(0, len(r.History)-maxReplies):]) {
			if of = named(turn.Text); len(of) > 0 {
				break
			}
		}
	}
	for _, m := range of {
		if m.name[len(m.name)-1].Stem != of[0].name[len(of[0].name)-1].Stem {
			return answer{} // of several people
		}
	}
	for _, m := range of {
		for j := m.from; j < m.to; j++ {
			if rd.units[m.passage][j].states&day != 0 {
				return rd.introduce(&member{passage: m.passage, from: j}, j, sureOfMember, r.MaxLength)
			}
		}
	}
	return answer{}
}

// introduce returns the answer with the first sentence about a member and the one that says what was asked.
func (rd *reading) introduce(of *member, at int, confidence float64, length int) answer {
	units := rd.units[of.passage]
	chosen := []candidate{{unit: &units[of.from], at: of.from}}
	if at != of.from && utf8.RuneCountInString(units[of.from].text+units[at].text) < length {
		chosen = append(chosen, candidate{unit: &units[at], at: at})
	}
	a := answer{confidence: confidence, subject: rd.subject(&units[of.from]), follows: true}
	a.text, a.sources = rd.compose(chosen, length)
	return a
}
