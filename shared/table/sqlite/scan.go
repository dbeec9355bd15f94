package sqlite

import (
	"context"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// Scan calls each for every unexpired item whose partition key begins with prefix, in the order of keys,
// until it returns an error, which Scan returns. "" selects every item. It is for operators' tools, not for
// requests.
func (t *Table) Scan(ctx context.Context, prefix string, each func(table.Item) error) error {
	rows, err := t.file.QueryContext(ctx,
		"SELECT "+columns+", pk, sk FROM items WHERE pk >= ? AND pk < ? ORDER BY pk, sk",
		prefix, prefix+"\xff") // UTF-8 never has the byte 0xff
	if err != nil {
		return failure(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		var key table.Key
		if err := rows.Scan(append(r.targets(), &key.PK, &key.SK)...); err != nil {
			return failure(err)
		}
		item, err := r.item(key)
		if err != nil {
			return err
		}
		if layout.Expired(item, t.now()) {
			continue
		}
		if err := each(item); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return failure(err)
	}
	return nil
}
