// Package products tells what a business sells, and takes orders.
package products

import (
	"cmp"
	"context"
	"slices"
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
	return skill.Spec{Beside: true,
		Name: "products", Includes: []string{"knowledge"},
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

// How probably a message that names a product is about it: these and a share of what was learnt of messages
// about products and prices.
const (
	exact   = 0.65
	near    = 0.5
	byLearn = 0.3
	// said is that of a message that asks for something which the product's card says, unsaid where the card
	// may not, and goes that of one which goes on with the product and asks for what the card may say.
	said   = 0.85
	unsaid = 0.45
	goes   = 0.6
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	o, p := best(s)
	return skill.Claims(p, o), nil
}

// best is what is most probably wished of the products, and how probably; nil for nothing.
func best(s *skill.State) (*skill.Outcome, float64) {
	var most *skill.Outcome
	probably := 0.0
	if len(s.Book.Offered) == 0 || returns(s) {
		return nil, 0
	}
	l := look(s)
	for _, reading := range []func(*skill.State, looked) (*skill.Outcome, float64){
		product, cards, assortment,
	} {
		if o, p := reading(s, l); o != nil && p > probably {
			most, probably = o, p
		}
	}
	return most, probably
}

// returns reports whether the message is about giving back what was bought.
func returns(s *skill.State) bool {
	return slices.ContainsFunc(s.Understood().Concepts, func(name string) bool {
		return name == "return" || name == "refund" || name == "exchange"
	})
}

// product takes up a question for the price of a product or whether there is one, and the wish to buy it.
func product(s *skill.State, l looked) (*skill.Outcome, float64) {
	u := s.Understood()
	learnt := byLearn * max(u.Skills[understand.Products], u.Skills[understand.Prices])
	named, exactly := s.Products()
	asksPrice, asksFor := s.Reading.Intent == builtin.Pricing, s.Says(s.Phrasing().Have)
	buys := s.Says(s.Phrasing().Order)
	asksFor = asksFor || buys && !s.Reading.Asks // though it cannot take the order
	if len(named) == 0 {
		return spokenOf(s, l, asksPrice, buys)
	}
	if aside(s, named[0]) {
		return nil, 0
	}
	probably := near + learnt
	if exactly {
		probably = exact + learnt
	}
	bare := exactly && len(beside(s, named[0])) == 0
	switch {
	case exactly && buys && !asksPrice && (s.Agent.CapabilityTakeOrders || online(s)):
		return order(s, named[0]), probably
	case asksPrice && !s.Agent.CapabilityQuotePrices, !asksPrice && !asksFor && !bare:
		return nil, 0
	case !exactly && !s.Agent.CapabilityRecommendProducts:
		return nil, 0
	case exactly && len(named) == 1 && !asksPrice:
		p := named[0]
		have := strings.TrimSpace(text.Fill(s.Spoken().Have, s.Priced(p)) + " " + p.Description)
		return &skill.Outcome{
			Reply: s.Reply(ai.Respond, skill.Availability, s.Append(have, s.PageOf(p))), Cards: s.Cards(p),
		}, probably
	case !exactly && !asksPrice:
		return list(s, named), probably
	}
	intent, lines := skill.Availability, []string(nil)
	if asksPrice {
		intent = builtin.Pricing
	}
	for _, p := range named {
		lines = append(lines, s.Priced(p))
	}
	if len(named) == 1 && strings.Count(s.Text, "?") > 1 { // it asks something else of it, too
		lines = append(lines, named[0].Description)
	}
	return &skill.Outcome{
		Reply: s.Reply(ai.Respond, intent, strings.Join(lines, "\n")), Cards: s.Cards(named...),
	}, probably
}

// spokenOf takes up the price of the product that the conversation is about, and the wish to buy it: "How
// much is it?", "I'll take it".
func spokenOf(s *skill.State, l looked, asksPrice, buys bool) (*skill.Outcome, float64) {
	p, ok := s.SpokenOf()
	if !ok || len(s.Reading.Tokens) > skill.ShortAnswer {
		return nil, 0
	}
	switch {
	case buys && !asksPrice && !s.Reading.Asks && (s.Agent.CapabilityTakeOrders || online(s)):
		return order(s, p), said
	case asksPrice && s.Agent.CapabilityQuotePrices && len(l.wishes) == 0 && s.TopicProduct() == p.Name:
		return &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Pricing, s.Priced(p))}, said
	}
	return nil, 0
}

