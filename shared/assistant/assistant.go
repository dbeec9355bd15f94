// Package assistant is one turn of a conversation: what happens between a message that comes in and the reply
// that goes out, whatever the channel. turn.go is the way through:
//
//   - load.go reads what is known: the agent, the contact, the conversation, what the knowledge has.
//   - decide.go finds out whether the agent is to reply at all, and has the message interpreted.
//   - interpret.go is the built-in interpreter: the skill acts whose claim is the best. model.go is the
//     other one, a language model that calls the same skills and words the reply.
//   - skills.go lists the skills; each is a folder of package skill. A new one is a folder and a line there.
//   - act.go makes true what the skills' outcomes change, and adds what goes with every reply; fill.go takes the
//     message and the reply into the frame of the conversation, which is package frame.
//   - commit.go stores it all in one transaction. Should somebody else have been faster, the turn begins anew.
package assistant

import (
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

// An Assistant answers messages.
type Assistant struct {
	Table table.Table
	// by the service that they are behind, as in ai.ModelName; the built-in engine need not be there
	Models map[string]ai.Model
	Now    func() time.Time
	IDs    *id.Source

	// engine is the built-in one. It also reads messages for the skills, whatever the agent's model.
	engine  builtin.Engine
	models  cache[int64, *faq.Model]
	books   cache[bookVersion, *skill.Book]
	details cache[int64, agent.Agent] // of which the summary is read anew
	fits    cache[fit, struct{}]      // by the workspace
}

// A Message is one that came in.
type Message struct {
	AccountID, AgentID int64
	// Account is the workspace as the caller was authenticated for it; the zero Account where it is to be
	// read.
	Account auth.Account
	// Admit may refuse the message by what its agent is: its error ends the turn. Nil admits every message.
	Admit   func(agent.Summary) error
	Channel conversation.Channel
	// Network is the one that a visitor of a chat box writes from, whose limits hold; "" is under none.
	Network string
	// SessionID is a UUID; one that the agent does not know starts a conversation. Left empty a new session
	// begins.
	SessionID string
	// Sender is who wrote over a channel's platform; nil for a chat session.
	Sender  *Sender
	Contact Identity
	// Proved tells that the caller answers for Contact: by the API's own key, a signature of the business, or
	// a channel whose platform vouches for it. Otherwise it is a claim, which opens nothing; see package
	// identity.
	Proved bool
	// Source is where the writer came from, as the platform tells; the zero Source where it does not.
	Source contact.Referral
	Text   string
	// Choice is the value of the button that was pressed, where the platform tells; it may be one that others
	// sent.
	Choice string
	// Parts are the messages that Text is made of; nil where it is one.
	Parts []message.Part
	// NeedsWords says that Text stands for something that cannot be read, such as a picture.
	NeedsWords bool
	// Silent says that the message calls for no answer.
	Silent bool
	// With are further writes of the transaction that stores the turn. Where one fails the error of the turn
	// is a *table.ConditionError that names its place from the end, or table.ErrBusy.
	With []table.Write
	// Context is what the caller adds for the model, at most 2000 characters.
	Context string
}

// An Identity is what a message says of its writer. The phone is E.164; any may be empty.
type Identity = skill.Identity

// Actions of an Answer beside those of an ai.Reply.
const (
	HumanHandling = "human_handling" // a person handles the conversation
	AgentPaused   = "agent_paused"   // the agent is paused
	AIDisabled    = "ai_disabled"    // the agent's AI is switched off
	NotAnswered   = "not_answered"   // the message calls for no answer
)

// An Answer is what came of a message.
type Answer struct {
	// Reply is nil where nobody replied by themselves: the Action says why.
	Reply            *string
	Choices          []conversation.Choice // that the reply offers; never nil
	Action           string
	Intent           string
	Confidence       float64
	SessionID        string
	ConversationID   int64
	ContactID        int64
	MessageID        *int64 // of the reply
	InboundMessageID int64
	Cards            []conversation.Card   // the products that the reply offers; never nil
	Sources          []conversation.Source // the documents that it draws on
	// Delay is how long whoever shows the reply is to wait before, as if somebody typed it. The reply is
	// there at once: a request that sleeps is one that is paid for.
	Delay time.Duration
}

// modelTime is how long a model may take. The gateway gives up after 29 s, and the turn must still be stored.
const modelTime = 24 * time.Second

// historyLength is how many messages before this one a model gets to see.
const historyLength = 20

// passages is how many pieces of the knowledge a model gets to see.
const passages = 20
