// Package emergency helps who is in need.
package emergency

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
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
	// surely is the probability from which on a question is one of somebody in need, since an emergency is
	// told rather than asked.
	surely = 0.95
	// told is that for a question which tells something too: "I'm in terrible pain, can I come?"
	told = 0.8
	// leastHelp is how sure the knowledge has to be of what it has for somebody in need, who is better helped
	// by something that is near than by nothing. From likelyHelp on it goes before what the business says
	// about emergencies of any kind.
	leastHelp  = 0.25
	likelyHelp = 0.4
	// still is how probably what is told next belongs to the emergency that the conversation is about, and
	// answered how probably that which the business has an answer to.
	still    = 0.8
	answered = 0.4
	// asked is how probably a question that nothing explains is one of the emergency just spoken of,
	// "should I wait here?", and asks the probability from which on a message is a question.
	asked = 0.05
	asks  = 0.5
	// justSaid is how many replies back an emergency was spoken of just before.
	justSaid = 2
	// roomBeside is what is left of a reply for how to call, in characters.
	roomBeside = 120
)

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	p := s.InNeed()
	switch {
	case p > 0 && justUrgent(s) && !s.Reading.Asks:
		return skill.Claim{P: max(p, still), Act: stays}, nil
	case p == 0 && asksOn(s):
		return skill.Claim{P: asked, Act: answer}, nil
	case p == 0 && goesOn(s):
		known, err := s.Known(ctx)
		if err != nil || known.Action == ai.Respond {
			return skill.Claim{P: answered, Act: stays}, err
		}
		return skill.Claim{P: still, Act: stays}, nil
	}
	least := surely
	if s.Understood().Does(understand.Tells) && s.Reading.Intent != builtin.Pricing {
		least = told
	}
	if s.Reading.Asks && (s.Reading.GoesOn || p < least) {
		return skill.Claim{}, nil
	}
	if p > 0 && p < told {
		known, err := s.Known(ctx)
		if err != nil || known.FAQ && known.Action == ai.Respond {
			return skill.Claim{P: answered, Act: answer}, err
		}
	}
	return skill.Claim{P: p, Act: answer}, nil
}

// Call implements skill.Tool.
func (Skill) Call(ctx context.Context, s *skill.State, _ skill.Slots) (*skill.Outcome, error) {
	return answer(ctx, s)
}

// answer says what the business has for the message and how to call it, and offers a person.
func answer(ctx context.Context, s *skill.State) (*skill.Outcome, error) {
	known, err := helpFrom(ctx, s)
	if err != nil {
		return nil, err
	}
	said := s.Quoted(known).Text
	if said == "" || !justUrgent(s) {
		said = s.Append(s.Spoken().Urgent, said)
	}
	if s.Agent.PhoneNumber != "" {
		said = s.Append(said, text.Fill(s.Spoken().Call, s.Agent.PhoneNumber))
	}
	o := &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Emergency, said), Change: skill.Change{Urgent: true}}
	o.Reply.Sources, o.Reply.Subject = known.Sources, known.Subject
	if s.Agent.HandoffEnabled {
		o.Reply.Text = s.Append(o.Reply.Text, s.Spoken().Offer)
		o.Change.Asked = frame.ForPerson
	}
	return o, nil
}

// helpFrom is what the knowledge has for the message, the zero Reply for nothing: what is about it, be that
// written for emergencies or not, before what is for emergencies of any kind.
func helpFrom(ctx context.Context, s *skill.State) (ai.Reply, error) {
	request := s.Request()
	room := request.MaxLength - roomBeside
	general, specific := help(s, room)
	if specific {
		return general, nil
	}
	request.Least = leastHelp
	if before := s.GoneOnWith(); s.InNeed() == 0 && len(before) > 0 { // what the emergency was told with
		request.Message += "\n" + before[0]
	}
	known, err := s.Answers.Reply(ctx, request)
	switch {
	case err != nil:
		return ai.Reply{}, err
	case known.Action != ai.Respond, known.Subject == "",
		general.Text != "" && known.Confidence < likelyHelp:
		return general, nil
	}
	if general.Text != "" {
		known.Text = s.Append(known.Text, general.Text)
	}
	return known, nil
}

// goesOn reports whether the conversation is about something urgent, and the message may tell more of it.
func goesOn(s *skill.State) bool {
	return s.Conversation.Priority == conversation.Urgent && !inquires(s) && s.Reading.SmallTalk == "" &&
		len(s.Reading.Tokens) > 0
}

// asksOn reports whether the message asks something just after an emergency was spoken of.
func asksOn(s *skill.State) bool {
	return s.Conversation.Priority == conversation.Urgent && inquires(s) && justUrgent(s)
}

// inquires reports whether the message is a question, by its marks or by what was learnt.
func inquires(s *skill.State) bool {
	return s.Reading.Asks || s.Understood().Acts[understand.Asks] >= asks
}

// justUrgent reports whether one of the agent's last replies told somebody in need what to do.
func justUrgent(s *skill.State) bool {
	replies := 0
	for _, m := range slices.Backward(s.History) {
		if m.Direction != conversation.Outbound {
			continue
		}
		if replies++; replies > justSaid {
			break
		}
		if strings.HasPrefix(m.Content, s.Spoken().Urgent) {
			return true
		}
	}
	return false
}

// stays brings in a person for an emergency that goes on, and says what the business has for what is told now
// and again how to call.
func stays(ctx context.Context, s *skill.State) (*skill.Outcome, error) {
	o := &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Emergency, s.NobodyHere())}
	if s.Agent.HandoffEnabled {
		o = s.HandOver(skill.Emergency, conversation.HandoffRequested)
		if s.InNeed() > 0 {
			known, err := helpFrom(ctx, s)
			if err != nil {
				return nil, err
			}
			o.Reply.Text, o.Reply.Sources = s.Append(s.Quoted(known).Text, o.Reply.Text), known.Sources
		}
		if s.Agent.PhoneNumber != "" {
			o.Reply.Text = s.Append(o.Reply.Text, text.Fill(s.Spoken().Call, s.Agent.PhoneNumber))
		}
	}
	o.Change.Urgent = true
	return o, nil
}
