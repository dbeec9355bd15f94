package conversations

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/bedrock"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/llm/llmtest"
	"frontdesk/shared/ai/openai"
)

// A plan is what a model does about a message of a script: the skills that it calls, and what it says where
// it calls none.
type plan struct {
	calls        []llmtest.Call
	said, action string
	sure         float64 // of what it says
}

// plansOf are those of the messages of a script that are answered, in order.
func plansOf(script string) []plan {
	var plans []plan
	open := false
	for line := range strings.Lines(script) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if mark == ">" && !open {
			plans, open = append(plans, plan{action: ai.Respond, sure: 0.9}), true
		} else if mark != ">" && mark != "!" {
			open = false
		}
		if len(plans) == 0 {
			continue
		}
		p := &plans[len(plans)-1]
		switch mark {
		case "!":
			name, arguments, _ := strings.Cut(rest, " ")
			half := len(arguments) / 2
			p.calls = append(p.calls, llmtest.Call{
				ID: "right", Name: name, Arguments: []string{arguments[:half], arguments[half:]},
			})
		case "<":
			p.said += rest + "\n"
		case "":
			if about, ok := strings.CutPrefix(rest, " ["); ok && strings.HasPrefix(about, ai.Fallback) {
				p.action = ai.Fallback
			} else if ok && strings.Contains(about, guess) {
				p.sure = 0.3
			}
		}
	}
	return plans
}

// A habit is something that models do, beside what they are there for.
type habit int

const (
	plain  habit = iota
	errs         // calls with wrong arguments first
	dreams       // calls a tool that there is not, beside the right one
	slow         // writes in pieces, with pauses
	cut          // is cut off in the answer
	refuses
	habits
)

// A model is a stand-in for one that interprets the messages of a script.
type model struct {
	plans []plan
	turn  *int  // of the script, from 1
	first habit // of the first message; the others follow

	mu    sync.Mutex
	said  []string // its answers
	wrong []string // what it was told of calls that were right
}

// habit is what the model does with the message that it is asked about.
func (m *model) habit() habit { return (m.first + habit(*m.turn)) % habits }

// say answers a prompt: by the plan's calls, and then by an answer in words of its own.
func (m *model) say(p llmtest.Prompt) llmtest.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	does, told := m.plans[*m.turn-1], results(p)
	a := llmtest.Answer{Stop: llm.Complete, Input: 9, Output: 9}
	habit := m.habit()
	if habit == slow {
		a.Pause = 2 * time.Millisecond
	}
	right, tried := told["right"]
	_, erred := told["wrong"]
	switch {
	case len(does.calls) > 0 && habit == errs && !erred:
		a.Calls = []llmtest.Call{{
			ID: "wrong", Name: does.calls[0].Name, Arguments: []string{`{"does":`, `7,"x":[]}`},
		}}
		return a
	case len(does.calls) > 0 && !tried:
		a.Calls = does.calls
		if habit == dreams {
			dream := llmtest.Call{ID: "dream", Name: "open_till", Arguments: []string{"{}"}}
			a.Calls = append([]llmtest.Call{dream}, a.Calls...)
		}
		return a
	case habit == refuses:
		return llmtest.Answer{Text: []string{"I cannot help with that."}, Stop: llm.Refused}
	}
	action, words := does.action, "As I see it: "+does.said
	if tried {
		var result struct {
			Said string `json:"tell_the_person"`
		}
		if json.Unmarshal([]byte(right), &result) != nil || result.Said == "" {
			m.wrong = append(m.wrong, right)
		}
		action, words = ai.Respond, "Let me put it so: "+result.Said
	}
	m.said = append(m.said, words)
	reply, err := json.Marshal(map[string]any{
		"action": action, "intent": "question", "confidence": does.sure, "sources": []int{}, "reply": words,
	})
	if err != nil {
		panic(err)
	}
	if habit == cut {
		a.Stop = llm.Cut
		reply = append(reply[:len(reply)-2], " And by the"...)
	}
	a.Tool = []string{string(reply[:len(reply)/2]), string(reply[len(reply)/2:])}
	return a
}

// results are what a prompt tells of the calls of this turn, by their ids.
func results(p llmtest.Prompt) map[string]string {
	told := map[string]string{}
	for _, turn := range p.Turns {
		for _, r := range turn.Results {
			told[r.ID] = r.Text
		}
	}
	return told
}

// TestByModel has the people of all scripts write to agents whose messages a language model interprets, with
// the habits that models have: it calls with wrong arguments and what there is not, several at once, is cut
// off, and refuses. What is kept in the end is the same as with the built-in interpreter.
func TestByModel(t *testing.T) {
	files, err := filepath.Glob("testdata/*/conversations/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		business := filepath.Dir(filepath.Dir(file))
		name := filepath.Base(business) + "/" + strings.TrimSuffix(filepath.Base(file), ".txt")
		wires := map[string]llmtest.Wire{"bedrock": llmtest.Bedrock, "openai": llmtest.OpenAI}
		for wire, format := range wires {
			t.Run(name+"/"+wire, func(t *testing.T) {
				t.Parallel()
				d := &desk{}
				m := &model{plans: plansOf(string(script)), turn: &d.turn, first: habit(i + len(wire))}
				address := format.Serve(t, m.say)
				services := map[string]ai.Model{wire: llm.New(service(wire, address))}
				d.open(t, business, wire+":"+format.Model, services)
				after := d.play(t, string(script))
				if diff := cmp.Diff(keptIn(string(script)), keptIn(after)); diff != "" {
					t.Errorf("kept by the built-in interpreter (-) and by a model (+):\n%s\n%s", diff, after)
				}
				for _, told := range m.wrong {
					t.Errorf("a right call was refused: %s", told)
				}
				if len(m.said) == 0 {
					t.Error("the model never answered")
				}
			})
		}
	}
}

// service is one of language models at an address.
func service(wire, address string) llm.Service {
	if wire == "openai" {
		return openai.New(address+"/v1", func(context.Context) (string, error) {
			return llmtest.OpenAIKey, nil
		})
	}
	return bedrock.New(aws.Config{
		Region: "eu-west-1", BaseEndpoint: &address,
		Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", llmtest.BedrockSecret,
			"session-token"),
	}, time.Now)
}

// keptIn are the lines of a script that tell what is kept, but for what a person is told of the replies.
func keptIn(script string) []string {
	var kept []string
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "=") && !strings.HasPrefix(line, "=   told") {
			kept = append(kept, line)
		}
	}
	return kept
}
