package builtin

import (
	"cmp"
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
)

// What a unit gains by its nearness when a message goes on with what was said, by whether it has what is asked for, and
// what it loses where it was said already.
var nearGain = [...]float64{elsewhere: 0, samePassage: 1, sameSection: 2.5, sameText: 4}

const (
	kindGain  = 2.5
	saidMalus = 1.5
)

// How sure an answer is to a message that goes on with what was said, by what speaks for it.
const (
	sureOfKind    = 0.8  // it has what is asked for, and is about the same
	likelyOfKind  = 0.62 // it has what is asked for, and stands near
	sureOfMatter  = 0.8  // it has the words of the message, and is about the same
	likelyMatter  = 0.62 // it has them, and stands near
	moreOfSame    = 0.55 // it says more about the same
	leastOfMatter = 0.6  // the share of the message's own words that it must have
)

// leastSaid is how long a unit is, in bytes, that is found again in what was said. Shorter ones stand there by chance.
const leastSaid = 12

// focus finds how near each unit is to the last reply: by the units that it quoted, or else by the topic.
func (rd *reading) focus(language string, r ai.Request) {
	last := ""
	for _, turn := range slices.Backward(r.History) {
		if !turn.Inbound {
			last = turn.Text
			break
		}
	}
	found := false
	for _, units := range rd.units {
		var quoted []*unit
		for j := range units {
			if u := &units[j]; u.kind != text.Heading && len(u.text) >= leastSaid && strings.Contains(last, u.text) {
				u.said = true
				quoted = append(quoted, u)
			}
		}
		for j := range units {
			u := &units[j]
			for _, q := range quoted {
				switch {
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
	if r.Topic == "" {
		return
	}
	rd.focusOnNamed(language, r.Topic)
	if found {
		return
	}
	for i, units := range rd.units {
		titled := rd.passages[i].Title != "" && strings.Contains(r.Topic, rd.passages[i].Title)
		for j := range units {
			u := &units[j]
			switch {
			case u.heading >= 0 && strings.Contains(r.Topic, units[u.heading].text):
				u.near = max(u.near, sameSection)
			case titled:
				u.near = max(u.near, samePassage)
			}
		}
	}
}

// focusOnNamed brings the units near that have most words of the topic, as the entry of a service has.
func (rd *reading) focusOnNamed(language, topic string) {
	named := map[string]bool{}
	for _, t := range text.Tokens(language, topic) {
		if !t.Stop {
			named[t.Stem] = true
		}
	}
	for _, units := range rd.units {
		for j := range units {
			seen := map[string]bool{}
			for _, t := range units[j].tokens {
				if named[t.Stem] {
					seen[t.Stem] = true
				}
			}
			if len(seen) > 0 && 3*len(seen) >= 2*len(named) {
				units[j].near = sameText
			}
		}
	}
}

// fits reports whether the unit has what the question asks for, and whether that can be told.
func (q *question) fits(u *unit) (fits, told bool) {
	switch q.kind {
	case askWho:
		return u.has&hasName != 0, true
	case askWhen:
		return u.has&(hasTime|hasDay) != 0, true
	case askHowMany:
		if !q.price {
			return u.has&hasCount != 0, true
		}
	}
	if q.day && !q.price {
		return u.has&(hasTime|hasDay) != 0, true
	}
	return u.has&hasPrice != 0, q.price
}

// goOn answers a message that is about what was said before it, with what the passages say near that.
func (q *question) goOn(r ai.Request) answer {
	if len(r.Passages) == 0 {
		return answer{}
	}
	rd := readPassages(q, r.Passages)
	q.weigh(r.Weights, rd.found, len(r.Passages))
	rd.match(q, rd.hits(q))
	rd.focus(q.language, r)
	about := q.about()
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
		c.score += matterGain * q.shareOf(c.named()&about, about)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for _, c := range all {
		if c.kind == text.Heading || len(rd.asked[c.passage]) > 0 && c.near == elsewhere {
			continue
		}
		sure := q.trust(c.unit, about)
		if sure == 0 {
			return answer{}
		}
		a := answer{confidence: sure, terms: c.named(), subject: rd.passages[c.passage].Title}
		if c.heading >= 0 {
			a.subject = rd.units[c.passage][c.heading].text
		}
		if utf8.RuneCountInString(c.text) > r.MaxLength {
			c.cut = q.excerpt(c.unit, r.MaxLength)
		}
		a.text, a.sources = rd.compose([]candidate{c}, r.MaxLength)
		return a
	}
	return answer{}
}

// matterGain is what a unit gains that has all words of a message that goes on with what was said.
const matterGain = 4.0

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

// trust is how sure it is that the unit answers a message that goes on with what was said.
func (q *question) trust(u *unit, about terms) float64 {
	fits, told := q.fits(u)
	switch {
	case about == 0 && told && fits && u.near >= sameSection:
		return sureOfKind
	case about == 0 && told && fits && u.near == samePassage:
		return likelyOfKind
	case about == 0 && !told && q.wantsMore() && u.near >= sameSection && !u.said:
		return moreOfSame
	case about == 0, told && !fits && q.price:
		return 0
	}
	if q.shareOf(u.named()&about, about) < leastOfMatter {
		return 0
	}
	switch u.near {
	case sameText, sameSection:
		return sureOfMatter
	case samePassage:
		return likelyMatter
	}
	return 0
}
