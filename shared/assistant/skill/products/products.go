// Package products answers questions about what a business sells, and takes orders.
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

// A Skill handles questions for the price or availability of a product, requests to buy it, and requests
// for unnamed products. Other questions about products are left to the knowledge, and all of them to
// language models; both see the products that the message names.
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

// Probabilities that a message which names a product is about it, to which a share of the classifier's is
// added.
const (
	exact   = 0.65
	near    = 0.5
	byLearn = 0.3
	// said is the probability if the product's card has what is asked for, unsaid if it may not, and goes
	// if the message continues with the product.
	said   = 0.85
	unsaid = 0.45
	goes   = 0.6
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	o, p := best(s)
	return skill.Claims(p, o), nil
}

// best returns the most probable outcome and its probability; nil for none.
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

// returns reports whether the message is about returning a purchase.
func returns(s *skill.State) bool {
	return slices.ContainsFunc(s.Understood().Concepts, func(name string) bool {
		return name == "return" || name == "refund" || name == "exchange"
	})
}

// product handles questions for the price or availability of a product, and requests to buy it.
func product(s *skill.State, l looked) (*skill.Outcome, float64) {
	named, exactly := s.Products()
	asksPrice, buys := s.Reading.Intent == builtin.Pricing, s.Says(s.Phrasing().Order)
	if len(named) == 0 {
		return spokenOf(s, l, asksPrice, buys)
	}
	if aside(s, named[0]) {
		return nil, 0
	}
	u := s.Understood()
	probably := near
	if exactly {
		probably = exact
	}
	probably += byLearn * max(u.Skills[understand.Products], u.Skills[understand.Prices])
	switch {
	case exactly && buys && !asksPrice && takesOrders(s):
		return order(s, named[0]), probably
	case asksPrice && !s.Agent.CapabilityQuotePrices, !asksPrice && !asksFor(s, named[0], exactly, buys):
		return nil, 0
	case !exactly && !s.Agent.CapabilityRecommendProducts:
		return nil, 0
	case exactly && len(named) == 1 && !asksPrice:
		return available(s, named[0]), probably
	case !exactly && !asksPrice:
		return list(s, named), probably
	}
	return priced(s, named, asksPrice), probably
}

// asksFor reports whether the message asks for the availability of a product: in words, by its name alone,
// or by a request to buy that the agent may not be able to fulfil.
func asksFor(s *skill.State, p skill.Offered, exactly, buys bool) bool {
	return s.Says(s.Phrasing().Have) || buys && !s.Reading.Asks || exactly && len(beside(s, p)) == 0
}

// takesOrders reports whether the agent can take an order or name the shop that does.
func takesOrders(s *skill.State) bool { return s.Agent.CapabilityTakeOrders || online(s) }

// available says that a product is available.
func available(s *skill.State, p skill.Offered) *skill.Outcome {
	have := strings.TrimSpace(text.Fill(s.Spoken().Have, s.Priced(p)) + " " + p.Description)
	return &skill.Outcome{
		Reply: s.Reply(ai.Respond, skill.Availability, s.Append(have, s.PageOf(p))), Cards: s.Cards(p),
	}
}

// priced lists products, each with its price if the agent may quote prices.
func priced(s *skill.State, named []skill.Offered, asksPrice bool) *skill.Outcome {
	intent, lines := skill.Availability, []string(nil)
	if asksPrice {
		intent = builtin.Pricing
	}
	for _, p := range named {
		lines = append(lines, s.Priced(p))
	}
	if len(named) == 1 && strings.Count(s.Text, "?") > 1 { // it also asks something else about it
		lines = append(lines, named[0].Description)
	}
	return &skill.Outcome{
		Reply: s.Reply(ai.Respond, intent, strings.Join(lines, "\n")), Cards: s.Cards(named...),
	}
}

