package builtin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// A nearness tells how near a unit is to what was said last.
type nearness int

const (
	elsewhere   nearness = iota
	samePassage          // in the same passage
	sameSection          // below the same heading
	sameText             // in the same paragraph
	next                 // the sentence behind it
)

// What a unit gains by its nearness when a message goes on with what was said, by whether it has what is
// asked for, and what it loses where it was said already.
var nearGain = [...]float64{elsewhere: 0, samePassage: 1, sameSection: 2.5, sameText: 4, next: 4.5}

const (
	kindGain  = 2.5
	saidMalus = 1.5
)

// How sure an answer is to a message that goes on with what was said, by what speaks for it.
const (
	sureOfKind    = 0.8  // it has what is asked for, and is about the same
	likelyOfKind  = 0.62 // it has what is asked for, and stands near
	sureOfMatter  = 0.8  // it has the words of the message, and is about the same
	closeMatter   = 0.7  // it has some of them, and stands in what was said
	likelyMatter  = 0.62 // it has them, and stands near
	moreOfSame    = 0.55 // it says more about the same
	guessOfKind   = 0.4  // it has what is asked for, and stands in what was said, but has no word of the message
	leastOfMatter = 0.6  // the share of the message's own words that it must have
	someOfMatter  = 0.45 // the share that is enough close by
	mostWords     = 0.5  // the share of all the message's words, stop words too, that is enough close by
)

// leastSaid is how long a unit is, in bytes, that is found again in what was said. Shorter ones stand there
// by chance.
const leastSaid = 12

// maxReplies is how many of its last replies the agent may have said what a message goes on with in: between
// them and the message it may have not known something.
const maxReplies = 3

// focus finds how near each unit is to what was said last: by the units that the agent quoted in its latest
// reply that quotes any, or else by the topic.
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

// focusOnQuoted brings the units near that stand by those which a reply quotes, and reports whether it quotes
// any.
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

// focusOnNamed brings the units near that have most words of a topic, as the entry of a service has, or that
// stand below a heading which has them. Where nothing was quoted a topic also names a passage, by its title
// or its question.
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

// fits reports whether the unit has what the question asks for, and whether that can be told.
func (q *question) fits(u *unit) (fits, told bool) {
	if q.person && q.own() <= 1 && (q.kind == askWhen || q.day) {
		return u.has&hasDay != 0, true // when a person is in, not since when
	}
	switch q.kind {
	case askWho:
		return u.has&hasName != 0, true
	case askWhen:
		return u.has&(hasTime|hasDay|hasCount) != 0, true
	case askHowMany:
		if !q.price {
			return u.has&hasCount != 0, true
		}
	}
	if q.day && !q.price {
		return u.has&(hasTime|hasDay) != 0, true
	}
	return u.has&hasPrice != 0 || u.whole&q.ownTerms()&^q.about() != 0, q.price
}

// goOn answers a message that is about what was said before it, with what the passages say near that.
func (q *question) goOn(r ai.Request) answer {
	if len(r.Passages) == 0 {
		return answer{}
	}
	rd := readPassages(q, r.Passages)
	rd.cutAnswers(q.lexicon)
	q.weigh(r.Weights, rd.found, len(r.Passages))
	q.passOver(q.times())
	rd.match(q, rd.hits(q))
	rd.focus(q.language, r)
	about := q.about() &^ q.times()
	matter, gain := about, matterGain
	if matter == 0 {
		matter, gain = q.ownTerms()&^q.times(), askedGain
	}
	all := rd.rank(q)
	for i := range all {
		c := &all[i]
		c.score += nearGain[c.near]
		fits, told := q.fits(c.unit)
		switch {
		case told && fits:
			c.score += kindGain
		case told:
			c.score -= kindGain
		}
		if c.said && !fits {
			c.score -= saidMalus
		}
		c.score += gain * q.shareOf(c.named()&matter, matter)
	}
	best, sure := -1, 0.0
	for i, c := range all {
		if c.kind == text.Heading {
			continue
		}
		if t := q.trust(c.unit, about); t > sure || t == sure && best >= 0 && c.score > all[best].score {
			best, sure = i, t
		}
	}
	if best < 0 {
		return answer{}
	}
	c := all[best]
	if rd.isField(c.passage) {
		sure = min(sure, mostOfField)
	}
	a := answer{confidence: sure, terms: c.named(), subject: rd.passages[c.passage].Title}
	switch asked := rd.passages[c.passage].Questions; {
	case len(asked) > 0:
		a.subject = asked[0]
	case c.heading >= 0:
		a.subject = rd.units[c.passage][c.heading].text
	}
	if utf8.RuneCountInString(c.text) > r.MaxLength {
		c.cut = q.excerpt(c.unit, r.MaxLength)
	}
	a.text, a.sources = rd.compose([]candidate{c}, r.MaxLength)
	return a
}

// cutAnswers cuts the answers of FAQs into sentences, of which one may say what a message that goes on with
// the answer asks for.
func (rd *reading) cutAnswers(l *lexicon) {
	for i, p := range rd.passages {
		if len(p.Questions) == 0 || p.Text == "" {
			continue
		}
		rd.units[i] = readUnits(l, i, ai.Passage{Text: p.Text})
		for j := range rd.units[i] {
			rd.units[i][j].block = 0
		}
	}
}

// times is the terms that name a day or a part of one, which an answer need not repeat: "Is he in on Thursday
// evening?"
func (q *question) times() (set terms) {
	for i, t := range q.terms {
		if q.lexicon.times[t.stem] {
			set |= 1 << i
		}
	}
	return set
}

// What a unit gains that has all words of a message that goes on with what was said, and where that has none
// but what it asks with, all of these.
const (
	matterGain = 4.0
	askedGain  = 1.5
)

// named is the terms that the unit and what stands above it have.
func (u *unit) named() terms { return u.whole | u.part | u.alike | u.above }

// shareOf is the share of some terms that others are, by their weights.
func (q *question) shareOf(part, of terms) float64 {
	if of == 0 {
		return 0
	}
	return q.weightOf(part) / q.weightOf(of)
}

// wantsMore reports whether more of what was said may be the answer. A place is none.
func (q *question) wantsMore() bool { return q.asks && q.kind != askWhere }

// trust is how sure it is that the unit answers a message that goes on with what was said. About is the terms
// that the message names beside what it asks with.
func (q *question) trust(u *unit, about terms) float64 {
	fits, told := q.fits(u)
	if about == 0 {
		return q.trustOfKind(u, fits, told)
	}
	if told && !fits && q.price {
		return 0
	}
	near := u.near >= sameSection
	switch share := q.shareOf(u.named()&about, about); {
	case near && q.shareOf((u.whole|u.above)&about, about) >= leastOfMatter:
		return sureOfMatter
	case u.near >= sameText && q.shareOf(u.whole&about, about) >= someOfMatter:
		return closeMatter
	case share >= leastOfMatter && u.near >= samePassage:
		return likelyMatter
	case near && (share >= someOfMatter || !told && u.words >= mostWords):
		return moreOfSame
	case told && fits && u.near >= sameText && !u.said:
		return guessOfKind
	}
	return 0
}

// trustOfKind is trust for a message that names nothing: all that can be told is whether the unit has what it
// asks for.
func (q *question) trustOfKind(u *unit, fits, told bool) float64 {
	near := u.near >= sameSection
	switch {
	case told && fits && near:
		return sureOfKind
	case told && fits && u.near == samePassage:
		return likelyOfKind
	case !told && q.wantsMore() && near && !u.said:
		return moreOfSame
	}
	return 0
}
