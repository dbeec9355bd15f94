package assistant_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/playbook"
)

// TestCraftedMessages says the longest messages that there may be to an agent with many quick answers, made
// to keep a processor busy: none takes 200 times what a usual one does. The benchmark has the figures.
func TestCraftedMessages(t *testing.T) {
	w := newFixture(t, "enterprise")
	for i := range 200 {
		add(t, w, playbook.QuickAnswer{Title: fmt.Sprintf("What does thing%d on shelf %d cost?", i, i%9),
			Shortcut: fmt.Sprintf("/thing%d", i), Content: fmt.Sprint(i)})
	}
	took := func(message string) time.Duration {
		least := time.Hour
		for range 3 {
			begin := time.Now()
			if _, err := w.say(t.Context(), message); err != nil {
				t.Fatalf("%.20q: %v", message, err)
			}
			least = min(least, time.Since(begin))
		}
		return least
	}
	usual := took("What does thing7 on shelf 7 cost?")
	for _, unit := range []string{"ﷺ", "ﷺ ", "لا ", "请问", "😀", "a ", "Is it ok? ", "at 3 on monday ",
		"book a haircut tomorrow or friday at 5 "} {
		message := strings.Repeat(unit, 4000/len([]rune(unit)))
		if crafted := took(message); crafted > 200*usual {
			t.Errorf("%q again and again takes %v, a question %v", unit, crafted, usual)
		}
	}
}
