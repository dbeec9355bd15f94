package products

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// Probabilities that a message is about products that it does not name.
const (
	// least is the minimum probability by the classifier, and found the probability of a message that gives
	// a price.
	least = 0.2
	found = 0.87
	// whole and partly are the probabilities of a message all or most of whose words match products, and
	// byMore is the weight of the classifier.
	whole  = 0.35
	partly = 0.3
	byMore = 0.5
	// surely is the minimum probability of a request for all products.
	surely = 0.6
)

// fewCards is the maximum number of products that a list describes.
const fewCards = 2

// A looked is what a message says about the products that it looks for.
type looked struct {
	said   *language.Speech
	tokens []text.Token // in the language of the message
	wishes []skill.Wish
}

// maxWords is the maximum number of words of a message that are read.
const maxWords = 100

// look reads which products the message looks for.
func look(s *skill.State) looked {
	tag := s.Tongue()
	tongue := language.Of(tag)
	tokens := text.Tokens(tag, s.Text)
	l := looked{said: tongue.Speech(), tokens: tokens[:min(len(tokens), maxWords)]}
	requests := tongue.Requests()
	generic := text.Phrases(tag, strings.Join([]string{
		requests.Have, requests.Want, requests.Order, l.said.Products, l.said.Under, l.said.Over,
		l.said.Cheaper,
		l.said.Cheapest, l.said.Dearest, tongue.Talk().Pricing, tongue.Talk().Filler, tongue.Talk().Thanks,
		tongue.Talk().Greeting,
	}, ","))
	concepts := map[int][]string{}
	for _, f := range concept.In(tag, l.tokens) {
		if f.Name == "material" {
			continue // which apply to all
		}
		for i := f.From; i < f.To; i++ {
			concepts[i] = append(concepts[i], f.Name)
		}
	}
	skip := 0
	for i, t := range l.tokens {
		skip = max(skip, i+text.LongestAt(generic, l.tokens, i))
		if i < skip || t.Stop || t.Kind != text.Word || concept.Light(tag, t.Stem) ||
			slices.ContainsFunc(concepts[i], func(name string) bool { return broad[name] }) {
			continue
		}
		l.wishes = append(l.wishes, skill.Wish{Stem: t.Stem, Concepts: concepts[i]})
	}
	return l
}

// broad are concepts that do not describe a product.
var broad = map[string]bool{
	"price": true, "cheap": true, "expensive": true, "buy": true, "sell": true, "gift": true, "stock": true,
	"hello": true, "thanks": true, "recommend": true, "order": true, "shop": true,
}

func (l looked) says(list string, tag string) bool {
	_, n := text.Find(text.Phrases(tag, list), l.tokens)
	return n > 0
}

// assortment handles requests for unnamed products: by a minimum or maximum price, by words of their names
// or descriptions, cheaper than the one that was mentioned, the cheapest or the dearest, or all. It also
// returns the probability.
func assortment(s *skill.State, l looked) (*skill.Outcome, float64) {
	products := s.Book.Offered
	if len(products) == 0 || !s.Agent.CapabilityRecommendProducts {
		return nil, 0
	}
	if fit, ok := byPrice(s, l); ok {
		return list(s, fit), max(s.Learnt(understand.Products, least), found)
	}
	learnt := s.Understood().Skills[understand.Products]
	if _, exactly := s.Products(); exactly || learnt < least {
		return nil, 0
	}
	kinds := l.kinds()
	fit, share := described(products, kinds)
	switch {
	case share == 1 && len(kinds) < len(l.wishes) && !all(fit, l.wishes):
		return list(s, fit), unsaid // "What sizes does the coat come in?"
	case share == 1:
		return list(s, fit), whole + byMore*learnt
	case share > 0:
		return list(s, fit), partly + byMore*learnt
	case len(l.wishes) > 0 || learnt < surely || s.Reading.Intent == builtin.Pricing:
	case l.says(l.said.Products, s.Tongue()), s.TopicProduct() == "" && l.sells(s.Tongue()):
		return list(s, products), learnt
	}
	return nil, 0
}

// sells reports whether the message asks what is for sale.
func (l looked) sells(tag string) bool { return l.says(language.Of(tag).Requests().Have, tag) }

// kinds returns the wishes that name a kind of product. A size, a colour or a material alone does not.
func (l looked) kinds() []skill.Wish {
	return slices.DeleteFunc(slices.Clone(l.wishes), func(w skill.Wish) bool {
		return slices.ContainsFunc(w.Concepts, func(name string) bool { return kindless[name] })
	})
}

var kindless = map[string]bool{"size": true, "colour": true, "difference": true}

