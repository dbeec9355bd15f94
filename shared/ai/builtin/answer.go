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
	confidence float64  // 0 if nothing was found
	faq        bool     // it is the answer of an FAQ whose question was asked
	terms      terms    // those of the question that the best sentence has
	subject    string   // the heading or title above it, or the question of its FAQ
	follows    bool     // the best sentence is near what was said before
	shared     terms    // of what the message is about, that the best sentence or what is above it has
	byFAQ      bool     // the best sentence is the answer of an FAQ
	near       []string // the questions of FAQs that are nearly asked, the nearest first
}

// A topic is the question of an FAQ, with the probability that it is asked.
type topic struct {
	question   string
	confidence float64
}

// leastNear is the minimum confidence of a question that may be meant but is not answered.
const leastNear = 0.35

// nearest returns at most two questions that are nearly asked, the nearest first.
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

// maxSentences is the maximum number of sentences in an answer, lists excepted.
const maxSentences = 3

// A candidate is a unit with its score.
type candidate struct {
	*unit
	at    int     // its position in its passage
	rank  float64 // of its passage, relative to the best passage
	score float64
	share float64 // of the total likelihood of all candidates
	cut   string  // the part that fits, if not all of it does
}

// faqLead is the lead in confidence that sentences need over the answer of an FAQ to replace it, since its
// author means the question to be answered so.
const faqLead = 0.1

// amongFAQs is the lead if the sentences are the answer of another FAQ: which question is asked is decided
// by how questions are phrased, not by the words of their answers.
const amongFAQs = 1.0

// wordsOfFAQ is how many words that say what a message is about an FAQ must have for its answer to be more
// than a guess where the message asks none of the questions: one word alone is often there by chance.
const wordsOfFAQ = 2

// lookUp answers q from what r has: with the answer of an FAQ if the question is probably its own, or else
// with the most probable sentences, also if these have more of the question than the FAQ.
func lookUp(q *question, r ai.Request) answer {
	a := quote(q, r)
	p, confidence := asksFAQ(q, r)
	if p == nil && a.byFAQ && !q.goesOn && bits.OnesCount64(uint64(a.shared)) < wordsOfFAQ {
		a.confidence = min(a.confidence, mostOfGuess)
	}
	near := []topic{topicOf(p, confidence)}
	if confidence < threshold {
		if other, sure := byConcepts(q, r); sure > confidence {
			p, confidence = other, sure
			near = append(near, topicOf(p, confidence))
		}
	}
	lead, more := faqLead, p != nil && q.weightOf(q.termsOf(p)) < q.weightOf(a.terms)
	if a.byFAQ && !q.goesOn {
		lead, more = amongFAQs, false
	}
	if p == nil || confidence < a.confidence-lead || a.confidence >= threshold && more {
		a.near = nearest(near)
		return a
	}
	return answer{
		text: text.Cut(p.Text, r.MaxLength), sources: sourceOf(nil, *p), confidence: confidence, faq: true,
		subject: p.Questions[0], terms: q.termsOf(p), near: nearest(near),
	}
}

// topicOf returns the topic of an FAQ, the zero topic for nil.
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
	a := answer{confidence: q.sure(rd, sentences, r), terms: best.inside(), subject: rd.subject(best),
		shared: best.named() & q.about(), follows: best.near >= sameSection,
		byFAQ: len(rd.asked[best.passage]) > 0}
	chosen := rd.choose(q, sentences, r.MaxLength)
	if len(chosen) == 0 {
		return answer{}
	}
	a.confidence = min(a.confidence, q.bound(rd, chosen))
	a.text, a.sources = rd.compose(chosen, r.MaxLength)
	if of := q.ofPerson(rd, r, a.confidence); of.text != "" &&
		(a.confidence < threshold || !strings.Contains(a.text, of.text)) {
		return of
	}
	return a
}

