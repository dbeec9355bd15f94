package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestFunnelsAndActions has a contact led through a funnel with a question and a wait, and an action take
// effect.
func TestFunnelsAndActions(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	funnel := c.Want(t, 201, "POST", agent+"funnels/",
		map[string]any{"name": "Finder", "trigger_keyword": "find my bike"}).Number("id")
	for _, step := range []map[string]any{
		{"content": "Let us see."}, {"step_type": "question", "content": "What is your budget?",
			"save_response_to": "budget"},
		{"content": "Thank you."}, {"content": "We have one for you.", "delay_seconds": 1},
	} {
		c.Want(t, 201, "POST", agent+"funnels/"+funnel+"/steps/", step)
	}
	c.Want(t, 201, "POST", agent+"actions/", map[string]any{
		"name": "Tag", "action_type": "add_tag", "trigger_on": "conversation_started",
		"config": map[string]any{"tag": "new"},
	})
	first := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "I'd like to find my bike"})
	second := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "500 euros", "session_id": first.Text("session_id")})
	if a, b := first.Text("reply"), second.Text("reply"); a != "Let us see.\n\nWhat is your budget?" ||
		b != "Thank you." || second.Text("intent") != "funnel" {
		t.Errorf("%s\n%s", first.Body, second.Body)
	}
	history := agent + "chat/history/?session_id=" + first.Text("session_id")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		said := c.Want(t, 200, "GET", history, nil).Body
		contact := c.Want(t, 200, "GET", "/contacts/"+first.Number("contact_id")+"/", nil)
		if contact.Text("budget") == "500 euros" && fmt.Sprint(contact.Fields["tags"]) == "[new]" &&
			strings.Contains(said, "We have one for you.") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s\n%s", contact.Body, said)
		}
	}
}
