package assistant

import (
	"context"
	"log/slog"

	"frontdesk/shared/ai"
	"frontdesk/shared/counter"
	"frontdesk/shared/logline"
	"frontdesk/shared/table"
)

// A decision is what is to come of a message. The zero decision has the agent's model reply.
type decision struct {
	// silence is why nobody replies, an action of an Answer; "" where somebody does.
	silence string
	// refusal is what the caller is told instead of a reply: an error of the API.
	refusal error
	// reply is what the agent says; nil leaves it to the model.
	reply *ai.Reply
	// then changes what the decision changes beside the reply: the conversation, the contact. Nil changes nothing.
	then func(*state)
	// store returns what else is to be stored with the turn, and what it changes in the agent's counts. Nil stores
	// nothing.
	store func() ([]table.Write, counter.Change, error)
}

// A decider takes a message up, or leaves it to the next by returning nil.
type decider struct {
	name   string // in the log
	decide func(*state, context.Context) (*decision, error)
}

// deciders are asked in this order. What none takes up is a question, which the model answers.
var deciders = [...]decider{
	{"silence", (*state).silent},
	{"uncalled for", (*state).uncalledFor},
	{"over plan", (*state).overPlan},
	{"quota", (*state).quota},
	{"opt-out", (*state).optOut},
	{"unreadable", (*state).unreadable},
	{"handoff", (*state).handoff},
	{"funnel", (*state).funnel},
	{"booking", (*state).booking},
	{"quick answer", (*state).quickAnswer},
	{"wordless", (*state).wordless},
	{"greeted", (*state).greeted},
	{"invitation", (*state).invited},
	{"lead", (*state).lead},
	{"qualification", (*state).qualify},
	{"skill", (*state).interpret},
	{"product", (*state).product},
	{"service", (*state).service},
	{"identity", (*state).identity},
	{"restricted topic", (*state).restricted},
	{"hours", (*state).hours},
	{"bare answer", (*state).bareAnswer},
}

// decide finds out what is to come of the message.
func (s *state) decide(ctx context.Context) (*decision, error) {
	for _, d := range deciders {
		made, err := d.decide(s, ctx)
		if err != nil {
			return nil, err
		}
		if made != nil {
			logline.Add(ctx, slog.String("decided_by", d.name))
			return made, nil
		}
	}
	return &decision{}, nil
}