// bound returns the maximum confidence of an answer by what the message is about: certain if its sentences
// have half of these words, a guess if they have fewer or only what is asked for, and 0 otherwise. For a
// message that continues the conversation it is enough if they are near what was said. What a field of the
// agent or a product states is less certain, since other skills answer from these, and 0 if it is a mere
// number.
func (q *question) bound(rd *reading, chosen []candidate) float64 {
	first := chosen[0]
	fits, told := q.fits(first.unit)
	about, met := q.about(), rd.met(q, chosen)
	near := q.goesOn && (first.near >= sameSection || first.named()&^q.ownTerms() != 0)
	follows := near && (about == 0 || fits || !told)
	if !follows && q.barelyRelated(chosen) {
		return 0
	}
	return q.boundBy(rd, first, met, follows)
}

// boundBy returns the maximum confidence of an answer that begins with a sentence and has these of the
// words that the message is about.
func (q *question) boundBy(rd *reading, first candidate, met terms, follows bool) float64 {
	about, field := q.about(), rd.isField(first.passage)
	switch {
	case met == 0 && !follows && !(about != 0 && q.kinds&first.states&distinct != 0):
		return 0
	case field && (first.inside() == 0 && met != about ||
		!strings.ContainsFunc(first.text, unicode.IsLetter)):
		return 0
	case field && !q.asks, met == 0 && q.own() > 1, !follows && 2*bits.OnesCount64(uint64(met)) < q.own():
		return mostOfGuess
	case field:
		return mostOfField
	}
	return 1
}

// barelyRelated reports whether the sentences have no word that the message is about, no synonym of one,
// and at most for half of them a related or similar word.
func (q *question) barelyRelated(chosen []candidate) bool {
	about := q.about()
	var said, related terms
	for _, c := range chosen {
		said |= (c.whole | c.meant | c.above) & about
		related |= c.part & about
	}
	return about != 0 && said == 0 && 2*bits.OnesCount64(uint64(related)) <= q.own()
}

// met returns the words that the message is about for which the sentences have a synonym or, except in
// fields, a related word.
func (rd *reading) met(q *question, chosen []candidate) (met terms) {
	for _, c := range chosen {
		if met |= c.named() & q.about(); !rd.isField(c.passage) {
			met |= c.akin & q.about()
		}
	}
	return met
}

// sentences returns the units of r's passages that may answer q, the best first.
func (q *question) sentences(r ai.Request) (*reading, []candidate) {
	if len(r.Passages) == 0 {
		return nil, nil
	}
	rd := readPassages(q, r.Passages)
	if q.goesOn {
		rd.cutAnswers(q.lexicon, r.History)
	}
	rd.match(q, r.Weights, knowsMuch(r))
	if q.goesOn {
		rd.focus(q.language, r)
	}
	return &rd, rd.rank(q)
}

// subject returns what a unit is about: the heading above it, the question that it answers, or its
// passage's title.
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

// rank returns the units that a reply may quote, the best first.
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
				continue // a heading alone answers nothing
			}
			if len(u.tokens) > 0 {
				all = append(all,
					candidate{unit: u, at: j, rank: passageRank, score: q.score(rd, u, passageRank)})
			}
		}
	}
	q.preferMet(all)
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	shares(all)
	return all
}

// preferMet lowers the scores of sentences that only stand near what was said, if another sentence has more
// of what a message that goes on is about. Prices need no word of it.
func (q *question) preferMet(all []candidate) {
	about := q.about()
	for i, t := range q.terms {
		if slices.Contains(t.concepts, "book") { // "How do I book that?" is about something else
			about &^= 1 << i
		}
	}
	if !q.goesOn || about == 0 {
		return
	}
	met := func(c candidate) float64 { return q.shareOf(c.named()&about, about) }
	most := 0.0
	for _, c := range all {
		if fits, told := q.fits(c.unit); fits || !told {
			most = max(most, met(c))
		}
	}
	for i, c := range all {
		if c.near != elsewhere && q.kinds&c.states&price == 0 {
			all[i].score -= merelyNear * max(0, most-met(c))
		}
	}
}

