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

// readChoice takes a message that chooses one of the answers that the agent offered for what the answer says:
// by its button, of whichever message that is, or in words or by number the ones that were offered last. A
// button is stored with the whole of its label, of which platforms show the beginning.
// What answers a clarifying question is read as the reading that it chooses, and what the knowledge has on
// that is looked up.
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
		m.Text = chosen.Label // which is stored; what it says is read already
		return nil
	}
	s.read(chosen.Value)
	if s.Conversation.Frame.Asked.Reply == frame.ForMeaning {
		return s.search(ctx, s.Question(), numbers)
	}
	return nil
}

// offer finds the answers that the reply offers: those of the skill that acted last, of the reminder that was
// added to it, or yes and no to a question of the turn's own.
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

// list adds the answers to a reply of a language model, which may word the question without them: the text is
// complete without buttons. Yes and no need no list. Where there is no room nothing is offered.
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

// lastChoices are those that the last of outcomes to offer any has.
func lastChoices(outcomes []*skill.Outcome) []conversation.Choice {
	var choices []conversation.Choice
	for _, o := range outcomes {
		if o.Choices != nil {
			choices = o.Choices
		}
	}
	return choices
}
