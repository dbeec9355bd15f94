package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// The columns of an item without its key, in order.
const (
	columns = "doc, blob, numbers, version, expires, g1pk, g1sk, g2pk, g2sk, g3pk, g3sk, g4pk, g4sk"
	// columns3 and columns4 are those of the narrow indexes.
	columns3 = "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, g3pk, g3sk, NULL, NULL"
	columns4 = "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, g4pk, g4sk"
)

// A row is an item without its key as it is stored.
type row struct {
	doc, blob, numbers                             []byte
	version, expires                               sql.NullInt64
	g1pk, g1sk, g2pk, g2sk, g3pk, g3sk, g4pk, g4sk sql.NullString
}

// targets returns the destinations for scanning the columns.
func (r *row) targets() []any {
	return []any{&r.doc, &r.blob, &r.numbers, &r.version, &r.expires, &r.g1pk, &r.g1sk, &r.g2pk, &r.g2sk,
		&r.g3pk, &r.g3sk, &r.g4pk, &r.g4sk}
}

// item converts the row to an item.
func (r *row) item(key table.Key) (table.Item, error) {
	item := table.Item{
		Key:     key,
		Doc:     r.doc,
		Blob:    r.blob,
		Index1:  table.Key{PK: r.g1pk.String, SK: r.g1sk.String},
		Index2:  table.Key{PK: r.g2pk.String, SK: r.g2sk.String},
		Index3:  table.Key{PK: r.g3pk.String, SK: r.g3sk.String},
		Index4:  table.Key{PK: r.g4pk.String, SK: r.g4sk.String},
		Version: r.version.Int64,
	}
	if r.expires.Valid {
		item.Expires = time.Unix(r.expires.Int64, 0).UTC()
	}
	if r.numbers != nil {
		if err := json.Unmarshal(r.numbers, &item.Numbers); err != nil {
			return table.Item{}, fmt.Errorf("table: numbers of %v: %w", key, err)
		}
	}
	return item, nil
}

// values returns the values of the columns for an item.
func values(item table.Item) ([]any, error) {
	var numbers any
	if len(item.Numbers) > 0 {
		text, err := json.Marshal(item.Numbers)
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		numbers = string(text)
	}
	var doc, blob, expires any
	if len(item.Doc) > 0 {
		doc = string(item.Doc)
	}
	if len(item.Blob) > 0 {
		blob = item.Blob
	}
	if !item.Expires.IsZero() {
		expires = item.Expires.Unix()
	}
	return []any{
		doc, blob, numbers, item.Version, expires,
		orNull(item.Index1.PK), orNull(item.Index1.SK), orNull(item.Index2.PK), orNull(item.Index2.SK),
		orNull(item.Index3.PK), orNull(item.Index3.SK), orNull(item.Index4.PK), orNull(item.Index4.SK),
	}, nil
}

// orNull returns nil, which is stored as NULL, for "".
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
