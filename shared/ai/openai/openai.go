// Package openai calls language models of any service with OpenAI's chat completions interface.
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
)

// DefaultURL is the address of OpenAI's own service.
const DefaultURL = "https://api.openai.com/v1"

// A Service is an llm.Service.
type Service struct {
	url    string
	key    func(context.Context) (string, error)
	client *llm.Client
}

// New returns a Service at an address, to which "/chat/completions" is appended; "" is DefaultURL. The
// function key is called for every request and returns the API key, or "" for a service without keys. Its
// errors are logged.
func New(address string, key func(context.Context) (string, error)) *Service {
	if address == "" {
		address = DefaultURL
	}
	return &Service{strings.TrimRight(address, "/"), key, llm.NewClient("openai")}
}

// Model returns the model with a name, which need not be a known one. It returns false for "".
func (s *Service) Model(name string) (ai.LanguageModel, bool) {
	return ai.OpenAIModel(name), name != ""
}

type message struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
	Calls   []call  `json:"tool_calls,omitempty"`
	CallID  string  `json:"tool_call_id,omitempty"` // of the call whose result the message is
}

type call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"` // JSON
	} `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type request struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	// OpenAI has renamed max_tokens; other services only know the old name.
	MaxTokens           int      `json:"max_tokens,omitempty"`
	MaxCompletionTokens int      `json:"max_completion_tokens,omitempty"`
	Temperature         *float64 `json:"temperature,omitempty"`
	Tools               []tool   `json:"tools,omitempty"`
	ToolChoice          any      `json:"tool_choice,omitempty"` // a tool, or required
}

// request returns the prompt as a request to the service.
func (s *Service) request(p llm.Prompt) request {
	r := request{Model: p.Model.Name, Stream: true, Messages: []message{{Role: "system", Content: &p.System}}}
	r.StreamOptions.IncludeUsage = true
	for _, turn := range p.Turns {
		r.Messages = append(r.Messages, messages(turn)...)
	}
	if s.isOpenAI() {
		r.MaxCompletionTokens = p.MaxTokens
	} else {
		r.MaxTokens = p.MaxTokens
	}
	if !p.Model.Thinks {
		temperature := llm.Temperature
		r.Temperature = &temperature
	}
	if p.Model.Form == ai.ForcedTool {
		for _, offered := range p.Offers() {
			r.Tools = append(r.Tools,
				tool{"function", function{offered.Name, offered.Description, offered.Schema}})
		}
		r.ToolChoice = "required"
		if p.MustAnswer() {
			r.ToolChoice = tool{"function", function{Name: llm.ToolName}}
		}
	}
	return r
}

// messages returns a turn as messages; each result of a tool is one of its own.
func messages(turn llm.Turn) []message {
	var all []message
	for _, result := range turn.Results {
		all = append(all, message{Role: "tool", Content: &result.Text, CallID: result.ID})
	}
	said := message{Role: "assistant"}
	if turn.Person {
		said.Role = "user"
	}
	if turn.Text != "" {
		said.Content = &turn.Text
	}
	for _, use := range turn.Calls {
		c := call{ID: use.ID, Type: "function"}
		c.Function.Name, c.Function.Arguments = use.Name, string(use.Arguments)
		said.Calls = append(said.Calls, c)
	}
	if turn.Text != "" || len(turn.Calls) > 0 {
		all = append(all, said)
	}
	return all
}

// isOpenAI reports whether the service is OpenAI's own, here or at Azure.
func (s *Service) isOpenAI() bool {
	u, err := url.Parse(s.url)
	return err == nil &&
		(u.Hostname() == "api.openai.com" || strings.HasSuffix(u.Hostname(), ".openai.azure.com"))
}

// Ask implements llm.Service.
func (s *Service) Ask(ctx context.Context, p llm.Prompt, d *llm.Draft) error {
	key, err := s.key(ctx)
	if err != nil {
		return &llm.Failure{Service: "openai", Code: "no_key", Cause: err}
	}
	body, err := json.Marshal(s.request(p))
	if err != nil {
		return &llm.Failure{Service: "openai", Code: "bad_request"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/chat/completions",
		bytes.NewReader(body))
	if err != nil {
		return &llm.Failure{Service: "openai", Code: "bad_address"}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return s.client.Do(req, func(header http.Header, answer io.Reader) error {
		if strings.HasPrefix(header.Get("Content-Type"), "application/json") {
			return readWhole(answer, d) // the service does not stream
		}
		return readStream(answer, d)
	})
}
