// Package leads records who contacts are, how to reach them, and what they need.
package leads

import (
	"cmp"
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill handles messages that only introduce their author, refusals to do so, and answers to the
// business's qualifying questions.
type Skill struct{}

// Name is the name of the skill.
const Name = "take_details"

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Beside: true,
		Name:   Name,
		Does: "Notes who the person is and how to reach them, when they say so and it is not for an " +
			"appointment.",
		Slots: []skill.Slot{
			{Name: "name", Type: skill.Text, About: "The person's name."},
			{Name: "email", Type: skill.Text, About: "Their e-mail address."},
			{Name: "phone", Type: skill.Text, About: "Their phone number."},
		},
		Settings: []string{
			"lead_capture_enabled",
			"booking_enabled",
			"memory_enabled",
			"qualifying_questions",
		},
		ByRule: true,
	}
}

// sure is the probability of a message with nothing but details.
const sure = 0.972

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	dated := !when.Parse(s.Language(), s.Text, s.Now).Empty()
	if s.Agent.BookingEnabled && dated || s.ByModel && s.Conversation.Frame.Asked.Appointment != "" {
		return skill.Claim{}, nil // details are for an appointment, or a model decides what they are for
	}
	claim := func(words string, change skill.Change) (skill.Claim, error) {
		return skill.Claims(sure, say(s, words, change)), nil
	}
	if refuses(s) {
		return claim(s.Replies().AllRight, skill.Change{Keeps: true})
	}
	d, tells := told(s)
	switch {
	case tells && qualifies(s):
		return claim(
			s.Append(thanks(s, d), s.Agent.QualifyingQuestions),
			skill.Change{Details: &d, Asked: frame.ForNeeds},
		)
	case tells:
		return claim(thanks(s, d), skill.Change{Details: &d})
	case !answersNeeds(s):
		return skill.Claim{}, nil
	case s.Refuses():
		return claim(s.Replies().AllRight, skill.Change{})
	}
	var c skill.Change
	c.Remember(needs, s.Text)
	return claim(s.Replies().Thanks, c)
}

// Call implements skill.Tool.
func (Skill) Call(_ context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	d, err := s.Given(slots)
	if err != nil {
		return nil, err
	}
	return say(s, thanks(s, d), skill.Change{Details: &d}), nil
}

// say returns an outcome with a text and a change.
func say(s *skill.State, words string, change skill.Change) *skill.Outcome {
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Introduces, words), Change: change}
}

// thanks returns the text after details were given, with the name if it is known.
func thanks(s *skill.State, d skill.Details) string {
	if name := cmp.Or(s.Contact.Name, d.Name); name != "" {
		return text.Fill(s.Replies().ThanksYou, name)
	}
	return s.Replies().Thanks
}

// refuses reports whether the message refuses to give contact details.
func refuses(s *skill.State) bool {
	return s.Conversation.Frame.Asked.Reply == frame.ForContact && s.Details.Identity == skill.Identity{} &&
		(s.Refuses() || s.Understood().Does(understand.Refuses) || beginsNo(s))
}

// beginsNo reports whether the message begins with a no and asks nothing.
func beginsNo(s *skill.State) bool {
	at, n := s.Find(s.Phrasing().No)
	return n > 0 && at == 0 && !s.Reading.Asks
}

// told returns the details in the message, and whether it says nothing else.
func told(s *skill.State) (skill.Details, bool) {
	asked := s.Conversation.Frame.Asked.Reply == frame.ForContact
	d := s.Introduced(asked) // "Sure: Ada Lovelace, ada@example.com"
	tells := d.Identity != skill.Identity{} && (!d.Local || asked) || d.Preference != ""
	wants := !asked && s.Learnt(understand.Person, wantsPerson) > 0 // "have the boss call me, 07700 900123"
	return d, tells && d.Rest == 0 && !s.Reading.Asks && !wants
}

// wantsPerson is the minimum probability that somebody who gives contact details wants to be called by a
// person.
const wantsPerson = 0.7

// needs is the name of the fact with the answer to the qualifying questions.
const needs = "needs"

// qualifies reports whether to ask the qualifying questions after a contact introduced itself: once, and
// only if the agent collects leads. Default questions of an industry are not asked. A language model is
// instructed to ask by itself.
func qualifies(s *skill.State) bool {
	a := s.Agent
	return a.QualifyingQuestions != "" && !a.AssumedQuestions && a.LeadCaptureEnabled &&
		a.ConversionMode == agent.ConvertLead && !s.ByModel && s.Contact.Facts[needs] == ""
}

// answersNeeds reports whether the message answers the qualifying questions and is no question itself.
func answersNeeds(s *skill.State) bool {
	return s.Conversation.Frame.Asked.Reply == frame.ForNeeds && !s.Reading.Asks && s.Reading.SmallTalk == ""
}
