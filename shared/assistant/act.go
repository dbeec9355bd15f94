package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
)

// act carries out what follows from the decision and from what is said. The reply is nil where nobody
// replies; what a model wrote is changed to what is said then.
func (s *state) act(d *decision, reply *ai.Reply) {
	if s.Says(s.Agent.UrgentKeywords) {
		s.Conversation.Priority = conversation.Urgent
	}
	if s.OptsOut() {
		s.Contact.OptedIn = false
		s.Conversation.Funnel = conversation.InFunnel{}
	}
	s.Conversation.Asked = ""
	for _, change := range d.passed {
		s.apply(change)
	}
	for _, outcome := range d.outcomes {
		s.apply(outcome.Change)
	}
	if d.silence == HumanHandling { // no skill reads who the contact is
		s.Details = s.Introduced(s.conversationBefore.Asked == conversation.AskedForContact)
	}
	s.learn(reply)
	s.updateContact()
	s.followTopic(reply)
	if reply == nil {
		return
	}
	if d.guessed {
		s.followModel(reply)
	}
	s.closing(reply)
	if reply.Action == ai.Respond && s.Reading.SmallTalk == "" {
		reply.Text = s.Append(reply.Text, s.Reminder)
	}
	if s.pending != "" && s.Conversation.Funnel.Funnel != 0 {
		s.askAgain(reply)
	} else {
		s.askForContact(reply)
		s.invite(reply)
	}
	s.offer(d, reply)
	s.summarise()
}
