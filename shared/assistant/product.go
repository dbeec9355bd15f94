package assistant

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// Intents of messages about products.
const (
	Availability = "availability"
	Order        = "order"
)

// maxListed is how many products a reply lists, and a model gets to see.
const maxListed = 5

// product takes up a question for the price of a product or whether there is one, and the wish to buy it, for the
// built-in engine. Other questions about products are looked up, and a language model answers all of them: both get to
// see the products that the message names.
func (s *state) product(context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin {
		return nil, nil
	}
	named, exactly := s.products()
	asksPrice, asksFor := s.reading.Intent == builtin.Pricing, s.says(s.phrasing().Have)
	buys := s.says(s.phrasing().Order)
	asksFor = asksFor || buys && !s.reading.Asks // though it cannot take the order
	orders := s.agent.CapabilityTakeOrders && buys && !asksPrice
	if len(named) == 0 {
		if p, ok := s.spokenOf(); ok && orders && !s.reading.Asks && len(s.reading.Tokens) <= shortAnswer {
			return s.takeOrder(p), nil // "I'll take it"
		}
		return nil, nil
	}
	telling, _ := stemsOf(s.language(), s.message.Text)
	beside := len(telling) - s.saidOf(named[0])
	if beside > aboutProducts && s.saidOf(named[0]) < len(named[0].stems) {
		return nil, nil
	}
	bare := exactly && beside <= 0
	switch {
	case exactly && orders:
		return s.takeOrder(named[0]), nil
	case exactly && s.agent.EcommerceEnabled && s.link(s.agent.WebsiteURL) != "" && buys && !asksPrice:
		return s.orderOnline(named[0]), nil
	case asksPrice && !s.agent.CapabilityQuotePrices, !asksPrice && !asksFor && !bare:
		return nil, nil
	case !exactly && !s.agent.CapabilityRecommendProducts:
		return nil, nil
	case exactly && len(named) == 1 && !asksPrice:
		p := named[0]
		have := strings.TrimSpace(text.Fill(s.wording().Have, s.priced(p)) + " " + p.Description)
		return &decision{reply: s.reply(ai.Respond, Availability, s.append(have, s.link(p.ImageURL)))}, nil
	}
	intent, lines := Availability, []string{s.wording().Choice}
	if asksPrice {
		intent = builtin.Pricing
	}
	if exactly || asksPrice {
		lines = nil // they were asked for by name
	}
	for _, p := range named {
		lines = append(lines, s.priced(p))
	}
	if len(named) == 1 && strings.Count(s.message.Text, "?") > 1 { // it asks something else of it, too
		lines = append(lines, named[0].Description)
	}
	return &decision{reply: s.reply(ai.Respond, intent, strings.Join(lines, "\n"))}, nil
}

// aboutProducts is how many telling words a message that comes near a product may have beside those of its name. In one
// that has more they stand by chance.
const aboutProducts = 4

// saidOf is how many words of a product's name the message says.
func (s *state) saidOf(p offered) int {
	said, words := s.saidIn(s.message.Text), 0
	for _, stem := range p.stems {
		if said[stem] {
			words++
		}
	}
	return words
}

// spokenOf is the product that the conversation was about last, where that was one.
func (s *state) spokenOf() (offered, bool) {
	for back, m := range slices.Backward(s.history) {
		if len(s.history)-back > historyLength/2 {
			break
		}
		if named, exactly := s.named(m.Content); exactly {
			return named[0], len(named) == 1
		}
	}
	return offered{}, false
}

// takeOrder notes that the contact wants to buy a product, for a person to go on with.
func (s *state) takeOrder(p offered) *decision {
	return &decision{
		reply: s.reply(ai.Respond, Order, text.Fill(s.wording().Ordered, s.priced(p))),
		then: func(s *state) {
			s.conversation.Status = conversation.WaitingBusiness
			s.remember(Order, p.Name)
			if s.contact.Stage == contact.Lead {
				s.contact.Stage = contact.Prospect
			}
		},
	}
}

// orderOnline shows whoever wants to buy a product where the shop is.
func (s *state) orderOnline(p offered) *decision {
	return &decision{reply: s.reply(ai.Respond, Order, s.append(text.Fill(s.wording().Have, s.priced(p)), s.agent.WebsiteURL))}
}

