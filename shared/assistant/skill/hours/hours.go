// Package hours tells when a business is open.
package hours

import (
	"context"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's machines have no time zones

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill takes up a question whether the business is open right now or on a day, where it has said when it
// is.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Beside:   true,
		Name:     "hours",
		Does:     "Says when the business is open on a day.",
		Slots:    []skill.Slot{{Name: "date", Type: skill.Date, About: "The day.", Required: true}},
		Settings: []string{"business_hours", "timezone"},
	}
}

const (
	// sure is how probably a message in words for being open asks when the business is.
	sure = 0.95
	// learnt is the probability from which on what was learnt says so, and unworded what is left of it
	// without such words: "is she there on Fridays" is of a person.
	learnt   = 0.7
	unworded = 0.8
	// ofHoliday is how probably a question for the hours of holidays is answered by what the business wrote
	// of them.
	ofHoliday = 0.97
	// few is how many telling words a question for all hours has at most.
	few = 1
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	if o := holidays(s); o != nil {
		return skill.Claims(ofHoliday, o), nil
	}
	said, ok := answer(s)
	if !ok {
		return skill.Claim{}, nil
	}
	return skill.Claims(probably(s), &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Hours, said)}), nil
}

// holidays says what the business wrote of the holidays that a question for its hours names, beside the hours
// of a week; nil where it wrote nothing.
func holidays(s *skill.State) *skill.Outcome {
	if !slices.Contains(s.Understood().Concepts, "holiday") || !asksHours(s) {
		return nil
	}
	tag := s.Language()
	for _, p := range s.Request().Passages {
		about := p.Title + "\n" + strings.Join(p.Questions, "\n")
		for _, segment := range text.Segments(p.Text) {
			said := segment.Text(p.Text)
			if segment.Kind == text.Heading {
				about = said
				continue
			}
			tells := saysOpen(s, text.Tokens(tag, said)) || !when.Parse(tag, said, s.Now).Empty()
			if tells && slices.Contains(concept.Names(tag, about+"\n"+said), "holiday") {
				reply := s.Reply(ai.Respond, skill.Hours, said)
				reply.Subject = about
				if p.Document != 0 {
					reply.Sources = []ai.Source{{Document: p.Document, Title: p.Title, URL: p.URL}}
				}
				quoted := s.Quoted(*reply)
				return &skill.Outcome{Reply: &quoted}
			}
		}
	}
	return nil
}

// Call implements skill.Tool.
func (Skill) Call(_ context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	hours, zone, known := s.Stated()
	day, _ := slots.Date("date")
	if !known || !hours.Sure(day) {
		return nil, &skill.Refused{Why: "the business has not stated hours that can be read"}
	}
	said := hoursOn(s, day, hours.On(day), zone)
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Hours, said)}, nil
}

// probably is how probably a message that has an answer asks when the business is open.
func probably(s *skill.State) float64 {
	if saysOpen(s, s.Reading.Tokens) || slices.ContainsFunc(s.Understood().Concepts, ofHours) || goesOn(s) {
		return sure
	}
	if p := s.Learnt(understand.Hours, learnt); p > 0 {
		return unworded * p
	}
	return sure
}

// answer says when the business is open as far as the message asks for it.
func answer(s *skill.State) (string, bool) {
	hours, zone, known := s.Stated()
	if !known {
		return "", false
	}
	part, named := hours.About(s.Language(), s.Text)
	if named && asksWhen(s, part.Label) {
		return text.Capital(part.Text), true
	}
	if !asksHours(s) || othersHours(s) {
		return "", false
	}
	days := when.Parse(s.Tongue(), s.Text, s.Now.In(zone)).Dates
	unsure := slices.ContainsFunc(days, func(d when.Date) bool { return !hours.Sure(d) })
	if len(days) > 0 && len(days) <= maxDays && !unsure {
		var lines []string
		for _, day := range days {
			lines = append(lines, hoursOn(s, day, hours.On(day), zone))
		}
		return strings.Join(lines, "\n"), true
	}
	monday := when.DateOf(s.Now.In(zone))
	monday = monday.Add(-(int(monday.Weekday()) + 6) % 7)
	if s.Tongue() != s.Language() && len(days) == 0 && sureAll(hours, monday) {
		closed, _, _ := strings.Cut(language.Of(s.Tongue()).Times().Closed, ",")
		return text.Capital(when.WriteWeek(s.Tongue(), hours, monday, zone, closed)), true
	}
	switch now := s.Says(s.Phrasing().Now); {
	case len(days) == 0 && !now && s.Telling() <= few && s.Learnt(understand.Hours, learnt) > 0:
		return s.Agent.KnownHours(), true
	case len(days) > 0 || !now:
		return "", false
	}
	return openNow(s)
}

