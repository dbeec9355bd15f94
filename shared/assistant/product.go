package assistant

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
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
	if len(named) == 0 {
		return nil, nil
	}
	asksPrice, asksFor := s.reading.Intent == builtin.Pricing, s.says(s.phrasing().have)
	bare := exactly && len(stemsOf(s.language(), s.message.Text)) <= len(named[0].stems)
	switch {
	case exactly && s.agent.CapabilityTakeOrders && s.says(s.phrasing().order) && !asksPrice:
		return s.takeOrder(named[0]), nil
	case exactly && s.agent.EcommerceEnabled && s.link(s.agent.WebsiteURL) != "" && s.says(s.phrasing().order) && !asksPrice:
		return s.orderOnline(named[0]), nil
	case asksPrice && !s.agent.CapabilityQuotePrices, !asksPrice && !asksFor && !bare:
		return nil, nil
	case !exactly && !s.agent.CapabilityRecommendProducts:
		return nil, nil
	case exactly && len(named) == 1 && !asksPrice:
		p := named[0]
		have := strings.TrimSpace(with(s.wording().have, s.priced(p)) + " " + p.Description)
		return &decision{reply: s.reply(ai.Respond, Availability, s.append(have, s.link(p.ImageURL)))}, nil
	}
	intent, lines := Availability, []string{s.wording().choice}
	if asksPrice {
		intent = builtin.Pricing
	}
	if exactly {
		lines = nil // they were asked for by name
	}
	for _, p := range named {
		lines = append(lines, s.priced(p))
	}
	return &decision{reply: s.reply(ai.Respond, intent, strings.Join(lines, "\n"))}, nil
}

// takeOrder notes that the contact wants to buy a product, for a person to go on with.
func (s *state) takeOrder(p offered) *decision {
	return &decision{
		reply: s.reply(ai.Respond, Order, with(s.wording().ordered, s.priced(p))),
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
	return &decision{reply: s.reply(ai.Respond, Order, s.append(with(s.wording().have, s.priced(p)), s.agent.WebsiteURL))}
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
	return with(s.wording().price, p.Name, p.Currency.Format(p.Price, s.language()))
}

// products are those that the message names: exactly, by all words of their names or their number, or else nearly, by
// half of the words at least. The best come first.
func (s *state) products() (named []offered, exactly bool) {
	said := map[string]bool{}
	for _, t := range s.reading.Tokens {
		said[t.Stem] = true
	}
	message := strings.ToLower(s.message.Text)
	var near []offered
	for _, p := range s.book.products {
		words := 0
		for _, stem := range p.stems {
			if said[stem] {
				words++
			}
		}
		switch {
		case words == len(p.stems), p.SKU != "" && slices.Contains(strings.FieldsFunc(message, apart), strings.ToLower(p.SKU)):
			named = append(named, p)
		case 2*words >= len(p.stems):
			near = append(near, p)
		}
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

func apart(r rune) bool { return strings.ContainsRune(" \t\n,.;:!?()\"'", r) }

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// productPassages are the products that the message names, as material for the model.
func (s *state) productPassages() []ai.Passage {
	var passages []ai.Passage
	named, _ := s.products()
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
