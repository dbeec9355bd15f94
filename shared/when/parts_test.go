package when

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// brief is a week with a run of days at a time, what is kept apart and what could not be read.
func (h Hours) brief() string {
	var parts []string
	name := func(i int) string { return time.Weekday((i + 1) % 7).String()[:2] }
	for from := 0; from < 7; {
		to, spans := from, h.week[(from+1)%7]
		for to+1 < 7 && slices.Equal(h.week[(to+2)%7], spans) {
			to++
		}
		line := name(from)
		if to > from {
			line += "-" + name(to)
		}
		for _, s := range spans {
			line += fmt.Sprintf(" %d:%02d-%d:%02d", s.From/60, s.From%60, s.To/60, s.To%60)
		}
		if len(spans) > 0 {
			parts = append(parts, line)
		}
		from = to + 1
	}
	for _, e := range h.except {
		parts = append(parts, fmt.Sprint(e.Date, e.spans))
	}
	for _, p := range h.Parts {
		parts = append(parts, fmt.Sprintf("apart %s (%s)", p.Label, p.Hours.brief()))
	}
	if len(h.Unread) > 0 {
		parts = append(parts, fmt.Sprintf("unread %q", h.Unread))
	}
	return strings.Join(parts, ", ")
}

// TestParts reads opening hours as owners write them, with more than one part; "\\n" begins a line.
func TestParts(t *testing.T) {
	golden(t, "parts.txt", func(language, text string) string {
		return ParseHours(language, strings.ReplaceAll(text, `\n`, "\n")).brief()
	})
}

// TestHoursInAHouse reads the hours of a house in which the restaurant is one part of several.
func TestHoursInAHouse(t *testing.T) {
	h := ParseHours("de", "Rezeption täglich 6-23. Restaurant Donnerstag bis Sonntag 12-15 und 18-22. "+
		"Bad und Massagen täglich 13-20")
	for service, want := range map[string]string{
		"Tisch im Restaurant": "Th-Su 12:00-15:00 18:00-22:00",
		"Rückenmassage":       "Mo-Su 13:00-20:00",
		"Maniküre":            "Mo-We 13:00-20:00, Th-Su 12:00-22:00",
	} {
		if got, _, _ := strings.Cut(h.Of("de", service).brief(), ", apart"); got != want {
			t.Errorf("%s: %s, want %s", service, got, want)
		}
	}
}

// TestHoursOfService has a service whose name a part of the hours has go by that part, and others by the
// business's.
func TestHoursOfService(t *testing.T) {
	h := ParseHours("en", "Daily 9-18. Sauna: Tue-Sun 14-22. Emergency line 24 hours")
	for service, want := range map[string]string{
		"Sauna, 2 hours":     "Tu-Su 14:00-22:00",
		"Massage":            h.brief(),
		"Emergency plumbing": h.brief(), // whoever answers at night makes no appointments then
	} {
		if got := h.Of("en", service).brief(); got != want {
			t.Errorf("%q: %s, want %s", service, got, want)
		}
	}
	if p, ok := h.About("en", "is there an emergency number at night?"); !ok ||
		p.Text != "Emergency line 24 hours" {
		t.Errorf("%+v, %t", p, ok)
	}
	if p, ok := h.About("en", "are you open on Sunday?"); ok {
		t.Errorf("%+v is no part that the question names", p)
	}
}
