package builtin

import (
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
)

// A unit is a part of a passage that a reply can quote: a sentence, an entry of a list, or the whole answer
// of an FAQ.
type unit struct {
	passage int // the index of its passage in the request
	text    string
	kind    text.SegmentKind
	block   int
	tokens  []text.Token
	states  kind // the kinds of information that it states
	heading int  // the index of its heading in the same passage; -1 for none

	// Where the terms of the question are found. Each term counts only at the first of these places that
	// has it.
	whole  terms // in the unit
	part   terms // in it as a related word, or one that may be misspelt
	meant  terms // in it as a synonym
	alike  terms // in it as a word with the same beginning
	above  terms // in its heading, the passage's title or the FAQ's question
	akin   terms // in any of these as a word for something related
	before terms // in the sentence before it
	after  terms // in the sentence after it
	far    terms // elsewhere in its passage

	// The shares of the question, including stop words, that are in the unit.
	words, pairs, letters float64

	near nearness // to what was said last; see focus
	said bool     // in the last reply

	mentions []mention // of terms
	strange  int       // the number of significant words that the question does not have
}

// A mention is a range of bytes in a unit that matches terms of the question.
type mention struct {
	start, end int
	terms      terms
}

// found returns the terms of the question that are in or around the unit.
func (u *unit) found() terms {
	return u.inside() | u.above | u.before | u.after | u.far
}

// inside returns the terms of the question that are in the unit itself.
func (u *unit) inside() terms { return u.whole | u.part | u.meant | u.alike }

// A reading is the passages of a request, analysed for a question.
type reading struct {
	passages []ai.Passage
	units    [][]unit         // of each passage
	titles   [][]text.Token   // of each passage
	asked    [][][]text.Token // the phrasings of each passage's question
	found    map[string]int   // the number of passages with each term of the question
	meant    terms            // those in no passage that have a synonym in one
}

// readPassages splits the passages into units and counts which of them have the terms of q.
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

// A hit is the set of terms of the question that a word or a text matches, by the way in which it does.
type hit struct{ whole, part, meant, alike, akin terms }

func (h *hit) add(other hit) {
	h.whole |= other.whole
	h.part |= other.part
	h.meant |= other.meant
	h.alike |= other.alike
	h.akin |= other.akin
}

// named returns the terms that are matched by a word that means them.
func (h hit) named() terms { return h.whole | h.part | h.meant }

// hits maps words and concepts to the terms that they match.
type hits struct {
	words    map[string]hit
	concepts map[string]hit
}

// in returns the terms that a text matches.
func (h hits) in(l *lexicon, s string, tokens []text.Token) (sum hit) {
	for _, t := range tokens {
		sum.add(h.words[t.Stem])
	}
	if len(h.concepts) > 0 {
		for _, f := range l.sense(s).concepts {
			sum.add(h.concepts[f.Name])
		}
	}
	return sum
}

// match searches all units for q, and weights its terms by the number of units that have each.
func (rd *reading) match(q *question, weights map[string]float64, many bool) {
	hits := rd.hits(q)
	own := make([][]hit, len(rd.units))
	above := make([]hit, len(rd.units))
	count := make([]int, len(q.terms))
	n := 0
	for i, units := range rd.units {
		p := rd.passages[i]
		above[i] = hits.in(q.lexicon, p.Title, rd.titles[i])
		for j, tokens := range rd.asked[i] {
			above[i].add(hits.in(q.lexicon, p.Questions[j], tokens))
		}
		own[i] = make([]hit, len(units))
		for j := range units {
			own[i][j] = hits.in(q.lexicon, units[j].text, units[j].tokens)
			rd.meant |= own[i][j].meant
			n++
			for k := range q.terms {
				if (own[i][j].named()|above[i].named())&(1<<k) != 0 {
					count[k]++
				}
			}
		}
		rd.meant |= above[i].meant
	}
	q.weigh(rd, weights, count, n, many)
	asked := newShape(q.tokens)
	for i, units := range rd.units {
		rd.place(i, own[i], above[i])
		for j := range units {
			u := &units[j]
			u.words, u.pairs, u.letters = asked.in(newShape(u.tokens))
			u.look(hits, q.lexicon)
		}
	}
}

