package local

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/ai"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/cloud/models"
	"frontdesk/shared/conversation"
)

// TestLanguageModel chats with an agent that answers by a service with OpenAI's interface, as the environment
// names it, and finds the messages kept when the service fails.
func TestLanguageModel(t *testing.T) {
	var broken atomic.Bool
	asked := make(chan string, 10)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		asked <- req.Method + " " + req.URL.Path + " " + req.Header.Get("Authorization") + " " + string(body)
		if broken.Load() {
			http.Error(w, `{"error":{"message":"Incorrect API key provided: sk-test","type":"invalid_request_error","code":"invalid_api_key"}}`, http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, chunk := range []string{
			`{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"answer","arguments":"{\"action\":\"respond\",\"intent\":\"question\",\"confidence\":0.9,\"sour"}}]},"finish_reason":null}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"ces\":[1],\"reply\":\"Sure, bring your dog!\"}"}}]},"finish_reason":null}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1050}}`,
			`[DONE]`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", chunk)
			w.(http.Flusher).Flush()
		}
	}))
	defer service.Close()
	for name, value := range map[string]string{
		"OPENAI_BASE_URL": service.URL + "/v1", "OPENAI_API_KEY": "sk-test", "OPENAI_API_KEY_PARAMETER": "",
		"AWS_REGION": "", "AWS_DEFAULT_REGION": "",
	} {
		t.Setenv(name, value)
	}
	var log strings.Builder
	s, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now, Models: models.Models(),
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	c := &apitest.Client{Base: server.URL + "/api/v1/", Key: Key}
	agent := "/agents/" + c.Want(t, 201, "POST", "/agents/",
		map[string]any{"name": "Ada", "ai_model": "openai:gpt-4o-mini"}).Number("id") + "/"
	document := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "House rules", "content": "Dogs are welcome in the garden."})

	said := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "May I bring my dog?"})
	if said.Text("reply") != "Sure, bring your dog!" || said.Text("action") != "respond" ||
		said.Text("intent") != "question" || said.Number("confidence") != "0.9" {
		t.Error(said.Body)
	}
	if sources, _ := said.Fields["sources"].([]any); len(sources) != 1 ||
		sources[0].(map[string]any)["document_id"] != document.Fields["id"] {
		t.Error(said.Body)
	}
	request := <-asked
	if !strings.HasPrefix(request, "POST /v1/chat/completions Bearer sk-test {") ||
		!strings.Contains(request, "Dogs are welcome in the garden.") ||
		!strings.Contains(request, "You are Ada") {
		t.Error(request)
	}

	broken.Store(true)
	session := map[string]any{"message": "And my cat?", "session_id": said.Text("session_id")}
	failed := c.WantError(t, 502, "server_error", "", "POST", agent+"chat/", session)
	<-asked
	// no service is set up for it
	c.Want(t, 200, "PATCH", agent, map[string]any{"ai_model": "bedrock:nova-micro"})
	c.WantError(t, 502, "server_error", "", "POST", agent+"chat/", session)
	history := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+said.Text("session_id"), nil)
	var thread struct{ Messages []map[string]any }
	history.Into(t, &thread)
	var lines []string
	for _, m := range thread.Messages {
		lines = append(lines, fmt.Sprint(m["direction"], ": ", m["content"]))
		if _, shown := m["usage"]; shown {
			t.Errorf("the API shows %v", m)
		}
	}
	want := []string{"inbound: May I bring my dog?", "outbound: Sure, bring your dog!",
		"inbound: And my cat?", "inbound: And my cat?"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}

	id, _ := said.Fields["conversation_id"].(json.Number).Int64()
	account, err := s.Workspaces.EnsureLocal(t.Context(), Key, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	page, err := conversation.Messages{Table: s.Workspaces.Table}.Query(t.Context(),
		conversation.All(account.ID, id))
	if err != nil || len(page.Items) != 4 {
		t.Fatalf("%d messages, %v", len(page.Items), err)
	}
	usage := []ai.Usage{{}, {InputTokens: 1000, OutputTokens: 50, MicroUSD: 180}, {}, {}}
	for i, item := range page.Items {
		if m, err := conversation.ReadMessage(item); err != nil || m.Usage != usage[i] {
			t.Errorf("message %d cost %+v, %v", i, m.Usage, err)
		}
	}
	s.Close()
	if text := log.String(); !strings.Contains(text, "invalid_api_key") ||
		!strings.Contains(text, "no service for the model bedrock:nova-micro") ||
		!strings.Contains(text, "micro_usd=180") ||
		strings.Contains(text, "sk-test") || strings.Contains(text, "cat") ||
		strings.Contains(failed.Body, "key") {
		t.Error(text)
	}
}
