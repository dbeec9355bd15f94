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

// MaxListed is how many products a reply lists, and a model gets to see.
const MaxListed = 5

// SaidOf is how many words of a product's name the message says, and how many it has.
func (s *State) SaidOf(p Offered) (words, of int) {
	said := s.SaidIn(s.Text)
	for _, stem := range p.stems {
		if said[stem] {
			words++
		}
	}
	return words, len(p.stems)
}

// LastNamed are the products that the conversation was about last, in the message that named any exactly, of
// either side.
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

// SpokenOf is the product that the conversation was about last, where that was one.
func (s *State) SpokenOf() (Offered, bool) {
	if spoken := s.LastNamed(); len(spoken) == 1 {
		return spoken[0], true
	}
	return Offered{}, false
}

// JustNamed reports whether the agent's last reply names the product.
func (s *State) JustNamed(p Offered) bool {
	for _, m := range slices.Backward(s.History) {
		if m.Direction == conversation.Outbound {
			return strings.Contains(m.Content, p.Name)
		}
	}
	return false
}

// Link is an address of a web page where the agent may share such, "" where it may not.
func (s *State) Link(address string) string {
	if !s.Agent.CapabilityShareLinks {
		return ""
	}
	return address
}

// Priced is a product's name, with its price where the agent may quote prices.
func (s *State) Priced(p Offered) string {
	if !s.Agent.CapabilityQuotePrices {
		return p.Name
	}
	return text.Fill(s.Spoken().Price, p.Name, p.Currency.Format(p.Price, s.Tongue()))
}

// Products are those that the message names.
func (s *State) Products() (named []Offered, exactly bool) { return s.Named(s.Text) }

// Named are the products that a text names: exactly, by all words of their names or their number, or else by
// half of the words at least. These are meant exactly where a word is among them that no other product has.
// The best come first.
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

// leastAlone is how many letters the one word of a longer name has at least that stands for the product.
const leastAlone = 6

// alone reports whether a text says a word of the product's name, of so many letters, that no other product
// has. Of is how many products have a stem.
func (p Offered) alone(said map[string]bool, of map[string]int, letters int) bool {
	return slices.ContainsFunc(p.stems, func(stem string) bool {
		return said[stem] && of[stem] == 1 && utf8.RuneCountInString(stem) >= letters && tells(stem)
	})
}

// tells reports whether a word of a name comes near the product by itself. A number or a letter does not: "a
// table for 10" is no "Pack of 10".
func tells(stem string) bool {
	return utf8.RuneCountInString(stem) > 1 && strings.IndexFunc(stem, unicode.IsLetter) >= 0
}

func apart(r rune) bool { return strings.ContainsRune(" \t\n,.;:!?()\"'", r) }

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// leastShort is how many letters a word has at least that stands for a longer one which it begins.
const leastShort = 4

// SaidIn are the stems that a text says, those of products' names also where it says the beginning of a word
// alone: "bici" for "bicicletta".
func (s *State) SaidIn(words string) map[string]bool { return s.saidIn(words, leastShort) }

// saidIn is SaidIn for beginnings of so many letters.
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

// productPassages are the products that the message names, as material for the model, or else the one that
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
		if s.ByModel { // which would quote it as a sentence
			known = strings.TrimSpace(known + "\n" + s.PageOf(p))
		}
		if known != "" {
			passages = append(passages, ai.Passage{Title: p.Name, Text: known})
		}
	}
	return passages
}

// stemsOf are the stems of a name that say something, or all of them where none does, each once; and the
// words that they are of, in lower case.
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

// recent is in how many of the last messages a product was spoken of lately.
const recent = 10

// Telling is how many stems of a text say something, each counted once.
func Telling(language, s string) int {
	stems, _ := stemsOf(language, s)
	return len(stems)
}
