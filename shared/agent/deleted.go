package agent

import (
	"context"

	"frontdesk/shared/table"
)

// Deleted are the agents of a workspace that were deleted and whose data may still exist. Their data must
// not be returned to anyone: a reader by id, or across the agents of a workspace, reads Deleted in the same
// round trip and skips them.
type Deleted struct {
	account int64
	marks   map[table.Key]struct{}
}

// ReadDeleted reads the deleted agents of a workspace in one round trip.
func ReadDeleted(ctx context.Context, t table.Table, account int64) (Deleted, error) {
	marks, err := ReadMarks(ctx, t, account, DeletedPrefix)
	return marks.Deleted, err
}

// Has reports whether the agent is one of them.
func (d Deleted) Has(agent int64) bool {
	_, has := d.marks[DeletedKey(d.account, agent)]
	return has
}
