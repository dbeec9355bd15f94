package skill

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// A card holds the words and concepts of a product's name and description. It is filled when it is first
// used.
type card struct {
	once     sync.Once
	language string
	stems    map[string]bool
	concepts map[string]bool
	named    map[string]bool // the concepts of the name alone
}

// measure is a size in a description: "70 x 70", "40 cm", "3,5 kg", "250 ml", "34–44".
var measure = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d ?(x|×|-|–) ?\d|\d ?(cm|mm|ml|cl|kg)\b`)
})

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
		if measure().MatchString(p.Description) {
			c.concepts["size"] = true
		}
		for _, f := range concept.In(c.language, text.Tokens(c.language, p.Name)) {
			c.named[f.Name] = true
		}
	})
	return c
}

// A Wish is a word of a message that describes the wanted product, with its concepts.
type Wish struct {
	Stem     string
	Concepts []string
}

// Has reports whether the product's name or description has the word or a synonym.
func (p Offered) Has(w Wish) bool {
	c := p.card.read(p)
	return c.stems[w.Stem] ||
		slices.ContainsFunc(w.Concepts, func(name string) bool { return c.concepts[name] })
}

// IsA reports whether the product's name has the word or a synonym: a "pull" is "Pull Colette".
func (p Offered) IsA(w Wish) bool {
	c := p.card.read(p)
	return slices.Contains(p.stems, w.Stem) ||
		slices.ContainsFunc(w.Concepts, func(name string) bool { return c.named[name] })
}

// Card describes a product: its name, its price if the agent may quote prices, its description, and its
// page or picture.
func (s *State) Card(p Offered) string {
	said := s.Priced(p)
	if about := strings.TrimSpace(p.Description); about != "" {
		said += ". " + about
	}
	return s.Append(said, s.PageOf(p))
}

// PageOf returns the URL of the product's page or else its picture, "" if the agent may not share links.
func (s *State) PageOf(p Offered) string { return s.Link(cmp.Or(p.URL, p.ImageURL)) }

// Cards returns the cards that a chat shows for products. Products without a picture or page that the agent
// may share are left out.
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

// secure returns the address if it is of https, and "" otherwise.
func secure(address string) string {
	if scheme, _, _ := strings.Cut(address, "://"); !strings.EqualFold(scheme, "https") {
		return ""
	}
	return address
}
