package sqlite

import (
	"fmt"
	"strconv"
	"strings"
)

// A receipt names one delivery of a message: the message and which of its receives it was. Since each receive
// counts up, a later one makes the earlier receipts stale.
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
