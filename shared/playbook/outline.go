package playbook

import (
	"encoding/json"
	"fmt"

	"frontdesk/shared/table"
)

// An outline maps the ids of a funnel's steps to their orders. It is stored in the funnel's item and changes
// with the steps in one transaction, on the condition that the item is unchanged. So concurrently appended
// steps get distinct orders, and no step is added to a funnel that is being deleted.
type outline map[int64]int

// readOutline decodes the outline in a funnel's item, empty if there is none yet.
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

// next returns the order of an appended step.
func (o outline) next() int {
	last := 0
	for _, order := range o {
		last = max(last, order)
	}
	return min(last+1, MaxOrder)
}

// put returns the write that stores the outline in the funnel's item that was read.
func (o outline) put(funnel table.Item) (table.Write, error) {
	var err error
	funnel.Blob, err = json.Marshal(o)
	return table.PutIfVersion(funnel), err
}
