package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
)

// clock is a tool of the tests.
var clock = ai.Tool{
	Name: "clock", Description: "Tells the time.",
	Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"}}}`),
}

// asks is an answer that calls the clock.
func asks(id, arguments string) Answer {
	half := len(arguments) / 2
	return Answer{
		Calls: []Call{{id, "clock", []string{arguments[:half], arguments[half:]}}},
		Stop:  llm.Complete, Input: 100, Output: 10,
	}
}

// testTools has models call tools as they do: in order, several at once, with what nobody offered, and
// without end.
func (h Harness) testTools(t *testing.T) {
	two := Answer{
		Calls: []Call{
			{"a", "clock", []string{`{"zone":"Paris"}`}},
			{"b", "clock", []string{`{"zone":"Oslo"}`}},
		},
		Stop: llm.Complete,
	}
	both := good()
	both.Calls = asks("a", `{"zone":"Paris"}`).Calls
	spoken := asks("a", `{}`)
	spoken.Text = []string{"Let me look."}
	slow := asks("a", `{"zone":"Paris"}`)
	slow.Pause = 50 * time.Millisecond
	cut := asks("a", `{"zone":"Par`)
	cut.Stop = llm.Cut
	unknown := Answer{Calls: []Call{{"a", "safe", []string{`{"open":true}`}}}, Stop: llm.Complete}
	for name, test := range map[string]struct {
		answers []Answer
		asked   int
		called  []string // name and arguments
	}{
		"one": {[]Answer{asks("a", `{"zone":"Paris"}`), good()}, 2,
			[]string{`clock {"zone":"Paris"}`}},
		"none": {[]Answer{good()}, 1, nil},
		"two at once": {[]Answer{two, good()}, 2,
			[]string{`clock {"zone":"Paris"}`, `clock {"zone":"Oslo"}`}},
		"one by one": {[]Answer{asks("a", `{}`), asks("b", `{}`), good()}, 3,
			[]string{"clock {}", "clock {}"}},
		"with an answer":   {[]Answer{both, good()}, 2, []string{`clock {"zone":"Paris"}`}},
		"with words":       {[]Answer{spoken, good()}, 2, []string{"clock {}"}},
		"slowly":           {[]Answer{slow, good()}, 2, []string{`clock {"zone":"Paris"}`}},
		"cut off":          {[]Answer{cut, good()}, 2, nil},
		"connection ended": {[]Answer{{Calls: cut.Calls}, good()}, 2, nil},
		"unknown":          {[]Answer{unknown, good()}, 2, []string{`safe {"open":true}`}},
		"no JSON": {
			[]Answer{asks("a", `zone: Paris`), good()}, 2, []string{`clock {"malformed":"zone: Paris"}`},
		},
		"no object": {[]Answer{asks("a", `[1]`), good()}, 2, []string{`clock {"malformed":"[1]"}`}},
		"no end": {
			[]Answer{asks("a", `{}`), asks("b", `{}`), asks("c", `{}`), good()}, 4,
			[]string{"clock {}", "clock {}", "clock {}"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := h.serve(t, test.answers...)
			var called []string
			request := h.request()
			request.Tools = []ai.Tool{clock}
			request.Call = func(_ context.Context, c ai.Call) string {
				called = append(called, c.Name+" "+string(c.Arguments))
				return `{"time":"noon"}`
			}
			got, err := llm.New(h.Open(s.URL)).Reply(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			got.Usage = ai.Usage{}
			if diff := gocmp.Diff(goodReply(), got); diff != "" {
				t.Error(diff)
			}
			if diff := gocmp.Diff(test.called, called); diff != "" {
				t.Error(diff)
			}
			h.checkRounds(t, s.asked(), test.asked, len(test.called))
		})
	}
	t.Run("never an answer", func(t *testing.T) {
		s := h.serve(t, asks("a", `{}`))
		request := h.request()
		request.Tools = []ai.Tool{clock}
		request.Call = func(context.Context, ai.Call) string { return "{}" }
		reply, err := llm.New(h.Open(s.URL)).Reply(t.Context(), request)
		if !errors.Is(err, ai.ErrUnavailable) || reply.Usage.InputTokens < 400 {
			t.Errorf("%+v, %v", reply, err)
		}
	})
}

// checkRounds expects each prompt to go on with what was called and what came of it, and the fourth to leave
// no choice.
func (h Harness) checkRounds(t *testing.T, prompts []Prompt, asked, called int) {
	t.Helper()
	if len(prompts) != asked {
		t.Fatalf("asked %d times, want %d", len(prompts), asked)
	}
	for i, p := range prompts {
		if diff := gocmp.Diff([]string{llm.ToolName, "clock"}, p.Offered); diff != "" {
			t.Error(diff)
		}
		if must := p.Tool == llm.ToolName; must != (i == 3) {
			t.Errorf("prompt %d: must answer: %t", i, must)
		}
		if !strings.Contains(p.System, "Call a tool first") {
			t.Error("the instructions do not tell of tools")
		}
	}
	last := prompts[len(prompts)-1]
	var ids, results []string
	for _, turn := range last.Turns {
		for _, use := range turn.Calls {
			ids = append(ids, use.ID)
		}
		for _, result := range turn.Results {
			results = append(results, result.ID)
			if result.Text != `{"time":"noon"}` {
				t.Errorf("the result is %s", result.Text)
			}
		}
	}
	if diff := gocmp.Diff(ids, results); diff != "" || len(ids) != called {
		t.Errorf("%d calls told, want %d: %s", len(ids), called, diff)
	}
}
