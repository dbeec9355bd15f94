package local_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestKilledFunnels kills a service with kill -9 at any moments while contacts are led through a funnel with
// waits and an action greets them. In the end everybody whose first message was acknowledged has been told
// each step once, in its order, and was greeted and tagged once.
func TestKilledFunnels(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for funnels")
	}
	program, data := build(t), t.TempDir()
	c, kill := run(t, program, data)
	agent := "/agents/" + c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id")
	c.Want(t, 200, "POST", agent+"/activate/", nil)
	funnel := c.Want(t, 201, "POST", agent+"/funnels/",
		map[string]any{"name": "Finder", "trigger_keyword": "find my bike"}).Number("id")
	for _, step := range []map[string]any{
		{"content": "One"}, {"content": "Two", "delay_seconds": 1}, {"content": "Three"},
		{"step_type": "delay", "delay_seconds": 1}, {"content": "Four", "delay_seconds": 1},
	} {
		c.Want(t, 201, "POST", agent+"/funnels/"+funnel+"/steps/", step)
	}
	c.Want(t, 201, "POST", agent+"/actions/", map[string]any{
		"name": "Greet", "action_type": "send_message", "trigger_on": "conversation_started",
		"config": map[string]any{"message": "Welcome!"},
	})
	c.Want(t, 201, "POST", agent+"/actions/", map[string]any{
		"name": "Tag", "action_type": "add_tag", "trigger_on": "conversation_started",
		"config": map[string]any{"tag": "new"},
	})
	kill()

	type talk struct{ conversation, contact string }
	var begun []talk
	var mu sync.Mutex
	for range 10 {
		c, kill := run(t, program, data)
		ended := make(chan struct{})
		var writers sync.WaitGroup
		for range 2 {
			writers.Go(func() {
				for {
					said, err := c.Try("POST", agent+"/chat/", map[string]any{"message": "Find my bike"})
					if err == nil && said.Status == http.StatusOK {
						mu.Lock()
						begun = append(begun, talk{said.Number("conversation_id"), said.Number("contact_id")})
						mu.Unlock()
					}
					select {
					case <-ended:
						return
					case <-time.After(rand.N(200 * time.Millisecond)):
					}
				}
			})
		}
		time.Sleep(rand.N(2 * time.Second))
		kill()
		close(ended)
		writers.Wait()
	}

	c, _ = run(t, program, data)
	said := func(of talk) []string {
		var lines []string
		for _, m := range c.Want(t, 200, "GET", "/conversations/"+of.conversation+"/messages/",
			nil).Results() {
			if m["direction"] == "outbound" {
				lines = append(lines, fmt.Sprint(m["content"]))
			}
		}
		return lines
	}
	deadline := time.Now().Add(20 * time.Second)
	for _, of := range begun {
		for len(said(of)) < 4 && time.Now().Before(deadline) {
			time.Sleep(50 * time.Millisecond)
		}
	}
	time.Sleep(time.Second) // what is said too often would have been
	for _, of := range begun {
		got := said(of)
		if i := slices.Index(got, "Welcome!"); i >= 0 { // at any moment
			got = slices.Delete(got, i, i+1)
		} else {
			t.Errorf("nobody greeted %+v", of)
		}
		if diff := cmp.Diff([]string{"One", "Two\n\nThree", "Four"}, got); diff != "" {
			t.Errorf("%+v: %s", of, diff)
		}
		if tags := c.Want(t, 200, "GET", "/contacts/"+of.contact+"/",
			nil).Fields["tags"]; !cmp.Equal([]any{"new"}, tags) {
			t.Errorf("%+v has the tags %v", of, tags)
		}
	}
	if len(begun) < 20 {
		t.Errorf("only %d conversations began", len(begun))
	}
	t.Logf("%d conversations", len(begun))
}
