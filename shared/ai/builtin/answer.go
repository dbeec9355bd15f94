package builtin

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// An answer is what the knowledge has on a question.
type answer struct {
	text       string
	sources    []ai.Source
	confidence float64 // 0 when nothing was found
}

// maxSentences is how many sentences an answer has at most, lists aside.
const maxSentences = 3

// A candidate is a unit with its score.
type candidate struct {
	*unit
	at    int // its place in its passage
	score float64
}

// lookUp answers q out of the passages of r.
func lookUp(q *question, r ai.Request) answer {
	if len(r.Passages) == 0 {
		return answer{}
	}
	rd := readPassages(q, r.Passages)
	q.weigh(r.Weights, rd.found, len(r.Passages))
	hits := rd.hits(q)
	rd.match(q, hits)

	best := 0.0
	for _, p := range r.Passages {
		best = max(best, p.Score)
	}
	own := lettersOf(q.tokens)
	var sentences []candidate
	var faq candidate
	for i, units := range rd.units {
		rank := 0.0
		if best > 0 {
			rank = max(0, r.Passages[i].Score) / best
		}
		for j := range units {
			u := &units[j]
			if len(rd.asked[i]) > 0 {
				for _, phrasing := range rd.asked[i] {
					u.like = max(u.like, q.like(phrasing, hits, own))
				}
				if u.like > faq.score {
					faq = candidate{unit: u, at: j, score: u.like}
				}
			}
			if u.kind == text.Heading && (j+1 == len(units) || units[j+1].kind != text.Item) {
				continue // alone it answers nothing
			}
			if len(u.tokens) == 0 {
				continue
			}
			sentences = append(sentences, candidate{u, j, q.score(u, rank)})
		}
	}
	if len(sentences) == 0 {
		return answer{}
	}
	slices.SortStableFunc(sentences, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })

	a := answer{confidence: q.confidence(sentences[0].unit)}
	chosen := sentences[:1]
	if faq.unit != nil {
		if c := likeConfidence(faq.like); c >= a.confidence {
			a.confidence = c
			chosen = []candidate{faq}
		}
	}
	if len(chosen[0].text) > 0 && len(rd.asked[chosen[0].passage]) == 0 {
		chosen = rd.choose(q, sentences, r.MaxLength)
	}
	a.text, a.sources = rd.compose(chosen, r.MaxLength)
	return a
}

// choose takes the best unit, and with it the whole list that it belongs to. A sentence that has almost all of the
// question is enough; to another are added those that are nearly as good, as far as they fit. One beside a sentence
// already taken is worth more, since together they make sense.
func (rd *reading) choose(q *question, candidates []candidate, length int) []candidate {
	best := candidates[0]
	if list := rd.list(best); list != nil && fits(list, length) {
		return list
	}
	chosen := []candidate{best}
	taken := func(c candidate) bool {
		return slices.ContainsFunc(chosen, func(d candidate) bool { return d.passage == c.passage && d.at == c.at })
	}
	if q.weightOf(best.whole|best.part) >= enough*q.total {
		return chosen
	}
	for len(chosen) < maxSentences {
		next, score := candidate{}, best.score*nearlyAsGood
		for _, c := range candidates {
			if c.score+besideBonus <= score {
				break
			}
			if c.kind == text.Heading || len(rd.asked[c.passage]) > 0 || taken(c) {
				continue
			}
			s := c.score
			if slices.ContainsFunc(chosen, c.beside) {
				s += besideBonus
			}
			if s > score && fits(append(slices.Clone(chosen), c), length) {
				next, score = c, s
			}
		}
		if next.unit == nil {
			break
		}
		chosen = append(chosen, next)
	}
	return chosen
}

// beside reports whether c and d stand one after the other in a paragraph.
func (c candidate) beside(d candidate) bool {
	return c.passage == d.passage && c.block == d.block && (c.at == d.at-1 || c.at == d.at+1)
}

// list returns the list that c is a heading or an entry of, with its heading; nil when c is running text or the list is
// long.
func (rd *reading) list(c candidate) []candidate {
	units := rd.units[c.passage]
	heading := c.heading
	if c.kind == text.Heading {
		heading = c.at
	} else if c.kind != text.Item {
		return nil
	}
	from, to := c.at, c.at+1
	for from > 0 && units[from-1].kind == text.Item && units[from-1].heading == heading {
		from--
	}
	for to < len(units) && units[to].kind == text.Item && units[to].heading == heading {
		to++
	}
	if to-from > maxItems {
		from, to = c.at, c.at+1
	}
	var list []candidate
	if heading >= 0 && heading < from {
		list = append(list, candidate{unit: &units[heading], at: heading})
	}
	for i := from; i < to; i++ {
		list = append(list, candidate{unit: &units[i], at: i})
	}
	return list
}

// fits reports whether the units, one after the other, keep to length characters.
func fits(chosen []candidate, length int) bool {
	n := len(chosen) - 1
	for _, c := range chosen {
		n += utf8.RuneCountInString(c.text)
	}
	return n <= length
}

// compose puts the units in the order of the passages and of the text, sentences that follow one another on one line.
func (rd *reading) compose(chosen []candidate, length int) (string, []ai.Source) {
	slices.SortStableFunc(chosen, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.passage, b.passage), cmp.Compare(a.at, b.at))
	})
	var b strings.Builder
	var sources []ai.Source
	for i, c := range chosen {
		if i > 0 {
			last := chosen[i-1]
			if last.passage == c.passage && last.kind == text.Sentence && c.kind == text.Sentence {
				b.WriteByte(' ')
			} else {
				b.WriteByte('\n')
			}
		}
		b.WriteString(c.text)
		p := rd.passages[c.passage]
		s := ai.Source{Document: p.Document, Title: p.Title}
		if p.Document != 0 && !slices.ContainsFunc(sources, func(o ai.Source) bool { return o.Document == s.Document }) {
			sources = append(sources, s)
		}
	}
	return text.Cut(b.String(), length), sources
}
