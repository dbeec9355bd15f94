package concept

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/language"
)

// TestReadLexicon holds that a table is read with few allocations, as the first message after a start waits
// for it, and that no language lacks its table.
func TestReadLexicon(t *testing.T) {
	const most = 100
	for _, tag := range language.Tags() {
		if words := len(readLexicon(tag).words); words < 1000 {
			t.Errorf("%s: %d words are known", tag, words)
		}
		if n := testing.AllocsPerRun(1, func() { readLexicon(tag) }); n > most {
			t.Errorf("%s: reading it allocates %.0f times, want %d at most", tag, n, most)
		}
	}
}

// TestHomonyms holds that a word or phrase stands for two concepts only where they are related, or where
// testdata/homonyms.txt says that it is wanted: most often two words have one stem by chance, and the rarer
// one belongs into a phrase.
func TestHomonyms(t *testing.T) {
	content, err := os.ReadFile("testdata/homonyms.txt")
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			wanted[line] = true
		}
	}
	for _, tag := range language.Tags() {
		l := readLexicon(tag)
		for _, words := range []map[string][]string{l.words, l.stops} {
			for stem, names := range words {
				check(t, tag, stem, names, wanted)
			}
		}
		for _, phrases := range l.phrases {
			for _, p := range phrases {
				check(t, tag, p.stems, p.names, wanted)
			}
		}
	}
	if left := slices.Sorted(maps.Keys(wanted)); len(left) > 0 {
		t.Errorf("listed as homonyms, but stand for one concept or for related ones: %q", left)
	}
}

// check reports a word or phrase whose concepts are not related unless it is wanted, and takes it off that
// list.
func check(t *testing.T, tag, stems string, names []string, wanted map[string]bool) {
	t.Helper()
	for i := range names {
		for _, other := range names[:i] {
			if slices.Contains(Related(other), names[i]) {
				continue
			}
			line := fmt.Sprintf("%s %s: %s", tag, stems, strings.Join(names, ", "))
			if !wanted[line] {
				t.Errorf("%s: the concepts are not related", line)
			}
			delete(wanted, line)
			return
		}
	}
}
