package builtin

import (
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
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

	whole  terms // the terms of the question that stand in it
	part   terms // those of which it has a related or a similar word
	above  terms // those that stand in its heading or the passage's title
	before terms // those that stand in the sentence before it
	after  terms // those that stand in the sentence after it
	far    terms // those that stand elsewhere in its passage
	pairs  float64
	has    features
	like   float64 // for an FAQ, how like its best phrasing is to the message, 0 to 1
}

// features tell what a unit contains that a question can ask for.
type features uint8

const (
	hasNumber features = 1 << iota
	hasPrice
	hasTime
	hasName
)

// A reading is the passages of a request, read for a question.
type reading struct {
	passages []ai.Passage
	units    [][]unit         // of each passage
	titles   [][]text.Token   // of each passage
	asked    [][][]text.Token // the phrasings of each passage's question
	found    map[string]int   // in how many passages each term of the question stands
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
		rd.titles[i] = text.Tokens(q.language, p.Title)
		count(rd.titles[i])
		for _, phrasing := range p.Questions {
			tokens := text.Tokens(q.language, phrasing)
			rd.asked[i] = append(rd.asked[i], tokens)
			count(tokens)
		}
		rd.units[i] = readUnits(q.language, i, p)
		for _, u := range rd.units[i] {
			count(u.tokens)
		}
	}
	return rd
}

func readUnits(language string, at int, p ai.Passage) []unit {
	if len(p.Questions) > 0 {
		if p.Text == "" {
			return nil
		}
		return []unit{{passage: at, text: p.Text, tokens: text.Tokens(language, p.Text), heading: -1}}
	}
	segs := text.Segments(p.Text)
	units := make([]unit, 0, len(segs))
	heading := -1
	for _, seg := range segs {
		u := unit{passage: at, text: seg.Text(p.Text), kind: seg.Kind, block: seg.Block, heading: heading}
		u.tokens = text.Tokens(language, u.text)
		if seg.Kind == text.Heading {
			u.heading = -1
			heading = len(units)
		}
		units = append(units, u)
	}
	return units
}

// A hit is what a word of a passage does for the terms of the question.
type hit struct{ whole, part terms }

// match finds the terms of q in all units.
func (rd *reading) match(q *question, hits map[string]hit) {
	set := func(tokens []text.Token) (h hit) {
		for _, t := range tokens {
			x := hits[t.Stem]
			h.whole |= x.whole
			h.part |= x.part
		}
		return h
	}
	for i, units := range rd.units {
		title := set(rd.titles[i])
		for _, phrasing := range rd.asked[i] {
			x := set(phrasing)
			title.whole |= x.whole
			title.part |= x.part
		}
		all := title.whole | title.part
		for j := range units {
			u := &units[j]
			h := set(u.tokens)
			u.whole, u.part = h.whole, h.part
			u.pairs = neighbours(q, u.tokens, hits)
			u.has = featuresOf(u, hits)
			all |= h.whole | h.part
		}
		for j := range units {
			u := &units[j]
			u.above = title.whole | title.part
			if u.heading >= 0 {
				u.above |= units[u.heading].whole | units[u.heading].part
			}
			if j > 0 {
				u.before = units[j-1].whole
			}
			if j+1 < len(units) {
				u.after = units[j+1].whole
			}
			u.far = all
		}
	}
}

// hits maps the words that matter to what they do: the terms themselves, the words related to them, and, for a term that
// stands in no passage, the words most like it.
func (rd *reading) hits(q *question) map[string]hit {
	hits := make(map[string]hit, 4*len(q.terms))
	for i, t := range q.terms {
		bit := terms(1) << i
		h := hits[t.stem]
		h.whole |= bit
		hits[t.stem] = h
		for _, other := range q.lexicon.related[t.stem] {
			h := hits[other]
			h.part |= bit
			hits[other] = h
		}
	}
	for i, t := range q.terms {
		if rd.found[t.stem] > 0 {
			continue
		}
		for _, other := range rd.similar(t.stem) {
			h := hits[other]
			h.part |= terms(1) << i
			hits[other] = h
		}
	}
	return hits
}

// similar returns the words of the passages that are most like stem, if they are so like it that one may be the other
// misspelt, or compounded with another word.
func (rd *reading) similar(stem string) []string {
	var out []string
	best := leastSimilarity
	seen := map[string]bool{}
	visit := func(tokens []text.Token) {
		for _, t := range tokens {
			if t.Stop || t.Kind != text.Word || seen[t.Stem] {
				continue
			}
			seen[t.Stem] = true
			if s := similarity(stem, t.Stem); s > best {
				best, out = s, append(out[:0], t.Stem)
			} else if s == best {
				out = append(out, t.Stem)
			}
		}
	}
	for i := range rd.units {
		for _, phrasing := range rd.asked[i] {
			visit(phrasing)
		}
		for _, u := range rd.units[i] {
			visit(u.tokens)
		}
	}
	return out
}

// neighbours is the share of the question's pairs of words side by side that stand close together in tokens as well, in
// the same order.
func neighbours(q *question, tokens []text.Token, hits map[string]hit) float64 {
	if len(q.terms) < 2 {
		return 0
	}
	last, lastAt := -1, 0
	var pairs terms
	for at, t := range tokens {
		whole := hits[t.Stem].whole
		if whole == 0 {
			continue
		}
		for i := range q.terms {
			if whole&(1<<i) == 0 {
				continue
			}
			if last >= 0 && i == last+1 && at-lastAt <= pairReach {
				pairs |= 1 << i
			}
			last, lastAt = i, at
			break
		}
	}
	n := 0
	for i := range q.terms {
		if pairs&(1<<i) != 0 {
			n++
		}
	}
	return float64(n) / float64(len(q.terms)-1)
}

// featuresOf tells what the unit contains beyond what the question itself names.
func featuresOf(u *unit, hits map[string]hit) (f features) {
	for i, t := range u.tokens {
		if hits[t.Stem].whole != 0 {
			continue
		}
		switch t.Kind {
		case text.Price:
			f |= hasPrice | hasNumber
		case text.Time:
			f |= hasTime
		case text.Number, text.Percent:
			f |= hasNumber
		case text.Word:
			first, _ := utf8.DecodeRuneInString(u.text[t.Start:])
			if unicode.IsDigit(first) {
				f |= hasNumber
			} else if i > 0 && unicode.IsUpper(first) {
				f |= hasName
			}
		}
	}
	return f
}
