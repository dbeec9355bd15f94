package assistant

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/text"
)

// readChoice recognises a message that selects one of the offered choices: by a button, of any message, or
// in words or by number one of the latest choices. The message is then read as the value of the choice. A
// button is stored with its whole label, of which platforms show only the beginning.
//
// The answer to a clarifying question is read as the chosen reading, and the knowledge is searched for
// that.
func (s *state) readChoice(ctx context.Context, numbers map[string]int64) error {
	m := &s.message
	chosen, ok := conversation.Pressed(s.History, m.Choice)
	pressed := ok && m.Choice != ""
	if !pressed {
		offered := conversation.Offered(s.History)
		if chosen, ok = conversation.Chosen(offered, m.Text); !ok {
			chosen, ok = s.Meant(offered)
		}
	}
	if !ok {
		return nil
	}
	s.chose = true
	if len(m.Parts) == 1 && pressed {
		m.Parts = slices.Clone(m.Parts)
		m.Parts[0].Content = chosen.Label
	}
	if chosen.Value == m.Text {
		m.Text = chosen.Label // stored; what it says was read already
		return nil
	}
	s.read(chosen.Value)
	if s.Conversation.Frame.Asked.Reply == frame.ForMeaning {
		return s.search(ctx, s.Question(), s.Foreign(s.Text), numbers)
	}
	return nil
}

// offer sets the choices and cards of the reply: the choices of the skill that acted last, of the appended
// reminder, or yes and no for a question of the turn itself.
func (s *state) offer(d *decision, reply *ai.Reply) {
	s.offered = lastChoices(d.outcomes)
	for _, o := range d.outcomes {
		s.cards = append(s.cards, o.Cards...)
	}
	asks := strings.HasSuffix(strings.TrimSpace(reply.Text), "?") ||
		strings.HasSuffix(strings.TrimSpace(reply.Text), "؟")
	asked := s.Conversation.Frame.Asked.Reply
	switch reminder, choices := d.reminder(); {
	case reminder != "" && strings.HasSuffix(reply.Text, reminder):
		s.offered = choices
	case asks && (asked == frame.ForPerson || asked == frame.ForAppointment):
		s.offered = conversation.YesNo(s.Tongue())
	}
	if s.ByModel {
		s.list(reply)
	}
}

// list appends the choices to the reply of a language model that does not mention them, so that the text is
// complete without buttons. Yes and no are not listed. If the list does not fit, nothing is offered.
func (s *state) list(reply *ai.Reply) {
	yesOrNo := slices.Equal(s.offered, conversation.YesNo(s.Tongue()))
	var labels []string
	told := true
	for _, c := range s.offered {
		labels = append(labels, c.Label)
		told = told && (strings.Contains(reply.Text, c.Label) || strings.Contains(reply.Text, c.Value))
	}
	if told || yesOrNo {
		return
	}
	both := reply.Text + "\n" + text.Numbered(labels)
	if s.Fit(both) != both {
		s.offered = nil
		return
	}
	reply.Text = both
}

// lastChoices returns the choices of the last outcome that has any, or nil.
func lastChoices(outcomes []*skill.Outcome) []conversation.Choice {
	var choices []conversation.Choice
	for _, o := range outcomes {
		if o.Choices != nil {
			choices = o.Choices
		}
	}
	return choices
}
