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
	before, key := greatestRate(rewriting(traces))
	t.Logf("were turns in the lists of conversations: %.0f turns a second, then throttles %s", before, key)
	after, key := greatestRate(traces)
	t.Logf("as it is: %.0f turns a second, then throttles %s", after, key)
	if after < 2*before {
		t.Errorf("a busy hour takes %.0f turns a second, and %.0f were turns in lists", after, before)
	}
	loads := heat.shared(visitors * turns)
	if len(loads) == 0 || min(after, loads[0].Most()) < want*0.8 || min(after, loads[0].Most()) > want*1.1 {
		for _, l := range loads[:min(len(loads), 10)] {
			t.Logf("index %d, %s: %.2f write units, %.2f read units, at most %.0f turns a second",
				l.Index, l.Key, l.WriteUnits, l.ReadUnits, l.Most())
		}
		t.Errorf("docs/operating.md says %.0f turns a second", want)
	}
}

// TestThousandAgents has a thousand agents, each of a workspace of its own, get ten turns a second each, from
// one moment to the next.
func TestThousandAgents(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const visitors, turns = 100, 3
	heat, err := recordTurns(t.Context(), "../../template.yaml", store, visitors, turns)
	if err != nil {
		t.Fatal(err)
	}
	perTurn := heat.written() / (visitors * turns)
	f := fleet{agents: 1000, rate: 10, traces: heat.traces(visitors, turns)}
	seconds, partitions, hot := f.settles(perTurn)
	t.Logf("%.0f write units a second settle on %d partitions after %d seconds",
		perTurn*f.rate*float64(f.agents), partitions, seconds)
	if hot != "" || seconds > warmUp {
		t.Errorf("it settles after %d seconds on %d partitions, and throttles %q", seconds, partitions, hot)
	}
}
