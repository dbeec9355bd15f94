package builtin

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// An answer is what the knowledge has on a question.
type answer struct {
	text       string
	sources    []ai.Source
	confidence float64  // 0 when nothing was found
	faq        bool     // of an FAQ whose question was asked
	terms      terms    // of the question, that the best sentence has
	subject    string   // the heading or the title above it, or the question of the FAQ
	asked      string   // the question of the FAQ that the best sentence answers; "" where it is from none
	near       []string // the questions of FAQs that come near to being asked, the nearest first
}

// A topic is the question of an FAQ, and how likely it is asked.
type topic struct {
	question   string
	confidence float64
}

// leastNear is the confidence from which on something may be meant that is not said for an answer.
const leastNear = 0.35

// nearest are the questions that come near to being asked, two at most, the nearest first.
func nearest(all []topic) []string {
	slices.SortStableFunc(all, func(a, b topic) int { return cmp.Compare(b.confidence, a.confidence) })
	var near []string
	for _, t := range all {
		if t.confidence >= leastNear && t.question != "" && !slices.Contains(near, t.question) {
			near = append(near, t.question)
		}
	}
	return near[:min(len(near), 2)]
}

// maxSentences is how many sentences an answer has at most, lists aside.
const maxSentences = 4

// A candidate is a unit with its score.
type candidate struct {
	*unit
	at    int     // its place in its passage
	rank  float64 // of its passage, as a share of the best passage's
	score float64
	share float64 // of the likelihood of all candidates together
	cut   string  // what is said of it where it does not fit whole
}

// faqLead is how much likelier sentences must be right than the answer of an FAQ to be said in its place: who
// wrote a question means it to be answered so.
const faqLead = 0.1

// lookUp answers q out of what r has: with the answer of an FAQ when the question is likely to be one of its
// own, or else with the sentences that are likeliest to say it, also where these have more of the question
// than the FAQ has.
func lookUp(q *question, r ai.Request) answer {
	a := quote(q, r)
	p, confidence := asksFAQ(q, r)
	near := []topic{{a.asked, a.confidence}, topicOf(p, confidence)}
	if confidence < threshold {
		if other, sure := byConcepts(q, r); sure > confidence {
			p, confidence = other, sure
			near = append(near, topicOf(p, confidence))
		}
	}
	if p == nil || confidence < a.confidence-faqLead ||
		a.confidence >= threshold && q.weightOf(q.termsOf(p)) < q.weightOf(a.terms) {
		a.near = nearest(near)
		return a
	}
	return answer{
		text: text.Cut(p.Text, r.MaxLength), sources: sourceOf(nil, *p), confidence: confidence, faq: true,
		subject: p.Questions[0], terms: q.termsOf(p), near: nearest(near),
	}
}

// topicOf is the question of an FAQ; the zero topic for none.
func topicOf(p *ai.Passage, confidence float64) topic {
	if p == nil {
		return topic{}
	}
	return topic{p.Questions[0], confidence}
}

// quote answers q with sentences of the passages.
func quote(q *question, r ai.Request) answer {
	rd, sentences := q.sentences(r)
	if len(sentences) == 0 {
		return answer{}
	}
	best := sentences[0].unit
	a := answer{
		confidence: q.sure(rd, sentences, r), terms: best.whole | best.part | best.alike,
		subject: rd.subject(best),
	}
	if asked := rd.passages[best.passage].Questions; len(asked) > 0 {
		a.asked = asked[0]
	}
	chosen := rd.choose(q, sentences, r.MaxLength)
	a.confidence = min(a.confidence, q.bound(rd, chosen))
	if a.confidence == 0 {
		return answer{}
	}
	a.text, a.sources = rd.compose(chosen, r.MaxLength)
	return a
}

// bound is how sure an answer of some sentences can be by what the question is about: certain where they have
// half of these words, no more than a guess where they have fewer, and nothing where they have none. What a
// field of the agent's or a product states is for other skills where they know of it: here it is less sure,
// and nothing where it is a number alone.
func (q *question) bound(rd *reading, chosen []candidate) float64 {
	about := q.about()
	if about == 0 || len(chosen) == 0 {
		return yes(q.before != "" && len(chosen) > 0)
	}
	met := terms(0)
	for _, c := range chosen {
		met |= c.named() & about
	}
	first := chosen[0]
	field, own := rd.isField(first.passage), first.whole|first.part|first.alike
	switch {
	case met == 0, field && (own == 0 && met != about || !strings.ContainsFunc(first.text, unicode.IsLetter)):
		return 0
	case 2*bits.OnesCount64(uint64(met)) < q.own():
		return mostOfGuess
	case field:
		return mostOfField
	}
	return 1
}

