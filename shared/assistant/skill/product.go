package skill

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// MaxListed is the maximum number of products that a reply lists or a model sees.
const MaxListed = 5

// SaidOf returns how many words of a product's name the message has, and how many the name has.
func (s *State) SaidOf(p Offered) (words, of int) {
	said := s.SaidIn(s.Text)
	for _, stem := range p.stems {
		if said[stem] {
			words++
		}
	}
	return words, len(p.stems)
}

// LastNamed returns the products of the latest message, of either side, that names any exactly; nil if
// there is none among the recent ones.
func (s *State) LastNamed() []Offered {
	for back, m := range slices.Backward(s.History) {
		if len(s.History)-back > recent {
			break
		}
		if named, exactly := s.Named(m.Content); exactly {
			return named
		}
	}
	return nil
}

// SpokenOf returns the product that the conversation was about last: the only one that was named, or of
// several the one that the contact had named before.
func (s *State) SpokenOf() (Offered, bool) {
	spoken := s.LastNamed()
	if len(spoken) == 1 {
		return spoken[0], true
	}
	for _, m := range slices.Backward(s.History[max(0, len(s.History)-recent):]) {
		named, exactly := s.Named(m.Content)
		if m.Direction != conversation.Inbound || !exactly {
			continue
		}
		among := func(p Offered) bool { return p.Name == named[0].Name }
		return named[0], len(named) == 1 && slices.ContainsFunc(spoken, among)
	}
	return Offered{}, false
}

// JustNamed reports whether the agent's last reply names the product, in any case of letters.
func (s *State) JustNamed(p Offered) bool {
	return strings.Contains(strings.ToLower(s.LastReply()), strings.ToLower(p.Name))
}

// Link returns the address of a web page, or "" if the agent may not share links.
func (s *State) Link(address string) string {
	if !s.Agent.CapabilityShareLinks {
		return ""
	}
	return address
}

// Priced returns a product's name, with its price if the agent may quote prices.
func (s *State) Priced(p Offered) string {
	if !s.Agent.CapabilityQuotePrices {
		return p.Name
	}
	return text.Fill(s.Spoken().Price, p.Name, p.Currency.Format(p.Price, s.Tongue()))
}

// Products returns the products that the message names; see Named.
func (s *State) Products() (named []Offered, exactly bool) { return s.Named(s.Text) }

// Named returns the products that a text names, the best first: exactly, by all words of their names or
// their number, or else by at least half of the words. A product counts as exact, too, if it alone has one
// of the words.
func (s *State) Named(what string) (named []Offered, exactly bool) {
	if len(s.Book.Offered) == 0 {
		return nil, false
	}
	said, whole := s.saidIn(what, leastShort), s.saidIn(what, leastAlone)
	of := map[string]int{} // how many products have a stem
	for _, p := range s.Book.Offered {
		for _, stem := range p.stems {
			of[stem]++
		}
	}
	numbers := strings.FieldsFunc(strings.ToLower(what), apart)
	var near, meant []Offered
	for _, p := range s.Book.Offered {
		words, telling := 0, false
		for _, stem := range p.stems {
			if said[stem] {
				words++
				telling = telling || tells(stem)
			}
		}
		switch {
		case words == len(p.stems),
			p.SKU != "" && slices.Contains(numbers, strings.ToLower(p.SKU)):
			named = append(named, p)
		case telling && 2*words >= len(p.stems):
			near = append(near, p)
			if p.alone(said, of, 1) {
				meant = append(meant, p)
			}
		case p.alone(whole, of, leastAlone):
			near, meant = append(near, p), append(meant, p)
		}
	}
	if len(named) == 0 && len(meant) == 1 {
		named = meant
	}
	if exactly = len(named) > 0; !exactly {
		named = near
	}
	// "City bicycle with basket" is not "City bicycle", though it names that too.
	named = slices.DeleteFunc(named, func(p Offered) bool {
		return exactly &&
			slices.ContainsFunc(
				named,
				func(q Offered) bool { return len(q.stems) > len(p.stems) && subset(p.stems, q.stems) },
			)
	})
	return named[:min(len(named), MaxListed)], exactly
}

// leastAlone is the minimum number of letters of a word that alone identifies a product with a longer name.
const leastAlone = 6

// alone reports whether a text has a word of the product's name, with a minimum number of letters, that no
// other product has. Of counts the products that have each stem.
func (p Offered) alone(said map[string]bool, of map[string]int, letters int) bool {
	return slices.ContainsFunc(p.stems, func(stem string) bool {
		return said[stem] && of[stem] == 1 && utf8.RuneCountInString(stem) >= letters && tells(stem)
	})
}

// tells reports whether a word of a name is significant by itself. A number or a letter is not: "a table
// for 10" is not "Pack of 10".
func tells(stem string) bool {
	return utf8.RuneCountInString(stem) > 1 && strings.IndexFunc(stem, unicode.IsLetter) >= 0
}

func apart(r rune) bool { return strings.ContainsRune(" \t\n,.;:!?()\"'", r) }

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// leastShort is the minimum number of letters of an abbreviation of a word.
const leastShort = 4

// SaidIn returns the stems of a text. Stems of products' names count even if the text has only the
// beginning of the word: "bici" for "bicicletta".
func (s *State) SaidIn(words string) map[string]bool { return s.saidIn(words, leastShort) }

// saidIn is SaidIn with another minimum length of beginnings, in letters.
func (s *State) saidIn(words string, least int) map[string]bool {
	said := map[string]bool{}
	for _, t := range text.Tokens(s.Language(), words) {
		said[t.Stem] = true
		short := strings.ToLower(words[t.Start:t.End])
		if t.Stop || utf8.RuneCountInString(short) < least {
			continue
		}
		for _, p := range s.Book.Offered {
			for i, word := range p.words {
				if strings.HasPrefix(word, short) || strings.HasPrefix(p.stems[i], t.Stem) {
					said[p.stems[i]] = true
				}
			}
		}
	}
	return said
}

// productPassages returns passages for the products that the message names, or else for the product that
// the conversation was about last.
func (s *State) productPassages() []ai.Passage {
	var passages []ai.Passage
	named, _ := s.Products()
	if p, ok := s.SpokenOf(); ok && len(named) == 0 {
		named = []Offered{p}
	}
	for _, p := range named {
		known := p.Description
		if s.Agent.CapabilityQuotePrices {
			known = strings.TrimSpace(known + "\n" + p.Currency.Format(p.Price, s.Language()))
		}
		if s.ByModel { // the built-in engine would quote it as a sentence
			known = strings.TrimSpace(known + "\n" + s.PageOf(p))
		}
		if known != "" {
			passages = append(passages, ai.Passage{Title: p.Name, Text: known})
		}
	}
	return passages
}

// stemsOf returns the distinct significant stems of a name, or all if none is significant, and their words
// in lower case.
func stemsOf(language, name string) (stems, words []string) {
	var all, allWords []string
	seen := map[string]bool{}
	for _, t := range text.Tokens(language, name) {
		if seen[t.Stem] {
			continue
		}
		seen[t.Stem] = true
		word := strings.ToLower(name[t.Start:t.End])
		all, allWords = append(all, t.Stem), append(allWords, word)
		if !t.Stop {
			stems, words = append(stems, t.Stem), append(words, word)
		}
	}
	if len(stems) == 0 {
		return all, allWords
	}
	return stems, words
}

// recent is the number of latest messages in which a mentioned product is still current.
const recent = 10

// Telling returns the number of distinct significant stems of a text.
func Telling(language, s string) int {
	stems, _ := stemsOf(language, s)
	return len(stems)
}
