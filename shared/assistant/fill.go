package assistant

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// fill takes the message and what is said to it into the frame, after what the skills have changed there. The
// reply is nil where nobody replies. While a person handles the conversation there is no dialogue to go on
// with.
func (s *state) fill(reply *ai.Reply) {
	if s.Conversation.TakeoverMode == conversation.ByHuman {
		return
	}
	f := &s.Conversation.Frame
	tells := s.tellsSomething()
	f.Said.Hear(s.Text, tells)
	if about := s.about(reply); about.Named() {
		f.Topic = about
	}
	s.fillSlots(&f.Slots, tells)
}

// fillSlots notes how the contact can be reached, how they feel and which language they write in.
func (s *state) fillSlots(slots *frame.Slots, tells bool) {
	slots.Phone, slots.Email, slots.Agent = s.Contact.Phone, s.Contact.Email, s.Language()
	if tells {
		switch acts := s.Understood().Acts; {
		case acts[understand.Complains] >= leastMood:
			slots.Feels(frame.Upset)
		case acts[understand.Thanks] >= leastMood:
			slots.Feels(frame.Friendly)
		}
	}
	if s.Conversation.Frame.Asked.Appointment == "" {
		slots.Language = s.Foreign(s.Text)
	}
}

// leastMood is the probability from which on a message tells how its writer feels.
const leastMood = 0.75

// tellsSomething reports whether the message is more than a courtesy or an answer.
func (s *state) tellsSomething() bool {
	p := s.Phrasing()
	phrases := text.Phrases(s.Language(), strings.Join([]string{p.Yes, p.No, p.Courtesy}, ","))
	return s.Reading.SmallTalk == "" && slices.ContainsFunc(s.Reading.Tokens, func(t text.Token) bool {
		_, n := text.Find(phrases, []text.Token{t})
		return n == 0 && !t.Stop
	})
}

// about is what the message and its reply are about, with what goes on of the topic before them; the zero
// Topic where neither names anything.
func (s *state) about(reply *ai.Reply) frame.Topic {
	before := s.Conversation.Frame.Topic
	if !before.Lasts(s.Conversation.Received) {
		before = frame.Topic{}
	}
	var now frame.Topic
	service, exactly := booking.Named(s.Language(), s.Agent.KnownServices(), s.Tongue(), s.Text)
	if exactly || before.Service == "" { // what may mean another takes the place of none that was named
		now.Service = service
	}
	if named, exactly := s.Products(); exactly && len(named) == 1 {
		now.Product = named[0].Name
	}
	now.Person = personIn(s.Language(), s.Text)
	if reply != nil && reply.Action == ai.Respond {
		s.saidOf(reply, &now)
	}
	if !now.Named() {
		return frame.Topic{}
	}
	if now.Service == "" && now.Product == "" {
		now.Service = before.Service // a question beside it is not another service
	}
	if now.Heading == "" && now.Service == before.Service && now.Product == before.Product {
		now.Heading, now.Document = before.Heading, before.Document
	}
	now.Order, now.Person = cmp.Or(now.Order, before.Order), cmp.Or(now.Person, before.Person)
	now.At = s.Conversation.Received + 1
	return now
}

// saidOf adds what a reply is about to a topic.
func (s *state) saidOf(reply *ai.Reply, of *frame.Topic) {
	of.Heading, of.Person = reply.Subject, cmp.Or(of.Person, personIn(s.Language(), reply.Text))
	if len(reply.Sources) > 0 && reply.Sources[0].Title != reply.Subject {
		of.Document = reply.Sources[0].Title
	}
	if of.Service == "" && of.Product == "" &&
		(reply.Intent == builtin.Pricing || reply.Intent == builtin.Question) {
		of.Service, _ = booking.Named(s.Language(), s.Agent.KnownServices(), s.Language(), reply.Subject)
	}
	if named, exactly := s.Named(reply.Text); of.Product == "" && exactly && len(named) == 1 &&
		reply.Intent != builtin.Booking {
		of.Product = named[0].Name
	}
	if reply.Intent == skill.Order {
		of.Order = of.Product
	}
}
