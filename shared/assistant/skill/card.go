package skill

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// A card is what the name and the description of a product say, read when it is first asked for.
type card struct {
	once     sync.Once
	language string
	stems    map[string]bool
	concepts map[string]bool
	named    map[string]bool // the concepts of the name alone
}

func (c *card) read(p Offered) *card {
	c.once.Do(func() {
		c.stems, c.concepts, c.named = map[string]bool{}, map[string]bool{}, map[string]bool{}
		tokens := text.Tokens(c.language, p.Name+". "+p.Description)
		for _, t := range tokens {
			c.stems[t.Stem] = true
		}
		for _, f := range concept.In(c.language, tokens) {
			c.concepts[f.Name] = true
		}
		for _, f := range concept.In(c.language, text.Tokens(c.language, p.Name)) {
			c.named[f.Name] = true
		}
	})
	return c
}

// A Wish is a word of a message that says what a product is to be or have, with the concepts that it stands
// for.
type Wish struct {
	Stem     string
	Concepts []string
}

// Has reports whether the product's name or description has the word, or another for the same.
func (p Offered) Has(w Wish) bool {
	c := p.card.read(p)
	return c.stems[w.Stem] ||
		slices.ContainsFunc(w.Concepts, func(name string) bool { return c.concepts[name] })
}

// IsA reports whether the product's name has the word, or another for the same: a "pull" is "Pull Colette".
func (p Offered) IsA(w Wish) bool {
	c := p.card.read(p)
	return slices.Contains(p.stems, w.Stem) ||
		slices.ContainsFunc(w.Concepts, func(name string) bool { return c.named[name] })
}

// Card is what is said of a product: its name, its price where the agent may quote prices, what it is, and
// its page or its picture.
func (s *State) Card(p Offered) string {
	said := s.Priced(p)
	if about := strings.TrimSpace(p.Description); about != "" {
		said += ". " + about
	}
	return s.Append(said, s.PageOf(p))
}

// PageOf is the product's page or else its picture, "" where the agent may not share links.
func (s *State) PageOf(p Offered) string { return s.Link(cmp.Or(p.URL, p.ImageURL)) }

// Cards are products as a chat shows them: those that have a picture or a page which the agent may share.
func (s *State) Cards(products ...Offered) []conversation.Card {
	var cards []conversation.Card
	for _, p := range products {
		c := conversation.Card{Name: p.Name, ImageURL: secure(s.Link(p.ImageURL)), URL: secure(s.Link(p.URL))}
		if c.ImageURL == "" && c.URL == "" {
			continue
		}
		if s.Agent.CapabilityQuotePrices {
			c.Price = p.Currency.Format(p.Price, s.Tongue())
		}
		cards = append(cards, c)
	}
	return cards
}

// secure is an address of https as it is, and "" for any other.
func secure(address string) string {
	if scheme, _, _ := strings.Cut(address, "://"); !strings.EqualFold(scheme, "https") {
		return ""
	}
	return address
}
