package assistant

import (
	"context"

	"frontdesk/shared/table"
)

// Identify notes who the writer of a session is, as a message would that says so: by the phone, or else by the e-mail
// address, the session joins the contact that is known by it. It needs of the message the workspace, the agent, the
// session and the contact. A session that is new keeps the contact for the conversation to come. It returns the
// contact's id.
func (a *Assistant) Identify(ctx context.Context, m Message) (int64, error) {
	for range attempts {
		s, err := a.load(ctx, m)
		if err != nil {
			return 0, err
		}
		parts := []func(Message) ([]table.Write, error){s.contactWrites, s.sessionWrites}
		if s.conversationVersion != 0 {
			parts = append(parts, s.conversationWrites)
		}
		var writes []table.Write
		for _, part := range parts {
			more, err := part(m)
			if err != nil {
				return 0, err
			}
			writes = append(writes, more...)
		}
		writes = append(writes, s.counterWrites(m, s.contact.ID)...)
		if err := a.Table.Transact(ctx, writes...); !table.IsFailed(err) {
			return s.contact.ID, err
		}
	}
	return 0, table.ErrBusy
}
