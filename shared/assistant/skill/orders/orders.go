// Package orders takes down which order somebody asks about, for a person to look it up.
package orders

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill takes up a question about an order that was made: it says what the business wrote about that, asks
// for the number, and passes the question on. How far an order has come is not known here. A language model
// answers by itself.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Beside: true, Name: "orders", Includes: []string{"knowledge"}, Settings: []string{"handoff_enabled"},
	}
}

const (
	// least is the probability from which on a message is about an order.
	least    = 0.6
	numbered = 0.35
	// sure is that of the answer to the question for the number, and most bounds what was learnt.
	sure = 0.975
	most = 0.95
	// found is how sure the knowledge has to be of what it says beside the question.
	found = 0.5
)

// numberFact is the name of the contact's fact that holds the number of its order.
const numberFact = "order_number"

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	if !s.Agent.HandoffEnabled {
		return skill.Claim{}, nil
	}
	p := s.Learnt(understand.Orders, numbered)
	number := numberIn(s)
	concepts := s.Understood().Concepts
	named := slices.Contains(concepts, "order") || slices.Contains(concepts, "parcel")
	switch {
	case asked(s) && (number != "" || tells(s)), number != "" && named && !s.Reading.Asks:
		return skill.Claims(sure, passedOn(s, number)), nil
	case number != "" && (p > 0 || named):
		return skill.Claims(min(max(p, least), most), passedOn(s, number)), nil
	case p >= least:
		return unlessAnswered(ctx, s, min(p, most))
	}
	return skill.Claim{}, nil
}

// unlessAnswered claims a message about an order that names none, unless an FAQ of the business asks the
// same: what it says is then all that is wanted.
func unlessAnswered(ctx context.Context, s *skill.State, p float64) (skill.Claim, error) {
	known, err := s.Known(ctx)
	if err != nil || known.FAQ && known.Confidence >= found {
		return skill.Claim{}, err
	}
	return skill.Claim{P: p, Act: func(context.Context, *skill.State) (*skill.Outcome, error) {
		return ask(s, known), nil
	}}, nil
}

// passedOn has a person look up the order of a number, or the one that the message tells of.
func passedOn(s *skill.State, number string) *skill.Outcome {
	words := s.Replies()
	if s.Foreign(s.Text) != "" {
		words = s.Spoken()
	}
	details := s.Introduced(number != "" && !s.Reading.Asks)
	o := &skill.Outcome{
		Reply:  s.Reply(ai.Respond, skill.Order, words.OrderPassed),
		Change: skill.Change{WaitsForPerson: true, Details: &details},
	}
	if number != "" {
		o.Change.Remember(numberFact, number)
	}
	return o
}

// ask says what the business wrote of what the message asks, and asks for the order's number.
func ask(s *skill.State, known ai.Reply) *skill.Outcome {
	change := skill.Change{Asked: frame.ForOrder}
	if known.Action == ai.Fallback || known.Confidence < found {
		reply := s.Reply(ai.Respond, builtin.Question, s.Spoken().AskOrder)
		return &skill.Outcome{Reply: reply, Change: change}
	}
	reply := s.Quoted(known)
	reply.Text = s.Append(reply.Text, s.Spoken().AskOrder)
	return &skill.Outcome{Reply: &reply, Change: change}
}

// asked reports whether the number of an order was asked for.
func asked(s *skill.State) bool { return s.Conversation.Frame.Asked.Reply == frame.ForOrder }

// tells reports whether the message tells something of the order, whatever that is.
func tells(s *skill.State) bool {
	return !s.Reading.Asks && s.Reading.SmallTalk == "" && s.Reading.Intent == builtin.Question &&
		!s.Refuses() && s.Understood().Acts[understand.Asks] < least &&
		(s.Learnt(understand.Orders, numbered) > 0 || s.Understood().Does(understand.Tells))
}

// Digits that the number of an order has at least and at most.
const (
	fewestDigits = 3
	mostDigits   = 14
)

// numberIn is the number of an order that the message names, with the letters that it is written with; "" for
// none. A phone number, an amount and a time are none.
func numberIn(s *skill.State) string {
	if s.Details.Phone != "" || !strings.ContainsFunc(s.Text, unicode.IsDigit) {
		return ""
	}
	said := when.Parse(s.Language(), s.Text, s.Now).Said
	for _, t := range s.Reading.Tokens {
		word := s.Text[t.Start:t.End]
		digits := 0
		for _, r := range word {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		timed := slices.ContainsFunc(said, func(r when.Range) bool {
			return t.Start < r.End && r.Start < t.End
		})
		number := fewestDigits <= digits && digits <= mostDigits && t.Kind != text.Email
		if number && !timed && !amount(s.Text, t) {
			return word
		}
	}
	return ""
}

// amount reports whether a sign of a currency stands beside a token.
func amount(message string, t text.Token) bool {
	before, behind := strings.TrimSpace(message[:t.Start]), strings.TrimSpace(message[t.End:])
	sign := func(r rune) bool { return unicode.Is(unicode.Sc, r) }
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.IndexFunc(behind, sign) == 0 || sign(last)
}
