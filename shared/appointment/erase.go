package appointment

import (
	"context"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// OfContact returns all appointments of a contact. It reads all appointments of the agent.
func OfContact(ctx context.Context, t table.Table, account, agent, contact int64) ([]Appointment, error) {
	q, also := OfAgent(account, agent, "")
	q.Descending = false
	return resource.Find(ctx, t, q, also, Read, func(a Appointment) bool { return a.ContactID == contact })
}
