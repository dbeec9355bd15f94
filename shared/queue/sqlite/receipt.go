package sqlite

import (
	"fmt"
	"strconv"
	"strings"
)

// A receipt identifies one delivery of a message. Each delivery increments receives, which makes earlier
// receipts stale.
type receipt struct {
	id       int64
	receives int
}

func (r receipt) String() string { return fmt.Sprintf("%d.%d", r.id, r.receives) }

func parseReceipt(text string) (receipt, error) {
	id, receives, _ := strings.Cut(text, ".")
	i, err1 := strconv.ParseInt(id, 10, 64)
	n, err2 := strconv.Atoi(receives)
	if err1 != nil || err2 != nil {
		return receipt{}, fmt.Errorf("%q is no receipt", text)
	}
	return receipt{i, n}, nil
}
