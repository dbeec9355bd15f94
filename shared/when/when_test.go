package when

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// golden holds a file of lines "language | text | what comes of it" to what comes of them now.
func golden(t *testing.T, name string, show func(language, text string) string) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		parts := strings.SplitN(line, "|", 3)
		language, text := strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1])
		got = append(got,
			strings.TrimSpace(fmt.Sprintf("%s | %s | %s", language, text, show(language, text))))
	}
	if *update {
		if err := os.WriteFile("testdata/"+name, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(string(file)), "\n"), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func (w Wish) show() string {
	var parts []string
	switch {
	case len(w.Dates) > 7:
		parts = append(parts, fmt.Sprintf("%v to %v", w.Dates[0], w.Dates[len(w.Dates)-1]))
	case len(w.Dates) > 0:
		parts = append(parts, strings.Trim(fmt.Sprint(w.Dates), "[]"))
	}
	at := func(m int) string { return fmt.Sprintf("%02d:%02d", m/60, m%60) }
	switch {
	case w.Exact():
		parts = append(parts, at(w.Clock.From))
	case w.HasClock():
		parts = append(parts, at(w.Clock.From)+"-"+at(w.Clock.To))
	}
	if w.Clock.Half {
		parts = append(parts, "or 12 hours later")
	}
	if w.Soonest {
		parts = append(parts, "soonest")
	}
	if w.Later < 0 {
		parts = append(parts, (-w.Later).String()+" earlier")
	}
	return strings.Join(parts, ", ")
}

// TestParse reads wishes on Wednesday, 25 November 2026, at 10:07 in Madrid.
func TestParse(t *testing.T) {
	now := time.Date(2026, 11, 25, 10, 7, 0, 0, zone(t, "Europe/Madrid"))
	golden(t, "wishes.txt", func(language, text string) string { return Parse(language, text, now).show() })
}

// TestParsePeople reads wishes as people write them on a phone, on the same morning.
func TestParsePeople(t *testing.T) {
	now := time.Date(2026, 11, 25, 10, 7, 0, 0, zone(t, "Europe/Madrid"))
	golden(t, "people.txt", func(language, text string) string { return Parse(language, text, now).show() })
}

// TestParseEvening reads hours with a part of the day, spelt as people do who leave out accents and
// apostrophes.
func TestParseEvening(t *testing.T) {
	now := time.Date(2026, 11, 25, 10, 7, 0, 0, zone(t, "Europe/Madrid"))
	golden(t, "evening.txt", func(language, text string) string { return Parse(language, text, now).show() })
}

// TestParseElsewhere reads what depends on the place and the day.
func TestParseElsewhere(t *testing.T) {
	for _, tt := range []struct{ zone, now, language, text, want string }{
		{"America/New_York", "2026-11-25 10:00", "en", "5/12 at 3pm", "2027-05-12, 15:00"},
		{"America/New_York", "2026-11-25 10:00", "en", "25/12", "2026-12-25"},
		{"America/Mexico_City", "2026-11-25 10:00", "es", "5/12", "2026-12-05"},
		{"Europe/London", "2026-11-25 10:00", "en", "5/12", "2026-12-05"},
		{"Europe/Madrid", "2026-11-27 10:00", "en", "Friday", "2026-11-27"},
		{"Europe/Madrid", "2026-11-27 10:00", "en", "next Friday", "2026-12-04"},
		{"Europe/Madrid", "2026-11-27 10:00", "es", "el próximo viernes", "2026-12-04"},
		{"Europe/Madrid", "2026-11-29 10:00", "de", "nächsten Montag", "2026-11-30"},
		{"Europe/Madrid", "2026-11-29 10:00", "en", "next week",
			"2026-11-30 2026-12-01 2026-12-02 2026-12-03 2026-12-04 2026-12-05 2026-12-06"},
		{"Europe/Madrid", "2026-12-31 23:50", "en", "in half an hour", "2027-01-01, 00:20"},
		{"Europe/Madrid", "2026-12-31 23:57", "en", "in two minutes", "2026-12-31, 24:00"},
		{"Europe/Madrid", "2026-12-31 10:00", "en", "tomorrow", "2027-01-01"},
		{"Europe/Madrid", "2028-02-01 10:00", "en", "29 February", "2028-02-29"},
		{"Europe/Madrid", "2027-02-01 10:00", "en", "29 February", "2028-02-29"},
		{"Europe/Madrid", "2027-02-01 10:00", "en", "31 April", ""},
		// Clocks go from 2:00 to 3:00 there and then.
		{"Europe/Madrid", "2027-03-28 01:30", "en", "in two hours", "2027-03-28, 04:30"},
	} {
		now, err := time.ParseInLocation("2006-01-02 15:04", tt.now, zone(t, tt.zone))
		if err != nil {
			t.Fatal(err)
		}
		if got := Parse(tt.language, tt.text, now).show(); got != tt.want {
			t.Errorf("%s at %s in %s: %q, want %q", tt.text, tt.now, tt.zone, got, tt.want)
		}
	}
}

// TestClocks expects the likelier half of the day first.
func TestClocks(t *testing.T) {
	for _, tt := range []struct {
		clock Clock
		want  []Clock
	}{
		{Clock{From: 180, To: 180, Half: true}, []Clock{{From: 900, To: 900}, {From: 180, To: 180}}},
		{Clock{From: 570, To: 570, Half: true}, []Clock{{From: 570, To: 570}, {From: 1290, To: 1290}}},
		{Clock{From: 900, To: 900}, []Clock{{From: 900, To: 900}}},
		{Clock{From: 240, To: Day - 1, Half: true},
			[]Clock{{From: 960, To: Day - 1}, {From: 240, To: Day - 1}}},
		{Clock{To: 300, Half: true}, []Clock{{To: 1020}, {To: 300}}},
	} {
		if diff := cmp.Diff(tt.want, tt.clock.Clocks()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.clock, diff)
		}
	}
}

