package assistant

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// fill records the message and the reply in the frame, after the changes of the skills. The reply is nil if
// there is none. It does nothing while a person handles the conversation.
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

// fillSlots records the contact's addresses, mood and language.
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

// leastMood is the minimum probability of an act to record a mood.
const leastMood = 0.75

// tellsSomething reports whether the message is more than a courtesy or a bare yes or no.
func (s *state) tellsSomething() bool {
	p := s.Phrasing()
	phrases := text.Phrases(s.Language(), strings.Join([]string{p.Yes, p.No, p.Courtesy}, ","))
	return s.Reading.SmallTalk == "" && slices.ContainsFunc(s.Reading.Tokens, func(t text.Token) bool {
		_, n := text.Find(phrases, []text.Token{t})
		return n == 0 && !t.Stop
	})
}

// about returns the topic of the message and its reply, with the parts of the previous topic that still
// apply; the zero Topic if neither names anything.
func (s *state) about(reply *ai.Reply) frame.Topic {
	before := s.Conversation.Frame.Topic
	if !before.Lasts(s.Conversation.Received) {
		before = frame.Topic{}
	}
	now := s.serviceTopic(before, reply)
	if named, exactly := s.Products(); exactly && len(named) == 1 {
		now.Product = named[0].Name
	}
	told := now.Product != ""
	now.Person = personIn(s.Language(), s.Text)
	if reply != nil && reply.Action == ai.Respond {
		s.saidOf(reply, &now)
	}
	if !now.Named() {
		return frame.Topic{}
	}
	if now.Service == "" && !told {
		// Naming something else does not change the service, and neither does a product in an answer.
		now.Service, now.Vague = before.Service, before.Vague
	}
	if now.Heading == "" && now.Service == before.Service && now.Product == before.Product {
		now.Heading, now.Document = before.Heading, before.Document
	}
	now.Order, now.Person = cmp.Or(now.Order, before.Order), cmp.Or(now.Person, before.Person)
	now.At = s.Conversation.Received + 1
	return now
}

// serviceTopic returns a topic with the service of the message and its reply, if any: the one being
// arranged, the one that the message names, or the one of the reply.
func (s *state) serviceTopic(before frame.Topic, reply *ai.Reply) frame.Topic {
	arranged := s.Conversation.Frame.Slots.Service
	if reply != nil && reply.Intent == builtin.Booking && arranged != "" {
		return frame.Topic{Service: arranged, Product: before.Product} // what is visited or tried on
	}
	var now frame.Topic
	of := s.serviceOf(reply)
	service, share := s.namedService(before, of)
	if share >= booking.Half || before.Service == "" || before.Vague && share > 0 {
		now.Service, now.Vague = service, share > 0 && share < booking.Half
	}
	if reply == nil || reply.Action != ai.Respond {
		return now
	}
	topic := now
	if topic.Service == "" {
		topic = before
	}
	sure := topic.Service != "" && !topic.Vague
	open := now.Service == "" || now.Vague
	if of != "" && (open && s.quotes(reply) || !sure && s.answersOf(reply, of)) {
		now.Service, now.Vague = of, false
	}
	return now
}

// namedService returns the service that the message names, and which part of its name. Where a question goes
// on about a service, a word of another one's name changes nothing unless the answer is about that: "And if I
// bring my own colour?" of is the service of the answer.
func (s *state) namedService(before frame.Topic, of string) (service string, share float64) {
	service, share = booking.Named(s.Language(), s.Agent.KnownServices(), s.Tongue(), s.Text)
	sure := before.Service != "" && !before.Vague
	if sure && s.Reading.GoesOn && share < 1 && service != of {
		return "", 0
	}
	return service, share
}

// saidOf adds what a reply is about to a topic.
func (s *state) saidOf(reply *ai.Reply, of *frame.Topic) {
	of.Heading, of.Person = reply.Subject, cmp.Or(of.Person, personIn(s.Language(), reply.Text))
	if len(reply.Sources) > 0 && reply.Sources[0].Title != reply.Subject {
		of.Document = reply.Sources[0].Title
	}
	if named, exactly := s.Named(reply.Text); of.Product == "" && exactly && len(named) == 1 &&
		reply.Intent != builtin.Booking {
		of.Product = named[0].Name
	}
	if reply.Intent == skill.Order {
		of.Order = of.Product
	}
}

// serviceOf returns the service that a reply is about, by its subject, or "".
func (s *state) serviceOf(reply *ai.Reply) string {
	if reply == nil || reply.Intent != builtin.Pricing && reply.Intent != builtin.Question {
		return ""
	}
	name, share := booking.Named(s.Language(), s.Agent.KnownServices(), s.Language(), reply.Subject)
	if share < booking.Half {
		return ""
	}
	return name
}

// leastOfTopic is the minimum confidence for the service of an answer to become the topic.
const leastOfTopic = 0.8

// answersOf reports whether a reply about a service answers a question about it: the reply is confident
// enough, or the message has a concept of the service's name.
func (s *state) answersOf(reply *ai.Reply, service string) bool {
	if reply.Confidence >= leastOfTopic {
		return true
	}
	of := concept.Names(s.Language(), service)
	return slices.ContainsFunc(s.Understood().Concepts, func(c string) bool { return slices.Contains(of, c) })
}

// quotes reports whether a reply is the line of a service with its price.
func (s *state) quotes(reply *ai.Reply) bool {
	return slices.Contains(s.Agent.KnownServices(), reply.Subject)
}
