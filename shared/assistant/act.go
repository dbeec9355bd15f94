package assistant

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
)

// act carries out what follows from the decision and from what is said: here alone the conversation and its
// contact change. The reply is nil where nobody replies; what a model wrote is changed to what is said then.
func (s *state) act(d *decision, reply *ai.Reply) {
	s.Conversation.Frame.Asked.Reply, s.Conversation.Frame.Asked.Again = "", d.again
	s.apply(s.whoeverAnswers())
	for _, outcome := range slices.Concat(d.passed, d.outcomes) {
		s.apply(outcome.Change)
	}
	if d.silence == HumanHandling { // no skill reads who the contact is
		s.Details = s.Introduced(s.conversationBefore.Frame.Asked.Reply == frame.ForContact)
	}
	s.learn(reply)
	s.updateContact()
	s.fill(reply)
	if reply != nil {
		s.complete(d, reply)
	}
	if s.handsOver != "" {
		s.Conversation.HandOver(s.handsOver) // last, for its summary to have all that was learnt
	} else if reply != nil {
		s.Conversation.Frame.Said.Replies++
	}
}

// whoeverAnswers is what a message changes whoever answers it.
func (s *state) whoeverAnswers() skill.Change {
	c := skill.Change{Urgent: s.Says(s.Agent.UrgentKeywords), OptOut: s.OptsOut()}
	if c.OptOut {
		c.LeaveFunnel()
	}
	return c
}

// complete has the reply say what goes with it: what follows where the agent does not know, an open question,
// the question how the contact can be reached, or an invitation.
func (s *state) complete(d *decision, reply *ai.Reply) {
	if d.guessed {
		d.declined = reply.Action == ai.Fallback || reply.Confidence < likely // is a guess
		s.apply(s.followModel(d, reply))
	}
	s.closing(reply)
	grave := reply.Intent == builtin.Complaint || reply.Intent == skill.Emergency
	reminder, _ := d.reminder()
	again := strings.HasSuffix(reply.Text, reminder)
	if reply.Action == ai.Respond && s.Reading.SmallTalk == "" && !grave && !again {
		reply.Text = s.Append(reply.Text, reminder)
	}
	switch {
	case d.pending() != "" && s.Conversation.Frame.Asked.Funnel.Funnel != 0 && s.handsOver == "":
		s.apply(s.askAgain(reply, d.pending()))
	case reminder == "": // one thing after the other
		s.apply(s.askForContact(reply))
		s.apply(s.invite(reply))
	}
	s.offer(d, reply)
}

// apply makes the change true of the conversation and the contact.
func (s *state) apply(c skill.Change) {
	talk := &s.Conversation
	if c.Details != nil {
		s.Details = *c.Details
	}
	c.Fill(&talk.Frame)
	s.handsOver = cmp.Or(s.handsOver, c.HandOver)
	if c.Urgent {
		talk.Priority = conversation.Urgent
	}
	if c.WaitsForPerson {
		talk.Status = conversation.WaitingBusiness
	}
	c.Becomes(&s.Contact)
	for name, value := range c.Facts {
		s.remember(name, value)
	}
}
