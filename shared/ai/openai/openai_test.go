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

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/llm/llmtest"
)

func open(address string) llm.Service {
	return New(address+"/v1/", func(context.Context) (string, error) { return llmtest.OpenAIKey, nil })
}

func TestService(t *testing.T) {
	llmtest.Run(t, llmtest.Harness{Wire: llmtest.OpenAI, Open: open})
}

// TestPlain asks a service that knows nothing but the least: no streams, no key, no tools.
func TestPlain(t *testing.T) {
	var asked request
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := json.NewDecoder(req.Body).Decode(&asked); err != nil ||
			req.Header["Authorization"] != nil || req.URL.Path != "/chat/completions" {
			t.Errorf("%v, %s %v", err, req.URL, req.Header)
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		io.WriteString(w, `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3}}`)
	}))
	defer service.Close()
	noKey := func(context.Context) (string, error) { return "", nil }
	reply, err := llm.New(New(service.URL, noKey)).Reply(t.Context(),
		ai.Request{Model: "llama3.2:3b", Message: "Hi", MaxLength: 100})
	if err != nil || reply.Text != "Hello there." ||
		reply.Usage != (ai.Usage{InputTokens: 9, OutputTokens: 3}) {
		t.Errorf("%+v, %v", reply, err)
	}
	if asked.Model != "llama3.2:3b" || asked.Tools != nil || asked.Temperature != nil ||
		asked.MaxTokens < 100 || !strings.Contains(*asked.Messages[0].Content, "one JSON object") {
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
		if (r.MaxCompletionTokens == 500) != own || (r.MaxTokens == 500) == own || r.Temperature != nil ||
			r.ToolChoice == nil {
			t.Errorf("%q: %+v", address, r)
		}
	}
}

func TestNoKey(t *testing.T) {
	broken := func(context.Context) (string, error) {
		return "",
			fmt.Errorf("parameter x: ParameterNotFound")
	}
	_, err := llm.New(New("http://127.0.0.1:1", broken)).Reply(t.Context(),
		ai.Request{Model: "m", Message: "Hi"})
	if err == nil || !strings.Contains(err.Error(), "no_key: parameter x: ParameterNotFound") {
		t.Error(err)
	}
}
