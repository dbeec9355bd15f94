package assistant

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

const (
	// maxQuoted is how much of a message a summary quotes, in characters.
	maxQuoted = 200
	// leastUpset is the probability from which on a message complains.
	leastUpset = 0.65
)

// summarise writes for the person who takes over who the contact is, what they want, what was tried and how
// they feel. It is written once, by the turn that hands over.
func (s *state) summarise() {
	byPerson := func(c conversation.Conversation) bool { return c.TakeoverMode == conversation.ByHuman }
	if !byPerson(s.Conversation) || byPerson(s.conversationBefore) {
		return
	}
	words, before := language.Of(s.Language()).Summary(), s.conversationBefore
	said := s.said()
	lines := []string{
		text.Fill(words.Who, s.who()),
		text.Fill(words.Wants, strings.Join(quoted(ends(said)...), " … ")),
	}
	if about := cmp.Or(before.Topic.Service, before.Topic.Product, before.Topic.Subject); about != "" {
		lines = append(lines, text.Fill(words.About, text.Cut(about, maxQuoted)))
	}
	if tried := s.tried(words); tried != "" {
		lines = append(lines, text.Fill(words.Tried, tried))
	}
	lines = append(lines, text.Fill(words.Mood, s.mood(words, said)))
	s.Conversation.HandoffSummary = strings.Join(lines, "\n")
}

// said are the contact's latest messages that say something, oldest first; this one where none does.
func (s *state) said() []string {
	var all []string
	for _, m := range s.History {
		if m.Direction == conversation.Inbound && s.says(m.Content) {
			all = append(all, m.Content)
		}
	}
	if s.says(s.Text) || len(all) == 0 {
		all = append(all, s.Text)
	}
	return all
}

// says reports whether a message is more than a courtesy or an answer.
func (s *state) says(message string) bool {
	p := s.Phrasing()
	phrases := text.Phrases(s.Language(), strings.Join([]string{p.Yes, p.No, p.Courtesy}, ","))
	read := s.Engine.Read(s.Language(), message)
	return read.SmallTalk == "" && slices.ContainsFunc(read.Tokens, func(t text.Token) bool {
		_, n := text.Find(phrases, []text.Token{t})
		return n == 0 && !t.Stop
	})
}

// ends are the first and the last of messages.
func ends(messages []string) []string {
	return slices.Compact([]string{messages[0], messages[len(messages)-1]})
}

// quoted are messages as a summary quotes them.
func quoted(messages ...string) []string {
	var all []string
	for _, m := range messages {
		all = append(all, "\u201c"+text.Cut(strings.Join(strings.Fields(m), " "), maxQuoted)+"\u201d")
	}
	return all
}

// who is how the contact is called and can be reached. What was only claimed counts too.
func (s *state) who() string {
	c := s.Contact
	known := []string{
		cmp.Or(c.Name, c.Claimed.Name, language.Of(s.Language()).Summary().NoName),
		cmp.Or(c.Phone, c.Claimed.Phone), cmp.Or(c.Email, c.Claimed.Email),
	}
	return strings.Join(slices.DeleteFunc(known, func(v string) bool { return v == "" }), ", ")
}

// tried is how often the agent has replied, and what it had no answer to last; "" where it has not replied.
func (s *state) tried(words *language.Summary) string {
	replies := 0
	var asked []string
	for _, m := range s.History {
		if m.SentByAI {
			replies++
		} else if m.Direction == conversation.Inbound && s.says(m.Content) {
			asked = append(asked, m.Content)
		}
	}
	if replies == 0 {
		return ""
	}
	tried := text.Fill(words.Replied, strconv.Itoa(replies))
	if n := min(s.conversationBefore.Declined, len(asked)); n > 0 {
		tried += "; " + text.Fill(words.Unknown, strings.Join(quoted(asked[len(asked)-n:]...), ", "))
	}
	return tried
}

// mood is how the contact feels by what was learnt of how people write.
func (s *state) mood(words *language.Summary, said []string) string {
	upset, friendly := s.Conversation.HandoffReason == conversation.HandoffComplaint, false
	for _, message := range said {
		acts := understand.Read(s.Language(), message).Acts
		upset = upset || acts[understand.Complains] >= leastUpset
		friendly = friendly || acts[understand.Thanks] >= leastUpset
	}
	switch {
	case s.Conversation.Priority == conversation.Urgent:
		return words.Urgent
	case upset:
		return words.Upset
	case friendly:
		return words.Friendly
	}
	return words.Calm
}
