package local

import (
	"fmt"
	"time"
)

// Clock returns the clock that CLOCK_OFFSET stands for: the machine's, moved by a duration such as 2184h. An
// empty text moves nothing.
func Clock(offset string) (func() time.Time, error) {
	if offset == "" {
		return time.Now, nil
	}
	by, err := time.ParseDuration(offset)
	if err != nil {
		return nil, fmt.Errorf("CLOCK_OFFSET: %q is no duration such as 2184h", offset)
	}
	return func() time.Time { return time.Now().Add(by) }, nil
}
