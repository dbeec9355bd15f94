package assistant

import (
	"context"

	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
)

// Identify notes who the writer of a session is, as a message would that says so: by the external id, the
// phone, or else the e-mail address, the session joins the contact that is known by it, where that is proved.
// It needs of the message the workspace, the agent, the session and the contact, and heeds Admit. A session
// that is new keeps the contact for the conversation to come. It returns the contact's id.
func (a *Assistant) Identify(ctx context.Context, m Message) (int64, error) {
	var id int64
	err := table.Retry(ctx, func() error {
		s, err := a.load(ctx, m, new(reservation))
		if err != nil {
			return err
		}
		m := s.message
		parts := []func(Message) ([]table.Write, error){s.contactWrites, s.sessionWrites}
		if s.conversationVersion != 0 {
			parts = append(parts, s.conversationWrites)
		}
		var writes []table.Write
		for _, part := range parts {
			more, err := part(m)
			if err != nil {
				return err
			}
			writes = append(writes, more...)
		}
		others, err := s.otherWrites(ctx)
		if err != nil {
			return err
		}
		writes = append(writes, others...)
		if m.Network != "" && !s.hasSession {
			writes = append(writes, s.count(use{visits: auth.Visits{Sessions: 1}}, 0)...)
		}
		counts := s.contactCounts()
		if s.conversationVersion != 0 {
			counts = append(counts, conversation.Recount(&s.conversationBefore, &s.Conversation))
		}
		writes = append(writes, counter.Add(m.AccountID, m.AgentID, s.Contact.ID, counts...)...)
		id = s.Contact.ID
		return a.Table.Transact(ctx, writes...)
	})
	return id, err
}
