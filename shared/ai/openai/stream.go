package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"frontdesk/shared/ai/llm"
)

// A chunk is a piece of an answer, or the whole answer of a service that does not stream.
type chunk struct {
	Choices []struct {
		Index        int     `json:"index"`
		Delta        part    `json:"delta"`
		Message      part    `json:"message"` // of an answer that is not streamed
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type part struct {
	Content   string `json:"content"`
	Refusal   string `json:"refusal"`
	ToolCalls []struct {
		Index    int    `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// maxLine is the maximum length of an event in bytes.
const maxLine = 1 << 20

// done ends a stream.
const done = "[DONE]"

// readStream reads an answer from server-sent events, each a line of data, into the draft.
func readStream(answer io.Reader, d *llm.Draft) error {
	lines := bufio.NewScanner(answer)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || len(data) == 0 {
			// a comment that keeps the connection open, the end of an event, or a field that says nothing
			continue
		}
		if string(data) == done {
			break
		}
		if err := read(data, d); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if d.Stop == "" {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// readWhole reads an answer from a single document into the draft.
func readWhole(answer io.Reader, d *llm.Draft) error {
	document, err := io.ReadAll(answer)
	if err != nil {
		return err
	}
	if err := read(document, d); err != nil {
		return err
	}
	if d.Stop == "" {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// read adds a chunk to the draft.
func read(data []byte, d *llm.Draft) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return &llm.Failure{Code: "malformed_chunk", Passing: true}
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return &llm.Failure{Code: llm.ErrorCode(data), Passing: true}
	}
	if c.Usage != nil {
		d.InputTokens, d.OutputTokens = max(c.Usage.PromptTokens, 0), max(c.Usage.CompletionTokens, 0)
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		for _, p := range []part{choice.Delta, choice.Message} {
			if err := p.take(d); err != nil {
				return err
			}
		}
		if choice.FinishReason != nil && *choice.FinishReason != "" && d.Stop != llm.Refused {
			d.Stop = stopOf(*choice.FinishReason)
		}
	}
	return nil
}

// take adds the part to the draft.
func (p part) take(d *llm.Draft) error {
	if p.Refusal != "" {
		d.Stop = llm.Refused
	}
	if err := d.Text(p.Content); err != nil {
		return err
	}
	for _, call := range p.ToolCalls {
		if err := d.Call(call.Index, call.ID, call.Function.Name, call.Function.Arguments); err != nil {
			return err
		}
	}
	return nil
}

func stopOf(reason string) llm.Stop {
	switch reason {
	case "length":
		return llm.Cut
	case "content_filter":
		return llm.Refused
	}
	return llm.Complete
}
