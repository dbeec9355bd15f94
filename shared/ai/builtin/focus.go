package builtin

import (
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// A nearness is how near a unit is to what was said last.
type nearness int

const (
	elsewhere   nearness = iota
	samePassage          // in the same passage
	sameSection          // below the same heading
	sameText             // in the same paragraph
	next                 // the next sentence
)

// leastSaid is the minimum length, in bytes, of a unit that is searched for in replies. Shorter ones occur
// by chance.
const leastSaid = 12

// maxReplies is the number of latest replies that are searched for what a message continues: between them
// and the message there may have been fallbacks.
const maxReplies = 3

// focus sets how near each unit is to what was said last: by the units in the latest reply that quotes any,
// or else by the topic.
func (rd *reading) focus(language string, r ai.Request) {
	found, replies := false, 0
	for _, turn := range slices.Backward(r.History) {
		if turn.Inbound {
			continue
		}
		if found = rd.focusOnQuoted(turn.Text); found {
			break
		}
		if replies++; replies == maxReplies {
			break
		}
	}
	for topic := range strings.Lines(r.Topic) {
		rd.focusOnNamed(language, strings.TrimSpace(topic), found)
	}
}

// focusOnQuoted sets the nearness of the units around those that a reply quotes, and reports whether it
// quotes any.
func (rd *reading) focusOnQuoted(reply string) bool {
	found := false
	for _, units := range rd.units {
		var quoted []int
		for j := range units {
			if u := &units[j]; u.kind != text.Heading && len(u.text) >= leastSaid &&
				strings.Contains(reply, u.text) {
				u.said = true
				quoted = append(quoted, j)
			}
		}
		for j := range units {
			u := &units[j]
			for _, at := range quoted {
				switch q := units[at]; {
				case u.block == q.block && j == at+1:
					u.near = next
				case u.block == q.block:
					u.near = max(u.near, sameText)
				case u.heading == q.heading && u.heading >= 0:
					u.near = max(u.near, sameSection)
				default:
					u.near = max(u.near, samePassage)
				}
			}
		}
		found = found || len(quoted) > 0
	}
	return found
}

// focusOnNamed sets the nearness of the units that have most words of a topic, such as the entry of a
// service, or are below a heading which has them. If nothing was quoted, a topic also matches a passage by
// its title or question.
func (rd *reading) focusOnNamed(language, topic string, quoted bool) {
	named := map[string]bool{}
	for _, t := range text.Tokens(language, topic) {
		if !t.Stop {
			named[t.Stem] = true
		}
	}
	has := func(tokens []text.Token) bool {
		seen := map[string]bool{}
		for _, t := range tokens {
			if named[t.Stem] {
				seen[t.Stem] = true
			}
		}
		return len(seen) > 0 && 3*len(seen) >= 2*len(named)
	}
	for i, units := range rd.units {
		p := rd.passages[i]
		titled := !quoted && (p.Title != "" && p.Title == topic || slices.Contains(p.Questions, topic))
		for j := range units {
			u := &units[j]
			switch {
			case has(u.tokens), titled && len(p.Questions) > 0:
				u.near = max(u.near, sameText)
			case u.heading >= 0 && has(units[u.heading].tokens):
				u.near = max(u.near, sameSection)
			case titled:
				u.near = max(u.near, samePassage)
			}
		}
	}
}

// fits reports whether the unit has what the question asks for, and whether that is known.
func (q *question) fits(u *unit) (fits, told bool) {
	const telling = price | free | payment | age | anyTime | duration | count | person | place | bring
	asked := q.kinds & telling
	if asked&price != 0 {
		asked = price | free
	}
	return u.states&asked != 0, asked != 0
}

// cutAnswers splits the quoted answers of FAQs into sentences, since one of them may answer a follow-up
// question.
func (rd *reading) cutAnswers(l *lexicon, history []ai.Turn) {
	for i, p := range rd.passages {
		if len(p.Questions) == 0 || p.Text == "" || !slices.ContainsFunc(history, func(t ai.Turn) bool {
			return !t.Inbound && strings.Contains(t.Text, p.Text)
		}) {
			continue
		}
		rd.units[i] = readUnits(l, i, ai.Passage{Text: p.Text})
		for j := range rd.units[i] {
			rd.units[i][j].block = 0
		}
	}
}

// named returns the terms that the unit and what is above it have.
func (u *unit) named() terms { return u.inside() | u.above }

// shareOf returns the weight of some terms relative to that of others.
func (q *question) shareOf(part, of terms) float64 {
	if of == 0 {
		return 0
	}
	return q.weightOf(part) / q.weightOf(of)
}
