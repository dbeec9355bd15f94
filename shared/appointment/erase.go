package appointment

import (
	"context"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// OfContact reads all appointments of an agent with one contact. It looks through those of the agent.
func OfContact(ctx context.Context, t table.Table, account, agent, contact int64) ([]Appointment, error) {
	q, also := OfAgent(account, agent, "")
	q.Descending = false
	return resource.Find(ctx, t, q, also, Read, func(a Appointment) bool { return a.ContactID == contact })
}
