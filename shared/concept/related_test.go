package concept_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/concept"
	"frontdesk/shared/language"
)

// TestRelated holds that relations are between concepts that exist, each said once, and hold in both
// directions.
func TestRelated(t *testing.T) {
	content, err := os.ReadFile("related.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := language.Of("en").Concepts()
	seen := map[[2]string]bool{}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, list, _ := strings.Cut(line, ":")
		for other := range strings.SplitSeq(list, ",") {
			other = strings.TrimSpace(other)
			for _, c := range []string{name, other} {
				if _, ok := known[c]; !ok {
					t.Errorf("%q: no concept is called %q", line, c)
				}
			}
			if name == other || seen[[2]string{name, other}] {
				t.Errorf("%s and %s are said to be related twice, or are the same", name, other)
			}
			seen[[2]string{name, other}] = true
			there, back := concept.Related(name), concept.Related(other)
			if !slices.Contains(there, other) || !slices.Contains(back, name) {
				t.Errorf("%s and %s are not related in both directions", name, other)
			}
		}
	}
	if got := concept.Related("dog"); len(got) == 0 || got[0] != "pet" {
		t.Errorf("dog is nearest to %v, want pet first", got)
	}
	if got := concept.Related("unicorn"); got != nil {
		t.Errorf("a unicorn is related to %v", got)
	}
}
