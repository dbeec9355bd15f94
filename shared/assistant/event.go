package assistant

import (
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
	for _, p := range s.procedures() {
		if len(p.AllowedActions) > 0 {
			news.Allowed = append(news.Allowed, p.AllowedActions)
		}
	}
	received := inbound.Occurred()
	if reply != nil && reply.Intent != "" {
		received.Triggers = append(received.Triggers, trigger.IntentDetected)
		received.Intent, received.Confidence = reply.Intent, &reply.Confidence
	}
	news.Occurrences = append(news.Occurrences, received)
	return news
}