// cards takes up another question about products that the message names, or that it goes on with: what their
// cards say is the answer.
func cards(s *skill.State, l looked) (*skill.Outcome, float64) {
	if s.Reading.Intent == builtin.Pricing && !s.Agent.CapabilityQuotePrices {
		return nil, 0
	}
	of, exactly := s.Products()
	switch {
	case exactly && !aside(s, of[0]):
		l.wishes = slices.Clone(l.wishes) // which other readings look at too
		for _, p := range of {
			l.wishes = slices.DeleteFunc(l.wishes, p.IsA)
		}
	case len(of) == 0:
		of = goesOnWith(s, l)
	default:
		return nil, 0
	}
	if len(of) == 0 {
		return nil, 0
	}
	has, share := described(of, l.wishes)
	switch {
	case exactly:
	case share > 0:
		of = has
	case l.asksForOther(s):
		return nil, 0
	}
	var lines []string
	of = of[:min(len(of), skill.MaxListed)]
	for _, p := range of {
		lines = append(lines, s.Card(p))
	}
	o := &skill.Outcome{
		Reply: s.Reply(ai.Respond, skill.Availability, strings.Join(lines, "\n")), Cards: s.Cards(of...),
	}
	u := s.Understood()
	switch {
	case share == 1, exactly && len(of) > 1:
		return o, said
	case exactly:
		return o, skill.If(asks(s), unsaid)
	case s.PointsBack() && u.Skills[understand.Products] >= surely, len(l.wishes) == 0 && l.sells(s.Tongue()):
		return o, goes
	}
	return o, skill.If(asks(s), unsaid)
}

// asks reports whether the message asks something that may be about a product.
func asks(s *skill.State) bool {
	u := s.Understood()
	return mayBe[u.Best().Skill] && (s.Reading.Asks || u.Does(understand.Asks))
}

// goesOnWith are the products that a message goes on with which names none; none where it says too much of
// its own, or names another kind of thing.
func goesOnWith(s *skill.State, l looked) []skill.Offered {
	if !s.PointsBack() && len(l.wishes) > fewWishes {
		return nil
	}
	of := s.LastNamed()
	if s.TopicProduct() == "" && !slices.ContainsFunc(of, s.JustNamed) {
		return nil
	}
	other, _ := described(s.Book.Offered, l.wishes)
	if slices.ContainsFunc(other, func(p skill.Offered) bool {
		return slices.ContainsFunc(l.wishes, p.IsA)
	}) {
		return nil
	}
	return of
}

// asksForOther reports whether a message that names no product asks for a thing of its own, "Do you have
// lasagne?" or "And a bell?", rather than for more about the product that was spoken of: "And is it
// waterproof?"
func (l looked) asksForOther(s *skill.State) bool {
	kinds := l.kinds()
	brings := s.Reading.GoesOn || l.sells(s.Tongue()) || s.Reading.Intent == builtin.Pricing
	if len(kinds) == 0 || !brings {
		return false
	}
	back := text.Phrases(s.Tongue(), l.said.Back)
	at, n := text.Find(back, l.tokens)
	if n == 0 {
		return true
	}
	// "y la tasación": where pronouns are articles too, one that opens the message belongs to the noun
	// behind it.
	behind := at + n
	return at <= 1 && behind < len(l.tokens) && slices.ContainsFunc(kinds, func(w skill.Wish) bool {
		return w.Stem == l.tokens[behind].Stem
	})
}

// mayBe are the skills that a question about a product may be taken for.
var mayBe = map[understand.Skill]bool{
	understand.Products: true, understand.Prices: true, understand.Knowledge: true,
}

// fewWishes is how many words of its own a message has at most that goes on with a product without pointing
// back to it.
const fewWishes = 1

// aside reports whether the message says so much beside a part of a product's name that it stands in it by
// chance.
func aside(s *skill.State, p skill.Offered) bool {
	words, of := s.SaidOf(p)
	return words < of && len(beside(s, p)) > aboutProducts
}

// aboutProducts is how many telling words a message that comes near a product may have beside those of its
// card. In one that has more they stand by chance.
const aboutProducts = 4

// beside are the telling words of the message that are not on the product's card.
func beside(s *skill.State, p skill.Offered) []string {
	said := s.SaidIn(s.Text)
	var stems []string
	for _, t := range s.Reading.Tokens {
		if !t.Stop && said[t.Stem] && !p.Has(skill.Wish{Stem: t.Stem}) && !slices.Contains(stems, t.Stem) {
			stems = append(stems, t.Stem)
		}
	}
	return stems
}

// online reports whether the business has a shop that the agent may show.
func online(s *skill.State) bool {
	return s.Agent.EcommerceEnabled && s.Link(s.Agent.WebsiteURL) != ""
}

// order takes the order of a product, or shows where the shop is.
func order(s *skill.State, p skill.Offered) *skill.Outcome {
	if s.Agent.CapabilityTakeOrders {
		return takeOrder(s, p)
	}
	return orderOnline(s, p)
}

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
			s.Append(text.Fill(s.Spoken().Have, s.Priced(p)), cmp.Or(s.Link(p.URL), s.Agent.WebsiteURL)),
		),
		Cards: s.Cards(p),
	}
}
