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
