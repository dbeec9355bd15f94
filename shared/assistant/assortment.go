package assistant

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"frontdesk/shared/ai"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// assortment takes up a wish for products that are not named: by what they cost at most or at least, by a word of their
// names or descriptions, cheaper than the one that was spoken of, the cheapest or the dearest, or all there are.
func (s *state) assortment(context.Context) (*decision, error) {
	products := s.book.products
	if _, exactly := s.products(); len(products) == 0 || exactly || !s.agent.CapabilityRecommendProducts {
		return nil, nil
	}
	said := language.Of(s.tongue()).Speech()
	tokens := text.Tokens(s.tongue(), s.message.Text)
	says := func(list string) bool {
		_, n := text.Find(text.Phrases(s.tongue(), list), tokens)
		return n > 0
	}
	least, most, priced := s.budget(said)
	byPrice := func(p, q offered) int { return cmp.Compare(p.Price, q.Price) }
	fit := slices.Clone(products)
	switch spoken, ok := s.spokenOf(); {
	case says(said.Dearest):
		fit = []offered{slices.MaxFunc(products, byPrice)}
	case says(said.Cheapest):
		fit = []offered{slices.MinFunc(products, byPrice)}
	case says(said.Cheaper) && ok:
		fit = slices.DeleteFunc(fit, func(p offered) bool { return p.Price >= spoken.Price })
	case priced:
		fit = slices.DeleteFunc(fit, func(p offered) bool { return p.Price < least || p.Price > most })
	default:
		if fit = s.described(fit); len(fit) == 0 {
			all := understand.Read(s.language(), s.message.Text).Skills[understand.Products] >= surelyOther && says(said.Products)
			if !all {
				return nil, nil
			}
			fit = slices.Clone(products)
		}
		return s.list(fit), nil
	}
	if of := s.described(fit); len(of) > 0 {
		fit = of
	}
	return s.list(fit), nil
}

// list is the decision to say which products there are.
func (s *state) list(fit []offered) *decision {
	if len(fit) == 0 {
		return &decision{reply: s.reply(ai.Respond, Availability, s.spoken().NoneOf)}
	}
	lines := []string{s.spoken().Choice}
	for _, p := range fit[:min(len(fit), maxListed)] {
		lines = append(lines, s.priced(p))
	}
	return &decision{reply: s.reply(ai.Respond, Availability, strings.Join(lines, "\n"))}
}

// described are those of the products whose names or descriptions have most of the message's telling words, and any.
func (s *state) described(products []offered) []offered {
	var best []offered
	most := 0
	said := language.Of(s.language())
	generic := text.Phrases(s.language(), strings.Join([]string{
		s.phrasing().Have, s.phrasing().Want, s.phrasing().Order, said.Speech().Products, said.Talk().Pricing, said.Talk().Filler,
	}, ","))
	var telling []text.Token
	for _, t := range s.reading.Tokens {
		if _, n := text.Find(generic, []text.Token{t}); !t.Stop && n == 0 && t.Kind == text.Word {
			telling = append(telling, t)
		}
	}
	for _, p := range products {
		has := map[string]bool{}
		for _, t := range text.Tokens(s.language(), p.Name+" "+p.Description) {
			has[t.Stem] = true
		}
		n := 0
		for _, t := range telling {
			if has[t.Stem] {
				n++
			}
		}
		if 2*n <= len(telling) {
			continue // it is something else that is looked for
		}
		switch {
		case n > most:
			best, most = []offered{p}, n
		case n == most && n > 0:
			best = append(best, p)
		}
	}
	return best
}

// budget is what the message says that something may cost, and whether it says so.
func (s *state) budget(said *language.Speech) (least, most float64, ok bool) {
	const any = 1e12
	amount := func(list string) (float64, bool) {
		tokens := text.Tokens(s.tongue(), s.message.Text)
		at, n := text.Find(text.Phrases(s.tongue(), list), tokens)
		if n == 0 {
			return 0, false
		}
		for _, where := range []string{s.message.Text[tokens[at+n-1].End:], s.message.Text[:tokens[at].Start]} {
			if value, ok := firstAmount(where); ok {
				return value, true
			}
		}
		return 0, false
	}
	if value, ok := amount(said.Under); ok {
		return 0, value, true
	}
	if value, ok := amount(said.Over); ok {
		return value, any, true
	}
	return 0, any, false
}

// firstAmount is the first number of a text, with its decimals.
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
