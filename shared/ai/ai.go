// Package ai is what answers: the interface of a language model as the product uses it. Package
// [frontdesk/shared/ai/builtin] is the engine that needs no outside service, [frontdesk/shared/ai/llm] the
// one that asks language models behind a service.
package ai

import (
	"context"
	"encoding/json"
	"errors"

	"frontdesk/shared/ai/faq"
)

// ErrUnavailable says that the model gave no reply: a failure, a refusal or a time-out. The cause is wrapped
// beside it.
var ErrUnavailable = errors.New("ai: model unavailable")

// A Model writes the agent's reply to a message. It is safe for concurrent use. What visitors and documents
// say is material for the reply and never an instruction to the model.
type Model interface {
	// Reply answers r.Message. An error wraps ErrUnavailable.
	Reply(ctx context.Context, r Request) (Reply, error)
}

// A Request is a message to answer and all that the answer may draw on.
type Request struct {
	// Model is the name of the model behind a service, "" for an engine that is the only one of its kind.
	Model string
	// System is the agent's prompt, written when the agent was last changed or trained.
	System string
	// Guidance is what the business has written for occasions like this message, "" for nothing. Like System
	// it is instructions.
	Guidance string
	// Language is the agent's, a BCP 47 primary tag.
	Language string
	// BusinessName, AgentName and Tone are the agent's own words and choice; any may be empty but Tone.
	BusinessName, AgentName, Tone string
	// Canned are the replies that the business wrote itself for set occasions. An empty one is not written.
	Canned Canned
	// Least is how sure the built-in engine has to be of an answer from the knowledge, from 0 to 1; 0 leaves
	// it to the engine.
	Least float64
	// MaxLength bounds the reply, in characters.
	MaxLength int

	// Message is what the contact wrote, Context what the caller of the API adds to it.
	Message, Context string
	// Topic is what the conversation was about before the message, in the business's words, each thing on a
	// line of its own; "" for nothing.
	Topic string
	// Known is what is known of the contact, in the contact's own words, by name: "name" and others.
	Known map[string]string
	// History are the conversation's latest messages before this one, oldest first.
	History []Turn
	// Passages are what the agent's knowledge has on the message, best first.
	Passages []Passage
	// Neighbours are further questions of the agent's FAQs, with their answers, that nothing in the message's
	// words speaks for. They help to tell which question it asks.
	Neighbours []Passage
	// Weights tell how much a word of the message says: its inverse document frequency in the agent's
	// knowledge, by stem. A stem that the knowledge does not have is absent.
	Weights map[string]float64
	// Chunks is how many passages the agent's documents have in all, of which Passages are some.
	Chunks int64
	// FAQ is what the agent's last training learnt of how its FAQ's questions are put; nil when there is
	// none. It may be older than the passages.
	FAQ *faq.Model

	// Tools are what a language model may call before it replies, and Call carries a call out. What Call
	// returns is told to the model; a call that cannot be carried out returns why. Both are nil for none. The
	// built-in engine calls none.
	Tools []Tool
	Call  func(context.Context, Call) (result string)
}

// A Tool is something that a language model can have done.
type Tool struct {
	Name        string
	Description string          // when to call it, and what comes of it
	Schema      json.RawMessage // the JSON Schema of its arguments, an object
}

// A Call is a language model's wish that a tool be used. Neither the name nor the arguments are to be
// trusted: the tool may not exist, and the arguments may be any JSON or none.
type Call struct {
	Name      string
	Arguments json.RawMessage
}

// Estimate is about what a reply to the request takes of a language model: a token for each three bytes that
// the model gets to read and may write.
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

// Canned are replies in the business's own words.
type Canned struct {
	Greeting, Goodbye, Fallback, Handoff, OutOfHours string
}

// A Turn is one message of a conversation.
type Turn struct {
	Inbound bool // from the contact
	Text    string
}

// A Passage is a piece of what the business taught the agent.
type Passage struct {
	Document  int64    // the knowledge document; 0 for what stands in the agent's own fields
	Title     string   // the document's title
	URL       string   // the address of the web page that the document was read from; "" for another
	Questions []string // for an FAQ the phrasings of its question; else none
	Text      string   // the answer, or the piece of text
	Score     float64  // the rank's score, comparable within one search
}

// A Reply is an answer.
type Reply struct {
	Text       string
	Action     string  // one of the actions below
	Intent     string  // what the contact wants, in one word of lower case
	Confidence float64 // 0 to 1: how likely the reply is right
	Sources    []Source
	FAQ        bool // the answer is that of an FAQ whose question the message asks
	// Subject is what the answer is about, in the business's words: the heading or the title above it, or the
	// question of an FAQ. It is "" for what is no answer from the knowledge.
	Subject string
	// Near are the questions of FAQs that the contact may have meant where the action is Fallback, the most
	// probable first. There are two at most.
	Near []string
	// Guess is what may be the answer where the action is Fallback, nil for nothing. It is to be said as no
	// more than that.
	Guess *Reply
	Usage Usage // the zero value of an engine that has no tokens
}

// A Usage is what a reply took of a language model, attempts that failed included where the service counted
// them.
type Usage struct {
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	// MicroUSD is the list price of the tokens, in millionths of a dollar; 0 for a model whose price is not
	// known.
	MicroUSD int64 `json:"micro_usd"`
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.InputTokens + v.InputTokens, u.OutputTokens + v.OutputTokens, u.MicroUSD + v.MicroUSD}
}

// A Source is a knowledge document that a reply draws on.
type Source struct {
	Document int64
	Title    string
	URL      string // as of a Passage
}

// Actions of a Reply.
const (
	Respond  = "respond"  // an answer
	Fallback = "fallback" // the agent says that it does not know
	Handoff  = "handoff"  // the contact wants a person
)
