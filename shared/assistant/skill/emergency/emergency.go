// Package emergency helps people in danger or great need.
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
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill quotes what the business says about such a case, then how to call it, and offers a person.
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
	// surely is the minimum probability for a question, since an emergency is reported rather than asked
	// about.
	surely = 0.95
	// told is the minimum for a question that also reports something: "I'm in terrible pain, can I come?"
	told = 0.8
	// first is the probability of a certain emergency, which comes before a wish for an appointment.
	first = 0.99
	// leastHelp is the minimum confidence of an answer from the knowledge, which is low because a related
	// answer is better than none. From likelyHelp on the answer comes before what the business says about
	// emergencies in general.
	leastHelp  = 0.25
	likelyHelp = 0.4
	// still is the probability that the next message belongs to the emergency, and answered the probability
	// if the business has an answer to it.
	still    = 0.8
	answered = 0.4
	// asked is the probability that an otherwise unexplained question belongs to the emergency just
	// mentioned, such as "should I wait here?", and asks the minimum probability of a question.
	asked = 0.05
	asks  = 0.5
	// perhapsNeed is the minimum probability that an apparent question is about the emergency, unless it is
	// a question with surelyAsks.
	perhapsNeed = 0.3
	surelyAsks  = 0.7
	// chats is the minimum probability of small talk after an emergency.
	chats = 0.5
	// justSaid is the number of replies in which an emergency is still current.
	justSaid = 2
	// roomBeside is the space that is reserved in a reply for how to call, in characters.
	roomBeside = 120
)

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	p := s.InNeed()
	switch {
	case p > 0 && justUrgent(s) && !s.Reading.Asks:
		return skill.Claim{P: max(p, still), Act: stays}, nil
	case comesNow(s):
		return skill.Claim{P: first, Act: stays}, nil
	case p == 0 && asksOn(s):
		return skill.Claim{P: asked, Act: answer}, nil
	case p == 0 && goesOn(s):
		known, err := s.Known(ctx)
		if err != nil || known.Action == ai.Respond {
			return skill.Claim{P: answered, Act: stays}, err
		}
		return skill.Claim{P: still, Act: stays}, nil
	}
	if p == 0 || s.Reading.Asks && onlyAsks(s, p) {
		return skill.Claim{}, nil
	}
	if p < told {
		known, err := s.Known(ctx)
		if err != nil || known.FAQ && known.Action == ai.Respond {
			return skill.Claim{P: answered, Act: answer}, err
		}
	}
	if p >= surely && !s.Reading.Asks {
		p = max(p, first)
	}
	return skill.Claim{P: p, Act: answer}, nil
}

// leastOf returns the minimum probability for the message, if it is a question.
func leastOf(s *skill.State) float64 {
	if s.Understood().Does(understand.Tells) && s.Reading.Intent != builtin.Pricing {
		return told
	}
	return surely
}

// onlyAsks reports whether a question with a probability of an emergency rather asks than reports something:
// "And at night?", or, as the knowledge may answer it, "Do you do roofs too? I need one looked at".
func onlyAsks(s *skill.State, p float64) bool {
	u := s.Understood()
	asksElse := u.Skills[understand.Knowledge] >= asks && u.Acts[understand.Tells] < told
	return s.Reading.GoesOn || p < leastOf(s) || asksElse
}

// Call implements skill.Tool.
func (Skill) Call(ctx context.Context, s *skill.State, _ skill.Slots) (*skill.Outcome, error) {
	return answer(ctx, s)
}

// answer quotes what the business says about the message and how to call it, and offers a person.
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

// helpFrom returns what the knowledge has for the message, the zero Reply for nothing. What matches the
// message comes before what is for emergencies in general.
func helpFrom(ctx context.Context, s *skill.State) (ai.Reply, error) {
	request := s.Request()
	room := request.MaxLength - roomBeside
	general, specific := help(s, room)
	if specific {
		return general, nil
	}
	request.Least = leastHelp
	if before := s.GoneOnWith(); s.InNeed() == 0 && len(before) > 0 { // what reported it
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

// goesOn reports whether an emergency was just mentioned, and the message may continue it.
func goesOn(s *skill.State) bool {
	return s.Conversation.Priority == conversation.Urgent && justUrgent(s) && !inquires(s) &&
		s.Reading.SmallTalk == "" && s.Learnt(understand.SmallTalk, chats) == 0 && len(s.Reading.Tokens) > 0
}

// asksOn reports whether the message asks something right after an emergency.
func asksOn(s *skill.State) bool {
	return s.Conversation.Priority == conversation.Urgent && inquires(s) && justUrgent(s)
}

// comesNow reports whether the message wants somebody to come right after an emergency, and names no time:
// "can't he just come to you first", "can somebody come asap". A colleague decides that.
func comesNow(s *skill.State) bool {
	if s.InNeed() > 0 || s.Conversation.Priority != conversation.Urgent || !justUrgent(s) {
		return false
	}
	tag := s.Tongue()
	_, n := text.Find(text.Phrases(tag, language.Of(tag).Speech().Come), text.Tokens(tag, s.Text))
	if wish := when.Parse(tag, s.Text, s.Now); !wish.Empty() && (!wish.Soonest || wish.HasClock()) {
		return false
	}
	return n > 0 || s.Learnt(understand.Book, asks) > 0
}

// inquires reports whether the message is a question, by its marks or by the classifier.
func inquires(s *skill.State) bool {
	u := s.Understood()
	p := u.Acts[understand.Asks]
	return s.Reading.Asks || p >= surelyAsks || p >= asks && u.Skills[understand.Emergency] < perhapsNeed
}

// justUrgent reports whether one of the agent's latest replies was about an emergency.
func justUrgent(s *skill.State) bool {
	return slices.ContainsFunc(s.LastReplies(justSaid), func(reply string) bool {
		return strings.HasPrefix(reply, s.Spoken().Urgent)
	})
}

// stays hands a continuing emergency over to a person, and quotes what the business says about the message
// and how to call it.
func stays(ctx context.Context, s *skill.State) (*skill.Outcome, error) {
	o := &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Emergency, s.NobodyHere())}
	if s.Agent.HandoffEnabled {
		o = s.HandOver(skill.Emergency, conversation.HandoffRequested)
		if s.InNeed() > 0 || comesNow(s) {
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
