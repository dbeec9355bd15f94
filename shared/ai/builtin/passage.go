package builtin

import (
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
)

// A unit is what a reply can quote: a sentence, an entry of a list, or the whole answer of an FAQ.
type unit struct {
	passage int // the place of its passage in the request
	text    string
	kind    text.SegmentKind
	block   int
	tokens  []text.Token
	heading int // the unit that is its heading, in the same passage; -1 for none

	// Where the terms of the question are found, each at the first of these places that has it.
	whole  terms // in the unit
	part   terms // in it by a related word, or by one that may be the same misspelt
	alike  terms // in it by a word that begins the same
	above  terms // in its heading or the passage's title
	before terms // in the sentence before it
	after  terms // in the sentence after it
	far    terms // elsewhere in its passage

	// The shares of the question, stop words and all, that stand in the unit.
	words, pairs, letters float64

	near nearness // to what was said last; see focus
	said bool     // in the last reply

	mentions []mention // of terms
	strange  int       // the telling words that the question does not have
	has      contents
}

// A mention is the bytes of a unit that stand for terms of the question.
type mention struct {
	start, end int
	terms      terms
}

// found is the terms of the question that are found in and around the unit.
func (u *unit) found() terms {
	return u.whole | u.part | u.alike | u.above | u.before | u.after | u.far
}

// contents tell what a unit contains that a question can ask for.
type contents uint8

const (
	hasNumber contents = 1 << iota
	hasPrice
	hasTime // a time of day or a year
	hasName
	hasDay   // of the week
	hasCount // a number that is no price, in figures or in words
)

// A reading is the passages of a request, read for a question.
type reading struct {
	passages []ai.Passage
	units    [][]unit         // of each passage
	titles   [][]text.Token   // of each passage
	asked    [][][]text.Token // the phrasings of each passage's question
	found    map[string]int   // in how many passages each term of the question stands
	meant    terms            // those that stand in none, but of which a word for the same thing does
}

// readPassages cuts the passages into units and counts in which of them the terms of q stand.
func readPassages(q *question, passages []ai.Passage) reading {
	rd := reading{
		passages: passages,
		units:    make([][]unit, len(passages)),
		titles:   make([][]text.Token, len(passages)),
		asked:    make([][][]text.Token, len(passages)),
		found:    make(map[string]int, len(q.terms)),
	}
	for _, t := range q.terms {
		rd.found[t.stem] = 0
	}
	for i, p := range passages {
		seen := map[string]bool{}
		count := func(tokens []text.Token) {
			for _, t := range tokens {
				if n, ok := rd.found[t.Stem]; ok && !seen[t.Stem] {
					seen[t.Stem] = true
					rd.found[t.Stem] = n + 1
				}
			}
		}
		rd.titles[i] = q.lexicon.tokens(p.Title)
		count(rd.titles[i])
		for _, phrasing := range p.Questions {
			tokens := q.lexicon.tokens(phrasing)
			rd.asked[i] = append(rd.asked[i], tokens)
			count(tokens)
		}
		rd.units[i] = readUnits(q.lexicon, i, p)
		for _, u := range rd.units[i] {
			count(u.tokens)
		}
	}
	return rd
}

func readUnits(l *lexicon, at int, p ai.Passage) []unit {
	if len(p.Questions) > 0 {
		if p.Text == "" {
			return nil
		}
		return []unit{{passage: at, text: p.Text, tokens: l.tokens(p.Text), heading: -1}}
	}
	segs := text.Segments(p.Text)
	units := make([]unit, 0, len(segs))
	heading := -1
	for _, seg := range segs {
		u := unit{passage: at, text: seg.Text(p.Text), kind: seg.Kind, block: seg.Block, heading: heading}
		u.tokens = l.tokens(u.text)
		if seg.Kind == text.Heading {
			u.heading = -1
			heading = len(units)
		}
		units = append(units, u)
	}
	return units
}

// A hit is what a word of a passage does for the terms of the question.
type hit struct{ whole, part, alike terms }

func (h *hit) add(other hit) {
	h.whole |= other.whole
	h.part |= other.part
	h.alike |= other.alike
}

// match finds q in all units.
func (rd *reading) match(q *question, hits map[string]hit) {
	sum := func(tokens []text.Token) (h hit) {
		for _, t := range tokens {
			h.add(hits[t.Stem])
		}
		return h
	}
	asked := newShape(q.tokens)
	for i, units := range rd.units {
		title := sum(rd.titles[i])
		all := title
		own := make([]hit, len(units))
		for j := range units {
			own[j] = sum(units[j].tokens)
			all.add(own[j])
		}
		for j := range units {
			u := &units[j]
			u.whole, u.part, u.alike = own[j].whole, own[j].part, own[j].alike
			u.above = title.whole | title.part
			if u.heading >= 0 {
				u.above |= own[u.heading].whole | own[u.heading].part
			}
			if j > 0 {
				u.before = own[j-1].whole
			}
			if j+1 < len(units) {
				u.after = own[j+1].whole
			}
			u.far = all.whole | all.part | all.alike
			var before terms
			for _, place := range []*terms{&u.whole, &u.part, &u.alike, &u.above, &u.before, &u.after,
				&u.far} {
				*place &^= before
				before |= *place
			}
			u.words, u.pairs, u.letters = asked.in(newShape(u.tokens))
			u.look(hits, q.lexicon)
		}
	}
}

