package assistant

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// Intents of messages that the interpreter takes up.
const (
	Emergency = "emergency"
	SmallTalk = "small_talk"
)

// A skill is what the built-in interpreter has done about a message that calls for it.
type skill struct {
	is understand.Skill
	// least is the probability from which on a message calls for the skill.
	least float64
	// decide may return nil, which leaves the message to the next likely skill.
	decide func(*state, context.Context) (*decision, error)
	// withKnowledge tells that the skill answers also what the knowledge answers, with what that says or better.
	withKnowledge bool
}

// skills are those that do not wait for anything in the conversation. What calls for none of them is a question.
var skills = [...]skill{
	{understand.Emergency, 0.65, (*state).emergency, true},
	{understand.Identity, 0.85, (*state).tellIdentity, false},
	{understand.Person, 0.8, (*state).bringPerson, false},
	{understand.Complaint, 0.65, (*state).complaint, false},
	{understand.Products, 0.3, (*state).assortment, true},
	{understand.SmallTalk, 0.65, (*state).chat, false},
}

// surelyOther is the probability from which on a message calls for a skill that is not among skills, and for none that is
// less likely.
const surelyOther = 0.7

// leastKnown is the share of a message that must be like something learnt for its skills to count.
const leastKnown = 0.5

// interpret has the likeliest skill decide about the message, for the built-in engine.
func (s *state) interpret(ctx context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin || len(s.reading.Tokens) == 0 {
		return nil, nil
	}
	understood := understand.Read(s.language(), s.message.Text)
	if understood.Known < leastKnown {
		return nil, nil
	}
	var known *ai.Reply
	for _, guess := range understood.Ranked() {
		taken := false
		for _, k := range skills {
			if k.is != guess.Skill || guess.P < k.least {
				continue
			}
			taken = true
			if known == nil {
				reply, err := s.engine.Reply(ctx, s.request())
				if err != nil {
					return nil, modelFailed(err)
				}
				known = &reply
			}
			if !k.withKnowledge && known.Action == ai.Respond && known.Intent == builtin.Question && known.Confidence >= guess.P {
				return nil, nil // the knowledge explains it better
			}
			if d, err := k.decide(s, ctx); d != nil || err != nil {
				return d, err
			}
		}
		if !taken && guess.P >= surelyOther {
			break
		}
	}
	return nil, nil
}

// surelyUrgent is the probability from which on a question is an emergency, which is told rather than asked.
const surelyUrgent = 0.8

// leastHelp is how sure the knowledge has to be of what it has for somebody in need, who is better helped by something
// that is near than by nothing.
const leastHelp = 0.25

// emergency says first what the business has for such a case, then how to call it, and offers a person.
func (s *state) emergency(ctx context.Context) (*decision, error) {
	surely := understand.Read(s.language(), s.message.Text).Skills[understand.Emergency] >= surelyUrgent
	if s.reading.GoesOn && s.reading.Asks || s.reading.Asks && !surely {
		return nil, nil
	}
	request := s.request()
	request.Least = leastHelp
	known, err := s.engine.Reply(ctx, request)
	if err != nil {
		return nil, modelFailed(err)
	}
	said := s.spoken().Urgent
	if known.Action == ai.Respond {
		said = s.append(said, s.quoted(known).Text)
	}
	if s.agent.PhoneNumber != "" {
		said = s.append(said, text.Fill(s.spoken().Call, s.agent.PhoneNumber))
	}
	reply := s.reply(ai.Respond, Emergency, said)
	reply.Sources, reply.Subject = known.Sources, known.Subject
	return &decision{reply: reply, then: func(s *state) {
		s.conversation.Priority = conversation.Urgent
		if s.agent.HandoffEnabled {
			reply.Text = s.append(reply.Text, s.spoken().Offer)
			s.conversation.Asked = conversation.AskedForPerson
		}
	}}, nil
}

// tellIdentity says honestly that no person is answering.
func (s *state) tellIdentity(context.Context) (*decision, error) {
	return &decision{reply: s.reply(ai.Respond, WhoAreYou, s.introduction())}, nil
}

// bringPerson hands over to who wants a person or a call, in words that the engine does not know.
func (s *state) bringPerson(context.Context) (*decision, error) {
	if s.reading.Human {
		return nil, nil
	}
	if !s.agent.HandoffEnabled {
		return &decision{reply: s.reply(ai.Respond, builtin.Human, s.nobodyHere())}, nil
	}
	return s.handOver(builtin.Human, conversation.HandoffRequested), nil
}

// surelyComplains is the probability from which on a complaint is handed over at once, and from which on a question is
// one.
const surelyComplains = 0.85

// complaint regrets and hands over, or offers a person where it is less sure. "And a bell?" complains of nothing.
func (s *state) complaint(context.Context) (*decision, error) {
	surely := understand.Read(s.language(), s.message.Text).Skills[understand.Complaint] >= surelyComplains
	switch {
	case s.reading.Asks && (s.reading.GoesOn || !surely):
		return nil, nil
	case !s.agent.HandoffEnabled:
		return &decision{reply: s.reply(ai.Respond, builtin.Complaint, s.append(s.spoken().Sorry, s.nobodyHere()))}, nil
	case surely:
		return s.handOver(builtin.Complaint, conversation.HandoffComplaint), nil
	}
	return &decision{
		reply: s.reply(ai.Respond, builtin.Complaint, s.append(s.spoken().Sorry, s.spoken().Offer)),
		then:  func(s *state) { s.conversation.Asked = conversation.AskedForPerson },
	}, nil
}

// leastCourtesy is the probability from which on small talk thanks, greets or takes leave.
const leastCourtesy = 0.15

// praise is how many words thanks have at least that say what for.
const praise = 4

// chat answers courtesies, praise and chatter.
func (s *state) chat(context.Context) (*decision, error) {
	if s.reading.SmallTalk != "" || s.reading.Asks {
		return nil, nil
	}
	u := understand.Read(s.language(), s.message.Text)
	thanks, leaves, greets := u.Acts[understand.Thanks], u.Acts[understand.Leaves], u.Acts[understand.Greets]
	occasion := ""
	switch said := max(thanks, leaves, greets); {
	case said < leastCourtesy:
		if s.agent.BusinessName == "" {
			return nil, nil
		}
		return &decision{reply: s.reply(ai.Respond, SmallTalk, text.Fill(s.spoken().Chat, s.agent.BusinessName))}, nil
	case said == thanks && s.telling() >= praise:
		return &decision{reply: s.reply(ai.Respond, builtin.Thanks, s.spoken().Pleased)}, nil
	case said == thanks:
		occasion = builtin.Thanks
	case said == leaves:
		occasion = builtin.Goodbye
	default:
		occasion = builtin.Greeting
	}
	return &decision{reply: s.reply(ai.Respond, occasion, s.courtesy(occasion))}, nil
}
