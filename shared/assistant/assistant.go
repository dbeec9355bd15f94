// Package assistant runs one turn of a conversation: it takes an incoming message of any channel, decides
// on the reply, and stores both. Start reading at [Assistant.Turn] in turn.go. Its steps, in order:
//
//   - load.go reads the agent, the contact, the conversation, its history and the matching knowledge.
//   - limits.go checks the plan, the limit of the visitor's network and the agent's budget; see
//     package quota.
//   - decide.go decides whether the agent may reply at all.
//   - interpret.go is the built-in interpreter. It asks every skill how probably the message calls for it,
//     and runs the best one. several.go splits a message that calls for more than one skill.
//   - model.go is the other interpreter: a language model that calls the same skills as tools.
//   - act.go applies what the skills decided to the conversation and the contact, and adds reminders,
//     questions and choices to the reply. fill.go updates the dialogue state; see package frame.
//   - commit.go stores everything in one transaction. After a concurrent write the turn runs again.
//
// What an agent can do is a set of skills, listed in skills.go. To add one:
//
//  1. Create the folder skill/<name> with a type Skill that implements [skill.Skill]. Spec declares its name
//     and the settings that govern it; Explain returns a [skill.Claim]: the probability that a message calls
//     for the skill, and the function that then returns the reply and the changes. It writes nothing itself.
//  2. Add one line for it to the list in skills.go.
//  3. Add its cases: messages that must reach it, and similar ones that must not, to the tests of this
//     package or the scripts in infra/conversations. TestSkills checks the Spec.
//
// A skill that language models may call, too, implements [skill.Tool].
package assistant

import (
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/auth"
	"frontdesk/shared/cache"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

// An Assistant answers messages.
type Assistant struct {
	Table table.Table
	// by service, as in ai.ModelName; the built-in engine may be missing
	Models map[string]ai.Model
	Now    func() time.Time
	IDs    *id.Source

	// engine is the built-in engine. It also reads messages for the skills, whatever the agent's model is.
	engine  builtin.Engine
	models  cache.Versioned[int64, int64, *faq.Model] // by agent
	books   cache.Versioned[int64, bookVersion, *skill.Book]
	details cache.Versioned[int64, int64, agent.Agent] // by agent; every turn reads only the summary
	fits    cache.Versioned[int64, fit, struct{}]      // by workspace
}

// A Message is an incoming message.
type Message struct {
	AccountID, AgentID int64
	// Account is the workspace, if the caller has read it already. For the zero Account, the turn reads it.
	Account auth.Account
	// Admit, if not nil, may refuse the message because of its agent. Its error ends the turn.
	Admit   func(agent.Summary) error
	Channel conversation.Channel
	// Network is the network address of a chat visitor, to which the daily limit applies. "" has no limit.
	Network string
	// SessionID is a UUID. One that is new to the agent starts a conversation; "" starts a new session.
	SessionID string
	// Sender identifies the author on a channel's platform. It is nil for a chat session.
	Sender  *Sender
	Contact Identity
	// Proved reports whether Contact is verified: by the API key, by a signature of the business, or by a
	// platform that vouches for its users. An unverified Contact is a claim and gives no access; see
	// package identity.
	Proved bool
	// Source is where the author came from, if the platform says so.
	Source contact.Referral
	Text   string
	// Choice is the value of the button that was pressed, if the platform reports one. It may be forged.
	Choice string
	// Parts are the messages that Text was joined from; nil if there was only one.
	Parts []message.Part
	// NeedsWords reports whether Text stands for something that cannot be read, such as a picture.
	NeedsWords bool
	// Silent reports whether the message needs no answer.
	Silent bool
	// With are further writes for the transaction that stores the turn. If one fails, Turn returns
	// table.ErrBusy or a *table.ConditionError with the position of the write, counted from the end.
	With []table.Write
	// Context is additional text of the caller for the model, at most 2000 characters.
	Context string
}

// An Identity is what a message says about its author. The phone is in E.164; any field may be empty.
type Identity = skill.Identity

// Actions of an Answer, in addition to those of an ai.Reply.
const (
	HumanHandling = "human_handling" // a person handles the conversation
	AgentPaused   = "agent_paused"   // the agent is paused
	AIDisabled    = "ai_disabled"    // the agent's AI is switched off
	NotAnswered   = "not_answered"   // the message needs no answer
)

// An Answer is the outcome of a message.
type Answer struct {
	// Reply is nil if there is no automatic reply; Action then says why.
	Reply            *string
	Choices          []conversation.Choice // the choices of the reply; never nil
	Action           string
	Intent           string
	Confidence       float64
	SessionID        string
	ConversationID   int64
	ContactID        int64
	MessageID        *int64 // of the reply; nil without one
	InboundMessageID int64
	Cards            []conversation.Card   // the products in the reply; never nil
	Sources          []conversation.Source // the documents that the reply quotes
	// Delay is how long a client should wait before it shows the reply, as if somebody typed. The reply
	// itself is returned at once, since a Lambda that sleeps is paid for.
	Delay time.Duration
}

// modelTime is the time limit of a model. The gateway gives up after 29 s, and the turn must still be
// stored.
const modelTime = 24 * time.Second

// historyLength is the number of earlier messages that a model sees.
const historyLength = 20

// passages is the number of passages from the knowledge that a model sees.
const passages = 20
