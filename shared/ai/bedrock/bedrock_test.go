package bedrock

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/llm/llmtest"
)

func open(address string) llm.Service {
	return New(aws.Config{
		Region: "eu-west-1", Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE",
			llmtest.BedrockSecret, "session-token"), BaseEndpoint: &address,
	}, time.Now)
}

func TestService(t *testing.T) {
	llmtest.Run(t, llmtest.Harness{Wire: llmtest.Bedrock, Open: open})
}

// TestForms holds the request of each model to what the model takes.
func TestForms(t *testing.T) {
	for _, m := range ai.BedrockModels() {
		content, err := body(llm.Prompt{Model: m, System: "s", Turns: []llm.Turn{{Person: true, Text: "Hi"}},
			MaxTokens: 10})
		if err != nil {
			t.Fatal(err)
		}
		want := `"inferenceConfig":{"maxTokens":10,"temperature":0.2}`
		if m.Thinks {
			want = `"inferenceConfig":{"maxTokens":10}`
		}
		choice := map[ai.Form]string{ai.JSONText: "", ai.FreeTool: `"toolChoice":{"auto":{}}`,
			ai.ForcedTool: `"toolChoice":{"tool":{"name":"answer"}}`}[m.Form]
		if !strings.Contains(string(content), want) || !strings.Contains(string(content), choice) ||
			strings.Contains(string(content), "toolConfig") != (choice != "") {
			t.Errorf("%s: %s", m.Name, content)
		}
	}
}

func TestEndpoint(t *testing.T) {
	if got := New(aws.Config{Region: "eu-north-1"},
		time.Now).endpoint; got != "https://bedrock-runtime.eu-north-1.amazonaws.com" {
		t.Error(got)
	}
}
