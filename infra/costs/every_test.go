package costs

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/table/sqlite"
)

// rowOf is the name of the row for an operation of the API's description.
func rowOf(method, path string) string {
	const below = "/agents/{agent_id}/"
	kind, rest, _ := strings.Cut(strings.TrimPrefix(path, below), "/")
	if other := costsAs(kind); other != kind && strings.HasPrefix(path, below) &&
		!strings.Contains(rest, "/steps/") && !strings.HasSuffix(rest, "/runs/") {
		path = below + other + "/" + strings.Replace(rest, "{funnel_id}", "{item_id}", 1)
	}
	return strings.ToUpper(method) + " " + path
}

// TestEveryOperation expects a row for each operation that the API's description has.
func TestEveryOperation(t *testing.T) {
	description, err := readDescription()
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	measured := map[string]bool{}
	for _, r := range rows(t, store) {
		request, _, _ := strings.Cut(r.Request, " (")
		measured[request] = true
	}
	for path, operations := range description.Paths {
		for method := range operations {
			if row := rowOf(method, path); !measured[row] {
				t.Errorf("nobody measures %s", row)
			}
		}
	}
	if len(description.Paths) == 0 {
		t.Error("the description has no paths")
	}
}
