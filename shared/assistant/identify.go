package assistant

import (
	"context"

	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/quota"
	"frontdesk/shared/table"
)

// Identify links a session to a contact, as a message with the same identity would: if the identity is
// verified, the session joins the contact with the same external id, phone, or else e-mail address. A new
// session stores the contact for its first conversation. Of the message it needs the workspace, the agent,
// the session and the contact, and it calls Admit. It returns the contact's id; its errors are those of
// Turn.
func (a *Assistant) Identify(ctx context.Context, m Message) (int64, error) {
	var id int64
	err := table.Retry(ctx, func() error {
		s, err := a.load(ctx, m, new(quota.Reservation))
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
		writes = append(writes, s.quota.SessionWrites()...)
		counts := s.author.Counts(s.Contact)
		if s.conversationVersion != 0 {
			counts = append(counts, conversation.Recount(&s.conversationBefore, &s.Conversation))
		}
		writes = append(writes, counter.Add(m.AccountID, m.AgentID, s.Contact.ID, counts...)...)
		id = s.Contact.ID
		return a.Table.Transact(ctx, writes...)
	})
	return id, err
}
