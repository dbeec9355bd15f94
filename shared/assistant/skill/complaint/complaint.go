// Package complaint answers who is dissatisfied.
package complaint

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/understand"
)

// A Skill regrets, and hands over to a person, or offers one where it is less sure.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Name: "complaint", Settings: []string{"handoff_enabled", "handoff_message"}}
}

const (
	// least is the probability from which on a message complains.
	least = 0.65
	// perhaps is the probability from which on a statement is one where nothing else explains it.
	perhaps = 0.4
	// surely is the probability from which on a complaint is handed over at once, and from which on a
	// question is one.
	surely = 0.85
	// leastTold is how many words a complaint has at least; the engine knows those of one.
	leastTold = 2
	// answered is how sure an FAQ has to be of its answer for a message to be no complaint: "I forgot my
	// password :("
	answered = 0.8
	// leastAsks is the probability from which on a message is a question though it has no mark of one.
	leastAsks = 0.6
)

// Explain implements skill.Skill. "And a bell?" complains of nothing, and "Tell me a joke" is more probably
// nothing to an assistant of a business.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	p, acts := s.Learnt(understand.Complaint, perhaps), s.Understood().Acts
	asks := acts[understand.Asks] > acts[understand.Complains]
	switch {
	case asks && (s.Reading.Asks || acts[understand.Asks] >= leastAsks) && p < surely:
		return skill.Claim{}, nil
	case s.Reading.Asks && len(s.Reading.Tokens) <= skill.ShortAnswer && (s.Reading.GoesOn || p < surely):
		return skill.Claim{}, nil
	case p == 0, s.Learnt(understand.None, p) > 0, len(s.Reading.Tokens) < leastTold:
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

// regret says sorry, and brings in or offers a person.
func regret(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	switch {
	case !s.Agent.HandoffEnabled:
		said := s.Append(s.Spoken().Sorry, s.NobodyHere())
		return &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Complaint, said)}, nil
	case s.Learnt(understand.Complaint, surely) > 0:
		return s.HandOver(builtin.Complaint, conversation.HandoffComplaint), nil
	}
	return &skill.Outcome{
		Reply:  s.Reply(ai.Respond, builtin.Complaint, s.Append(s.Spoken().Sorry, s.Spoken().Offer)),
		Change: skill.Change{Asked: frame.ForPerson},
	}, nil
}
