package delivery

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Erase empties the bodies of the receiver's deliveries that contain one of the ids. Their rows with
// attempts and outcomes stay. Pending ones are given up.
func (r Receiver) Erase(ctx context.Context, t table.Table, ids map[int64]bool) error {
	all := table.Query{PK: r.Partition(), Prefix: KeyPrefix}
	return resource.Each(ctx, t, all, func(item table.Item) error {
		if !names(item.Blob, ids) {
			return nil
		}
		return table.Retry(ctx, func() error {
			now, err := t.Get(ctx, item.Key)
			if errors.Is(err, table.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			d, err := Read(now)
			if err != nil {
				return err
			}
			d.Body = []byte("{}")
			if d.Status == Pending {
				d.GiveUp("The contact that it was about has been erased.")
			}
			put, err := d.Put()
			if err != nil {
				return err
			}
			return t.Transact(ctx, put)
		})
	})
}

// names reports whether a number in the text is one of the ids.
func names(text []byte, ids map[int64]bool) bool {
	for _, digits := range bytes.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.ParseInt(string(digits), 10, 64); err == nil && ids[n] {
			return true
		}
	}
	return false
}
