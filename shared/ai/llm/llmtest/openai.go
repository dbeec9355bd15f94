package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"frontdesk/shared/ai/llm"
)

// OpenAI is the wire of OpenAI's chat completions, below /v1. A service calls it with OpenAIKey.
var OpenAI = Wire{Model: "gpt-4.1-mini", Secret: OpenAIKey, Read: readOpenAI, Write: writeOpenAI}

// OpenAIKey is the key that the OpenAI wire is called with.
const OpenAIKey = "sk-secret-0123456789"

// An openAIRequest is what is read of a request.
type openAIRequest struct {
	Model    string
	Messages []struct {
		Role    string
		Content *string
		Calls   []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
		CallID string `json:"tool_call_id"`
	}
	Stream  bool
	Options struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens   int `json:"max_tokens"`
	Temperature *float64
	Tools       []struct {
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
	ToolChoice any `json:"tool_choice"`
}

// readOpenAI is the prompt of a request for a chat completion, which must have the key.
func readOpenAI(t testing.TB, req *http.Request, body []byte) Prompt {
	if req.Method != "POST" || req.URL.Path != "/v1/chat/completions" ||
		req.Header.Get("Authorization") != "Bearer "+OpenAIKey ||
		req.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s %v", req.Method, req.URL, req.Header)
	}
	var r openAIRequest
	if err := json.Unmarshal(body, &r); err != nil {
		t.Error(err)
	}
	if !r.Stream || !r.Options.IncludeUsage || r.Temperature == nil {
		t.Errorf("%.300s", body)
	}
	p := Prompt{Model: r.Model, MaxTokens: r.MaxTokens}
	for _, offered := range r.Tools {
		if !json.Valid(offered.Function.Parameters) {
			t.Errorf("schema of %s: %s", offered.Function.Name, offered.Function.Parameters)
		}
		p.Offered = append(p.Offered, offered.Function.Name)
	}
	switch choice := r.ToolChoice.(type) {
	case map[string]any:
		p.Tool, _ = choice["function"].(map[string]any)["name"].(string)
	case string:
		if choice != "required" {
			t.Errorf("the choice of tools is %q", choice)
		}
	}
	p.System = *r.Messages[0].Content
	for _, m := range r.Messages[1:] {
		turn := llm.Turn{Person: m.Role != "assistant"}
		for _, c := range m.Calls {
			turn.Calls = append(
				turn.Calls,
				llm.Use{ID: c.ID, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)},
			)
		}
		switch {
		case m.Role == "tool" && p.Turns[len(p.Turns)-1].Results != nil:
			last := &p.Turns[len(p.Turns)-1]
			last.Results = append(last.Results, llm.Result{ID: m.CallID, Text: *m.Content})
			continue
		case m.Role == "tool":
			turn.Results = []llm.Result{{ID: m.CallID, Text: *m.Content}}
		case m.Content != nil:
			turn.Text = *m.Content
		}
		p.Turns = append(p.Turns, turn)
	}
	return p
}

// openAIReasons are OpenAI's words for why a model stopped.
var openAIReasons = map[llm.Stop]string{
	llm.Complete: "stop",
	llm.Cut:      "length",
	llm.Refused:  "content_filter",
}

// writeOpenAI answers as OpenAI's service does: by events that each hold a chunk, with the counts in a last
// one.
func writeOpenAI(w http.ResponseWriter, a Answer) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	if a.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		if a.RetryAfter != "" {
			w.Header().Set("Retry-After", a.RetryAfter)
		}
		w.WriteHeader(a.Status)
		json.NewEncoder(w).
			Encode(map[string]any{"error": map[string]any{"message": "quoted: " + OpenAIKey,
				"type": "invalid_request_error", "param": nil, "code": a.Code}})
		return
	}
	flush := w.(http.Flusher).Flush
	event := func(chunk any) {
		data, _ := json.Marshal(chunk)
		fmt.Fprintf(w, "data: %s\n\n", data)
		flush()
	}
	delta := func(d map[string]any, reason any) map[string]any {
		return map[string]any{
			"id":      "c",
			"object":  "chat.completion.chunk",
			"choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": reason}},
		}
	}
	fmt.Fprint(w, ": keep-alive\n\n")
	event(delta(map[string]any{"role": "assistant", "content": nil, "refusal": nil}, nil))
	for i, piece := range a.Tool {
		time.Sleep(a.Pause)
		call := map[string]any{"index": 0, "function": map[string]any{"arguments": piece}}
		if i == 0 {
			call["id"], call["type"], call["function"] = "call_1", "function", map[string]any{
				"name":      "answer",
				"arguments": piece,
			}
		}
		event(delta(map[string]any{"tool_calls": []any{call}}, nil))
	}
	for i, call := range a.Calls {
		for j, piece := range append([]string{""}, call.Arguments...) {
			time.Sleep(a.Pause)
			part := map[string]any{"index": len(a.Tool) + i, "function": map[string]any{"arguments": piece}}
			if j == 0 {
				part["id"], part["type"] = call.ID, "function"
				part["function"] = map[string]any{"name": call.Name, "arguments": ""}
			}
			event(delta(map[string]any{"tool_calls": []any{part}}, nil))
		}
	}
	for _, piece := range a.Text {
		time.Sleep(a.Pause)
		event(delta(map[string]any{"content": piece}, nil))
	}
	io.WriteString(w, a.Garbage)
	flush()
	if a.Exception != "" {
		event(
			map[string]any{
				"error": map[string]any{"message": "quoted", "type": "server_error", "code": a.Exception},
			},
		)
	}
	if a.Stop == "" || a.Exception != "" {
		return
	}
	event(delta(map[string]any{}, openAIReasons[a.Stop]))
	if a.Input+a.Output > 0 {
		event(
			map[string]any{
				"choices": []any{},
				"usage": map[string]any{
					"prompt_tokens":     a.Input,
					"completion_tokens": a.Output,
					"total_tokens":      a.Input + a.Output,
				},
			},
		)
	}
	if !a.Hang {
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}
