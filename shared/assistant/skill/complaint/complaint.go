// Package complaint handles complaints.
package complaint

import (
	"context"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/understand"
)

// A Skill apologises and hands over to a person, or offers one if it is less sure.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Name: "complaint", Settings: []string{"handoff_enabled", "handoff_message"}}
}

const (
	// least is the minimum probability of a complaint.
	least = 0.65
	// perhaps is the minimum for a statement that no other skill claims.
	perhaps = 0.4
	// surely is the minimum for handing over at once, after which the agent no longer answers, and surest
	// the minimum for a question to be a complaint.
	surely = 0.9
	surest = 0.95
	// leastTold is the minimum number of words; the engine recognises complaints of one word.
	leastTold = 2
	// answered is the confidence of an FAQ's answer from which a message is no complaint: "I forgot my
	// password :("
	answered = 0.8
	// leastAsks is the minimum probability of a question without a question mark.
	leastAsks = 0.6
)

// Explain implements skill.Skill. "And a bell?" is no complaint, and "Tell me a joke" is rather small talk.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	p := s.Learnt(understand.Complaint, perhaps)
	switch {
	case p == 0, p < least && p < s.Understood().Best().P, len(s.Reading.Tokens) < leastTold:
		return skill.Claim{}, nil
	case s.Reading.Asks && len(s.Reading.Tokens) <= skill.ShortAnswer, inquires(s) && p < surest:
		return skill.Claim{}, nil
	case p < least:
		p = perhaps
	}
	known, err := s.Known(ctx)
	if known.FAQ && known.Action == ai.Respond && known.Confidence >= answered {
		p = perhaps
	}
	return skill.Claim{P: p, Act: regret}, err
}

// inquires reports whether the message asks something, by a question mark or more probably than it
// complains. Repeated marks ask nothing: "30 euros for nothing??"
func inquires(s *skill.State) bool {
	acts := s.Understood().Acts
	asks := acts[understand.Asks]
	if asks >= leastAsks && asks > acts[understand.Complains] {
		return true
	}
	return s.Reading.Asks && !strings.Contains(s.Text, "??") && !strings.Contains(s.Text, "?!")
}

// regret apologises, and hands over to a person or offers one.
func regret(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	switch {
	case !s.Agent.HandoffEnabled:
		said := s.Append(s.Spoken().Sorry, s.NobodyHere())
		return &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Complaint, said)}, nil
	case s.Learnt(understand.Complaint, surely) > 0 && !s.Reading.Asks:
		return s.HandOver(builtin.Complaint, conversation.HandoffComplaint), nil
	}
	return &skill.Outcome{
		Reply:  s.Reply(ai.Respond, builtin.Complaint, s.Append(s.Spoken().Sorry, s.Spoken().Offer)),
		Change: skill.Change{Asked: frame.ForPerson},
	}, nil
}
