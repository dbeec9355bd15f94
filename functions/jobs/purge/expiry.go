package purge

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/auth"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// warnOfKeys publishes a warning of each API key that expires soon, once for each key.
func (s *Service) warnOfKeys(ctx context.Context) error {
	workspaces := &auth.Workspaces{Table: s.Table, Now: s.Now, IDs: s.IDs}
	return resource.Each(ctx, s.Table, auth.ExpiringQuery(s.Now()), func(item table.Item) error {
		return workspaces.Warn(ctx, item, func(account int64) ([]int64, error) {
			var all []int64
			err := resource.Each(ctx, s.Table, agent.ListQuery(account), func(item table.Item) error {
				of, err := agent.ReadSummary(item)
				all = append(all, of.ID)
				return err
			})
			return all, err
		})
	})
}
