package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/table/tabletest"
)

func TestTable(t *testing.T) {
	tabletest.Run(t, func(t *testing.T, now func() time.Time) tabletest.Harness {
		table := open(t, filepath.Join(t.TempDir(), "table.db"), now)
		return tabletest.Harness{Table: table, Feed: table, Sweep: table.Sweep}
	})
}

// open opens the table in a file for the time of the test.
func open(t testing.TB, path string, now func() time.Time) *sqlite.Table {
	t.Helper()
	table, err := sqlite.Open(path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return table
}
