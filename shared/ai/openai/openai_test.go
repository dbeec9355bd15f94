package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/llm/llmtest"
)

const key = "sk-secret-0123456789"

func open(address string) llm.Service {
	return New(address+"/v1/", func(context.Context) (string, error) { return key, nil })
}

func TestService(t *testing.T) {
	llmtest.Run(t, llmtest.Harness{Model: "gpt-4.1-mini", Secret: key, Open: open, Read: readPrompt, Write: write})
}

func readPrompt(t *testing.T, req *http.Request, body []byte) llmtest.Prompt {
	if req.Method != "POST" || req.URL.Path != "/v1/chat/completions" || req.Header.Get("Authorization") != "Bearer "+key ||
		req.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s %v", req.Method, req.URL, req.Header)
	}
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		t.Error(err)
	}
	if !r.Stream || !r.StreamOptions.IncludeUsage || r.MaxCompletionTokens != 0 || r.Temperature == nil {
		t.Errorf("%.300s", body)
	}
	p := llmtest.Prompt{Model: r.Model, MaxTokens: r.MaxTokens}
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
			turn.Calls = append(turn.Calls, llm.Use{ID: c.ID, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)})
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

// reasons are the words for why a model stopped.
var reasons = map[llm.Stop]string{llm.Complete: "stop", llm.Cut: "length", llm.Refused: "content_filter"}

// write answers as OpenAI's service does: by events that each hold a chunk, with the counts in a last one.
func write(w http.ResponseWriter, a llmtest.Answer) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	if a.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		if a.RetryAfter != "" {
			w.Header().Set("Retry-After", a.RetryAfter)
		}
		w.WriteHeader(a.Status)
		json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": "quoted: " + key, "type": "invalid_request_error", "param": nil, "code": a.Code}})
		return
	}
	flush := w.(http.Flusher).Flush
	event := func(chunk any) {
		data, _ := json.Marshal(chunk)
		fmt.Fprintf(w, "data: %s\n\n", data)
		flush()
	}
	delta := func(d map[string]any, reason any) map[string]any {
		return map[string]any{"id": "c", "object": "chat.completion.chunk", "choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": reason}}}
	}
	fmt.Fprint(w, ": keep-alive\n\n")
	event(delta(map[string]any{"role": "assistant", "content": nil, "refusal": nil}, nil))
	for i, piece := range a.Tool {
		time.Sleep(a.Pause)
		call := map[string]any{"index": 0, "function": map[string]any{"arguments": piece}}
		if i == 0 {
			call["id"], call["type"], call["function"] = "call_1", "function", map[string]any{"name": "answer", "arguments": piece}
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
		event(map[string]any{"error": map[string]any{"message": "quoted", "type": "server_error", "code": a.Exception}})
	}
	if a.Stop == "" || a.Exception != "" {
		return
	}
	event(delta(map[string]any{}, reasons[a.Stop]))
	if a.Input+a.Output > 0 {
		event(map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": a.Input, "completion_tokens": a.Output, "total_tokens": a.Input + a.Output}})
	}
	if !a.Hang {
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// TestPlain asks a service that knows nothing but the least: no streams, no key, no tools.
func TestPlain(t *testing.T) {
	var asked request
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := json.NewDecoder(req.Body).Decode(&asked); err != nil || req.Header["Authorization"] != nil || req.URL.Path != "/chat/completions" {
			t.Errorf("%v, %s %v", err, req.URL, req.Header)
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		io.WriteString(w, `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3}}`)
	}))
	defer service.Close()
	noKey := func(context.Context) (string, error) { return "", nil }
	reply, err := llm.New(New(service.URL, noKey)).Reply(t.Context(), ai.Request{Model: "llama3.2:3b", Message: "Hi", MaxLength: 100})
	if err != nil || reply.Text != "Hello there." || reply.Usage != (ai.Usage{InputTokens: 9, OutputTokens: 3}) {
		t.Errorf("%+v, %v", reply, err)
	}
	if asked.Model != "llama3.2:3b" || asked.Tools != nil || asked.Temperature != nil || asked.MaxTokens < 100 || !strings.Contains(*asked.Messages[0].Content, "one JSON object") {
		t.Errorf("%+v", asked)
	}
}

// TestOpenAI holds the request to what OpenAI's own service takes.
func TestOpenAI(t *testing.T) {
	for address, own := range map[string]bool{
		"": true, "https://api.openai.com/v1/": true, "https://acme.openai.azure.com/openai/v1": true,
		"https://api.openai.com.evil.example/v1": false, "http://127.0.0.1:11434/v1": false,
	} {
		r := New(address, nil).request(llm.Prompt{Model: ai.OpenAIModel("gpt-5-mini"), MaxTokens: 500})
		if (r.MaxCompletionTokens == 500) != own || (r.MaxTokens == 500) == own || r.Temperature != nil || r.ToolChoice == nil {
			t.Errorf("%q: %+v", address, r)
		}
	}
}

func TestNoKey(t *testing.T) {
	broken := func(context.Context) (string, error) { return "", fmt.Errorf("parameter x: ParameterNotFound") }
	_, err := llm.New(New("http://127.0.0.1:1", broken)).Reply(t.Context(), ai.Request{Model: "m", Message: "Hi"})
	if err == nil || !strings.Contains(err.Error(), "no_key: parameter x: ParameterNotFound") {
		t.Error(err)
	}
}
