package assistant_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/bedrock"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/llm/llmtest"
	"frontdesk/shared/ai/openai"
	"frontdesk/shared/appointment"
	"frontdesk/shared/assistant"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
)

// A player is a stand-in for a language model. It returns the given answers in order, and then errors.
type player struct {
	mu      sync.Mutex
	answers []llmtest.Answer
	asked   []llmtest.Prompt
}

func (p *player) say(prompt llmtest.Prompt) llmtest.Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, prompt)
	if len(p.answers) == 0 {
		return llmtest.Answer{Status: 400, Code: "nothing_to_say"}
	}
	a := p.answers[0]
	p.answers = p.answers[1:]
	return a
}

// results returns the results of tool calls in the last prompt, one per line.
func (p *player) results() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, turn := range p.asked[len(p.asked)-1].Turns {
		for _, r := range turn.Results {
			all = append(all, r.Text)
		}
	}
	return strings.Join(all, "\n")
}

// calls returns an answer that calls a tool.
func calls(tool, arguments string) llmtest.Answer {
	return llmtest.Answer{
		Calls: []llmtest.Call{
			{ID: "c", Name: tool, Arguments: []string{arguments}},
		}, Stop: llm.Complete, Input: 9, Output: 9,
	}
}

// tells returns an answer in words.
func tells(action, words string) llmtest.Answer {
	reply, err := json.Marshal(map[string]any{
		"action": action, "intent": "question", "confidence": 0.9, "sources": []int{}, "reply": words,
	})
	if err != nil {
		panic(err)
	}
	return llmtest.Answer{Tool: []string{string(reply)}, Stop: llm.Complete, Input: 9, Output: 9}
}

// onWires runs a test with a salon whose agent uses a language model, once per service's wire format.
func onWires(t *testing.T, test func(*testing.T, *fixture, *player)) {
	for name, wire := range map[string]llmtest.Wire{"bedrock": llmtest.Bedrock, "openai": llmtest.OpenAI} {
		t.Run(name, func(t *testing.T) {
			w, p := newSalon(t), new(player)
			address := wire.Serve(t, p.say)
			services := map[string]llm.Service{
				"bedrock": bedrock.New(aws.Config{
					Region: "eu-west-1", BaseEndpoint: &address,
					Credentials: credentials.NewStaticCredentialsProvider(
						"AKIDEXAMPLE",
						llmtest.BedrockSecret,
						"session-token",
					),
				}, time.Now),
				"openai": openai.New(
					address+"/v1",
					func(context.Context) (string, error) { return llmtest.OpenAIKey, nil },
				),
			}
			w.Models = map[string]ai.Model{name: llm.New(services[name])}
			w.edit(t, func(a *agent.Agent) { a.AIModel = ai.ModelName(name + ":" + wire.Model) })
			test(t, w, p)
		})
	}
}

