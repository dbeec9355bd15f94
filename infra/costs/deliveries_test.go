package costs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table/sqlite"
)

// TestDeliveries holds docs/data-model.md to what deliveries cost.
func TestDeliveries(t *testing.T) {
	text, err := os.ReadFile("../../docs/data-model.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, m := range regexp.MustCompile(`(?m)^\| a delivery (.*?) \| (.*) \|$`).FindAllStringSubmatch(
		string(text), -1) {
		documented = append(documented, m[1]+" | "+m[2])
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	rows, err := MeasureDeliveries(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	var measured []string
	for _, r := range rows {
		measured = append(measured, fmt.Sprintf("%s | %v | %v | %v | %v", r.Delivery, r.Queue, r.Table,
			r.ReadUnits, r.WriteUnits))
	}
	if diff := cmp.Diff(documented, measured); diff != "" {
		t.Errorf("docs/data-model.md says (-), measured (+):\n%s\n%s", diff, strings.Join(measured, "\n"))
	}
}
