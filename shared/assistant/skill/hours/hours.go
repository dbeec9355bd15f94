// Package hours answers when a business is open.
package hours

import (
	"context"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // Lambda has no time zone database

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill answers whether the business is open now or on a day, if it has stated its hours.
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
	// sure is the probability of a message with words for being open.
	sure = 0.95
	// learnt is the minimum probability by the classifier, and unworded the factor for a message without
	// words for being open: "is she there on Fridays" is about a person.
	learnt   = 0.7
	unworded = 0.8
	// worded is the minimum probability for a message with a word for being open.
	worded = 0.4
	// priced is the probability from which a message asks for a price instead.
	priced = 0.5
	// ofHoliday is the probability of a question for the hours of holidays, if the business says something
	// about them.
	ofHoliday = 0.97
	// few is the maximum number of significant words of a question for all hours.
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

// holidays returns what the business says about the holiday or the day in a question for hours, besides its
// weekly hours; nil if it says nothing.
func holidays(s *skill.State) *skill.Outcome {
	named := namesHoliday(s)
	day := when.Parse(s.Tongue(), s.Text, s.Now.In(s.Zone())).Dates
	if !named && len(day) != 1 || !asksHours(s) {
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
			spans := when.Parse(tag, said, s.Now)
			ofHolidays := slices.Contains(concept.Names(tag, about+"\n"+said), "holiday")
			opens := saysOpen(tag, text.Tokens(tag, said))
			tells := named && ofHolidays && (opens || !spans.Empty())
			ofHours := ofHolidays && opens || saysClosed(tag, said)
			if tells || len(day) == 1 && ofHours && covers(spans, day[0]) {
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

// namesHoliday reports whether the message names holidays.
func namesHoliday(s *skill.State) bool { return slices.Contains(s.Understood().Concepts, "holiday") }

// saysClosed reports whether a text of the business mentions being closed.
func saysClosed(tag, said string) bool { return slices.Contains(concept.Names(tag, said), "close") }

// covers reports whether the dates in a text, or the period that they delimit, include a day. Weekdays
// alone do not, since they recur every week.
func covers(named when.Wish, day when.Date) bool {
	if len(named.Dates) == 0 || named.Weekday {
		return false
	}
	first := slices.MinFunc(named.Dates, when.Date.Compare)
	last := slices.MaxFunc(named.Dates, when.Date.Compare)
	return day.Compare(first) >= 0 && day.Compare(last) <= 0
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

// probably returns the probability that a message with an answer asks for opening hours.
func probably(s *skill.State) float64 {
	if mentionsOpen(s) || slices.ContainsFunc(s.Understood().Concepts, ofHours) || goesOn(s) {
		return sure
	}
	if p := s.Learnt(understand.Hours, learnt); p > 0 {
		return unworded * p
	}
	return sure
}

// answer returns the opening hours that the message asks for, and whether there are any.
func answer(s *skill.State) (string, bool) {
	hours, zone, known := s.Stated()
	if !known {
		return "", false
	}
	part, named := hours.About(s.Language(), s.Text)
	if named && asksWhen(s, part.Label) {
		return text.Capital(part.Text), true
	}
	if !asksHours(s) || othersHours(s) || namesHoliday(s) { // whose hours may differ from the weekly ones
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

// openNow returns whether the business is open now, and whether that is known.
func openNow(s *skill.State) (string, bool) {
	open, sure := s.Open()
	words := s.Spoken().Closed
	if open {
		words = s.Spoken().Open
	}
	return s.Append(words, s.Agent.KnownHours()), sure
}

// sureAll reports whether the hours of the week that begins on a Monday could all be read.
func sureAll(hours when.Hours, monday when.Date) bool {
	for i := range 7 {
		if !hours.Sure(monday.Add(i)) {
			return false
		}
	}
	return true
}

// asksWhen reports whether a message that names a part of the opening hours asks for its hours.
func asksWhen(s *skill.State, label string) bool {
	asks := s.Reading.Asks || s.Understood().Does(understand.Asks)
	ofTime := text.Phrases(s.Language(), language.Of(s.Language()).Talk().When)
	_, asksTime := text.Find(ofTime, s.Reading.Tokens)
	timed := asksTime > 0 || !when.Parse(s.Tongue(), s.Text, s.Now).Empty()
	few := len(s.Reading.Tokens) <= len(text.Tokens(s.Language(), label))+skill.ShortAnswer
	return asksHours(s) || mentionsOpen(s) || asks && timed && few
}

// ofHours reports whether a concept is about being open.
func ofHours(name string) bool { return name == "open" || name == "close" || name == "hours" }

// maxDays is the maximum number of days for which a reply states the hours of each. Questions about more
// days get all hours.
const maxDays = 2

// asksHours reports whether the message, or one that it depends on, is about opening hours.
func asksHours(s *skill.State) bool {
	if u := s.Understood(); u.Skills[understand.Prices] >= priced &&
		u.Skills[understand.Prices] > u.Skills[understand.Hours] {
		return false // "how much is an hour"
	}
	best, least := s.Understood().Best(), learnt
	if slices.ContainsFunc(s.Understood().Concepts, ofHours) {
		least = worded
	}
	if best.Skill == understand.Hours && best.P >= least {
		return true
	}
	if mentionsOpen(s) {
		asks := s.Reading.Asks || s.Understood().Does(understand.Asks)
		return asks || len(s.Reading.Tokens) <= skill.ShortAnswer
	}
	return goesOn(s)
}

// goesOn reports whether the message follows a question for opening hours: "And on Sundays?"
func goesOn(s *skill.State) bool {
	return s.GoesOn() && slices.ContainsFunc(s.GoneOnWith(), func(before string) bool {
		return saysOpen(s.Tongue(), text.Tokens(s.Tongue(), before)) ||
			slices.ContainsFunc(concept.Names(s.Tongue(), before), ofHours)
	})
}

// othersHours reports whether the knowledge has hours of something else that the message names: "Is the
// restaurant open on Monday?" to a hotel.
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
			if saysOpen(s.Language(), tokens) &&
				slices.ContainsFunc(tokens, func(t text.Token) bool { return named[t.Stem] }) {
				return true
			}
		}
	}
	return false
}

// mentionsOpen reports whether the message has a word for being open.
func mentionsOpen(s *skill.State) bool {
	return saysOpen(s.Tongue(), text.Tokens(s.Tongue(), s.Text))
}

// saysOpen reports whether tokens have one of a language's words for being open. Words of two or three
// letters are separable particles of verbs, and count only at the end: "Habt ihr sonntags auf?"
func saysOpen(tag string, tokens []text.Token) bool {
	phrases := text.Phrases(tag, language.Of(tag).Requests().Open)
	at, n := text.Find(phrases, tokens)
	return n > 0 && (n > 1 || tokens[at].End-tokens[at].Start > 3 || at == len(tokens)-1)
}

// hoursOn returns the text of the hours on a day.
func hoursOn(s *skill.State, day when.Date, spans []when.Span, zone *time.Location) string {
	noon, _ := day.At(when.Day/2, zone)
	date := when.WriteDay(s.Tongue(), noon)
	if len(spans) == 0 {
		return text.Capital(text.Fill(s.Spoken().ClosedOn, date))
	}
	return text.Capital(text.Fill(s.Spoken().OpenOn, date, when.WriteSpans(s.Tongue(), day, spans, zone)))
}
