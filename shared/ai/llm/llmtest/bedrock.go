package llmtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"frontdesk/shared/ai/llm"
)

// Bedrock is the wire of Amazon Bedrock's ConverseStream. A service calls it in the region eu-west-1 with
// BedrockSecret.
var Bedrock = Wire{Model: "claude-haiku-4-5", Secret: BedrockSecret, Read: readBedrock, Write: writeBedrock}

// BedrockSecret is the secret access key that the Bedrock wire is called with.
const BedrockSecret = "wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY"

// A bedrockRequest is what is read of a request.
type bedrockRequest struct {
	Messages []struct {
		Role    string
		Content []struct {
			Text    string
			ToolUse *struct {
				ID    string `json:"toolUseId"`
				Name  string
				Input json.RawMessage
			}
			ToolResult *struct {
				ID      string `json:"toolUseId"`
				Content []struct{ Text string }
			}
		}
	}
	System    []struct{ Text string }
	Inference struct{ MaxTokens int } `json:"inferenceConfig"`
	Tools     *struct {
		Tools []struct {
			Spec struct {
				Name        string
				InputSchema struct{ JSON json.RawMessage }
			} `json:"toolSpec"`
		}
		Choice struct {
			Any  *struct{}
			Tool *struct{ Name string }
		} `json:"toolChoice"`
	} `json:"toolConfig"`
}

// readBedrock is the prompt of a request to Bedrock, which must be signed.
func readBedrock(t testing.TB, req *http.Request, body []byte) Prompt {
	if req.Method != "POST" ||
		req.RequestURI != "/model/eu.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse-stream" ||
		req.Header.Get("Content-Type") != "application/json" ||
		req.Header.Get("X-Amz-Security-Token") != "session-token" ||
		!strings.Contains(
			req.Header.Get("Authorization"),
			"/eu-west-1/bedrock/aws4_request, "+
				"SignedHeaders=accept;content-length;content-type;host;x-amz-date;x-amz-security-token, ",
		) {
		t.Errorf("%s %s %v", req.Method, req.RequestURI, req.Header)
	}
	var r bedrockRequest
	if err := json.Unmarshal(body, &r); err != nil {
		t.Error(err)
	}
	p := Prompt{Model: "claude-haiku-4-5", MaxTokens: r.Inference.MaxTokens}
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
				turn.Calls = append(
					turn.Calls,
					llm.Use{ID: c.ToolUse.ID, Name: c.ToolUse.Name, Arguments: c.ToolUse.Input},
				)
			case c.ToolResult != nil:
				turn.Results = append(
					turn.Results,
					llm.Result{ID: c.ToolResult.ID, Text: c.ToolResult.Content[0].Text},
				)
			case strings.TrimSpace(c.Text) == "":
				t.Errorf("a blank text of %s, which Bedrock refuses", m.Role)
			}
			turn.Text += c.Text
		}
		p.Turns = append(p.Turns, turn)
	}
	return p
}

// bedrockReasons are Bedrock's words for why a model stopped.
var bedrockReasons = map[llm.Stop]string{
	llm.Complete: "tool_use",
	llm.Cut:      "max_tokens",
	llm.Refused:  "guardrail_intervened",
}

// writeBedrock answers as Bedrock does: by frames of an event stream, with the counts in a last one.
func writeBedrock(w http.ResponseWriter, a Answer) {
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
		json.NewEncoder(w).Encode(map[string]string{"message": "quoted: " + BedrockSecret})
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
		frame(
			[][2]string{
				{":event-type", kind},
				{":content-type", "application/json"},
				{":message-type", "event"},
			},
			content,
		)
	}
	event("messageStart", map[string]any{"role": "assistant"})
	event(
		"contentBlockDelta",
		map[string]any{
			"contentBlockIndex": 0,
			"delta": map[string]any{
				"reasoningContent": map[string]any{"text": "Let me think about dogs."},
			},
		},
	)
	if len(a.Tool) > 0 {
		event(
			"contentBlockStart",
			map[string]any{
				"contentBlockIndex": 1,
				"start": map[string]any{
					"toolUse": map[string]any{"toolUseId": "t1", "name": "answer"},
				},
			},
		)
	}
	for _, piece := range a.Tool {
		time.Sleep(a.Pause)
		event(
			"contentBlockDelta",
			map[string]any{
				"contentBlockIndex": 1,
				"delta":             map[string]any{"toolUse": map[string]any{"input": piece}},
			},
		)
	}
	for i, call := range a.Calls {
		at := 2 + i
		use := map[string]any{"toolUseId": call.ID, "name": call.Name}
		event(
			"contentBlockStart",
			map[string]any{"contentBlockIndex": at, "start": map[string]any{"toolUse": use}},
		)
		for _, piece := range call.Arguments {
			time.Sleep(a.Pause)
			delta := map[string]any{"toolUse": map[string]any{"input": piece}}
			event("contentBlockDelta", map[string]any{"contentBlockIndex": at, "delta": delta})
		}
	}
	for _, piece := range a.Text {
		time.Sleep(a.Pause)
		event(
			"contentBlockDelta",
			map[string]any{"contentBlockIndex": 0, "delta": map[string]any{"text": piece}, "p": "abcdefgh"},
		)
	}
	io.WriteString(w, a.Garbage)
	w.(http.Flusher).Flush()
	if a.Exception != "" {
		frame(
			[][2]string{
				{":exception-type", a.Exception},
				{":content-type", "application/json"},
				{":message-type", "exception"},
			},
			map[string]any{"message": "quoted"},
		)
	}
	if a.Stop == "" || a.Exception != "" {
		return
	}
	event("contentBlockStop", map[string]any{"contentBlockIndex": 1})
	event("messageStop", map[string]any{"stopReason": bedrockReasons[a.Stop]})
	if a.Input+a.Output > 0 {
		event(
			"metadata",
			map[string]any{
				"usage": map[string]any{
					"inputTokens":  a.Input,
					"outputTokens": a.Output,
					"totalTokens":  a.Input + a.Output,
				},
				"metrics": map[string]any{"latencyMs": 5},
			},
		)
	}
}
