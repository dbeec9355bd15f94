package llm

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
)

// A Draft is what a model has written so far.
type Draft struct {
	// Stop is why the model stopped, "" if it has not.
	Stop Stop
	// InputTokens and OutputTokens are the service's counts, which arrive last; 0 before.
	InputTokens, OutputTokens int64

	text  strings.Builder
	calls []*call
}

// A call is a call of a tool that is being written.
type call struct {
	index     int
	id, name  string
	arguments strings.Builder
}

// maxCalls is the maximum number of tool calls in an answer.
const maxCalls = 8

// A Stop is the reason why a model stopped writing.
type Stop string

// The reasons.
const (
	Complete Stop = "complete" // it had said everything
	Cut      Stop = "cut"      // it had used up its tokens
	Refused  Stop = "refused"  // it, or a filter of the service, would not answer
)

// maxDraft is the maximum size of a draft in bytes, far more than the longest reply takes.
const maxDraft = 1 << 20

// Text appends to the model's text. It returns an error if the draft becomes too long.
func (d *Draft) Text(s string) error {
	d.text.WriteString(s)
	return d.bounded()
}

// Call appends to the call with an index: its id and name, which are sent once and may be empty otherwise,
// and a piece of its arguments' JSON. It returns an error if the draft becomes too long.
func (d *Draft) Call(index int, id, name, arguments string) error {
	var c *call
	for _, known := range d.calls {
		if known.index == index {
			c = known
		}
	}
	if c == nil {
		if len(d.calls) == maxCalls {
			return &Failure{Code: "too_many_calls"}
		}
		c = &call{index: index}
		d.calls = append(d.calls, c)
	}
	c.id, c.name = cmp.Or(c.id, id), cmp.Or(c.name, name)
	c.arguments.WriteString(arguments)
	return d.bounded()
}

// answer returns the call of the tool with which a model replies, or nil. Some services leave out the name
// of the only tool.
func (d *Draft) answer() *call {
	for _, c := range d.calls {
		if c.name == ToolName || c.name == "" {
			return c
		}
	}
	return nil
}

// written returns the number of bytes that the model has written.
func (d *Draft) written() int {
	n := d.text.Len()
	for _, c := range d.calls {
		n += c.arguments.Len()
	}
	return n
}

func (d *Draft) bounded() error {
	if d.written() > maxDraft {
		return &Failure{Code: "answer_too_long"}
	}
	return nil
}

// tokenLength is the estimated number of characters per token, typical for English.
const tokenLength = 4

// usage returns the cost of the draft. If the service's counts did not arrive, because the answer was cut
// short, it estimates them from the characters; a call without any answer costs nothing.
func (d *Draft) usage(p Prompt) ai.Usage {
	u := ai.Usage{InputTokens: d.InputTokens, OutputTokens: d.OutputTokens}
	written := utf8.RuneCountInString(d.text.String())
	for _, c := range d.calls {
		written += utf8.RuneCountInString(c.arguments.String())
	}
	if u == (ai.Usage{}) && written > 0 {
		u = ai.Usage{
			InputTokens:  int64(p.length() / tokenLength),
			OutputTokens: int64(written/tokenLength + 1),
		}
	}
	u.MicroUSD = p.Model.Price.Of(u)
	return u
}