// byPrice returns the products that match the price in the message, and whether it says anything about
// price.
func byPrice(s *skill.State, l looked) ([]skill.Offered, bool) {
	fit := slices.Clone(s.Book.Offered)
	if of, share := described(fit, l.kinds()); share > 0 {
		fit = of
	} else if listed := s.LastNamed(); len(listed) > 1 && s.JustNamed(listed[0]) {
		fit = slices.Clone(listed) // "Which one is the cheapest?"
	}
	price := func(p, q skill.Offered) int { return cmp.Compare(p.Price, q.Price) }
	least, most, bounded := budget(s, l)
	spoken, one := s.SpokenOf()
	switch {
	case l.says(l.said.Dearest, s.Tongue()):
		return []skill.Offered{slices.MaxFunc(fit, price)}, true
	case l.says(l.said.Cheapest, s.Tongue()):
		return []skill.Offered{slices.MinFunc(fit, price)}, true
	case l.says(l.said.Cheaper, s.Tongue()):
		if !one { // "o produto mais barato": the cheapest is the cheaper one of all
			return []skill.Offered{slices.MinFunc(fit, price)}, true
		}
		return slices.DeleteFunc(fit, func(p skill.Offered) bool { return p.Price >= spoken.Price }), true
	case bounded:
		return slices.DeleteFunc(fit, func(p skill.Offered) bool {
			return p.Price < least || p.Price > most
		}), true
	}
	return nil, false
}

// list offers products to choose from, with descriptions if they are few.
func list(s *skill.State, fit []skill.Offered) *skill.Outcome {
	if len(fit) == 0 {
		return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Availability, s.Spoken().NoneOf)}
	}
	fit = fit[:min(len(fit), skill.MaxListed)]
	var lines, names []string
	for _, p := range fit {
		said := s.Priced(p)
		if len(fit) <= fewCards {
			said = s.Card(p)
		}
		lines, names = append(lines, said), append(names, p.Name)
	}
	if len(fit) == 1 { // nothing to choose
		words := s.Spoken().Choice + "\n" + lines[0]
		return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Availability, words), Cards: s.Cards(fit...)}
	}
	return &skill.Outcome{
		Reply:   s.Reply(ai.Respond, skill.Availability, s.Spoken().Choice+"\n"+text.Numbered(lines)),
		Choices: conversation.Choices(names...), Cards: s.Cards(fit...),
	}
}

// described returns the products that have most of the wished words, and the share that they have: 0 if it
// is less than half.
func described(products []skill.Offered, wishes []skill.Wish) (best []skill.Offered, share float64) {
	most := 0
	for _, p := range products {
		n := 0
		for _, w := range wishes {
			if p.Has(w) {
				n++
			}
		}
		switch {
		case n == 0, 2*n < len(wishes):
		case n > most:
			best, most = []skill.Offered{p}, n
		case n == most:
			best = append(best, p)
		}
	}
	if most == 0 {
		return nil, 0
	}
	return best, float64(most) / float64(len(wishes))
}

// all reports whether each of the products has all that is wished.
func all(products []skill.Offered, wishes []skill.Wish) bool {
	return !slices.ContainsFunc(products, func(p skill.Offered) bool {
		return slices.ContainsFunc(wishes, func(w skill.Wish) bool { return !p.Has(w) })
	})
}

// budget returns the price range in the message, and whether it has one. Of two amounts with at least one
// currency the smaller is the minimum.
func budget(s *skill.State, l looked) (least, most float64, ok bool) {
	const any = 1e12
	amount := func(list string) (float64, bool) {
		at, n := text.Find(text.Phrases(s.Tongue(), list), l.tokens)
		if n == 0 {
			return 0, false
		}
		for _, where := range []string{s.Text[l.tokens[at+n-1].End:], s.Text[:l.tokens[at].Start]} {
			if value, ok := firstAmount(where); ok {
				return value, true
			}
		}
		return 0, false
	}
	var amounts []float64
	money := false
	for _, t := range l.tokens {
		value, ok := firstAmount(s.Text[t.Start:t.End])
		if ok && (t.Kind == text.Price || t.Kind == text.Number) {
			amounts, money = append(amounts, value), money || t.Kind == text.Price
		}
	}
	if len(amounts) == 2 && money {
		return min(amounts[0], amounts[1]), max(amounts[0], amounts[1]), true
	}
	if s.Understood().Skills[understand.Products] < leastPriced && !money {
		return 0, any, false
	}
	if value, ok := amount(l.said.Under); ok {
		return 0, value, true
	}
	if value, ok := amount(l.said.Over); ok {
		return value, any, true
	}
	return 0, any, false
}

// leastPriced is the minimum probability of a message about products if its amount has no currency.
const leastPriced = 0.3

// firstAmount returns the first number in a text, with its decimals.
func firstAmount(s string) (float64, bool) {
	start := strings.IndexFunc(s, unicode.IsDigit)
	if start < 0 {
		return 0, false
	}
	end := start
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || s[end] == ',') {
		end++
	}
	value, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(s[start:end], ".,"), ",", "."), 64)
	return value, err == nil
}
