package products

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

const (
	// least is the probability from which on a message may look for products that it does not name.
	least = 0.3
	// found is that of a message whose words fit some.
	found = 0.8
	// surely is that from which on it may ask for all there are.
	surely = 0.7
)

// assortment takes up a wish for products that are not named: by what they cost at most or at least, by a
// word of their names or descriptions, cheaper than the one that was spoken of, the cheapest or the dearest,
// or all there are.
func assortment(s *skill.State) *skill.Outcome {
	products := s.Book.Offered
	if _, exactly := s.Products(); len(products) == 0 || exactly || !s.Agent.CapabilityRecommendProducts {
		return nil
	}
	said := language.Of(s.Tongue()).Speech()
	tokens := text.Tokens(s.Tongue(), s.Text)
	says := func(list string) bool {
		_, n := text.Find(text.Phrases(s.Tongue(), list), tokens)
		return n > 0
	}
	least, most, priced := budget(s, said)
	byPrice := func(p, q skill.Offered) int { return cmp.Compare(p.Price, q.Price) }
	fit := slices.Clone(products)
	switch spoken, ok := s.SpokenOf(); {
	case says(said.Dearest):
		fit = []skill.Offered{slices.MaxFunc(products, byPrice)}
	case says(said.Cheapest):
		fit = []skill.Offered{slices.MinFunc(products, byPrice)}
	case says(said.Cheaper) && ok:
		fit = slices.DeleteFunc(fit, func(p skill.Offered) bool { return p.Price >= spoken.Price })
	case priced:
		fit = slices.DeleteFunc(fit, func(p skill.Offered) bool { return p.Price < least || p.Price > most })
	default:
		if fit = described(s, fit); len(fit) == 0 {
			all := s.Understood().Skills[understand.Products] >= surely && says(said.Products)
			if !all {
				return nil
			}
			fit = slices.Clone(products)
		}
		return list(s, fit)
	}
	if of := described(s, fit); len(of) > 0 {
		fit = of
	}
	return list(s, fit)
}

// list is the decision to say which products there are.
func list(s *skill.State, fit []skill.Offered) *skill.Outcome {
	if len(fit) == 0 {
		return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Availability, s.Spoken().NoneOf)}
	}
	return toChoose(s, skill.Availability, fit[:min(len(fit), skill.MaxListed)])
}

// toChoose lists products to choose from; one is none to choose.
func toChoose(s *skill.State, intent string, fit []skill.Offered) *skill.Outcome {
	var lines, names []string
	for _, p := range fit {
		lines, names = append(lines, s.Priced(p)), append(names, p.Name)
	}
	if len(fit) == 1 {
		return &skill.Outcome{Reply: s.Reply(ai.Respond, intent, s.Spoken().Choice+"\n"+lines[0])}
	}
	return &skill.Outcome{
		Reply:   s.Reply(ai.Respond, intent, s.Spoken().Choice+"\n"+text.Numbered(lines)),
		Choices: conversation.Choices(names...),
	}
}

// described are those of the products whose names or descriptions have most of the message's telling words,
// and any.
func described(s *skill.State, products []skill.Offered) []skill.Offered {
	var best []skill.Offered
	most := 0
	said := language.Of(s.Language())
	generic := text.Phrases(s.Language(), strings.Join([]string{
		s.Phrasing().Have, s.Phrasing().Want, s.Phrasing().Order,
		said.Speech().Products, said.Talk().Pricing, said.Talk().Filler,
	}, ","))
	var telling []text.Token
	for _, t := range s.Reading.Tokens {
		if _, n := text.Find(generic, []text.Token{t}); !t.Stop && n == 0 && t.Kind == text.Word {
			telling = append(telling, t)
		}
	}
	for _, p := range products {
		has := map[string]bool{}
		for _, t := range text.Tokens(s.Language(), p.Name+" "+p.Description) {
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
			best, most = []skill.Offered{p}, n
		case n == most && n > 0:
			best = append(best, p)
		}
	}
	return best
}

// budget is what the message says that something may cost, and whether it says so.
func budget(s *skill.State, said *language.Speech) (least, most float64, ok bool) {
	const any = 1e12
	amount := func(list string) (float64, bool) {
		tokens := text.Tokens(s.Tongue(), s.Text)
		at, n := text.Find(text.Phrases(s.Tongue(), list), tokens)
		if n == 0 {
			return 0, false
		}
		for _, where := range []string{s.Text[tokens[at+n-1].End:], s.Text[:tokens[at].Start]} {
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
