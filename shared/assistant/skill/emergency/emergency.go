// Package emergency helps who is in need.
package emergency

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A Skill says first what the business has for such a case, then how to call it, and offers a person.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Name: "emergency",
		Does: "Marks the conversation as urgent, and says what the business has for somebody in danger " +
			"or in great need.",

		Settings: []string{"phone_number", "handoff_enabled"},
		Includes: []string{"knowledge"},
	}
}

const (
	// least is the probability from which on a message is one of somebody in need.
	least = 0.65
	// surely is that of a question, since an emergency is told rather than asked.
	surely = 0.8
	// leastHelp is how sure the knowledge has to be of what it has for somebody in need, who is better helped
	// by something that is near than by nothing.
	leastHelp = 0.25
	// still is how probably what nothing else explains belongs to the emergency that the conversation is
	// about.
	still = 0.4
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (float64, error) {
	p := s.Learnt(understand.Emergency, least)
	if p == 0 && goesOn(s) {
		return still, nil
	}
	if s.Reading.Asks && (s.Reading.GoesOn || p < surely) {
		return 0, nil
	}
	return p, nil
}

// Act implements skill.Skill.
func (Skill) Act(ctx context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	if slots == nil && s.Learnt(understand.Emergency, least) == 0 {
		return stays(s), nil
	}
	request := s.Request()
	request.Least = leastHelp
	known, err := s.Answers.Reply(ctx, request)
	if err != nil {
		return nil, err
	}
	said := s.Spoken().Urgent
	if known.Action == ai.Respond {
		said = s.Append(said, s.Quoted(known).Text)
	}
	if s.Agent.PhoneNumber != "" {
		said = s.Append(said, text.Fill(s.Spoken().Call, s.Agent.PhoneNumber))
	}
	o := &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Emergency, said), Change: skill.Change{Urgent: true}}
	o.Reply.Sources, o.Reply.Subject = known.Sources, known.Subject
	if s.Agent.HandoffEnabled {
		o.Reply.Text = s.Append(o.Reply.Text, s.Spoken().Offer)
		o.Change.Asked = conversation.AskedForPerson
	}
	return o, nil
}

// goesOn reports whether the conversation is about something urgent, and the message may tell more of it.
func goesOn(s *skill.State) bool {
	return s.Conversation.Priority == conversation.Urgent && !s.Reading.Asks && s.Reading.SmallTalk == "" &&
		len(s.Reading.Tokens) > 0
}

// stays brings in a person for an emergency that goes on, and says again how to call.
func stays(s *skill.State) *skill.Outcome {
	o := &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Emergency, s.NobodyHere())}
	if s.Agent.HandoffEnabled {
		o = s.HandOver(skill.Emergency, conversation.HandoffRequested)
		if s.Agent.PhoneNumber != "" {
			o.Reply.Text = s.Append(o.Reply.Text, text.Fill(s.Spoken().Call, s.Agent.PhoneNumber))
		}
	}
	o.Change.Urgent = true
	return o
}