// openNow says whether the business is open at the moment, where that is known.
func openNow(s *skill.State) (string, bool) {
	open, sure := s.Open()
	words := s.Spoken().Closed
	if open {
		words = s.Spoken().Open
	}
	return s.Append(words, s.Agent.KnownHours()), sure
}

// sureAll reports whether what the business says of the week that begins on a Monday could be read.
func sureAll(hours when.Hours, monday when.Date) bool {
	for i := range 7 {
		if !hours.Sure(monday.Add(i)) {
			return false
		}
	}
	return true
}

// asksWhen reports whether a message that names a part of the opening hours asks when that is there.
func asksWhen(s *skill.State, label string) bool {
	asks := s.Reading.Asks || s.Understood().Does(understand.Asks)
	ofTime := text.Phrases(s.Language(), language.Of(s.Language()).Talk().When)
	_, asksTime := text.Find(ofTime, s.Reading.Tokens)
	timed := asksTime > 0 || !when.Parse(s.Tongue(), s.Text, s.Now).Empty()
	few := len(s.Reading.Tokens) <= len(text.Tokens(s.Language(), label))+skill.ShortAnswer
	return asksHours(s) || saysOpen(s, s.Reading.Tokens) || asks && timed && few
}

// ofHours reports whether a concept is one of being open.
func ofHours(name string) bool { return name == "open" || name == "close" || name == "hours" }

// maxDays is of how many days a reply tells the hours by themselves. Whoever asks about more gets to see all
// hours.
const maxDays = 2

// asksHours reports whether the message is about when the business is open, by its own words or by those that
// it goes on with.
func asksHours(s *skill.State) bool {
	if best := s.Understood().Best(); best.Skill == understand.Hours && best.P >= learnt {
		return true
	}
	if saysOpen(s, s.Reading.Tokens) {
		asks := s.Reading.Asks || s.Understood().Does(understand.Asks)
		return asks || len(s.Reading.Tokens) <= skill.ShortAnswer
	}
	return goesOn(s)
}

// goesOn reports whether the message goes on with a question for when the business is open: "And on Sundays?"
func goesOn(s *skill.State) bool {
	return s.GoesOn() && slices.ContainsFunc(s.GoneOnWith(), func(before string) bool {
		return saysOpen(s, text.Tokens(s.Language(), before))
	})
}

// othersHours reports whether the knowledge says of something that the message names when it is open, which
// is not the business then: "Is the restaurant open on Monday?" to a hotel.
func othersHours(s *skill.State) bool {
	open := text.Phrases(s.Language(), s.Phrasing().Open+","+s.Phrasing().Now)
	named := map[string]bool{}
	for _, t := range s.Reading.Tokens {
		word := s.Text[t.Start:t.End]
		if _, n := text.Find(open, []text.Token{t}); n == 0 && !t.Stop &&
			!concept.Light(s.Language(), t.Stem) && when.Parse(s.Language(), word, s.Now).Empty() {
			named[t.Stem] = true
		}
	}
	if len(named) == 0 {
		return false
	}
	for _, p := range s.Found.Passages {
		for _, sentence := range text.Sentences(p.Text) {
			tokens := text.Tokens(s.Language(), sentence)
			if saysOpen(s, tokens) &&
				slices.ContainsFunc(tokens, func(t text.Token) bool { return named[t.Stem] }) {
				return true
			}
		}
	}
	return false
}

// saysOpen reports whether one of the words for being open stands in tokens. Those of two or three letters
// are verbs' other halves, "Habt ihr sonntags auf?", and stand last.
func saysOpen(s *skill.State, tokens []text.Token) bool {
	phrases := text.Phrases(s.Language(), s.Phrasing().Open)
	at, n := text.Find(phrases, tokens)
	return n > 0 && (n > 1 || tokens[at].End-tokens[at].Start > 3 || at == len(tokens)-1)
}

// hoursOn says when the business is open on a day.
func hoursOn(s *skill.State, day when.Date, spans []when.Span, zone *time.Location) string {
	noon, _ := day.At(when.Day/2, zone)
	date := when.WriteDay(s.Tongue(), noon)
	if len(spans) == 0 {
		return text.Capital(text.Fill(s.Spoken().ClosedOn, date))
	}
	return text.Capital(text.Fill(s.Spoken().OpenOn, date, when.WriteSpans(s.Tongue(), day, spans, zone)))
}
