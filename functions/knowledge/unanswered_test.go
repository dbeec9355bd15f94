package knowledge_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant"
	"frontdesk/shared/conversation"
	"frontdesk/shared/unanswered"
)

// visited is a client whose agent answers, knows one thing and lets nobody else answer.
func visited(t *testing.T, s *service) *client {
	t.Helper()
	c := s.client(t)
	c.edit(t, func(a *agent.Agent) {
		a.AIEnabled, a.AIModel, a.CapabilitySmallTalk, a.MaxResponseLength = true, ai.Builtin, true, 500
		a.RestrictedTopics = "politics"
		a.FAQs = []agent.FAQ{{Question: "Are dogs welcome?", Answer: "Dogs are welcome in the garden."}}
	})
	return c
}

func (c *client) edit(t *testing.T, change func(*agent.Agent)) {
	t.Helper()
	if _, err := c.agents.Update(t.Context(), c.Account, c.agent, func(a *agent.Agent) error {
		change(a)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// ask is a visitor's first message. It returns the action that came of it.
func (c *client) ask(t *testing.T, message string) string {
	t.Helper()
	visitors := &assistant.Assistant{Table: c.Table, Now: c.Now, IDs: c.IDs}
	answer, err := visitors.Turn(t.Context(), assistant.Message{
		AccountID: c.Account, AgentID: c.agent, Channel: conversation.WebChat, Text: message,
	})
	if err != nil {
		t.Error(err)
	}
	return answer.Action
}

func (c *client) unanswered() string { return c.list() + "unanswered/" }

// asked is the list as it reads: each question with how often it was asked.
func (c *client) asked(t *testing.T) []string {
	t.Helper()
	a := c.Want(t, 200, "GET", c.unanswered(), nil)
	lines := []string{}
	for _, row := range a.Results() {
		lines = append(lines, fmt.Sprint(row["count"], " ", row["question"]))
	}
	if fmt.Sprint(a.Fields["count"]) != fmt.Sprint(len(lines)) {
		t.Errorf("count is %v of %q", a.Fields["count"], lines)
	}
	return lines
}

func (c *client) wantAsked(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), c.asked(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnanswered(t *testing.T) {
	c := visited(t, serve(t))
	c.wantAsked(t)
	for _, message := range []string{
		"Do you rent out tandems?", "Is there a sauna?", "  Tandems: do you rent them? ", "rent tandem?",
		"Is there a SAUNA", "Do you repair pumps?",
	} {
		if action := c.ask(t, message); action != ai.Fallback {
			t.Fatalf("%q: %s", message, action)
		}
	}
	c.wantAsked(t, "1 Do you repair pumps?", "2 Is there a SAUNA", "3 rent tandem?")

	var list struct{ Results []unanswered.Question }
	c.call(t, "GET", c.unanswered(), nil, http.StatusOK, &list)
	last := list.Results[2]
	history := c.Now()
	if last.AgentID != c.agent || last.ConversationID == 0 || !last.FirstAskedAt.Before(last.LastAskedAt) ||
		!last.LastAskedAt.Before(history) {
		t.Errorf("%+v", last)
	}
	c.ask(t, "Is there a sauna?")
	c.wantAsked(t, "3 Is there a sauna?", "1 Do you repair pumps?", "3 rent tandem?")
}

// TestNotUnanswered has messages that leave nothing for the business to teach its agent.
func TestNotUnanswered(t *testing.T) {
	c := visited(t, serve(t))
	for message, action := range map[string]string{
		"Are dogs welcome?":            ai.Respond,
		"Hello":                        ai.Respond,
		"Thanks!":                      ai.Respond,
		"Goodbye":                      ai.Respond,
		"I want to speak to a human":   ai.Respond, // who cannot be brought in
		"What do you say on politics?": ai.Fallback,
		"👍":                            ai.Respond, // thanks
		"🙈🙉🙊 ?!":                       ai.Respond, // it asks what is wanted
		"...":                          ai.Respond,
		"why is it so?":                ai.Fallback, // no word of it tells what it is about
	} {
		if got := c.ask(t, message); got != action {
			t.Errorf("%q: %s, want %s", message, got, action)
		}
	}
	c.edit(t, func(a *agent.Agent) { a.HandoffEnabled, a.HandoffKeywords = true, "tandem" })
	if got := c.ask(t, "Where is my tandem?"); got != ai.Handoff {
		t.Error(got)
	}
	c.edit(t, func(a *agent.Agent) { a.Status = agent.Paused })
	if got := c.ask(t, "Do you rent out skates?"); got != assistant.AgentPaused {
		t.Error(got)
	}
	c.wantAsked(t)
}

// TestAnsweredSince teaches the agent what it did not know. The question leaves the list when it is answered,
// and not when a person is to answer it.
func TestAnsweredSince(t *testing.T) {
	c := visited(t, serve(t))
	c.ask(t, "Do you rent out tandems?")
	c.ask(t, "Is there a sauna?")
	c.edit(t, func(a *agent.Agent) {
		a.FAQs = append(a.FAQs, agent.FAQ{Question: "Do you rent out tandems?",
			Answer: "Yes, for 20 euros a day."})
		a.HandoffEnabled, a.HandoffKeywords = true, "sauna"
	})
	c.wantAsked(t, "1 Is there a sauna?", "1 Do you rent out tandems?")
	if got := c.ask(t, "do you rent tandems"); got != ai.Respond {
		t.Fatal(got)
	}
	if got := c.ask(t, "Is there a sauna?"); got != ai.Handoff {
		t.Fatal(got)
	}
	c.wantAsked(t, "1 Is there a sauna?")
	c.edit(t, func(a *agent.Agent) { a.FAQs = a.FAQs[:1] })
	c.ask(t, "Do you rent out tandems?")
	c.wantAsked(t, "1 Do you rent out tandems?", "1 Is there a sauna?")
}

func TestDismiss(t *testing.T) {
	s := serve(t)
	c, stranger := visited(t, s), visited(t, s)
	c.ask(t, "Do you rent out tandems?")
	c.ask(t, "Do you rent out tandems?")
	c.ask(t, "Is there a sauna?")
	question := fmt.Sprintf("%s%d/", c.unanswered(), unanswered.ID(c.agent, "en", "tandems, rent"))
	stranger.WantError(t, 404, "not_found", "", "DELETE", question, nil)
	stranger.WantError(t, 404, "not_found", "", "GET", c.unanswered(), nil)
	c.wantAsked(t, "1 Is there a sauna?", "2 Do you rent out tandems?")

	c.Want(t, 204, "DELETE", question, nil)
	c.wantAsked(t, "1 Is there a sauna?")
	c.WantError(t, 404, "not_found", "", "DELETE", question, nil)
	c.WantError(t, 404, "not_found", "", "DELETE", c.unanswered()+"1/", nil)
	c.WantError(t, 404, "not_found", "", "DELETE", c.unanswered()+"x/", nil)
	c.wantAsked(t, "1 Is there a sauna?")
	c.ask(t, "Do you rent out tandems?")
	c.wantAsked(t, "1 Do you rent out tandems?", "1 Is there a sauna?")

	if err := c.agents.Delete(t.Context(), c.Account, c.agent); err != nil {
		t.Fatal(err)
	}
	c.WantError(t, 404, "not_found", "", "GET", c.unanswered(), nil)
	c.WantError(t, 404, "not_found", "", "DELETE", question, nil)
}

// TestUnansweredPages has more questions than a page holds.
func TestUnansweredPages(t *testing.T) {
	c := visited(t, serve(t))
	const questions = 103
	for i := range questions {
		c.ask(t, fmt.Sprintf("Do you rent out tandem%d?", i))
	}
	want := questions
	sizes := []int{}
	for address := c.unanswered(); address != ""; {
		page := c.Want(t, 200, "GET", address, nil)
		if got := page.Number("count"); got != fmt.Sprint(questions) {
			t.Errorf("count is %s", got)
		}
		sizes = append(sizes, len(page.Results()))
		for _, row := range page.Results() {
			want--
			if got := fmt.Sprintf("Do you rent out tandem%d?", want); row["question"] != got {
				t.Fatalf("%v, want %s", row, got)
			}
		}
		address, _ = page.Fields["next"].(string)
	}
	if diff := cmp.Diff([]int{50, 50, 3}, sizes); diff != "" {
		t.Error(diff)
	}
	if got := len(c.Want(t, 200, "GET", c.unanswered()+"?page=3", nil).Results()); got != 3 {
		t.Errorf("the third page has %d", got)
	}
	c.WantError(t, 404, "not_found", "", "GET", c.unanswered()+"?page=4", nil)
}

// TestUnansweredAtOnce has visitors ask the same two questions at the same time, while the business takes one
// of them off its list and the agent learns the other: the list and its count stay as exact as if they had
// come one by one.
func TestUnansweredAtOnce(t *testing.T) {
	c := visited(t, serve(t))
	const visitors = 12
	var wg sync.WaitGroup
	for i := range visitors {
		wg.Go(func() {
			c.ask(t, "Do you rent out tandems?")
			if i%2 == 0 {
				c.ask(t, "Is there a sauna?")
			}
		})
	}
	wg.Wait()
	got := c.asked(t)
	if len(got) != 2 || !strings.Contains(strings.Join(got, ","),
		fmt.Sprint(visitors, " Do you rent out tandems?")) ||
		!strings.Contains(strings.Join(got, ","), fmt.Sprint(visitors/2, " Is there a sauna?")) {
		t.Error(got)
	}

	sauna := fmt.Sprintf("%s%d/", c.unanswered(), unanswered.ID(c.agent, "en", "sauna"))
	c.edit(t, func(a *agent.Agent) {
		a.FAQs = append(a.FAQs, agent.FAQ{Question: "Do you rent out tandems?",
			Answer: "Yes, for 20 euros a day."})
	})
	for range visitors {
		wg.Go(func() { c.ask(t, "Do you rent out tandems?") })
		wg.Go(func() { c.ask(t, "Is there a sauna?") })
		wg.Go(func() {
			a, err := c.Try("DELETE", sauna, nil)
			if err != nil || a.Status != 204 && a.Status != 404 {
				t.Error(a.Status, a.Body, err)
			}
		})
	}
	wg.Wait()
	if got := c.asked(t); len(got) > 1 || len(got) == 1 && !strings.HasSuffix(got[0], "Is there a sauna?") {
		t.Error(got)
	}
}
