// Package smalltalk answers courtesies, praise, chatter, and messages without content.
package smalltalk

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A Skill answers what needs no knowledge. Language models do that by themselves.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Name:     "small_talk",
		Settings: []string{"capability_small_talk", "greeting_message", "goodbye_message"},
	}
}

const (
	sure  = 0.97 // probability of a message without content, or with a yes or no to nothing
	least = 0.65 // minimum probability by the classifier
	// leastNone is the minimum probability of a statement that no business can help with: "Tell me a joke".
	// An answer from the knowledge takes precedence.
	leastNone = 0.6
	most      = 0.5
	// sureThanks is the probability of a message with little more than thanks, and likelyThanks of one with
	// more.
	sureThanks   = 0.985
	likelyThanks = 0.7
	// mostSaid is the maximum number of significant words beside thanks.
	mostSaid = 3
	// leastThanks is the minimum probability of thanks without a phrase for it.
	leastThanks = 0.4
	// leastTold is the probability of a question or request below which a message is a statement.
	leastTold = 0.5
	// mostElse is the maximum probability of another skill for a message of praise.
	mostElse = 0.3
	// leastCourtesy is the minimum probability that small talk is thanks, a greeting or a goodbye.
	leastCourtesy = 0.15
	// leastAsks is the minimum probability of a question beside thanks, and leastMatter that of another
	// matter.
	leastAsks   = 0.6
	leastMatter = 0.5
	// leastOfPraise is the minimum number of words of thanks that say what for.
	leastOfPraise = 4
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	return skill.Claim{P: probably(s), Act: answer}, nil
}

// probably returns the probability that the message is small talk.
func probably(s *skill.State) float64 {
	switch {
	case wordless(s), greetsAgain(s), declines(s), s.TakesLeave():
		return sure
	case s.Reading.SmallTalk != "":
		return 0 // left to the engine, which has the business's words
	case !gives(s) && (s.Is(s.Phrasing().No) || s.Is(s.Phrasing().Yes)):
		return sure
	}
	p, acts := s.Learnt(understand.SmallTalk, least), s.Understood().Acts
	thanks := acts[understand.Thanks] >= leastThanks || thanksForDone(s)
	told := acts[understand.Asks]+acts[understand.Wishes] < leastTold
	occasion, _ := learnt(s)
	switch {
	case told && praises(s): // "The man who came was great, thank you": a word of a question asks nothing
		return max(p, likelyThanks)
	case s.Reading.Asks, asksToo(s), interjects(s):
		return 0
	case gives(s) && thanks && s.Telling() <= mostSaid:
		return sureThanks
	case gives(s) && !thanks:
		return max(p, least)
	case occasion == builtin.Thanks && thanks:
		return max(p, likelyThanks)
	case occasion != "":
		return p
	case s.Agent.BusinessName == "":
		return 0
	case told:
		return max(p, min(s.Learnt(understand.None, leastNone), most))
	}
	return p
}

// answer returns the text for the occasion.
func answer(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	say := func(intent, words string) (*skill.Outcome, error) {
		return &skill.Outcome{Reply: s.Reply(ai.Respond, intent, words)}, nil
	}
	switch {
	case wordless(s) && s.Reminder != "":
		return say(builtin.Booking, s.Reminder)
	case wordless(s):
		if greeted(s) {
			return say(builtin.Greeting, s.Spoken().Again)
		}
		return say(builtin.Greeting, builtin.Courtesy(s.Request(), builtin.Greeting))
	case greetsAgain(s):
		return say(builtin.Greeting, s.Spoken().Again)
	case declines(s):
		return say(builtin.Booking, s.Replies().AllRight)
	case gives(s), s.TakesLeave(): // as praise, as thanks, or as a goodbye
	case s.Is(s.Phrasing().No):
		return say(builtin.Thanks, s.Replies().AllRight)
	case s.Is(s.Phrasing().Yes):
		return say(builtin.Greeting, s.Spoken().Again)
	}
	switch occasion, praise := learnt(s); {
	case occasion == "":
		return say(skill.SmallTalk, text.Fill(s.Spoken().Chat, s.Agent.BusinessName))
	case praise:
		return say(builtin.Thanks, s.Spoken().Pleased)
	default:
		return say(occasion, s.Courtesy(occasion))
	}
}