// sentences are the units of the passages of r that may answer q, the best first.
func (q *question) sentences(r ai.Request) (*reading, []candidate) {
	if len(r.Passages) == 0 {
		return nil, nil
	}
	rd := readPassages(q, r.Passages)
	q.weigh(r.Weights, rd.found, len(r.Passages))
	rd.match(q, rd.hits(q))
	return &rd, rd.rank(q)
}

// subject is what a unit is about: the heading above it, the question that it answers, or its passage's
// title.
func (rd *reading) subject(u *unit) string {
	switch p := rd.passages[u.passage]; {
	case len(p.Questions) > 0:
		return p.Questions[0]
	case u.heading >= 0:
		return rd.units[u.passage][u.heading].text
	default:
		return p.Title
	}
}

// leastOfAnswer is how many words of the question the answer of an FAQ must have for being said though its
// question was not asked.
const leastOfAnswer = 2

// rank returns the units that may be said, the best first.
func (rd *reading) rank(q *question) []candidate {
	best := 0.0
	for _, p := range rd.passages {
		best = max(best, p.Score)
	}
	var all []candidate
	for i, units := range rd.units {
		passageRank := 0.0
		if best > 0 {
			passageRank = max(0, rd.passages[i].Score) / best
		}
		for j := range units {
			u := &units[j]
			if u.kind == text.Heading && (j+1 == len(units) || units[j+1].kind != text.Item) {
				continue // alone it answers nothing
			}
			if len(rd.asked[i]) > 0 && u.near == elsewhere &&
				bits.OnesCount64(uint64(u.whole|u.part)) < leastOfAnswer {
				continue
			}
			if len(u.tokens) > 0 {
				all = append(all,
					candidate{unit: u, at: j, rank: passageRank, score: q.score(u, passageRank)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	shares(all)
	return all
}

// choose takes the best unit, and with it the whole list that it belongs to; or else further sentences, as
// long as it is not likely enough that the answer is among those taken. The last one may be cut when there is
// no room for all of it. The answer of an FAQ is said alone. What a field of the agent's states is added only where
// it has something of the question.
func (rd *reading) choose(q *question, sentences []candidate, length int) []candidate {
	best := sentences[0]
	if len(rd.asked[best.passage]) > 0 {
		return sentences[:1]
	}
	if list := rd.list(best); list != nil && fits(list, length) {
		return list
	}
	var chosen []candidate
	likely, room := 0.0, length
	for _, c := range sentences {
		if len(chosen) > 0 && (likely >= enough || c.share < unlikely) || len(chosen) == maxSentences ||
			room < leastExcerpt {
			break
		}
		if c.kind == text.Heading || len(rd.asked[c.passage]) > 0 ||
			c.passage != best.passage && rd.isField(c.passage) && c.named()&q.about() == 0 {
			continue
		}
		n := utf8.RuneCountInString(c.text)
		if n > room {
			if c.kind != text.Sentence {
				continue
			}
			c.cut = q.excerpt(c.unit, room)
			n = utf8.RuneCountInString(c.cut)
		}
		chosen = append(chosen, c)
		likely += c.share
		room -= n + 1
	}
	return chosen
}

// isField reports whether a passage is what a field of the agent's states, and of no document.
func (rd *reading) isField(passage int) bool {
	p := rd.passages[passage]
	return p.Document == 0 && len(p.Questions) == 0
}

// list returns the list that c is a heading or an entry of, with its heading; nil when c is running text or
// the list is long.
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

// compose puts the units in the order of the passages and of the text, sentences that follow one another on
// one line.
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
		b.WriteString(cmp.Or(c.cut, c.text))
		sources = sourceOf(sources, rd.passages[c.passage])
	}
	return text.Cut(b.String(), length), sources
}

// sourceOf adds the document of a passage to the sources, where it has one that is not among them.
func sourceOf(sources []ai.Source, p ai.Passage) []ai.Source {
	if p.Document == 0 ||
		slices.ContainsFunc(sources, func(s ai.Source) bool { return s.Document == p.Document }) {
		return sources
	}
	return append(sources, ai.Source{Document: p.Document, Title: p.Title, URL: p.URL})
}
