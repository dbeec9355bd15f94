package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"frontdesk/shared/ai"
)

// maxAsked is the maximum number of calls of a model for one reply, not counting failed attempts. In the
// last one it must answer.
const maxAsked = 4

// writeTools writes how the model can call tools before it answers.
func writeTools(b *strings.Builder, form ai.Form, tools []ai.Tool) {
	if len(tools) == 0 {
		return
	}
	b.WriteString(
		`What the business does for the person is done by the tools alone: appointments, orders, notes, bringing in a ` +
			`colleague. Call a tool first when the message calls for it, with what the person has said and nothing made up. Its result ` +
			`says what was done and what is still to be asked; word the reply from it, in full, and claim nothing that no result says. ` +
			"A message that calls for no tool is answered at once.\n\n",
	)
	if form != ai.JSONText {
		return
	}
	b.WriteString(
		`To call a tool write one JSON object and nothing else, such as {"call": "name", "arguments": {…}}. ` +
			"The tools and the JSON Schemas of their arguments:\n",
	)
	for _, tool := range tools {
		fmt.Fprintf(b, "- %s: %s %s\n", tool.Name, tool.Description, tool.Schema)
	}
	b.WriteString("\n")
}

// calls returns the calls of tools in a draft, except the one that answers. If a model calls tools and
// answers at once, it has not seen the results, so the answer is ignored.
func (p *Prompt) calls(d *Draft) []Use {
	if len(p.Tools) == 0 || p.Last {
		return nil
	}
	if p.Model.Form == ai.JSONText {
		return inText(d.text.String())
	}
	var uses []Use
	for i, c := range d.calls {
		if c.name == ToolName || c.name == "" {
			continue
		}
		uses = append(uses, Use{idOf(c, i), c.name, object(c.arguments.String())})
	}
	return uses
}

// idOf returns the service's id of a call, or a generated one if it has none.
func idOf(c *call, i int) string {
	if c.id == "" {
		return fmt.Sprintf("call_%d", i)
	}
	return c.id
}

// object returns the arguments of a call as a JSON object. Anything else is wrapped as a string, since
// services only accept objects back.
func object(arguments string) json.RawMessage {
	var parts map[string]json.RawMessage
	if arguments == "" {
		return json.RawMessage("{}")
	}
	if json.Unmarshal([]byte(arguments), &parts) == nil && parts != nil {
		return json.RawMessage(arguments)
	}
	return json.RawMessage(encode(map[string]string{"malformed": arguments}))
}

// inText returns the call that a model without an interface for tools writes in its text, or nil.
func inText(written string) []Use {
	start := strings.IndexByte(written, '{')
	if start < 0 {
		return nil
	}
	var made struct {
		Call      string          `json:"call"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.NewDecoder(strings.NewReader(written[start:])).Decode(&made) != nil || made.Call == "" {
		return nil
	}
	return []Use{{"", made.Call, object(string(made.Arguments))}}
}

// use runs the calls of a draft, and adds their results to the prompt.
func (p *Prompt) use(ctx context.Context, d *Draft, uses []Use) {
	var results []Result
	for _, u := range uses {
		result := p.request.Call(ctx, ai.Call{Name: u.Name, Arguments: u.Arguments})
		results = append(results, Result{u.ID, result})
	}
	if p.Model.Form == ai.JSONText {
		p.say(false, strings.TrimSpace(d.text.String()))
		var b bytes.Buffer
		for _, r := range results {
			fmt.Fprintf(&b, `{"result": %s}`, r.Text)
		}
		p.say(true, b.String())
		return
	}
	p.Turns = append(p.Turns,
		Turn{Text: strings.TrimSpace(d.text.String()), Calls: uses}, Turn{Person: true, Results: results})
}

// Offers returns the tools that the model may choose from, including the one that answers.
func (p *Prompt) Offers() []ai.Tool {
	answer := ai.Tool{Name: ToolName, Description: ToolDescription, Schema: json.RawMessage(ToolSchema)}
	return append([]ai.Tool{answer}, p.Tools...)
}

// MustAnswer reports whether the model has to answer, and may call no other tool.
func (p *Prompt) MustAnswer() bool { return p.Last || len(p.Tools) == 0 }
