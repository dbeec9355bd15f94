package contract

import (
	"encoding/json"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
)

// eventually reads a list until it has so many results: one that is read from an index follows writes with a
// delay.
func eventually(t testing.TB, c *apitest.Client, list string, n int) apitest.Answer {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		a := c.Want(t, 200, "GET", list, nil)
		if len(a.Results()) == n {
			return a
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s has %d results, want %d: %s", list, len(a.Results()), n, a.Body)
		}
	}
}

// number is the text of a number as JSON has it.
func number(text string) json.Number { return json.Number(text) }
