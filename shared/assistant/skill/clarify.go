package skill

import (
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// Clarify asks which of one or two readings the contact means. The label of a reading is in the business's
// words; its value is a message that is read in place of the answer. It returns nil if asking does not
// help: right after such a question, while another question is open, for a contact who writes in another
// language than the business, for a language model, and if the question does not fit the agent's maximum
// length.
func (s *State) Clarify(intent string, readings ...conversation.Choice) *Outcome {
	asked := s.Conversation.Frame.Asked
	arranging := asked.Appointment.Open()
	if len(readings) == 0 || s.ByModel || s.Foreign(s.Text) != "" ||
		arranging || asked.Funnel.Funnel != 0 || asked.Reply == frame.ForMeaning {
		return nil
	}
	words := text.Fill(s.Wording().Mean, readings[0].Label)
	if len(readings) > 1 {
		readings = readings[:2]
		words = text.Fill(s.Wording().MeanEither, readings[0].Label, readings[1].Label)
	} else {
		yesNo := conversation.YesNo(s.Language())
		yesNo[0].Value = readings[0].Value
		readings = yesNo
	}
	if s.Fit(words) != words {
		return nil
	}
	return &Outcome{
		Reply: s.Reply(ai.Respond, intent, words), Choices: readings, Change: Change{Asked: frame.ForMeaning},
	}
}

// Meant returns the reading that the message chooses in answer to a clarifying question: by its position
// ("the first one"), by a yes to a single reading, or by a word that only one of the choices has.
func (s *State) Meant(choices []conversation.Choice) (conversation.Choice, bool) {
	if s.Conversation.Frame.Asked.Reply != frame.ForMeaning || len(choices) < 2 {
		return conversation.Choice{}, false
	}
	one := choices[0].Value != choices[0].Label && choices[1].Value == choices[1].Label // a yes or no
	if one {
		return choices[0], s.Agrees()
	}
	words := language.Of(s.Language()).Bookings()
	for i, ordinal := range strings.Split(words.Ordinals, ";") {
		if i < len(choices) && s.Says(ordinal) {
			return choices[i], true
		}
	}
	if s.Says(words.Last) {
		return choices[len(choices)-1], true
	}
	var named []conversation.Choice
	for i, c := range choices {
		others := slices.Delete(slices.Clone(choices), i, i+1)
		if s.namesAlone(c, others) {
			named = append(named, c)
		}
	}
	if len(named) != 1 || len(s.Reading.Tokens) > ShortAnswer {
		return conversation.Choice{}, false
	}
	return named[0], true
}

// namesAlone reports whether a significant word of the message is in a choice and in none of the others.
func (s *State) namesAlone(c conversation.Choice, others []conversation.Choice) bool {
	has := func(c conversation.Choice, stem string) bool {
		tokens := text.Tokens(s.Language(), c.Label)
		return slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Stem == stem })
	}
	return slices.ContainsFunc(s.Reading.Tokens, func(t text.Token) bool {
		return !t.Stop && has(c, t.Stem) &&
			!slices.ContainsFunc(others, func(o conversation.Choice) bool { return has(o, t.Stem) })
	})
}
