package bedrock

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"frontdesk/shared/ai/llm"
)

// An event is an event of a stream, with the fields of all kinds.
type event struct {
	Index int `json:"contentBlockIndex"` // of contentBlockStart and contentBlockDelta
	Start struct {
		Tool struct {
			ID   string `json:"toolUseId"`
			Name string `json:"name"`
		} `json:"toolUse"`
	} `json:"start"` // of contentBlockStart
	Delta struct {
		Text string `json:"text"`
		Tool *struct {
			Input string `json:"input"`
		} `json:"toolUse"`
	} `json:"delta"` // of contentBlockDelta; thoughts stand in another field and are left out
	StopReason string `json:"stopReason"` // of messageStop
	Usage      struct {
		InputTokens  int64 `json:"inputTokens"`
		OutputTokens int64 `json:"outputTokens"`
	} `json:"usage"` // of metadata
}

// readStream reads an answer from an event stream into the draft.
func readStream(answer io.Reader, d *llm.Draft) error {
	decoder := eventstream.NewDecoder()
	var buffer []byte
	for {
		m, err := decoder.Decode(answer, buffer[:0])
		switch {
		case errors.Is(err, io.EOF) && d.Stop != "":
			return nil // with the counts or, from a stand-in, without
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		buffer = m.Payload
		switch header(m, ":message-type") {
		case "exception":
			return failure(header(m, ":exception-type"))
		case "error":
			return failure(header(m, ":error-code"))
		}
		if err := read(header(m, ":event-type"), m.Payload, d); err != nil {
			return err
		}
	}
}

func header(m eventstream.Message, name string) string {
	if value := m.Headers.Get(name); value != nil {
		return value.String()
	}
	return ""
}

// failure returns the failure for an exception in the stream.
func failure(code string) *llm.Failure {
	return &llm.Failure{Code: code, Passing: code != "validationException" && code != "accessDeniedException"}
}

// read adds an event to the draft. Unknown kinds are ignored.
func read(kind string, payload []byte, d *llm.Draft) error {
	switch kind {
	case "contentBlockStart", "contentBlockDelta", "messageStop", "metadata":
	default:
		return nil
	}
	var e event
	if json.Unmarshal(payload, &e) != nil {
		return &llm.Failure{Code: "malformed_event", Passing: true}
	}
	switch kind {
	case "messageStop":
		d.Stop = stopOf(e.StopReason)
	case "metadata":
		d.InputTokens, d.OutputTokens = max(e.Usage.InputTokens, 0), max(e.Usage.OutputTokens, 0)
	case "contentBlockDelta":
		if err := d.Text(e.Delta.Text); err != nil {
			return err
		}
		if e.Delta.Tool != nil {
			return d.Call(e.Index, "", "", e.Delta.Tool.Input)
		}
	case "contentBlockStart":
		if e.Start.Tool.Name != "" {
			return d.Call(e.Index, e.Start.Tool.ID, e.Start.Tool.Name, "")
		}
	}
	return nil
}

func stopOf(reason string) llm.Stop {
	switch reason {
	case "max_tokens", "model_context_window_exceeded":
		return llm.Cut
	case "guardrail_intervened", "content_filtered":
		return llm.Refused
	}
	return llm.Complete
}
