// Package bedrock calls language models of Amazon Bedrock with its operation ConverseStream.
//
// It sends the requests itself, with the AWS SDK's packages for signatures and event streams. The SDK's
// client of Bedrock would add 0.3 ms and more to every cold start of a function that links it, whether a
// model is used or not.
package bedrock

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
)

// A Service is an llm.Service.
type Service struct {
	region      string
	endpoint    string
	credentials aws.CredentialsProvider
	signer      *v4.Signer
	now         func() time.Time
	client      *llm.Client
}

// New returns a Service for the region and with the credentials of the configuration. Its BaseEndpoint, if
// set, replaces the address of Bedrock.
func New(config aws.Config, now func() time.Time) *Service {
	endpoint := "https://bedrock-runtime." + config.Region + ".amazonaws.com"
	if config.BaseEndpoint != nil {
		endpoint = strings.TrimRight(*config.BaseEndpoint, "/")
	}
	return &Service{config.Region, endpoint, config.Credentials, v4.NewSigner(), now,
		llm.NewClient("bedrock")}
}

// Model returns the model with a name, with its id and price in the service's region, and whether there is
// one.
func (s *Service) Model(name string) (ai.LanguageModel, bool) {
	m, ok := ai.BedrockModel(name)
	m.ID, m.Price = m.In(s.region)
	return m, ok
}

type text struct {
	Text string `json:"text"`
}

// A block is a part of a message: one of its fields is set.
type block struct {
	Text       string      `json:"text,omitempty"`
	ToolUse    *toolUse    `json:"toolUse,omitempty"`
	ToolResult *toolResult `json:"toolResult,omitempty"`
}

type toolUse struct {
	ID    string          `json:"toolUseId"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	ID      string `json:"toolUseId"`
	Content []text `json:"content"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

type tool struct {
	Spec struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		InputSchema struct {
			JSON json.RawMessage `json:"json"`
		} `json:"inputSchema"`
	} `json:"toolSpec"`
}

type named struct {
	Name string `json:"name"`
}

type toolChoice struct {
	Auto *struct{} `json:"auto,omitempty"`
	Any  *struct{} `json:"any,omitempty"`
	Tool *named    `json:"tool,omitempty"`
}

type toolConfig struct {
	Tools  []tool     `json:"tools"`
	Choice toolChoice `json:"toolChoice"`
}

type request struct {
	Messages  []message `json:"messages"`
	System    []text    `json:"system"`
	Inference struct {
		MaxTokens   int      `json:"maxTokens"`
		Temperature *float64 `json:"temperature,omitempty"`
	} `json:"inferenceConfig"`
	Tools *toolConfig `json:"toolConfig,omitempty"`
}

// body returns the prompt as a request to Bedrock.
func body(p llm.Prompt) ([]byte, error) {
	r := request{System: []text{{p.System}}}
	for _, turn := range p.Turns {
		role := "assistant"
		if turn.Person {
			role = "user"
		}
		r.Messages = append(r.Messages, message{role, blocks(turn)})
	}
	r.Inference.MaxTokens = p.MaxTokens
	if !p.Model.Thinks {
		temperature := llm.Temperature
		r.Inference.Temperature = &temperature
	}
	if p.Model.Form != ai.JSONText {
		r.Tools = &toolConfig{Choice: toolChoice{Auto: &struct{}{}}}
		for _, offered := range p.Offers() {
			var t tool
			t.Spec.Name, t.Spec.Description = offered.Name, offered.Description
			t.Spec.InputSchema.JSON = offered.Schema
			r.Tools.Tools = append(r.Tools.Tools, t)
		}
		switch {
		case p.Model.Form != ai.ForcedTool:
		case p.MustAnswer():
			r.Tools.Choice = toolChoice{Tool: &named{llm.ToolName}}
		default:
			r.Tools.Choice = toolChoice{Any: &struct{}{}}
		}
	}
	return json.Marshal(r)
}

// blocks returns the content blocks of a turn. Bedrock refuses an empty text.
func blocks(turn llm.Turn) []block {
	var all []block
	if turn.Text != "" {
		all = append(all, block{Text: turn.Text})
	}
	for _, use := range turn.Calls {
		all = append(all, block{ToolUse: &toolUse{use.ID, use.Name, use.Arguments}})
	}
	for _, result := range turn.Results {
		all = append(all, block{ToolResult: &toolResult{result.ID, []text{{result.Text}}}})
	}
	return all
}

// Ask implements llm.Service.
func (s *Service) Ask(ctx context.Context, p llm.Prompt, d *llm.Draft) error {
	content, err := body(p)
	if err != nil {
		return &llm.Failure{Service: "bedrock", Code: "bad_request"}
	}
	address := s.endpoint + "/model/" + strings.ReplaceAll(url.PathEscape(p.Model.ID), ":", "%3A") +
		"/converse-stream"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(content))
	if err != nil {
		return &llm.Failure{Service: "bedrock", Code: "bad_address"}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/vnd.amazon.eventstream")
	if err := s.sign(req, content); err != nil {
		return &llm.Failure{Service: "bedrock", Code: "no_credentials", Cause: err}
	}
	return s.client.Do(req, func(_ http.Header, answer io.Reader) error { return readStream(answer, d) })
}

// sign signs the request with its content.
func (s *Service) sign(req *http.Request, content []byte) error {
	credentials, err := s.credentials.Retrieve(req.Context())
	if err != nil {
		return err
	}
	hash := sha256.Sum256(content)
	return s.signer.SignHTTP(req.Context(), credentials, req, hex.EncodeToString(hash[:]), "bedrock",
		s.region, s.now())
}
