package costs

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"frontdesk/shared/table/sqlite"
)

// TestGreatestRate holds docs/operating.md to the rate of turns with one agent at which the first place of
// the table is as busy as DynamoDB lets it be.
func TestGreatestRate(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := regexp.MustCompile(`one workspace takes ([\d,]+) turns a second`).FindSubmatch(text)
	if documented == nil {
		t.Fatal("docs/operating.md names no greatest rate")
	}
	want, err := strconv.ParseFloat(regexp.MustCompile(",").ReplaceAllString(string(documented[1]), ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const visitors, turns = 300, 3
	heat, err := recordTurns(t.Context(), "../../template.yaml", store, visitors, turns)
	if err != nil {
		t.Fatal(err)
	}
	traces := heat.traces(visitors, turns)
	before, key := greatestRate(joined(traces))
	t.Logf("lists of open conversations in one part: %.0f turns a second, then throttles %s", before, key)
	after, key := greatestRate(traces)
	t.Logf("as it is: %.0f turns a second, then throttles %s", after, key)
	if after < 1.5*before || after < 1000 {
		t.Errorf("a busy hour takes %.0f turns a second, and %.0f with lists in one part", after, before)
	}
	loads := heat.shared(visitors * turns)
	if len(loads) == 0 || loads[0].Most() < want*0.8 || loads[0].Most() > want*1.1 {
		for _, l := range loads[:min(len(loads), 10)] {
			t.Logf("index %d, %s: %.2f write units, %.2f read units, at most %.0f turns a second",
				l.Index, l.Key, l.WriteUnits, l.ReadUnits, l.Most())
		}
		t.Errorf("docs/operating.md says %.0f turns a second", want)
	}
}
