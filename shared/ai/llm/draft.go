package llm

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
)

// A Draft is what a model has written so far.
type Draft struct {
	// Stop says why the model stopped, "" while it has not.
	Stop Stop
	// InputTokens and OutputTokens are the service's counts, which come last; both 0 where they have not
	// come.
	InputTokens, OutputTokens int64

	text  strings.Builder
	calls []*call
}

// A call is one of a tool as it is written.
type call struct {
	index     int
	id, name  string
	arguments strings.Builder
}

// maxCalls bounds the calls of tools in one answer.
const maxCalls = 8

// A Stop is why a model stopped writing.
type Stop string

// The reasons.
const (
	Complete Stop = "complete" // it had said everything
	Cut      Stop = "cut"      // it had used up its tokens
	Refused  Stop = "refused"  // it, or a filter of the service, would not answer
)

// maxDraft bounds a draft, in bytes: far more than the longest reply takes.
const maxDraft = 1 << 20

// Text adds to the text that the model writes. It fails when the draft becomes too long.
func (d *Draft) Text(s string) error {
	d.text.WriteString(s)
	return d.bounded()
}

// Call adds to the call of a tool at a place among the answer's: its id and its name, which come once and may
// be empty otherwise, and a piece of the JSON of its arguments. It fails when the draft becomes too long.
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

// answer is the call of the tool by which a model replies, nil where there is none. A service that leaves the
// name out means the only tool.
func (d *Draft) answer() *call {
	for _, c := range d.calls {
		if c.name == ToolName || c.name == "" {
			return c
		}
	}
	return nil
}

// written is how many bytes the model has written.
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

// tokenLength is the characters that a token has for an estimate, as it is usual for English.
const tokenLength = 4

// usage is what the draft cost. Where the service has not come to say so, because the answer was cut short,
// it is estimated from the characters; a call that nothing came of has cost nothing.
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
