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

// act applies the decision and the reply. The conversation and its contact change only here. The reply is
// nil if there is none; its text may be changed.
func (s *state) act(d *decision, reply *ai.Reply) {
	s.Conversation.Frame.Asked.Reply, s.Conversation.Frame.Asked.Again = "", d.again
	s.apply(s.messageChange())
	for _, outcome := range slices.Concat(d.passed, d.outcomes) {
		s.apply(outcome.Change)
	}
	if d.silence == HumanHandling { // no skill has read the contact's details
		s.Details = s.Introduced(s.conversationBefore.Frame.Asked.Reply == frame.ForContact)
	}
	s.learn(reply)
	s.updateContact()
	s.fill(reply)
	if reply != nil {
		s.complete(d, reply)
	}
	if s.handsOver != "" {
		s.Conversation.HandOver(s.handsOver) // last, so that its summary has everything that was learnt
	} else if reply != nil {
		s.Conversation.Frame.Said.Replies++
	}
}

// messageChange returns what the message changes even if the agent does not reply.
func (s *state) messageChange() skill.Change {
	c := skill.Change{Urgent: s.Says(s.Agent.UrgentKeywords), OptOut: s.OptsOut()}
	if c.OptOut {
		c.LeaveFunnel()
	}
	return c
}

// complete adds to the reply: the handover or offer after an unknown answer, an open question, the question
// how to reach the contact, or an invitation.
func (s *state) complete(d *decision, reply *ai.Reply) {
	if d.guessed {
		d.declined = reply.Action == ai.Fallback || reply.Confidence < likely // then it is a guess
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
	case reminder == "": // ask one thing at a time
		s.apply(s.askForContact(reply))
		s.apply(s.invite(reply))
	}
	s.offer(d, reply)
}

// apply applies a change to the conversation and the contact.
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
		s.Contact.Remember(name, value)
	}
}