// hits maps the words that matter to what they do: the terms themselves, the words related to them, those
// that begin like them, and, for a term that stands in no passage, the words most like it.
func (rd *reading) hits(q *question) map[string]hit {
	hits := make(map[string]hit, 4*len(q.terms))
	add := func(stem string, h hit) {
		h.add(hits[stem])
		hits[stem] = h
	}
	words := rd.words()
	rd.mean(q, words, add)
	for i, t := range q.terms {
		bit := terms(1) << i
		add(t.stem, hit{whole: bit})
		for _, other := range q.lexicon.related[t.stem] {
			add(other, hit{part: bit})
		}
		for _, other := range words {
			if beginsAlike(t.stem, other) {
				add(other, hit{alike: bit})
			}
		}
		if rd.found[t.stem] == 0 {
			for _, other := range mostSimilar(t.stem, words) {
				add(other, hit{part: bit})
			}
		}
	}
	return hits
}

// mean has words of the passages do for the terms of the question that stand for the same thing.
func (rd *reading) mean(q *question, words []string, add func(string, hit)) {
	named := map[string]terms{}
	for i, t := range q.terms {
		for _, name := range t.concepts {
			named[name] |= 1 << i
		}
	}
	if len(named) == 0 {
		return
	}
	for _, word := range words {
		var same terms
		for _, name := range concept.Of(q.language, word) {
			same |= named[name]
		}
		if same != 0 {
			add(word, hit{part: same})
			rd.meant |= same
		}
	}
}

// known is the terms of the question that stand in a passage, or of which a word for the same thing does.
func (rd *reading) known(q *question) terms {
	set := rd.meant
	for i, t := range q.terms {
		if rd.found[t.stem] > 0 {
			set |= 1 << i
		}
	}
	return set
}

// unknown is the share of the question that stands in no passage.
func (rd *reading) unknown(q *question) float64 {
	return q.share((1<<len(q.terms) - 1) &^ rd.known(q))
}

// words lists the telling words of all passages, each once.
func (rd *reading) words() []string {
	var words []string
	seen := map[string]bool{}
	for _, units := range rd.units {
		for _, u := range units {
			for _, t := range u.tokens {
				if !t.Stop && t.Kind == text.Word && !seen[t.Stem] {
					seen[t.Stem] = true
					words = append(words, t.Stem)
				}
			}
		}
	}
	return words
}

// mostSimilar returns those of the words that are most like stem, if they are so like it that one may be the
// other misspelt, or compounded with another word.
func mostSimilar(stem string, words []string) []string {
	var out []string
	best := leastSimilarity
	for _, word := range words {
		if s := similarity(stem, word); s > best {
			best, out = s, append(out[:0], word)
		} else if s == best {
			out = append(out, word)
		}
	}
	return out
}

// look notes where the unit names the question's terms, and what it has beyond these.
func (u *unit) look(hits map[string]hit, l *lexicon) {
	if _, n := find(l.severalDays, u.tokens); n > 0 {
		u.has |= hasDay
	}
	for i, t := range u.tokens {
		h := hits[t.Stem]
		if said := h.whole | h.part | h.alike; said != 0 {
			u.mentions = append(u.mentions, mention{t.Start, t.End, said})
		}
		if l.days[t.Stem] || l.beginsWithDay(t.Stem) {
			u.has |= hasDay
		}
		if t.Kind == text.Number || l.numbers[t.Stem] {
			u.has |= hasCount
		}
		if h.whole != 0 {
			continue
		}
		if !t.Stop {
			u.strange++
		}
		first, _ := utf8.DecodeRuneInString(u.text[t.Start:])
		switch {
		case t.Kind == text.Price:
			u.has |= hasPrice | hasNumber
		case t.Kind == text.Time:
			u.has |= hasTime | hasNumber
		case t.Kind == text.Number && len(t.Stem) == 4 && (t.Stem[0] == '1' || t.Stem[0] == '2'):
			u.has |= hasTime | hasNumber
		case t.Kind != text.Word || unicode.IsDigit(first):
			u.has |= hasNumber
		case i > 0 && unicode.IsUpper(first):
			u.has |= hasName
		}
	}
}
