package assistant

import (
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/trigger"
)

// news is what the turn brings about that the agent's actions may wait for, but for the reply. What the message is about
// is known where somebody has replied to it.
func (s *state) news(inbound conversation.Message, reply *ai.Reply) trigger.News {
	news := s.contact.News()
	news.ConversationID, news.Channel = s.conversation.ID, string(s.conversation.Channel)
	before := &s.conversationBefore
	if s.conversationVersion == 0 {
		before = nil
	}
	news.Occurrences = conversation.Occurred(before, s.conversation)
	if s.contactVersion != 0 {
		news.Occurrences = append(news.Occurrences, contact.Occurred(s.contactBefore, s.contact)...)
	}
	news.Allowed = s.allowed()
	received := inbound.Occurred()
	if reply != nil && reply.Intent != "" {
		received.Triggers = append(received.Triggers, trigger.IntentDetected)
		received.Intent, received.Confidence = reply.Intent, &reply.Confidence
	}
	news.Occurrences = append(news.Occurrences, received)
	return news
}

// allowed are the actions that all procedures at work allow, nil for any.
func (s *state) allowed() []string {
	var names []string
	for _, p := range s.procedures() {
		switch {
		case len(p.AllowedActions) == 0:
		case names == nil:
			names = slices.Clone(p.AllowedActions)
		default:
			names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(p.AllowedActions, name) })
		}
	}
	return names
}
