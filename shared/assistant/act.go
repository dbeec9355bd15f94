package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
)

// act carries out what follows from the decision and from what is said. The reply is nil where nobody replies; what a
// model wrote is changed to what is said then.
func (s *state) act(d *decision, reply *ai.Reply) {
	if s.says(s.agent.UrgentKeywords) {
		s.conversation.Priority = conversation.Urgent
	}
	if s.optsOut() {
		s.contact.OptedIn = false
		s.leaveFunnel()
	}
	s.learn()
	s.conversation.Asked = ""
	if d.then != nil {
		d.then(s)
	}
	s.updateContact()
	s.followTopic(reply)
	if reply == nil {
		return
	}
	if d.reply == nil {
		s.followModel(reply)
	}
	s.closing(reply)
	if reply.Action == ai.Respond && s.reading.SmallTalk == "" {
		reply.Text = s.append(reply.Text, s.reminder)
	}
	if s.pending != "" && s.conversation.Funnel.Funnel != 0 {
		s.askAgain(reply)
	} else {
		s.askForContact(reply)
		s.invite(reply)
	}
}
