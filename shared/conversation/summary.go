package conversation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// summary writes HandoffSummary from the dialogue state, one line for each point. It is "" if the contact has
// not written.
func (c *Conversation) summary() string {
	f := c.Frame
	wants := slices.DeleteFunc([]string{f.Said.First, f.Said.Last}, empty)
	if len(wants) == 0 {
		return ""
	}
	words := language.Of(f.Slots.Agent).Summary()
	lines := []string{
		text.Fill(words.Who, c.who(words)),
		text.Fill(words.Wants, strings.Join(quoted(wants), " … ")),
	}
	if about := cmp.Or(f.Topic.Service, f.Topic.Product, f.Topic.Heading, f.Topic.Order,
		f.Topic.Person); about != "" {
		lines = append(lines, text.Fill(words.About, text.Cut(about, maxAbout)))
	}
	if f.Said.Replies > 0 {
		lines = append(lines, text.Fill(words.Tried, tried(words, f.Said)))
	}
	lines = append(lines, text.Fill(words.Mood, c.mood(words)))
	return strings.Join(lines, "\n")
}

// maxAbout is how much of what a conversation is about a summary names, in characters.
const maxAbout = 200

func empty(s string) bool { return s == "" }

// who returns the contact's name and addresses, including those that were only claimed.
func (c *Conversation) who(words *language.Summary) string {
	slots := c.Frame.Slots
	return strings.Join(slices.DeleteFunc([]string{
		cmp.Or(c.ContactName, c.Claimed.Name, words.NoName),
		cmp.Or(slots.Phone, c.Claimed.Phone), cmp.Or(slots.Email, c.Claimed.Email),
	}, empty), ", ")
}

// tried returns how often the agent has replied, and the last questions that it had no answer to.
func tried(words *language.Summary, said frame.Said) string {
	tried := text.Fill(words.Replied, strconv.Itoa(said.Replies))
	if len(said.Unanswered) > 0 {
		tried += "; " + text.Fill(words.Unknown, strings.Join(quoted(said.Unanswered), ", "))
	}
	return tried
}

// quoted puts messages in quotation marks.
func quoted(messages []string) []string {
	var all []string
	for _, m := range messages {
		all = append(all, "\u201c"+m+"\u201d")
	}
	return all
}

// mood returns the wording for how the contact feels.
func (c *Conversation) mood(words *language.Summary) string {
	switch {
	case c.Priority == Urgent:
		return words.Urgent
	case c.HandoffReason == HandoffComplaint, c.Frame.Slots.Mood == frame.Upset:
		return words.Upset
	case c.Frame.Slots.Mood == frame.Friendly:
		return words.Friendly
	}
	return words.Calm
}
