package llm

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
)

// A Draft is what a model has written so far.
type Draft struct {
	// Stop says why the model stopped, "" while it has not.
	Stop Stop
	// InputTokens and OutputTokens are the service's counts, which come last; both 0 where they have not come.
	InputTokens, OutputTokens int64

	text, tool strings.Builder
}

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

// Tool adds to the JSON that the model fills the tool in with. It fails when the draft becomes too long.
func (d *Draft) Tool(s string) error {
	d.tool.WriteString(s)
	return d.bounded()
}

func (d *Draft) bounded() error {
	if d.text.Len()+d.tool.Len() > maxDraft {
		return &Failure{Code: "answer_too_long"}
	}
	return nil
}

// tokenLength is the characters that a token has for an estimate, as it is usual for English.
const tokenLength = 4

// usage is what the draft cost. Where the service has not come to say so, because the answer was cut short, it is
// estimated from the characters; a call that nothing came of has cost nothing.
func (d *Draft) usage(p Prompt) ai.Usage {
	u := ai.Usage{InputTokens: d.InputTokens, OutputTokens: d.OutputTokens}
	written := utf8.RuneCountInString(d.text.String()) + utf8.RuneCountInString(d.tool.String())
	if u == (ai.Usage{}) && written > 0 {
		u = ai.Usage{InputTokens: int64(p.length() / tokenLength), OutputTokens: int64(written/tokenLength + 1)}
	}
	u.MicroUSD = p.Model.Price.Of(u)
	return u
}
