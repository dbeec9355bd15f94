package builtin

import (
	"cmp"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
)

// Limits of what a reply reads, so that its cost does not grow with the message or the agent.
const (
	// maxTokens is the number of words of a message that are read, the first ones.
	maxTokens = 250
	// maxFAQs is the number of FAQs and quick answers that are compared with a message: those that share
	// its rarest words.
	maxFAQs = 64
	// maxRead is the number of sentences of a message that are searched for questions.
	maxRead = 24
	// cachedTexts and cachedModels are the numbers of tokenised texts and of models of FAQs in the cache.
	cachedTexts  = 8192
	cachedModels = 16
	// longestCached is the maximum length of a cached text in bytes.
	longestCached = 2000
)

// tokens returns the words of one of the agent's texts, cached. The caller must not change them.
func (l *lexicon) tokens(s string) []text.Token {
	if len(s) > longestCached {
		return text.Tokens(l.tag, s)
	}
	return l.read.Get(s, func() []text.Token { return text.Tokens(l.tag, s) })
}

// A sense is the meaning of a text: its concepts, by its tokens, and the kinds of information that it
// states.
type sense struct {
	concepts []concept.Found
	kinds    kind
}

// sense returns the sense of one of the agent's texts, cached. The caller must not change it.
func (l *lexicon) sense(s string) sense {
	fresh := func() sense {
		tokens := l.tokens(s)
		found := concept.In(l.tag, tokens)
		return sense{found, l.kindsOf(s, tokens, found)}
	}
	if len(s) > longestCached {
		return fresh()
	}
	return l.meant.Get(s, fresh)
}

// fit returns a model of FAQs' questions, from the cache if it has one for the same questions.
func (l *lexicon) fit(questions []faq.Question) *faq.Model {
	var all []string
	for _, q := range questions {
		all = append(all, q.Examples...)
	}
	return l.fitted.Get(faq.ID(all), func() *faq.Model { return faq.Fit(l.tag, questions) })
}

// narrow reduces the FAQs of a request to the ones that share most with the message or the one before it.
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
	said := m.said(r.History) // the number of FAQs with each word
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

// said returns the significant words of the message and of the one before it, with a count of 0 each.
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

// count counts the words of an FAQ, and returns them.
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
