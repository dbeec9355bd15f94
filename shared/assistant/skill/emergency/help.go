package emergency

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// maxHelp is the maximum number of quoted sentences.
const maxHelp = 3

// Scores of a sentence, added to the weights of the words that it shares with the message.
const (
	ofConcept = 1.5 // per concept of the message
	ofNumber  = 1   // for an emergency number or a phone number to call
)

// A sentence is a sentence of the knowledge about emergencies.
type sentence struct {
	text    string
	about   string // the heading above it, or the question of its FAQ
	number  string // the phone number in it; "" for none
	passage ai.Passage
	at      int     // its position
	score   float64 // how well it matches the message
}

// help quotes what the business says about emergencies, up to room characters: of the sentences that name
// an emergency or an emergency number, or are below a heading that does, those that match the message best.
// The reply is zero if there are none; specific reports whether one matches the message.
func help(s *skill.State, room int) (reply ai.Reply, specific bool) {
	all := sentencesFor(s)
	if len(all) == 0 {
		return ai.Reply{}, false
	}
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b sentence) int { return cmp.Compare(b.score, a.score) })
	specific = ranked[0].score > ofNumber
	var chosen []sentence
	said := map[string]bool{} // numbers that were quoted
	for _, h := range ranked {
		n := utf8.RuneCountInString(h.text) + 1
		if len(chosen) == maxHelp || len(chosen) > 0 && (h.score < least(specific) || n > room) {
			break
		}
		if h.number != "" && said[h.number] {
			continue
		}
		said[h.number] = true
		chosen, room = append(chosen, h), room-n
	}
	slices.SortStableFunc(chosen[1:], func(a, b sentence) int { return cmp.Compare(a.at, b.at) })
	reply = ai.Reply{Action: ai.Respond, Subject: ranked[0].about}
	for i, h := range chosen {
		if i == 0 {
			reply.Text = h.text
		} else {
			reply.Text = s.Append(reply.Text, h.text)
		}
		source := ai.Source{Document: h.passage.Document, Title: h.passage.Title, URL: h.passage.URL}
		if source.Document != 0 && !slices.Contains(reply.Sources, source) {
			reply.Sources = append(reply.Sources, source)
		}
	}
	return reply, specific
}

// least returns the minimum score of a further sentence. If one matches the message, the others must match
// or have a phone number.
func least(specific bool) float64 {
	if specific {
		return ofNumber
	}
	return math.SmallestNonzeroFloat64
}

// sentencesFor returns the sentences of the knowledge about emergencies, with their scores.
func sentencesFor(s *skill.State) []sentence {
	asked := wanted(s)
	var all []sentence
	add := func(of ai.Passage, about, said string, inSection bool) {
		tokens := text.Tokens(s.Language(), said)
		public := slices.IndexFunc(tokens, isPublic)
		if !inSection && public < 0 && !names(s.Language(), tokens) {
			return
		}
		h := sentence{text: said, about: about, passage: of, at: len(all)}
		h.score = asked.shared(s.Language(), tokens)
		if at := max(public, slices.IndexFunc(tokens, isPhone)); at >= 0 {
			h.number = tokens[at].Stem
			h.score += ofNumber
		}
		all = append(all, h)
	}
	for _, p := range s.Request().Passages {
		own := p.Document == 0 && p.Text != s.Agent.BusinessDescription // a field of the agent
		if own && len(p.Questions) == 0 {
			continue
		}
		if len(p.Questions) > 0 {
			asks := text.Tokens(s.Language(), strings.Join(p.Questions, "\n"))
			add(p, p.Questions[0], p.Text, names(s.Language(), asks))
			continue
		}
		about := p.Title
		inSection := names(s.Language(), text.Tokens(s.Language(), about))
		for _, segment := range text.Segments(p.Text) {
			said := segment.Text(p.Text)
			if segment.Kind == text.Heading {
				about, inSection = said, names(s.Language(), text.Tokens(s.Language(), said))
				continue
			}
			add(p, about, said, inSection)
		}
	}
	return all
}

// A need is what the message says, together with earlier messages about the same emergency.
type need struct {
	stems    map[string]float64 // with their weights in the knowledge
	concepts []string
}

// wanted returns the need of the message.
func wanted(s *skill.State) need {
	n := need{stems: map[string]float64{}}
	told := []string{s.Text}
	if s.Conversation.Priority == conversation.Urgent {
		told = append(told, s.GoneOnWith()...)
	}
	for _, message := range told {
		for _, t := range text.Tokens(s.Language(), message) {
			if !t.Stop {
				n.stems[t.Stem] = s.Found.Weights[t.Stem]
			}
		}
		n.concepts = append(n.concepts, concept.Names(s.Tongue(), message)...)
	}
	return n
}

// shared returns how much of the need a sentence is about.
func (n need) shared(language string, tokens []text.Token) float64 {
	score, seen := 0.0, map[string]bool{}
	for _, t := range tokens {
		if seen[t.Stem] {
			continue
		}
		seen[t.Stem] = true
		if weight, said := n.stems[t.Stem]; said {
			score += weight
			continue
		}
		if slices.ContainsFunc(concept.Of(language, t.Stem), func(name string) bool {
			return slices.Contains(n.concepts, name)
		}) {
			score += ofConcept
		}
	}
	return score
}

// names reports whether tokens name an emergency.
func names(language string, tokens []text.Token) bool {
	return slices.ContainsFunc(concept.In(language, tokens), func(f concept.Found) bool {
		return skill.OfNeed(f.Name)
	})
}

// isPublic reports whether a token is the number of an emergency service.
func isPublic(t text.Token) bool {
	return t.Kind == text.Number && slices.Contains(skill.EmergencyNumbers(), t.Stem)
}

func isPhone(t text.Token) bool { return t.Kind == text.Phone }
