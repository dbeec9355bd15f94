package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"frontdesk/shared/ai"
)

// TestLimits gives a prompt more than it has room for.
func TestLimits(t *testing.T) {
	r := ai.Request{Language: "en", MaxLength: 500, Message: "What does the deluxe massage cost?"}
	for i := range 200 {
		r.Passages = append(r.Passages, ai.Passage{Questions: []string{fmt.Sprintf("Question %d?", i)},
			Text: strings.Repeat("Nothing of note. ", 20)})
	}
	r.Passages[150].Questions = []string{"How much is a deluxe massage?"}
	r.Passages = append(r.Passages,
		ai.Passage{Document: 1, Title: "Long", Text: strings.Repeat("A long text. ", 3000)},
		ai.Passage{Document: 2, Title: "Short", Text: "A short one."})
	for i := range 30 {
		r.History = append(r.History,
			ai.Turn{Inbound: i%2 == 0, Text: fmt.Sprintf("%d %s", i, strings.Repeat("word ", 400))})
	}
	m, _ := ai.BedrockModel("nova-micro")
	p := newPrompt(m, r)
	if n := p.length(); n > maxHistory+2*maxPassages+10_000 {
		t.Errorf("the prompt has %d characters", n)
	}
	if p.passages[0].Document != 1 || len(p.passages[0].Text) > maxPassages ||
		p.passages[1].Questions[0] != "How much is a deluxe massage?" {
		t.Errorf("first are %.100q and %.100q", p.passages[0].Text, p.passages[1].Questions)
	}
	if first, last := p.Turns[0], p.Turns[len(p.Turns)-2]; !first.Person ||
		!strings.HasPrefix(last.Text, "29 ") {
		t.Errorf("the history is from %.50q to %.50q", first.Text, last.Text)
	}
	if p.MaxTokens != 800 {
		t.Errorf("at most %d tokens", p.MaxTokens)
	}
	r.MaxLength = 100_000
	if p := newPrompt(m, r); p.MaxTokens != m.MaxOutput {
		t.Errorf("at most %d tokens of %d", p.MaxTokens, m.MaxOutput)
	}
}

// TestSchema holds the tool to the object of the prompt.
func TestSchema(t *testing.T) {
	var schema struct {
		Properties map[string]any
		Required   []string
	}
	if err := json.Unmarshal([]byte(ToolSchema), &schema); err != nil {
		t.Fatal(err)
	}
	instructions := system(ai.JSONText, ai.Request{Canned: ai.Canned{Fallback: "Call \"us\"."}})
	for _, name := range schema.Required {
		if schema.Properties[name] == nil || !strings.Contains(instructions, "\n- "+name+": ") ||
			!strings.Contains(instructions, `"`+name+`": `) {
			t.Errorf("%s is not explained in %s", name, instructions)
		}
	}
	if len(schema.Required) != len(schema.Properties) ||
		!strings.Contains(instructions, `With "fallback" the reply is, word for word: "Call \"us\"."`) {
		t.Error(instructions)
	}
}

// FuzzParse gives the parser what no model should write.
func FuzzParse(f *testing.F) {
	f.Add("```json\n{\"reply\":\"Hi\"}```", `{"reply":`, true)
	f.Fuzz(func(t *testing.T, written, tool string, whole bool) {
		var d Draft
		d.text.WriteString(written)
		if err := d.Call(0, "t", ToolName, tool); err != nil {
			t.Skip(err)
		}
		p := newPrompt(ai.OpenAIModel("m"),
			ai.Request{MaxLength: 50, Message: "Hi", Passages: []ai.Passage{{Document: 1}}})
		reply, err := p.read(&d, whole)
		if err == nil && (reply.Text == "" || len([]rune(reply.Text)) > 50 || reply.Confidence < 0 ||
			reply.Confidence > 1 || len(reply.Sources) > 1) {
			t.Errorf("%+v", reply)
		}
	})
}
