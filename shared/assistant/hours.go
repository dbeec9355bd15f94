package assistant

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's machines have no time zones

	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// Hours is the intent of a question when the business is open, at this moment or on a day.
const Hours = "hours"

// maxDays is of how many days a reply tells the hours by themselves. Whoever asks about more gets to see all hours.
const maxDays = 2

// hours takes up a question whether the business is open right now or on a day, where it has said when it is.
func (s *state) hours(context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin || !s.asksHours() || s.othersHours() {
		return nil, nil
	}
	hours, zone, known := s.stated()
	if !known {
		return nil, nil
	}
	if days := when.Parse(s.tongue(), s.message.Text, s.now.In(zone)).Dates; len(days) > 0 && len(days) <= maxDays {
		var lines []string
		for _, day := range days {
			lines = append(lines, s.hoursOn(day, hours.On(day), zone))
		}
		return &decision{reply: s.reply(ai.Respond, Hours, strings.Join(lines, "\n"))}, nil
	} else if len(days) > 0 || !s.says(s.phrasing().Now) || s.tongue() != s.language() {
		return nil, nil
	}
	words := s.wording().Closed
	if open, _ := s.open(); open {
		words = s.wording().Open
	}
	return &decision{reply: s.reply(ai.Respond, Hours, s.append(words, s.agent.KnownHours()))}, nil
}

// asksHours reports whether the message is about when the business is open, by its own words or by those that it goes on
// with: "And on Sundays?"
func (s *state) asksHours() bool {
	if u := understand.Read(s.language(), s.message.Text); u.Best().Skill == understand.Hours && u.Best().P >= surelyOther {
		return true
	}
	if s.saysOpen(s.reading.Tokens) {
		return s.reading.Asks || len(s.reading.Tokens) <= shortAnswer
	}
	return s.goesOn() && slices.ContainsFunc(s.goneOnWith(), func(before string) bool {
		return s.saysOpen(text.Tokens(s.language(), before))
	})
}

// tongue is the language that the contact is answered in, where the words are the agent's own.
func (s *state) tongue() string { return cmp.Or(s.foreign(s.message.Text), s.language()) }

// othersHours reports whether the knowledge says of something that the message names when it is open, which is not the
// business then: "Is the restaurant open on Monday?" to a hotel.
func (s *state) othersHours() bool {
	open := text.Phrases(s.language(), s.phrasing().Open+","+s.phrasing().Now)
	named := map[string]bool{}
	for _, t := range s.reading.Tokens {
		word := s.message.Text[t.Start:t.End]
		if _, n := text.Find(open, []text.Token{t}); !t.Stop && n == 0 && when.Parse(s.language(), word, s.now).Empty() {
			named[t.Stem] = true
		}
	}
	if len(named) == 0 {
		return false
	}
	for _, p := range s.found.Passages {
		for _, sentence := range text.Sentences(p.Text) {
			tokens := text.Tokens(s.language(), sentence)
			if s.saysOpen(tokens) && slices.ContainsFunc(tokens, func(t text.Token) bool { return named[t.Stem] }) {
				return true
			}
		}
	}
	return false
}

// saysOpen reports whether one of the words for being open stands in tokens. Those of two or three letters are verbs'
// other halves, "Habt ihr sonntags auf?", and stand last.
func (s *state) saysOpen(tokens []text.Token) bool {
	phrases := text.Phrases(s.language(), s.phrasing().Open)
	at, n := text.Find(phrases, tokens)
	return n > 0 && (n > 1 || tokens[at].End-tokens[at].Start > 3 || at == len(tokens)-1)
}

// hoursOn says when the business is open on a day.
func (s *state) hoursOn(day when.Date, spans []when.Span, zone *time.Location) string {
	noon, _ := day.At(when.Day/2, zone)
	date := when.WriteDay(s.tongue(), noon)
	if len(spans) == 0 {
		return text.Capital(text.Fill(s.spoken().ClosedOn, date))
	}
	return text.Capital(text.Fill(s.spoken().OpenOn, date, when.WriteSpans(s.tongue(), day, spans, zone)))
}

// stated are the opening hours that the business has stated and the time zone that they are of, and whether all of them
// could be read.
func (s *state) stated() (hours when.Hours, zone *time.Location, known bool) {
	hours = when.ParseHours(s.language(), s.agent.KnownHours())
	zone, err := time.LoadLocation(s.agent.Timezone)
	return hours, zone, err == nil && hours.Known() && len(hours.Unread) == 0
}

// open reports whether the business is open at the moment, and whether that is known.
func (s *state) open() (open, known bool) {
	hours, zone, known := s.stated()
	if !known {
		return false, false
	}
	now := s.now.In(zone)
	today, minute := when.DateOf(now), now.Hour()*60+now.Minute()
	for _, span := range hours.On(today) {
		open = open || span.From <= minute && minute < span.To
	}
	for _, span := range hours.On(today.Add(-1)) { // past midnight
		open = open || minute+when.Day < span.To
	}
	return open, true
}

// closing adds to a reply that promises a person, or that does not know, that nobody is there now, in the business's
// words. With replies that do not know it is said once.
func (s *state) closing(reply *ai.Reply) {
	said := s.agent.OutOfHoursMessage
	if reply.Action != ai.Handoff && reply.Action != ai.Fallback || said == "" {
		return
	}
	if reply.Action == ai.Fallback && slices.ContainsFunc(s.history, func(m conversation.Message) bool {
		return m.SentByAI && strings.Contains(m.Content, said)
	}) {
		return
	}
	if open, known := s.open(); known && !open {
		reply.Text = s.append(reply.Text, said)
	}
}