// TestModelBooks tests that a model books an appointment by calling the skill that the built-in interpreter
// uses.
func TestModelBooks(t *testing.T) {
	onWires(t, func(t *testing.T, w *fixture, p *player) {
		play := func(says string, want string, answers ...llmtest.Answer) {
			t.Helper()
			p.answers = answers
			w.wantReply(t, 1, says, want)
		}
		play(
			"could u fit me in 2moro arvo, three ish",
			"What name, please?",
			calls(
				"appointment",
				`{"does":"book","date":"2026-11-26","time":"15:00"}`,
			),
			tells("respond", "What name, please?"),
		)
		if told := p.results(); !strings.Contains(told, "Thursday, 26 November at 15:00") {
			t.Errorf("told %s", told)
		}
		play("Ada Lovelace. its ada@example.com", "Booked for tomorrow at three.",
			calls("appointment", `{"does":"book","name":"Ada Lovelace","email":"ada@example.com"}`),
			tells("respond", "Booked for tomorrow at three."))
		made := w.appointments(t, appointment.Confirmed)
		if len(made) != 1 || made[0].StartTime.Format(time.RFC3339) != "2026-11-26T15:00:00+01:00" ||
			made[0].ContactName != "Ada Lovelace" {
			t.Fatalf("%+v, told %s", made, p.results())
		}
		play(
			"hm friday ten would be better",
			"Shall I?",
			calls(
				"appointment",
				`{"does":"move","date":"2026-11-27","time":"10:00"}`,
			),
			tells("respond", "Shall I?"),
		)
		play(
			"go on then",
			"Moved.",
			calls("appointment", `{"does":"move","agrees":true}`),
			tells("respond", "Moved."),
		)
		if moved := w.appointments(t, appointment.Confirmed); len(moved) != 1 ||
			moved[0].StartTime.Format(time.RFC3339) != "2026-11-27T10:00:00+01:00" {
			t.Errorf("%+v, told %s", moved, p.results())
		}
		play(
			"actually bin it",
			"Really?",
			calls("appointment", `{"does":"cancel"}`),
			tells("respond", "Really?"),
		)
		play(
			"yep",
			"Gone.",
			calls("appointment", `{"does":"cancel","agrees":true}`),
			tells("respond", "Gone."),
		)
		if left := w.appointments(t, appointment.Confirmed); len(left) != 0 {
			t.Errorf("%+v, told %s", left, p.results())
		}
	})
}

// TestModelClaims tests that a model that claims to have booked, without calling the skill, books nothing.
func TestModelClaims(t *testing.T) {
	onWires(t, func(t *testing.T, w *fixture, p *player) {
		p.answers = []llmtest.Answer{tells("respond", "Booked for tomorrow at three!")}
		w.wantReply(t, 1, "tomorrow at 3, Ada Lovelace, ada@example.com, go ahead", "Booked")
		if made := w.appointments(t, appointment.Confirmed); len(made) != 0 {
			t.Errorf("%+v", made)
		}
	})
}

// TestModelErrs tests that calls of unknown tools and calls with invalid arguments return an error to the
// model and store nothing.
func TestModelErrs(t *testing.T) {
	onWires(t, func(t *testing.T, w *fixture, p *player) {
		for _, test := range []struct{ tool, arguments, told string }{
			{"open_safe", `{}`, "no such tool"},
			{"appointment", `{"does":"steal"}`, "give one of book, move, cancel, recall"},
			{"appointment", `{}`, "does is required"},
			{"appointment", `{"does":"book","date":"31 November"}`, "give a day that there is"},
			{"appointment", `{"does":"book","time":15}`, "give a string"},
			{"appointment", `{"does":"book","price":0}`, `no argument \"price\"`},
			{"appointment", `{"does":"book","email":"made@up.example"}`, "the person has not written this"},
			{"take_details", `{"phone":"+14155550199"}`, "the person has not written this"},
			{"appointment", `does: book`, `no argument \"malformed\"`},
		} {
			p.answers = []llmtest.Answer{
				calls(test.tool, test.arguments),
				tells("respond", "Sorry, which day?"),
			}
			w.wantReply(t, 2, "I want to come", "Sorry, which day?")
			if told := p.results(); !strings.Contains(told, test.told) || !strings.Contains(told, `"error"`) {
				t.Errorf("%s %s: told %s", test.tool, test.arguments, told)
			}
		}
		if made := w.appointments(t, appointment.Confirmed); len(made) != 0 {
			t.Errorf("%+v", made)
		}
	})
}

// TestModelCorrectsItself tests that if a model calls a skill twice in a turn, the second call alone is
// stored.
func TestModelCorrectsItself(t *testing.T) {
	onWires(t, func(t *testing.T, w *fixture, p *player) {
		both := calls("appointment", `{"does":"book","date":"2026-11-26","time":"15:00"}`)
		both.Calls = append(
			both.Calls,
			llmtest.Call{ID: "d", Name: "take_details", Arguments: []string{`{"name":"Vera Novak"}`}},
		)
		p.answers = []llmtest.Answer{
			both, calls("appointment", `{"does":"book","date":"2026-11-26","time":"16:00","name":"Vera Novak"}`),
			tells("respond", "How can we reach you?"),
		}
		w.wantReply(t, 3, "tomorrow at 3, no, at 4. I'm Vera Novak", "How can we reach you?")
		p.answers = []llmtest.Answer{
			calls("appointment", `{"does":"book","email":"vera@example.com"}`), tells("respond", "Done."),
		}
		w.wantReply(t, 3, "vera@example.com", "Done.")
		made := w.appointments(t, appointment.Confirmed)
		if len(made) != 1 || made[0].StartTime.Format("15:04") != "16:00" ||
			made[0].ContactName != "Vera Novak" {
			t.Errorf("%+v", made)
		}
	})
}

