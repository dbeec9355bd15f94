package playbook

import (
	"context"

	"frontdesk/shared/delivery"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes an agent's rows of all kinds, and the deliveries and run counts of its actions.
func Resource() resource.Resource {
	r := resource.Resource{Name: "playbook", Purge: []resource.Purge{purgeRuns}}
	for i := range Partitions(0, 0) {
		rows := func(account, agent int64) string { return Partitions(account, agent)[i] }
		r.Purge = append(r.Purge, resource.Partition(rows))
	}
	return r
}

// purgeRuns deletes the deliveries and run counts of the agent's actions. It must precede the deletion of the
// actions, through which these are found.
func purgeRuns(ctx context.Context, t table.Table, account, agent int64) (more bool, err error) {
	page, err := t.Query(ctx, Store[Action, *Action]{}.Query(account, agent))
	if err != nil {
		return false, err
	}
	for _, item := range page.Items {
		a, err := Read[Action](item)
		if err != nil {
			return false, err
		}
		to := delivery.Receiver{AccountID: account, AgentID: agent, ActionID: a.ID}
		if err := to.Purge(ctx, t); err != nil {
			return false, err
		}
	}
	return false, nil
}