// wordless reports whether the message has no word and no emoji with a meaning: "??"
func wordless(s *skill.State) bool { return len(s.Reading.Tokens) == 0 && s.Reading.SmallTalk == "" }

// greeted reports whether the agent has already replied.
func greeted(s *skill.State) bool {
	for _, m := range s.History {
		if m.Direction == conversation.Outbound {
			return true
		}
	}
	return false
}

// greetsAgain reports whether the message greets, such as "How are you?", though the agent has greeted
// already and would repeat itself.
func greetsAgain(s *skill.State) bool {
	if s.Reading.SmallTalk != builtin.Greeting {
		return false
	}
	greeting := builtin.Courtesy(s.Request(), builtin.Greeting)
	for _, m := range s.History {
		if m.Direction == conversation.Outbound && strings.HasPrefix(m.Content, greeting) {
			return true
		}
	}
	return false
}

// declines reports whether the message declines the invitation to an appointment. Accepting it starts a
// booking.
func declines(s *skill.State) bool {
	return s.Conversation.Frame.Asked.Reply == frame.ForAppointment && s.Refuses()
}

// learnt is the occasion of small talk in words that the engine does not know, "" for chatter, and whether it
// is praise.
func learnt(s *skill.State) (occasion string, praise bool) {
	u := s.Understood()
	if s.TakesLeave() {
		return builtin.Goodbye, false
	}
	if gives(s) || praises(s) {
		return builtin.Thanks, s.Telling() >= leastOfPraise
	}
	thanks, leaves, greets := u.Acts[understand.Thanks], u.Acts[understand.Leaves], u.Acts[understand.Greets]
	switch said := max(thanks, leaves, greets); {
	case said < leastCourtesy:
		return "", false
	case said == thanks:
		return builtin.Thanks, s.Telling() >= leastOfPraise
	case said == leaves:
		return builtin.Goodbye, false
	}
	return builtin.Greeting, false
}

// gives reports whether the message gives thanks, "Thanks for being so patient", "never mind, thanks anyway",
// and asks nothing. The "ok" that another matter begins with is none.
func gives(s *skill.State) bool {
	at, n := thanksIn(s)
	return n > 0 && !s.Reading.Asks && !asksToo(s) && (at == 0 || len(s.Reading.Tokens) <= skill.ShortAnswer)
}

// thanksIn returns the place and the length of the first thanks in the message, behind the yes that it may
// begin with; the length is 0 if there is none.
func thanksIn(s *skill.State) (at, n int) {
	agrees := text.Phrases(s.Language(), s.Phrasing().Yes)
	rest := s.Reading.Tokens
	for {
		n := text.LongestAt(agrees, rest, 0)
		if n == 0 || n == len(rest) {
			break
		}
		rest = rest[n:]
	}
	return text.Find(text.Phrases(s.Language(), language.Of(s.Language()).Talk().Thanks), rest)
}

// thanksForDone reports whether the message has a word of thanks after something was done: "all good, thanks"
// then wants nothing more.
func thanksForDone(s *skill.State) bool {
	return s.Conversation.Frame.Asked.Reply == frame.Done &&
		slices.Contains(s.Understood().Concepts, "thanks")
}

// interjects reports whether the message is a word that is no thanks, "Sorry", while an appointment is being
// arranged.
func interjects(s *skill.State) bool {
	return len(s.Reading.Tokens) == 1 && s.Conversation.Frame.Asked.Appointment.Open() && !gives(s)
}

// asksToo reports whether the message asks something by what was learnt: "Great and do you open on Saturday".
func asksToo(s *skill.State) bool {
	return s.Telling() > 0 && s.Learnt(understand.SmallTalk, least) == 0 &&
		s.Understood().Acts[understand.Asks] >= leastAsks
}

// praises reports whether the message has thanks somewhere, and calls for nothing else by what was learnt.
func praises(s *skill.State) bool {
	_, n := thanksIn(s)
	clearly := s.Understood().Acts[understand.Thanks] >= leastThanks
	if n == 0 || s.Is(s.Phrasing().Yes) || strings.ContainsAny(s.Text, "?？؟") {
		return false
	}
	for of, p := range s.Understood().Skills {
		switch understand.Skill(of) {
		case understand.SmallTalk, understand.Reply, understand.None:
		case understand.Knowledge:
			if p >= leastMatter && !clearly {
				return false // "ok it's a diesel by the way"
			}
		default:
			if p >= mostElse {
				return false
			}
		}
	}
	return true
}