// TestModelFails tests models that fail. After a call, the reply is the skill's. Before one, the built-in
// interpreter answers if the agent has AIFallback set, else the turn fails.
func TestModelFails(t *testing.T) {
	onWires(t, func(t *testing.T, w *fixture, p *player) {
		refuses := llmtest.Answer{Text: []string{"No."}, Stop: llm.Refused}
		p.answers = []llmtest.Answer{
			calls("appointment", `{"does":"book","date":"2026-11-26","time":"15:00"}`),
			refuses,
		}
		w.wantReply(t, 4, "tomorrow at 3 please", "Thursday, 26 November at 15:00")

		p.answers = []llmtest.Answer{refuses}
		_, err := w.sayIn(t.Context(), 5, "I'd like to book an appointment")
		if code(err) != fault.ServerError {
			t.Errorf("without a fallback: %v", err)
		}
		w.edit(t, func(a *agent.Agent) { a.AIFallback = true })
		p.answers = []llmtest.Answer{refuses}
		w.wantReply(t, 5, "I'd like to book an appointment", "Which day and time")
		p.answers = []llmtest.Answer{{Status: 403, Code: "AccessDeniedException"}}
		w.wantReply(t, 5, "tomorrow at 4", "What name shall I put it under")
	})
}

// TestModelActsOnce tests a conversation that changes while a model answers: the model's calls are applied to
// the changed conversation, and the model is not asked again.
func TestModelActsOnce(t *testing.T) {
	onWires(t, func(t *testing.T, w *fixture, p *player) {
		p.answers = []llmtest.Answer{tells("respond", "Hello.")}
		first, err := w.Turn(t.Context(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
			SessionID: session, Text: "Hi",
			Contact: assistant.Identity{Name: "Ada Lovelace", Email: "ada@example.com"},
		})
		if err != nil {
			t.Fatal(err)
		}
		p.answers = []llmtest.Answer{
			calls(
				"appointment",
				`{"does":"book","date":"2026-11-26","time":"15:00"}`,
			), tells("respond", "Shall I?"),
		}
		if _, err := w.say(t.Context(), "tomorrow at 3, can you?"); err != nil {
			t.Fatal(err)
		}
		p.answers = []llmtest.Answer{
			calls("appointment", `{"does":"book","agrees":true}`), tells("respond", "You are in."),
		}
		hold := w.Models
		w.Models = map[string]ai.Model{}
		for name, m := range hold {
			w.Models[name] = meddling{m, func() {
				w.change(
					t,
					first.ConversationID,
					func(c *conversation.Conversation) { c.Priority = "urgent" },
				)
			}}
		}
		asked := len(p.asked)
		answer, err := w.say(t.Context(), "go for it")
		if err != nil || answer.Reply == nil || *answer.Reply != "You are in." || len(p.asked)-asked != 2 {
			t.Errorf("%+v, %v, asked %d times", answer, err, len(p.asked)-asked)
		}
		if made := w.appointments(t, appointment.Confirmed); len(made) != 1 {
			t.Errorf("%s", fmt.Sprint(made))
		}
	})
}

// A meddling model calls before, which changes what the turn has read, before each reply.
type meddling struct {
	ai.Model
	before func()
}

func (m meddling) Reply(ctx context.Context, r ai.Request) (ai.Reply, error) {
	m.before()
	return m.Model.Reply(ctx, r)
}
