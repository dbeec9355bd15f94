package assistant_test

import (
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/assistant"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// TestTrained tests that a turn uses the model of the agent's last training, and that a process reads each
// version once.
func TestTrained(t *testing.T) {
	w := newFixture(t, "enterprise")
	var got *faq.Model
	w.model.before = func(r ai.Request) error { got = r.FAQ; return nil }
	ask := func() {
		t.Helper()
		_, err := w.Turn(t.Context(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
			Text: "May I bring my dog?",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	train := func(version int64) {
		t.Helper()
		agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
		_, err := agents.UpdateWith(t.Context(), w.account.ID, w.agent, nil,
			func(a *agent.Agent, _ map[table.Key]table.Item) ([]table.Write, error) {
				return a.Learn(nil, version)
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if got != nil {
		t.Fatal("an agent that was not trained has a model")
	}
	train(1)
	ask()
	first := got
	if first == nil || !first.Knows(faq.ID([]string{"Are dogs welcome?"})) {
		t.Fatal("the model does not know the agent's own FAQ")
	}
	ask()
	if got != first {
		t.Error("the same version was read twice")
	}
	train(2)
	ask()
	if got == first {
		t.Error("after another training the model is the old one")
	}
}