// TestAt has clocks go forward and back.
func TestAt(t *testing.T) {
	madrid := zone(t, "Europe/Madrid")
	for _, tt := range []struct {
		date   Date
		minute int
		want   string
		ok     bool
	}{
		{Date{2026, 11, 27}, 15 * 60, "2026-11-27T15:00:00+01:00", true},
		{Date{2026, 11, 27}, 25 * 60, "2026-11-28T01:00:00+01:00", true},
		{Date{2027, 3, 28}, 2*60 + 30, "", false},
		{Date{2027, 3, 28}, 3 * 60, "2027-03-28T03:00:00+02:00", true},
		{Date{2026, 10, 25}, 2*60 + 30, "2026-10-25T02:30:00+02:00", true},
		{Date{2026, 10, 25}, 3 * 60, "2026-10-25T03:00:00+01:00", true},
	} {
		got, ok := tt.date.At(tt.minute, madrid)
		if ok != tt.ok || ok && got.Format(time.RFC3339) != tt.want {
			t.Errorf("%v at %d: %v, %t", tt.date, tt.minute, got, ok)
		}
	}
}

func (h Hours) show() string {
	var parts []string
	list := func(of string, spans []Span) {
		for _, s := range spans {
			of += fmt.Sprintf(" %d:%02d-%d:%02d", s.From/60, s.From%60, s.To/60, s.To%60)
		}
		parts = append(parts, of)
	}
	for d := range time.Weekday(7) {
		if spans := h.week[(d+1)%7]; len(spans) > 0 {
			list(((d + 1) % 7).String()[:2], spans)
		}
	}
	for _, e := range h.except {
		list(e.Date.String(), e.spans)
	}
	if len(h.Unread) > 0 {
		parts = append(parts, fmt.Sprintf("unread %q", h.Unread))
	}
	return strings.Join(parts, ", ")
}

func TestParseHours(t *testing.T) {
	golden(t, "hours.txt", func(language, text string) string { return ParseHours(language, text).show() })
}

// TestOn asks for days of which exceptions are told.
func TestOn(t *testing.T) {
	h := ParseHours("en", "Mon-Fri 9-18. Closed on 25 December. 24 December 9-12. 4 January 2027 10-11")
	for day, want := range map[Date][]Span{
		{2026, 12, 23}: {{9 * 60, 18 * 60}},
		{2026, 12, 24}: {{9 * 60, 12 * 60}},
		{2026, 12, 25}: nil,
		{2026, 12, 26}: nil,
		{2027, 1, 4}:   {{10 * 60, 11 * 60}},
		{2028, 1, 4}:   {{9 * 60, 18 * 60}},
	} {
		if diff := cmp.Diff(want, h.On(day)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", day, diff)
		}
	}
}

