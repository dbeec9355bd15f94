// Package products tells what a business sells, and takes orders.
package products

import (
	"context"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A Skill takes up a question for the price of a product or whether there is one, the wish to buy it, and the
// wish for one that is not named. Other questions about products are looked up, and a language model answers
// all of them: both get to see the products that the message names.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Name: "products", Includes: []string{"knowledge"},
		Does: "Lists the products that the business sells, or takes an order for one.",
		Slots: []skill.Slot{
			{Name: "name", Type: skill.Text, About: "A product, or words for what is looked for."},
			{Name: "at_most", Type: skill.Amount, About: "What it may cost at most."},
			{Name: "at_least", Type: skill.Amount, About: "What it is to cost at least."},
			{
				Name:  "orders",
				Type:  skill.Truth,
				About: "Whether the person wants to buy the product of that name now.",
			},
		}, Settings: []string{
			"capability_quote_prices", "capability_recommend_products", "capability_take_orders",
			"capability_share_links", "ecommerce_enabled",
		}}
}

// sure is how probably a message that names a product, and asks for it in words for that, is about it.
const sure = 0.9

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (float64, error) {
	if product(s) != nil {
		return sure, nil
	}
	if p := s.Learnt(understand.Products, least); p > 0 && assortment(s) != nil {
		return max(p, found), nil
	}
	return 0, nil
}

// Act implements skill.Skill.
func (Skill) Act(_ context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	if slots != nil {
		return told(s, slots)
	}
	if o := product(s); o != nil {
		return o, nil
	}
	return assortment(s), nil
}

// product takes up a question for the price of a product or whether there is one, and the wish to buy it, for
// the built-in engine. Other questions about products are looked up, and a language model answers all of
// them: both get to see the products that the message names.
func product(s *skill.State) *skill.Outcome {
	named, exactly := s.Products()
	asksPrice, asksFor := s.Reading.Intent == builtin.Pricing, s.Says(s.Phrasing().Have)
	buys := s.Says(s.Phrasing().Order)
	asksFor = asksFor || buys && !s.Reading.Asks // though it cannot take the order
	orders := s.Agent.CapabilityTakeOrders && buys && !asksPrice
	if len(named) == 0 {
		if p, ok := s.SpokenOf(); ok && orders && !s.Reading.Asks &&
			len(s.Reading.Tokens) <= skill.ShortAnswer {
			return takeOrder(s, p) // "I'll take it"
		}
		return nil
	}
	said, of := s.SaidOf(named[0])
	beside := skill.Telling(s.Language(), s.Text) - said
	if beside > aboutProducts && said < of {
		return nil
	}
	bare := exactly && beside <= 0
	switch {
	case exactly && orders:
		return takeOrder(s, named[0])
	case exactly && s.Agent.EcommerceEnabled && s.Link(s.Agent.WebsiteURL) != "" && buys && !asksPrice:
		return orderOnline(s, named[0])
	case asksPrice && !s.Agent.CapabilityQuotePrices, !asksPrice && !asksFor && !bare:
		return nil
	case !exactly && !s.Agent.CapabilityRecommendProducts:
		return nil
	case exactly && len(named) == 1 && !asksPrice:
		p := named[0]
		have := strings.TrimSpace(text.Fill(s.Spoken().Have, s.Priced(p)) + " " + p.Description)
		return &skill.Outcome{
			Reply: s.Reply(ai.Respond, skill.Availability, s.Append(have, s.Link(p.ImageURL))),
		}
	}
	intent := skill.Availability
	if asksPrice {
		intent = builtin.Pricing
	}
	if !exactly && !asksPrice {
		return toChoose(s, intent, named)
	}
	var lines []string
	for _, p := range named {
		lines = append(lines, s.Priced(p))
	}
	if len(named) == 1 && strings.Count(s.Text, "?") > 1 { // it asks something else of it, too
		lines = append(lines, named[0].Description)
	}
	return &skill.Outcome{Reply: s.Reply(ai.Respond, intent, strings.Join(lines, "\n"))}
}

// aboutProducts is how many telling words a message that comes near a product may have beside those of its
// name. In one that has more they stand by chance.
const aboutProducts = 4

// takeOrder notes that the contact wants to buy a product, for a person to go on with.
func takeOrder(s *skill.State, p skill.Offered) *skill.Outcome {
	change := skill.Change{WaitsForPerson: true, Prospect: true}
	change.Remember(skill.Order, p.Name)
	said := text.Fill(s.Spoken().Ordered, s.Priced(p))
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Order, said), Change: change}
}

// orderOnline shows whoever wants to buy a product where the shop is.
func orderOnline(s *skill.State, p skill.Offered) *skill.Outcome {
	return &skill.Outcome{
		Reply: s.Reply(
			ai.Respond,
			skill.Order,
			s.Append(text.Fill(s.Spoken().Have, s.Priced(p)), s.Agent.WebsiteURL),
		),
	}
}
