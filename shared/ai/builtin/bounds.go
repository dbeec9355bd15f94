package builtin

import (
	"cmp"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/text"
)

// What a reply looks at, at most, so that its cost does not grow with what a message or an agent has.
const (
	// maxTokens is how many words of a message are looked at, the first ones.
	maxTokens = 250
	// maxFAQs is how many FAQs and quick answers are compared with a message: those that share the rarest
	// words with it.
	maxFAQs = 64
	// maxRead is how many sentences of a message are looked through for questions.
	maxRead = 24
	// cachedTexts and cachedModels are how many texts' words, and models of FAQs, are kept from one reply to
	// the next.
	cachedTexts  = 8192
	cachedModels = 16
	// longestCached is how long a text is whose words are kept, in bytes.
	longestCached = 2000
)

// tokens are the words of a text of the agent's, which comes with every message. The caller changes nothing
// in them.
func (l *lexicon) tokens(s string) []text.Token {
	if len(s) > longestCached {
		return text.Tokens(l.tag, s)
	}
	return l.read.Get(s, func() []text.Token { return text.Tokens(l.tag, s) })
}

// fit makes the model of FAQs' questions, or takes the one that was made of the same.
func (l *lexicon) fit(questions []faq.Question) *faq.Model {
	var all []string
	for _, q := range questions {
		all = append(all, q.Examples...)
	}
	return l.fitted.Get(faq.ID(all), func() *faq.Model { return faq.Fit(l.tag, questions) })
}

// narrow leaves a request of an agent with many FAQs those that share most with the message or the one before
// it.
func (m message) narrow(r ai.Request) ai.Request {
	faqs := 0
	for _, p := range r.Passages {
		if len(p.Questions) > 0 {
			faqs++
		}
	}
	if faqs <= maxFAQs {
		return r
	}
	said := m.said(r.History) // in how many FAQs each word stands
	type shared struct {
		at    int
		stems []string
		score float64
	}
	var all []shared
	for i, p := range r.Passages {
		if len(p.Questions) == 0 {
			continue
		}
		all = append(all, shared{at: i, stems: m.lexicon.count(said, p)})
	}
	for i := range all {
		for _, stem := range all[i].stems {
			all[i].score += inverseFrequency(said[stem], faqs)
		}
	}
	slices.SortStableFunc(all, func(a, b shared) int { return cmp.Compare(b.score, a.score) })
	kept := map[int]bool{}
	for _, s := range all[:maxFAQs] {
		kept[s.at] = true
	}
	passages := make([]ai.Passage, 0, len(r.Passages))
	for i, p := range r.Passages {
		if len(p.Questions) == 0 || kept[i] {
			passages = append(passages, p)
		}
	}
	r.Passages = passages
	return r
}

// said are the telling words of the message and of the one before it, each counted as in no FAQ.
func (m message) said(history []ai.Turn) map[string]int {
	words := map[string]int{}
	add := func(tokens []text.Token) {
		for _, t := range tokens {
			if !t.Stop {
				words[t.Stem] = 0
			}
		}
	}
	add(m.tokens)
	for _, turn := range slices.Backward(history) {
		if turn.Inbound {
			add(text.Tokens(m.language, turn.Text))
			break
		}
	}
	return words
}

// count counts the words that an FAQ has, and returns them.
func (l *lexicon) count(words map[string]int, of ai.Passage) (stems []string) {
	for _, phrasing := range append(of.Questions[:len(of.Questions):len(of.Questions)], of.Text) {
		for _, t := range l.tokens(phrasing) {
			if _, ok := words[t.Stem]; ok && !slices.Contains(stems, t.Stem) {
				stems = append(stems, t.Stem)
				words[t.Stem]++
			}
		}
	}
	return stems
}
