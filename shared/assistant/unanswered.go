package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill/restricted"
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
)

// unansweredKey returns the key under which the message is stored as an unanswered question, or the zero
// Key if it cannot be one.
func (s *state) unansweredKey() table.Key {
	if s.Reading.SmallTalk != "" {
		return table.Key{}
	}
	question := unanswered.ID(s.Agent.ID, s.Language(), s.Text)
	if question == 0 {
		return table.Key{}
	}
	return unanswered.Key(s.Account, s.Agent.ID, question)
}

// unansweredWrites adds the message to the list of unanswered questions if the agent did not know the
// answer, and removes it from the list if the agent has answered it now. A handover leaves the list
// unchanged.
func (s *state) unansweredWrites(d *decision, inbound int64, reply *ai.Reply) (
	[]table.Write, counter.Change, error,
) {
	switch {
	case reply == nil || s.chose || s.unansweredKey() == (table.Key{}):
		return nil, counter.Change{}, nil
	case d.declined && (!s.Asks() || restricted.Concerns(s.State)): // not a gap in the knowledge
		return nil, counter.Change{}, nil
	case d.declined:
		write, change, err := unanswered.Ask(s.Account, unanswered.Question{
			ID: unanswered.ID(s.Agent.ID, s.Language(), s.Text), AgentID: s.Agent.ID, Question: s.Text,
			ConversationID: s.Conversation.ID, LastAskedAt: s.Now,
		}, s.unanswered, inbound)
		return []table.Write{write}, change, err
	case s.unanswered.Version != 0 && reply.Action == ai.Respond:
		write, change := unanswered.Answered(s.unanswered)
		return []table.Write{write}, change, nil
	}
	return nil, counter.Change{}, nil
}