func TestWrite(t *testing.T) {
	at := time.Date(2026, 11, 27, 15, 0, 0, 0, zone(t, "Europe/Madrid"))
	for language, want := range map[string]string{
		"en": "Friday, 27 November at 15:00", "es": "viernes 27 de noviembre a las 15:00",
		"fr": "vendredi 27 novembre à 15h00",
		"de": "Freitag, 27. November um 15:00 Uhr", "it": "venerdì 27 novembre alle 15:00",
		"pt": "sexta-feira, 27 de novembro às 15:00", "nl": "vrijdag 27 november om 15:00",
		"sv": "fredag 27 november kl. 15:00",
		"da": "fredag den 27. november kl. 15.00", "no": "fredag 27. november kl. 15:00",
		"fi": "perjantai 27. marraskuuta klo 15.00",
		"ro": "vineri, 27 noiembrie, ora 15:00", "hu": "november 27., péntek 15:00",
		"ru": "пятница, 27 ноября, 15:00",
		"tr": "27 Kasım Cuma saat 15:00", "ar": "الجمعة 27 نوفمبر الساعة 15:00",
	} {
		got := Write(language, at)
		if got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
		// What is written is read as the same.
		w := Parse(language, got, at.AddDate(0, 0, -2))
		if read := w.show(); read != "2026-11-27, 15:00" {
			t.Errorf("%s: %q is read as %q", language, got, read)
		}
	}
	if got, want := Write("en",
		at.In(zone(t, "America/New_York"))), "Friday, November 27 at 9:00 AM"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzParse expects that whatever is written gives days that there are, in order, and times of a day.
func FuzzParse(f *testing.F) {
	file, err := os.ReadFile("testdata/wishes.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		parts := strings.SplitN(line, "|", 3)
		f.Add(strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), int64(1_795_600_000))
	}
	f.Add("en", "in 1000 months on 31/12/9999 at 24:59 between 24 and 0", int64(0))
	madrid := zone(f, "Europe/Madrid")
	f.Fuzz(func(t *testing.T, language, text string, seconds int64) {
		now := time.Unix(seconds%(1<<33), 0).In(madrid)
		w := Parse(language, text, now)
		for i, d := range w.Dates {
			if DateOf(d.utc()) != d || i > 0 && w.Dates[i-1].Compare(d) >= 0 {
				t.Errorf("%q: days %v", text, w.Dates)
			}
		}
		if c := w.Clock; c.From < 0 || c.From > c.To && !c.Half || c.To > Day+Day/2 {
			t.Errorf("%q: clock %+v", text, c)
		}
		h := ParseHours(language, text)
		for d := range time.Weekday(7) {
			for i, s := range h.week[d] {
				if s.From < 0 || s.From >= s.To || s.To > 2*Day || i > 0 && s.From < h.week[d][i-1].To {
					t.Errorf("%q: %v %v", text, d, h.week[d])
				}
			}
		}
	})
}

// TestUntil reads days that say only when they end: they begin as those said before them.
func TestUntil(t *testing.T) {
	for text, want := range map[string][]Span{
		"Monday to Friday 10:00-16:00, Thursday until 19:00, Sunday 10-12": {{10 * 60, 19 * 60}},
		"Mon-Fri 8-12 and 14-18. Thursday until 20": {{8 * 60, 12 * 60},
			{14 * 60, 20 * 60}},
	} {
		h := ParseHours("en", text)
		if got := h.On(Date{2026, 11, 26}); len(h.Unread) > 0 || !slices.Equal(got, want) {
			t.Errorf("%q: %v, unread %q", text, got, h.Unread)
		}
	}
}

// TestFrom reads days that are told by one that was spoken of.
func TestFrom(t *testing.T) {
	z := zone(t, "Europe/London")
	now := time.Date(2026, 11, 24, 9, 40, 0, 0, z)
	spokenOf := time.Date(2026, 12, 8, 15, 0, 0, 0, z)
	for text, want := range map[string]Date{
		"the Tuesday after":           {2026, 12, 15},
		"the Wednesday after":         {2026, 12, 9},
		"a week later, same time":     {2026, 12, 15},
		"two days later would do":     {2026, 12, 10},
		"Wednesday next week, please": {2026, 12, 2},
	} {
		w := Parse("en", text, now).From(spokenOf)
		if len(w.Dates) != 1 || w.Dates[0] != want || w.HasClock() {
			t.Errorf("%q: %v, want %v", text, w, want)
		}
	}
}

// TestLengthInWords tests durations without a number.
func TestLengthInWords(t *testing.T) {
	for words, want := range map[string]time.Duration{
		"en an hour": time.Hour, "en half an hour": 30 * time.Minute, "de eine Stunde": time.Hour,
		"de eine halbe Stunde": 30 * time.Minute, "es media hora": 30 * time.Minute, "ro o oră": time.Hour,
		"fr une demi-heure": 30 * time.Minute, "en 1 h 30": 90 * time.Minute, "en opening hours": 0,
	} {
		language, said, _ := strings.Cut(words, " ")
		if got := Length(language, said); got != want {
			t.Errorf("%q: %v, want %v", words, got, want)
		}
	}
}

// TestDayBesideRelative tests days of the week beside today and tomorrow. It is Tuesday, 24 November 2026.
func TestDayBesideRelative(t *testing.T) {
	now := time.Date(2026, 11, 24, 9, 40, 0, 0, time.UTC)
	for words, want := range map[string][]int{
		"en I am away tomorrow, is Monday possible": {25, 30},
		"de morgen geht nicht, lieber Freitag":      {25, 27},
		"en tomorrow, Wednesday at 3":               {25},
		"en Monday 30 November":                     {30}, "de Freitag morgen": {27},
	} {
		language, said, _ := strings.Cut(words, " ")
		var got []int
		for _, d := range Parse(language, said, now).Dates {
			got = append(got, d.Day)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", words, got, want)
		}
	}
}
