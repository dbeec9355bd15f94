package sqlite

import (
	"context"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// Scan calls each with every item whose partition key begins with the prefix, in the order of the keys, until
// it returns an error, which Scan then returns. An empty prefix is every item. It is for an operator's tools:
// no request reads like that.
func (t *Table) Scan(ctx context.Context, prefix string, each func(table.Item) error) error {
	rows, err := t.file.QueryContext(ctx,
		"SELECT "+columns+", pk, sk FROM items WHERE pk >= ? AND pk < ? ORDER BY pk, sk",
		prefix, prefix+"\xff") // keys are UTF-8, which has no byte 0xff
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
