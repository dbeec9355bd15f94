package wiring_test

import (
	"testing"
	"time"

	"frontdesk/shared/wiring"
)

type clock struct {
	Now func() time.Time
	Log func() `wiring:"optional"`
}

type service struct {
	Clock   *clock
	Sink    interface{ Close() error }
	Timeout time.Duration
	Size    int
	Models  map[string]int
	Since   time.Time
	private *clock
}

type closer struct{}

func (closer) Close() error { return nil }

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name    string
		service service
		want    string
	}{
		{"nothing", service{}, "wiring_test.service lacks Clock\nwiring_test.service lacks " +
			"Sink\nwiring_test.service lacks Timeout"},
		{"a part without its own", service{Clock: &clock{}, Sink: closer{}, Timeout: 1},
			"wiring_test.service lacks Clock.Now"},
		{"all", service{Clock: &clock{Now: time.Now}, Sink: closer{}, Timeout: 1}, ""},
		{"an unexported part", service{
			Clock: &clock{Now: time.Now}, Sink: closer{}, Timeout: 1, private: &clock{},
		}, ""},
	} {
		got := ""
		if err := wiring.Check(&test.service); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