// spokenOf handles questions for the price of the product that was mentioned last, and requests to buy it:
// "How much is it?", "I'll take it".
func spokenOf(s *skill.State, l looked, asksPrice, buys bool) (*skill.Outcome, float64) {
	p, ok := s.SpokenOf()
	if len(s.Reading.Tokens) > skill.ShortAnswer {
		return nil, 0
	}
	switch {
	case !ok && buys && !asksPrice && !s.Reading.Asks && takesOrders(s):
		return orderOneOf(s, s.LastNamed())
	case !ok:
		return nil, 0
	case buys && !asksPrice && !s.Reading.Asks && takesOrders(s):
		return order(s, p), said
	case asksPrice && s.Agent.CapabilityQuotePrices && len(l.wishes) == 0 && s.TopicProduct() == p.Name:
		return &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Pricing, s.Priced(p))}, said
	}
	return nil, 0
}

// cards handles other questions about products that the message names or continues with, and answers with
// their cards.
func cards(s *skill.State, l looked) (*skill.Outcome, float64) {
	if s.Reading.Intent == builtin.Pricing && !s.Agent.CapabilityQuotePrices {
		return nil, 0
	}
	of, exactly := s.Products()
	switch {
	case exactly && !aside(s, of[0]):
		l.wishes = slices.Clone(l.wishes) // shared with other readings
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
	case share == 0 && len(l.wishes) > 0: // it asks for what the card does not say
	case s.PointsBack() && u.Skills[understand.Products] >= surely,
		len(l.wishes) == 0 && l.sells(s.Tongue()):
		return o, goes
	}
	return o, skill.If(asks(s), unsaid)
}

// asks reports whether the message asks something that may be about a product.
func asks(s *skill.State) bool {
	u := s.Understood()
	return mayBe[u.Best().Skill] && (s.Reading.Asks || u.Does(understand.Asks))
}

// goesOnWith returns the products that a message without a product's name continues with; nil if it says
// too much else, or names another kind of thing.
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

// asksForOther reports whether a message without a product's name asks for another thing, such as "Do you
// have lasagne?" or "And a bell?", and not about the product that was mentioned: "And is it waterproof?"
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
	// "y la tasación": a pronoun that is also an article belongs to the noun after it if it opens the
	// message.
	behind := at + n
	return at <= 1 && behind < len(l.tokens) && slices.ContainsFunc(kinds, func(w skill.Wish) bool {
		return w.Stem == l.tokens[behind].Stem
	})
}

// mayBe are the skills that a question about a product may be classified as.
var mayBe = map[understand.Skill]bool{
	understand.Products: true, understand.Prices: true, understand.Knowledge: true,
}

// fewWishes is the maximum number of own words of a message that continues with a product without referring
// to it.
const fewWishes = 1

// aside reports whether the message says so much else that a part of a product's name is in it by chance.
func aside(s *skill.State, p skill.Offered) bool {
	words, of := s.SaidOf(p)
	return words < of && len(beside(s, p)) > aboutProducts
}

// aboutProducts is the maximum number of significant words that are not on the product's card. In a longer
// message they match by chance.
const aboutProducts = 4

// beside returns the significant words of the message that are not on the product's card.
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

// order takes the order of a product, or links to the shop.
func order(s *skill.State, p skill.Offered) *skill.Outcome {
	if s.Agent.CapabilityTakeOrders {
		return takeOrder(s, p)
	}
	return orderOnline(s, p)
}

// orderOneOf asks which of several products just named to order, and links to the shop if it is ordered
// there.
func orderOneOf(s *skill.State, named []skill.Offered) (*skill.Outcome, float64) {
	if len(named) < 2 || !s.JustNamed(named[0]) {
		return nil, 0
	}
	o := list(s, named)
	if !s.Agent.CapabilityTakeOrders {
		o.Reply.Text = s.Append(o.Reply.Text, s.Agent.WebsiteURL)
	}
	return o, said
}

// takeOrder records that the contact wants to buy a product, for a person to follow up.
func takeOrder(s *skill.State, p skill.Offered) *skill.Outcome {
	change := skill.Change{WaitsForPerson: true, Prospect: true}
	change.Remember(skill.Order, p.Name)
	said := text.Fill(s.Spoken().Ordered, s.Priced(p))
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Order, said), Change: change}
}

// orderOnline links to the shop.
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
