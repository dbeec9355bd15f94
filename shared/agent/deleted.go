package agent

import (
	"context"

	"frontdesk/shared/table"
)

// Deleted are the agents of a workspace that were deleted and whose data may not all be gone. What belongs to
// one of them is there for nobody. Whoever reads something by its own id, or across the agents of a
// workspace, reads these in the same trip and leaves out what belongs to them.
type Deleted struct {
	account int64
	marks   map[table.Key]struct{}
}

// ReadDeleted reads them, in one trip.
func ReadDeleted(ctx context.Context, t table.Table, account int64) (Deleted, error) {
	marks, err := ReadMarks(ctx, t, account, DeletedPrefix)
	return marks.Deleted, err
}

// Has reports whether the agent is one of them.
func (d Deleted) Has(agent int64) bool {
	_, has := d.marks[DeletedKey(d.account, agent)]
	return has
}