// link is an address of a web page where the agent may share such, "" where it may not.
func (s *state) link(address string) string {
	if !s.agent.CapabilityShareLinks {
		return ""
	}
	return address
}

// priced is a product's name, with its price where the agent may quote prices.
func (s *state) priced(p offered) string {
	if !s.agent.CapabilityQuotePrices {
		return p.Name
	}
	return text.Fill(s.wording().Price, p.Name, p.Currency.Format(p.Price, s.language()))
}

// products are those that the message names.
func (s *state) products() (named []offered, exactly bool) { return s.named(s.message.Text) }

// named are the products that a text names: exactly, by all words of their names or their number, or else by half of the
// words at least. These are meant exactly where a word is among them that no other product has. The best come first.
func (s *state) named(what string) (named []offered, exactly bool) {
	if len(s.book.products) == 0 {
		return nil, false
	}
	said := s.saidIn(what)
	of := map[string]int{} // how many products have a stem
	for _, p := range s.book.products {
		for _, stem := range p.stems {
			of[stem]++
		}
	}
	var near, meant []offered
	for _, p := range s.book.products {
		words, telling := 0, false
		for _, stem := range p.stems {
			if said[stem] {
				words++
				telling = telling || tells(stem)
			}
		}
		switch {
		case words == len(p.stems), p.SKU != "" && slices.Contains(strings.FieldsFunc(strings.ToLower(what), apart), strings.ToLower(p.SKU)):
			named = append(named, p)
		case telling && 2*words >= len(p.stems):
			near = append(near, p)
			if slices.ContainsFunc(p.stems, func(stem string) bool { return said[stem] && of[stem] == 1 }) {
				meant = append(meant, p)
			}
		}
	}
	if len(named) == 0 && len(meant) == 1 {
		named = meant
	}
	if exactly = len(named) > 0; !exactly {
		named = near
	}
	// "City bicycle with basket" is not "City bicycle", though it names that too.
	named = slices.DeleteFunc(named, func(p offered) bool {
		return exactly && slices.ContainsFunc(named, func(q offered) bool { return len(q.stems) > len(p.stems) && subset(p.stems, q.stems) })
	})
	return named[:min(len(named), maxListed)], exactly
}

// tells reports whether a word of a name comes near the product by itself. A number or a letter does not: "a table for 10"
// is no "Pack of 10".
func tells(stem string) bool {
	return utf8.RuneCountInString(stem) > 1 && strings.IndexFunc(stem, unicode.IsLetter) >= 0
}

func apart(r rune) bool { return strings.ContainsRune(" \t\n,.;:!?()\"'", r) }

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// leastShort is how many letters a word has at least that stands for a longer one which it begins.
const leastShort = 4

// saidIn are the stems that a text says, those of products' names also where it says the beginning of a word alone: "bici"
// for "bicicletta".
func (s *state) saidIn(words string) map[string]bool {
	said := map[string]bool{}
	for _, t := range text.Tokens(s.language(), words) {
		said[t.Stem] = true
		short := strings.ToLower(words[t.Start:t.End])
		if t.Stop || utf8.RuneCountInString(short) < leastShort {
			continue
		}
		for _, p := range s.book.products {
			for i, word := range p.words {
				if strings.HasPrefix(word, short) {
					said[p.stems[i]] = true
				}
			}
		}
	}
	return said
}

// productPassages are the products that the message names, as material for the model, or else the one that the
// conversation was about last.
func (s *state) productPassages() []ai.Passage {
	var passages []ai.Passage
	named, _ := s.products()
	if p, ok := s.spokenOf(); ok && len(named) == 0 {
		named = []offered{p}
	}
	for _, p := range named {
		known := p.Description
		if s.agent.CapabilityQuotePrices {
			known = strings.TrimSpace(known + "\n" + p.Currency.Format(p.Price, s.language()))
		}
		if s.agent.AIModel != ai.Builtin { // which would quote it as a sentence
			known = strings.TrimSpace(known + "\n" + s.link(p.ImageURL))
		}
		if known != "" {
			passages = append(passages, ai.Passage{Title: p.Name, Text: known})
		}
	}
	return passages
}
