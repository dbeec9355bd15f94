package playbook

import (
	"encoding/json"
	"fmt"

	"frontdesk/shared/table"
)

// An outline says which steps a funnel has: the order of each by its id. It lies in the funnel's item beside
// the funnel, and changes with the steps in one transaction, on the condition that the item has the version
// that was read. So what is appended by several at once gets orders of its own, and no step is added to a
// funnel that is being deleted.
type outline map[int64]int

// readOutline is the outline in the item of a funnel, empty where none was written yet.
func readOutline(funnel table.Item) (outline, error) {
	o := outline{}
	if funnel.Blob == nil {
		return o, nil
	}
	if err := json.Unmarshal(funnel.Blob, &o); err != nil {
		return nil, fmt.Errorf("playbook: outline of %s %s: %w", funnel.PK, funnel.SK, err)
	}
	return o, nil
}

// next is the order of a step that is appended.
func (o outline) next() int {
	last := 0
	for _, order := range o {
		last = max(last, order)
	}
	return min(last+1, MaxOrder)
}

// put is the write that stores the outline in the item of its funnel, as that was read.
func (o outline) put(funnel table.Item) (table.Write, error) {
	var err error
	funnel.Blob, err = json.Marshal(o)
	return table.PutIfVersion(funnel), err
}
