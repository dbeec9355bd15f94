package agents

import (
	"fmt"
	"testing"

	"frontdesk/shared/agent"
)

func TestOpeningTimes(t *testing.T) {
	for _, c := range []struct{ hours, want string }{
		{"", "[]"},
		{"by arrangement", "[]"},
		{"Mon 9:00-12:30 and 14:00-24:00, Sat 20:00-2:00, Sunday closed",
			"[{monday 09:00 12:30} {monday 14:00 24:00} {saturday 20:00 02:00}]"},
	} {
		a := &agent.Agent{}
		a.Language, a.BusinessHours = agent.English, c.hours
		if got := fmt.Sprint(openingTimes(a)); got != c.want {
			t.Errorf("%q is understood as %s, want %s", c.hours, got, c.want)
		}
		if a.AssumedHours = true; len(openingTimes(a)) > 0 {
			t.Errorf("%q: what the template assumes counts as stated", c.hours)
		}
	}
}
