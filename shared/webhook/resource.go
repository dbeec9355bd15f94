package webhook

import (
	"context"

	"frontdesk/shared/delivery"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes the deliveries to an agent's webhooks. The webhooks are in the agent's own partition.
func Resource() resource.Resource {
	return resource.Resource{Name: "webhooks", Purge: []resource.Purge{purge}}
}

func purge(ctx context.Context, t table.Table, account, agent int64) (more bool, err error) {
	page, err := t.Query(ctx, Query(account, agent))
	if err != nil {
		return false, err
	}
	for _, item := range page.Items {
		w, err := Read(item)
		if err != nil {
			return false, err
		}
		to := delivery.Receiver{AccountID: account, AgentID: agent, WebhookID: w.ID}
		if err := to.Purge(ctx, t); err != nil {
			return false, err
		}
	}
	return false, nil
}
