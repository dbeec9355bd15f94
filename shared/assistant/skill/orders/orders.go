// Package orders records which order somebody asks about, so that a person can look it up.
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
	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill handles questions about an existing order. Its status is unknown to the agent, so it quotes what
// the business says about orders, asks for the number, and passes the question on. Language models answer
// by themselves.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Beside: true, Name: "orders", Includes: []string{"knowledge"}, Settings: []string{"handoff_enabled"},
	}
}

const (
	// least is the minimum probability that a message is about an order.
	least    = 0.6
	numbered = 0.35
	// sure is the probability of an answer to the question for the number, and most the maximum by the
	// classifier.
	sure = 0.975
	most = 0.95
	// more is the probability that a statement after an order was passed on describes it further.
	more = 0.85
	// found is the minimum confidence of an answer from the knowledge.
	found = 0.5
)

// numberFact is the name of the fact with the number of the contact's order.
const numberFact = "order_number"

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	if !s.Agent.HandoffEnabled {
		return skill.Claim{}, nil
	}
	p := s.Learnt(understand.Orders, numbered)
	number := numberIn(s)
	named := slices.ContainsFunc(s.Understood().Concepts, ofOrder)
	switch {
	case asked(s) && (number != "" || describes(s)), justPassedOn(s) && number != "",
		number != "" && !s.Reading.Asks && (named || spokenOf(s)):
		return skill.Claims(sure, passedOn(s, number)), nil
	case number != "" && (p > 0 || named):
		return skill.Claims(min(max(p, least), most), passedOn(s, number)), nil
	case justPassedOn(s) && tells(s):
		return skill.Claims(more, passedOn(s, "")), nil
	case p >= least:
		return unlessAnswered(ctx, s, min(p, most))
	}
	return skill.Claim{}, nil
}

// unlessAnswered claims a message about an unnamed order, unless an FAQ answers it completely.
func unlessAnswered(ctx context.Context, s *skill.State, p float64) (skill.Claim, error) {
	known, err := s.Known(ctx)
	if err != nil || known.FAQ && known.Confidence >= found {
		return skill.Claim{}, err
	}
	return skill.Claim{P: p, Act: func(context.Context, *skill.State) (*skill.Outcome, error) {
		return ask(s, known), nil
	}}, nil
}

// passedOn passes an order on to a person, by number or as described in the message.
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

// ask quotes what the business says about the message, and asks for the order's number.
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

// justPassedOn reports whether the agent's last message was that a person looks the order up.
func justPassedOn(s *skill.State) bool {
	last := s.LastReply()
	return strings.Contains(last, s.Replies().OrderPassed) || strings.Contains(last, s.Spoken().OrderPassed)
}

// spokenOf reports whether an order or a parcel was named in the contact's message before this one or in the
// agent's reply to it.
func spokenOf(s *skill.State) bool {
	last := s.History[max(0, len(s.History)-2):]
	return slices.ContainsFunc(last, func(m conversation.Message) bool {
		return slices.ContainsFunc(concept.Names(s.Tongue(), m.Content), ofOrder)
	})
}

func ofOrder(name string) bool { return name == "order" || name == "parcel" }

// describes reports whether the message tells something that may describe an order.
func describes(s *skill.State) bool {
	return tells(s) && (s.Learnt(understand.Orders, numbered) > 0 || s.Understood().Does(understand.Tells))
}

// tells reports whether the message is neither a question nor a courtesy, a refusal or another wish.
func tells(s *skill.State) bool {
	return !s.Reading.Asks && s.Reading.SmallTalk == "" && s.Reading.Intent == builtin.Question &&
		!s.Refuses() && s.Understood().Acts[understand.Asks] < least
}

// Minimum and maximum number of digits in the number of an order.
const (
	fewestDigits = 3
	mostDigits   = 14
)

// numberIn returns the number of an order in the message, including its letters, or "". Phone numbers,
// amounts and times do not count.
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

// amount reports whether a currency sign is next to a token.
func amount(message string, t text.Token) bool {
	before, behind := strings.TrimSpace(message[:t.Start]), strings.TrimSpace(message[t.End:])
	sign := func(r rune) bool { return unicode.Is(unicode.Sc, r) }
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.IndexFunc(behind, sign) == 0 || sign(last)
}
