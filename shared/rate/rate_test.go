package rate_test

import (
	"testing"

	"frontdesk/shared/rate"
)

func TestCounter(t *testing.T) {
	var c rate.Counter
	count := func(minute int64, caller string, want rate.Calls) {
		t.Helper()
		if got := c.Count(minute, caller, 3); got != want {
			t.Errorf("%s in minute %d: %+v, want %+v", caller, minute, got, want)
		}
	}
	count(7, "ada", rate.Calls{Own: 1})
	count(7, "ada", rate.Calls{Own: 2})
	count(7, "ada", rate.Calls{Own: 3, Due: 3})
	count(7, "ada", rate.Calls{Own: 4})
	if others := c.Others(7, "ada", 10); others != 7 {
		t.Errorf("%d calls of others among 10, of which 3 are its own", others)
	}
	if others := c.Others(7, "ada", 0); others != 0 {
		t.Errorf("%d calls of others before its own are stored", others)
	}
	c.Exceed(7, "bob")
	count(7, "bob", rate.Calls{Own: 1, Exceeded: true})
	count(7, "ada", rate.Calls{Own: 5})
	count(7, "ada", rate.Calls{Own: 6, Due: 3})
	count(8, "ada", rate.Calls{Own: 1})
	count(8, "bob", rate.Calls{Own: 1})
	count(7, "bob", rate.Calls{Own: 1}) // late
	count(8, "bob", rate.Calls{Own: 2})
}
