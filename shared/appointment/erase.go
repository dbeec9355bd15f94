package appointment

import (
	"context"
	"time"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// OfContact reads all appointments of an agent with one contact. It looks through those of the agent.
func OfContact(ctx context.Context, t table.Table, account, agent, contact int64) ([]Appointment, error) {
	var found []Appointment
	for _, status := range Status.Values("") {
		q := table.Query{Index: table.Index1, PK: KeyByAgent(account, agent, status, time.Time{}, 0).PK}
		err := resource.Each(ctx, t, q, func(item table.Item) error {
			a, err := Read(item)
			if err == nil && a.ContactID == contact {
				found = append(found, a)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