// choose selects the best unit with the whole list that it belongs to, or further sentences as long as the
// answer may not be among those selected. The last one may be cut to fit. The answer of an FAQ stands
// alone. An agent's field is added only if it has a word of the question. For a message that continues the
// conversation all are from one passage.
func (rd *reading) choose(q *question, sentences []candidate, length int) []candidate {
	best := sentences[0]
	if len(rd.asked[best.passage]) > 0 {
		return sentences[:1]
	}
	if list := rd.list(best); len(list) > 1 && fits(list, length) && !rd.standsOut(best, sentences) {
		return list
	}
	var chosen []candidate
	likely, room := 0.0, length
	for _, c := range sentences {
		if len(chosen) > 0 && (likely >= enough || c.share < unlikely) || len(chosen) == maxSentences ||
			room < leastExcerpt {
			break
		}
		if !rd.standsBeside(q, c, best) {
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
	return rd.withName(q, chosen, room)
}

// standsBeside reports whether a sentence may be added to the best one.
func (rd *reading) standsBeside(q *question, c, best candidate) bool {
	same := c.passage == best.passage
	switch {
	case c.unit == best.unit:
		return c.kind != text.Heading
	case c.kind == text.Heading, len(rd.asked[c.passage]) > 0,
		!same && rd.isField(c.passage) && c.named()&q.about() == 0:
		return false
	case q.goesOn && best.near >= sameSection && q.own() <= 1:
		return same && c.share >= besideFollowing
	}
	return true
}

// withName adds the sentence before the answer if a question for a person is answered without a name,
// "Blondes are her thing.", and the sentence with the name if the answer has a pronoun instead.
func (rd *reading) withName(q *question, chosen []candidate, room int) []candidate {
	if len(chosen) == 0 || chosen[0].at == 0 {
		return chosen
	}
	units, at := rd.units[chosen[0].passage], chosen[0].at-1
	if q.lexicon.person[chosen[0].first()] {
		for _, m := range rd.roster(q.lexicon) {
			if m.passage == chosen[0].passage && m.from <= at && chosen[0].at < m.to {
				at = m.from
			}
		}
		if name, _ := q.lexicon.beginsWithName(&units[at]); name == nil || units[at].said {
			return chosen
		}
	} else if q.kinds&person == 0 || chosen[0].states&person != 0 {
		return chosen
	}
	before := &units[at]
	if before.block != chosen[0].block || before.kind != text.Sentence || before.states&person == 0 &&
		!q.lexicon.person[chosen[0].first()] || utf8.RuneCountInString(before.text) > room ||
		slices.ContainsFunc(chosen, func(c candidate) bool { return c.unit == before }) {
		return chosen
	}
	return append(chosen, candidate{unit: before, at: at})
}

// standsOut reports whether an entry of an agent's field is so much more probable than all others that only
// it is meant: one of many services.
func (rd *reading) standsOut(best candidate, sentences []candidate) bool {
	return rd.isField(best.passage) && best.kind == text.Item &&
		(len(sentences) == 1 || best.share >= outstanding*sentences[1].share)
}

// isField reports whether a passage is an agent's field, and not part of a document.
func (rd *reading) isField(passage int) bool {
	p := rd.passages[passage]
	return p.Document == 0 && len(p.Questions) == 0
}

// list returns the list that c is a heading or an entry of, with its heading; nil if c is running text or
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

// fits reports whether the units together have at most length characters.
func fits(chosen []candidate, length int) bool {
	n := len(chosen) - 1
	for _, c := range chosen {
		n += utf8.RuneCountInString(c.text)
	}
	return n <= length
}

// compose joins the units in the order of the passages and of the text, consecutive sentences on one line,
// and returns their sources.
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

// sourceOf adds the document of a passage to the sources, if it has one that is not among them.
func sourceOf(sources []ai.Source, p ai.Passage) []ai.Source {
	if p.Document == 0 ||
		slices.ContainsFunc(sources, func(s ai.Source) bool { return s.Document == p.Document }) {
		return sources
	}
	return append(sources, ai.Source{Document: p.Document, Title: p.Title, URL: p.URL})
}
