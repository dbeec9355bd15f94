package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// statements are the prepared statements.
type statements struct {
	all []*sql.Stmt

	get     *sql.Stmt
	query   [20]*sql.Stmt // by variant
	changes *sql.Stmt     // the feed after a position

	// Statements of the writer's connection.
	begin, commit, rollback, getToWrite, put, delete, addChange *sql.Stmt
}

// limited limits the rows of a statement. With a bare parameter, SQLite would prepare the statement again for
// each value, which took a tenth of the processor time under load; the sign prevents that.
const limited = " LIMIT +?"

// prepare prepares the statements.
func (t *Table) prepare() error {
	ctx := context.Background()
	var all []*sql.Stmt
	var err error
	read := func(text string) (stmt *sql.Stmt) {
		if err == nil {
			stmt, err = t.file.PrepareContext(ctx, text)
			all = append(all, stmt)
		}
		return stmt
	}
	write := func(text string) (stmt *sql.Stmt) {
		if err == nil {
			stmt, err = t.writer.PrepareContext(ctx, text)
			all = append(all, stmt)
		}
		return stmt
	}
	const get = "SELECT " + columns + " FROM items WHERE pk = ? AND sk = ?"
	t.stmts = statements{
		get: read(get),
		changes: read("SELECT position, old_image, new_image FROM changes WHERE position > ? ORDER BY " +
			"position" + limited),
		begin:      write("BEGIN IMMEDIATE"),
		commit:     write("COMMIT"),
		rollback:   write("ROLLBACK"),
		getToWrite: write(get),
		put: write("INSERT INTO items (" + columns +
			", pk, sk) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) " +
			"ON CONFLICT (pk, sk) DO UPDATE SET doc = excluded.doc, blob = excluded.blob, numbers = " +
			"excluded.numbers, " +
			"version = excluded.version, expires = excluded.expires, " +
			"g1pk = excluded.g1pk, g1sk = excluded.g1sk, g2pk = excluded.g2pk, g2sk = excluded.g2sk, " +
			"g3pk = excluded.g3pk, g3sk = excluded.g3sk, g4pk = excluded.g4pk, g4sk = excluded.g4sk"),
		delete:    write("DELETE FROM items WHERE pk = ? AND sk = ?"),
		addChange: write("INSERT INTO changes (old_image, new_image) VALUES (?, ?)"),
	}
	for _, index := range append(layout.Indexes[:], table.Primary) {
		for _, descending := range []bool{false, true} {
			for _, after := range []string{"", "cursor"} {
				q := table.Query{Index: index, Descending: descending, After: after}
				t.stmts.query[variant(q)] = read(queryText(q))
			}
		}
	}
	t.stmts.all = all
	return err
}

// variant returns the index of the query's statement.
func variant(q table.Query) int {
	v := int(q.Index) * 4
	if q.Descending {
		v += 2
	}
	if q.After != "" {
		v++
	}
	return v
}

// queryText returns the query's statement. It depends only on what variant depends on.
func queryText(q table.Query) string {
	pk, sk := layout.IndexPK(q.Index), layout.IndexSK(q.Index)
	order := []string{sk}
	if q.Index != table.Primary {
		order = append(order, layout.PK, layout.SK)
	}
	place, marks := strings.Join(order, ", "), strings.TrimSuffix(strings.Repeat("?, ", len(order)), ", ")
	lower, upper := sk+" >= ?", sk+" <= ?"
	direction, selected := "", columns
	switch {
	case q.After != "" && q.Descending:
		upper = fmt.Sprintf("(%s) < (%s)", place, marks)
	case q.After != "":
		lower = fmt.Sprintf("(%s) > (%s)", place, marks)
	}
	if q.Descending {
		direction = " DESC"
	}
	switch q.Index {
	case table.Index3:
		selected = columns3
	case table.Index4:
		selected = columns4
	}
	return fmt.Sprintf("SELECT %s, pk, sk FROM items WHERE %s = ? AND %s AND %s ORDER BY %s%s",
		selected, pk, lower, upper, strings.Join(order, direction+", ")+direction, limited)
}

// last sorts after every key, since UTF-8 never has this byte.
const last = "\xff"

// queryArgs returns the arguments of the query's statement.
func queryArgs(q table.Query) ([]any, error) {
	from, to := q.Bounds()
	if to == "" {
		to = last
	}
	lower, upper := []any{from}, []any{to}
	if q.After != "" {
		sk, base, err := q.Start()
		if err != nil {
			return nil, err
		}
		place := []any{sk}
		if q.Index != table.Primary {
			place = append(place, base.PK, base.SK)
		}
		if q.Descending {
			upper = place
		} else {
			lower = place
		}
	}
	limit := -1
	if q.Limit > 0 {
		limit = q.Limit
	}
	args := append([]any{q.PK}, lower...)
	return append(append(args, upper...), limit), nil
}
