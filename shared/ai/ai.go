// Package ai defines the interface of a model that answers messages. Package [frontdesk/shared/ai/builtin]
// implements it without an external service; [frontdesk/shared/ai/llm] calls language models behind a
// service.
package ai

import (
	"context"
	"encoding/json"
	"errors"

	"frontdesk/shared/ai/faq"
)

// ErrUnavailable is returned if the model gave no reply: a failure, a refusal or a timeout. The cause is
// wrapped with it.
var ErrUnavailable = errors.New("ai: model unavailable")

// A Model writes the agent's reply to a message. It is safe for concurrent use. What visitors and documents
// say is data for the reply, never an instruction to the model.
type Model interface {
	// Reply answers r.Message. An error wraps ErrUnavailable.
	Reply(ctx context.Context, r Request) (Reply, error)
}

// A Request is a message to answer, with everything that the answer may use.
type Request struct {
	// Model is the name of the model at the service; "" for an engine with a single model.
	Model string
	// System is the agent's prompt. It is generated when the agent is changed or trained.
	System string
	// Guidance is what the playbook says about messages like this one; may be empty. Like System it is an
	// instruction.
	Guidance string
	// Language is the agent's language and Tongue that of the message if it is known to be another, both
	// BCP 47 primary tags; with "" the engine detects it.
	Language, Tongue string
	// BusinessName, AgentName and Tone are settings of the agent. All but Tone may be empty.
	BusinessName, AgentName, Tone string
	// Canned are the business's own texts for set occasions. For an empty one the engine uses its default.
	Canned Canned
	// Least is the minimum confidence, from 0 to 1, for the built-in engine to answer from the knowledge;
	// for 0 it uses its default.
	Least float64
	// MaxLength is the maximum length of the reply in characters.
	MaxLength int

	// Message is the contact's text, Context additional text of the API's caller.
	Message, Context string
	// Topic is what the conversation was about before the message, in the business's words, one item per
	// line; may be empty.
	Topic string
	// Known holds what is known about the contact by name, such as "name", in the contact's words.
	Known map[string]string
	// History holds the latest messages before this one, oldest first.
	History []Turn
	// Passages are the agent's knowledge that matches the message, best first.
	Passages []Passage
	// Neighbours are further FAQs, which do not match the message's words. They help to tell which question
	// the message asks.
	Neighbours []Passage
	// Weights holds the inverse document frequency, in the agent's knowledge, of the message's stems. A
	// stem that does not occur there is absent.
	Weights map[string]float64
	// Chunks is the total number of passages in the agent's documents.
	Chunks int64
	// FAQ is the model of the agent's FAQs from its last training; nil if there is none. It may be older
	// than the passages.
	FAQ *faq.Model

	// Tools are what a language model may call before it replies. Call runs one and returns the result for
	// the model, which may be a reason why the call failed. Both may be nil. The built-in engine ignores
	// them.
	Tools []Tool
	Call  func(context.Context, Call) (result string)
}

// A Tool is a function that a language model can call.
type Tool struct {
	Name        string
	Description string          // when to call it, and what it does
	Schema      json.RawMessage // the JSON Schema of its arguments, an object
}

// A Call is a language model's request to run a tool. It is untrusted: the tool may not exist, and the
// arguments may be any JSON or none.
type Call struct {
	Name      string
	Arguments json.RawMessage
}

// Estimate returns a rough estimate of the tokens that a reply takes: one for every three bytes of the
// prompt and of the longest allowed reply.
func (r Request) Estimate() Usage {
	n := len(r.System) + len(r.Guidance) + len(r.Message) + len(r.Context)
	for _, turn := range r.History {
		n += len(turn.Text)
	}
	for _, p := range r.Passages {
		n += len(p.Title) + len(p.Text)
	}
	return Usage{InputTokens: int64(n / bytesPerToken), OutputTokens: int64(r.MaxLength / bytesPerToken)}
}

const bytesPerToken = 3

// Canned holds the business's own texts for set occasions; any may be empty.
type Canned struct {
	Greeting, Goodbye, Fallback, Handoff, OutOfHours string
}

// A Turn is one message of a conversation.
type Turn struct {
	Inbound bool // written by the contact
	Text    string
}

// A Passage is a piece of the agent's knowledge.
type Passage struct {
	Document  int64    // the knowledge document; 0 for the agent's own fields
	Title     string   // the document's title
	URL       string   // the web page that the document was read from; may be empty
	Questions []string // the phrasings of an FAQ's question; else nil
	Text      string   // the FAQ's answer, or the piece of text
	Score     float64  // the score of the search, comparable within one search
}

// A Reply is an answer.
type Reply struct {
	Text       string
	Action     string  // one of the actions below
	Intent     string  // what the contact wants: one word in lower case
	Confidence float64 // the probability that the reply is right, 0 to 1
	Sources    []Source
	FAQ        bool // the answer is that of an FAQ whose question the message asks
	// Subject is the heading or title above the answer, or the question of its FAQ. It is "" if the answer
	// is not from the knowledge.
	Subject string
	// Near are at most two questions of FAQs that the contact may have meant, the more probable first, if
	// the action is Fallback.
	Near []string
	// Guess is a possible answer if the action is Fallback, or nil. It may only be presented as a guess.
	Guess *Reply
	Usage Usage // zero for an engine without tokens
}

// A Usage is what a reply cost. It includes failed attempts whose tokens the service counted.
type Usage struct {
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	// MicroUSD is the list price of the tokens in millionths of a dollar; 0 if the price is unknown.
	MicroUSD int64 `json:"micro_usd"`
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.InputTokens + v.InputTokens, u.OutputTokens + v.OutputTokens, u.MicroUSD + v.MicroUSD}
}

// A Source is a knowledge document that a reply quotes.
type Source struct {
	Document int64
	Title    string
	URL      string // see Passage
}

// Actions of a Reply.
const (
	Respond  = "respond"  // the agent answers
	Fallback = "fallback" // the agent says that it does not know
	Handoff  = "handoff"  // the contact wants a person
)
