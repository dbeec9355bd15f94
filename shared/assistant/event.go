package assistant

import (
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
)

// events are what the turn brings about, with the messages that it adds. What the message is about is known where
// somebody has replied to it.
func (s *state) events(inbound conversation.Message, outbound *conversation.Message, reply *ai.Reply) []event.Event {
	before := &s.conversationBefore
	if s.conversationVersion == 0 {
		before = nil
	}
	all := conversation.Events(before, s.conversation, s.now)
	if s.contactVersion != 0 {
		for _, e := range contact.Events(s.contactBefore, s.contact, s.now) {
			e.ConversationID, e.Channel = s.conversation.ID, string(s.conversation.Channel)
			all = append(all, e)
		}
	}
	received := s.conversation.MessageEvent(inbound)
	if reply != nil && reply.Intent != "" {
		received.Intent, received.Confidence = reply.Intent, &reply.Confidence
	}
	all = append(all, received)
	if outbound != nil {
		sent := s.conversation.MessageEvent(*outbound)
		sent.Action, sent.Intent, sent.Confidence = reply.Action, reply.Intent, &reply.Confidence
		sent.ContactPhone = s.contact.Phone
		all = append(all, sent)
	}
	allowed := s.allowed()
	for i := range all {
		all[i].Contact, all[i].Allowed = s.contact.ForConditions(), allowed
	}
	return all
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