// place sets where the units of a passage have the terms of the question. Own has the hits of each unit,
// and above those of the text above all of them.
func (rd *reading) place(passage int, own []hit, above hit) {
	units := rd.units[passage]
	all := above
	for _, h := range own {
		all.add(h)
	}
	for j := range units {
		u := &units[j]
		u.whole, u.part, u.meant, u.alike = own[j].whole, own[j].part, own[j].meant, own[j].alike
		u.above, u.akin = above.named(), own[j].akin|above.akin
		if u.heading >= 0 {
			u.above |= own[u.heading].named()
			u.akin |= own[u.heading].akin
		}
		if j > 0 {
			u.before = own[j-1].whole | own[j-1].meant
		}
		if j+1 < len(units) {
			u.after = own[j+1].whole | own[j+1].meant
		}
		u.far = all.named() | all.alike
		var before terms
		for _, place := range []*terms{&u.whole, &u.part, &u.meant, &u.above, &u.alike, &u.akin, &u.before,
			&u.after, &u.far} {
			*place &^= before
			before |= *place
		}
	}
}

// hits maps relevant words and concepts to the terms that they match: the terms themselves, related words,
// words with the same beginning and, for a term that is in no passage, the most similar words.
func (rd *reading) hits(q *question) hits {
	h := hits{make(map[string]hit, 4*len(q.terms)), map[string]hit{}}
	add := func(to map[string]hit, name string, more hit) {
		more.add(to[name])
		to[name] = more
	}
	words := rd.words()
	for i, t := range q.terms {
		bit := terms(1) << i
		for _, name := range t.concepts {
			add(h.concepts, name, hit{meant: bit})
			for _, other := range concept.Related(name) {
				add(h.concepts, other, hit{akin: bit})
			}
		}
		add(h.words, t.stem, hit{whole: bit})
		for _, other := range q.lexicon.related[t.stem] {
			add(h.words, other, hit{part: bit})
		}
		for _, other := range words {
			if beginsAlike(t.stem, other) {
				add(h.words, other, hit{alike: bit})
			}
		}
		if rd.found[t.stem] == 0 {
			for _, other := range mostSimilar(t.stem, words) {
				found := hit{part: bit}
				if compounds(other, t.stem) {
					found = hit{meant: bit}
				}
				add(h.words, other, found)
			}
		}
	}
	return h
}

// leastPart is the minimum length of a word that means the same as a compound of it, in bytes.
const leastPart = 6

// compounds reports whether a word begins or ends with another one.
func compounds(word, part string) bool {
	return len(part) >= leastPart && (strings.HasPrefix(word, part) || strings.HasSuffix(word, part))
}

// known returns the terms of the question that are in a passage, themselves or as a synonym.
func (rd *reading) known(q *question) terms {
	set := rd.meant
	for i, t := range q.terms {
		if rd.found[t.stem] > 0 {
			set |= 1 << i
		}
	}
	return set
}

// unknown returns the share of the question that is in no passage.
func (rd *reading) unknown(q *question) float64 {
	return q.share((1<<len(q.terms) - 1) &^ rd.known(q))
}

// words lists the distinct significant words of all passages.
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

// mostSimilar returns the words that are most similar to stem, if they are similar enough to be a
// misspelling or a compound of it.
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

// look records where the unit mentions the question's terms, and how many other significant words it has.
func (u *unit) look(h hits, l *lexicon) {
	sense := l.sense(u.text)
	u.states = sense.kinds
	for _, t := range u.tokens {
		found := h.words[t.Stem]
		if said := found.named() | found.alike; said != 0 {
			u.mentions = append(u.mentions, mention{t.Start, t.End, said})
		}
		if found.whole == 0 && !t.Stop {
			u.strange++
		}
	}
	for _, f := range sense.concepts {
		if said := h.concepts[f.Name].meant; said != 0 {
			u.mentions = append(u.mentions, mention{u.tokens[f.From].Start, u.tokens[f.To-1].End, said})
		}
	}
}
