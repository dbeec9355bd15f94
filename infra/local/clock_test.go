package local_test

import (
	"testing"
	"time"

	"frontdesk/infra/local"
)

func TestClock(t *testing.T) {
	for offset, want := range map[string]time.Duration{"": 0, "0s": 0, "2184h": 2184 * time.Hour,
		"-1h30m": -90 * time.Minute} {
		now, err := local.Clock(offset)
		if err != nil {
			t.Fatal(err)
		}
		if got := time.Until(now()).Round(time.Second); got != want {
			t.Errorf("%q moves the clock by %s", offset, got)
		}
	}
	for _, offset := range []string{"91 days", "2184", "h"} {
		if _, err := local.Clock(offset); err == nil {
			t.Errorf("%q is taken for a duration", offset)
		}
	}
}
