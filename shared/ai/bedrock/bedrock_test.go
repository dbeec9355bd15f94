package bedrock

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/llm/llmtest"
)

const secret = "wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY"

func open(address string) llm.Service {
	return New(aws.Config{
		Region: "eu-west-1", Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", secret, "session-token"), BaseEndpoint: &address,
	}, time.Now)
}

func TestService(t *testing.T) {
	llmtest.Run(t, llmtest.Harness{Model: "claude-haiku-4-5", Secret: secret, Open: open, Read: readPrompt, Write: write})
}

func readPrompt(t *testing.T, req *http.Request, body []byte) llmtest.Prompt {
	if req.Method != "POST" || req.RequestURI != "/model/eu.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse-stream" ||
		req.Header.Get("Content-Type") != "application/json" || req.Header.Get("X-Amz-Security-Token") != "session-token" ||
		!strings.Contains(req.Header.Get("Authorization"), "/eu-west-1/bedrock/aws4_request, SignedHeaders=accept;content-length;content-type;host;x-amz-date;x-amz-security-token, ") {
		t.Errorf("%s %s %v", req.Method, req.RequestURI, req.Header)
	}
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		t.Error(err)
	}
	p := llmtest.Prompt{Model: "claude-haiku-4-5", MaxTokens: r.Inference.MaxTokens}
	if r.Tools != nil {
		for _, offered := range r.Tools.Tools {
			if !json.Valid(offered.Spec.InputSchema.JSON) {
				t.Errorf("schema of %s: %s", offered.Spec.Name, offered.Spec.InputSchema.JSON)
			}
			p.Offered = append(p.Offered, offered.Spec.Name)
		}
		if r.Tools.Choice.Tool != nil {
			p.Tool = r.Tools.Choice.Tool.Name
		} else if r.Tools.Choice.Any == nil {
			t.Error("the model need not use a tool")
		}
	}
	for _, s := range r.System {
		p.System += s.Text
	}
	for _, m := range r.Messages {
		turn := llm.Turn{Person: m.Role == "user"}
		for _, c := range m.Content {
			switch {
			case c.ToolUse != nil:
				turn.Calls = append(turn.Calls, llm.Use{ID: c.ToolUse.ID, Name: c.ToolUse.Name, Arguments: c.ToolUse.Input})
			case c.ToolResult != nil:
				turn.Results = append(turn.Results, llm.Result{ID: c.ToolResult.ID, Text: c.ToolResult.Content[0].Text})
			case strings.TrimSpace(c.Text) == "":
				t.Errorf("a blank text of %s, which Bedrock refuses", m.Role)
			}
			turn.Text += c.Text
		}
		p.Turns = append(p.Turns, turn)
	}
	return p
}

// reasons are the words for why a model stopped.
var reasons = map[llm.Stop]string{llm.Complete: "tool_use", llm.Cut: "max_tokens", llm.Refused: "guardrail_intervened"}

// write answers as Bedrock does: by frames of an event stream, with the counts in a last one.
func write(w http.ResponseWriter, a llmtest.Answer) {
	w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
	if a.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		if a.RetryAfter != "" {
			w.Header().Set("Retry-After", a.RetryAfter)
		}
		if a.Code != "" {
			w.Header().Set("X-Amzn-Errortype", a.Code+":http://internal.amazon.com/coral/com.amazon.bedrock/")
		}
		w.WriteHeader(a.Status)
		json.NewEncoder(w).Encode(map[string]string{"message": "quoted: " + secret})
		return
	}
	frame := func(headers [][2]string, content any) {
		payload, _ := json.Marshal(content)
		m := eventstream.Message{Payload: payload}
		for _, h := range headers {
			m.Headers.Set(h[0], eventstream.StringValue(h[1]))
		}
		var b bytes.Buffer
		eventstream.NewEncoder().Encode(&b, m)
		w.Write(b.Bytes())
		w.(http.Flusher).Flush()
	}
	event := func(kind string, content any) {
		frame([][2]string{{":event-type", kind}, {":content-type", "application/json"}, {":message-type", "event"}}, content)
	}
	event("messageStart", map[string]any{"role": "assistant"})
	event("contentBlockDelta", map[string]any{"contentBlockIndex": 0, "delta": map[string]any{"reasoningContent": map[string]any{"text": "Let me think about dogs."}}})
	if len(a.Tool) > 0 {
		event("contentBlockStart", map[string]any{"contentBlockIndex": 1, "start": map[string]any{"toolUse": map[string]any{"toolUseId": "t1", "name": "answer"}}})
	}
	for _, piece := range a.Tool {
		time.Sleep(a.Pause)
		event("contentBlockDelta", map[string]any{"contentBlockIndex": 1, "delta": map[string]any{"toolUse": map[string]any{"input": piece}}})
	}
	for i, call := range a.Calls {
		at := 2 + i
		use := map[string]any{"toolUseId": call.ID, "name": call.Name}
		event("contentBlockStart", map[string]any{"contentBlockIndex": at, "start": map[string]any{"toolUse": use}})
		for _, piece := range call.Arguments {
			time.Sleep(a.Pause)
			delta := map[string]any{"toolUse": map[string]any{"input": piece}}
			event("contentBlockDelta", map[string]any{"contentBlockIndex": at, "delta": delta})
		}
	}
	for _, piece := range a.Text {
		time.Sleep(a.Pause)
		event("contentBlockDelta", map[string]any{"contentBlockIndex": 0, "delta": map[string]any{"text": piece}, "p": "abcdefgh"})
	}
	io.WriteString(w, a.Garbage)
	w.(http.Flusher).Flush()
	if a.Exception != "" {
		frame([][2]string{{":exception-type", a.Exception}, {":content-type", "application/json"}, {":message-type", "exception"}}, map[string]any{"message": "quoted"})
	}
	if a.Stop == "" || a.Exception != "" {
		return
	}
	event("contentBlockStop", map[string]any{"contentBlockIndex": 1})
	event("messageStop", map[string]any{"stopReason": reasons[a.Stop]})
	if a.Input+a.Output > 0 {
		event("metadata", map[string]any{"usage": map[string]any{"inputTokens": a.Input, "outputTokens": a.Output, "totalTokens": a.Input + a.Output}, "metrics": map[string]any{"latencyMs": 5}})
	}
}

// TestForms holds the request of each model to what the model takes.
func TestForms(t *testing.T) {
	for _, m := range ai.BedrockModels() {
		content, err := body(llm.Prompt{Model: m, System: "s", Turns: []llm.Turn{{Person: true, Text: "Hi"}}, MaxTokens: 10})
		if err != nil {
			t.Fatal(err)
		}
		want := `"inferenceConfig":{"maxTokens":10,"temperature":0.2}`
		if m.Thinks {
			want = `"inferenceConfig":{"maxTokens":10}`
		}
		choice := map[ai.Form]string{ai.JSONText: "", ai.FreeTool: `"toolChoice":{"auto":{}}`, ai.ForcedTool: `"toolChoice":{"tool":{"name":"answer"}}`}[m.Form]
		if !strings.Contains(string(content), want) || !strings.Contains(string(content), choice) || strings.Contains(string(content), "toolConfig") != (choice != "") {
			t.Errorf("%s: %s", m.Name, content)
		}
	}
}

func TestEndpoint(t *testing.T) {
	if got := New(aws.Config{Region: "eu-north-1"}, time.Now).endpoint; got != "https://bedrock-runtime.eu-north-1.amazonaws.com" {
		t.Error(got)
	}
}
