package knowledge

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
)

func TestEntry(t *testing.T) {
	want := []posting{{0, 0, 0, 1, 80}, {0, 300, 2, 0, 100_000}, {3, 1, 1, 1, 1}, {74, 24_999, 0, 7, 60}}
	w := entryWriter{kind: faqEntry, title: 2}
	for _, p := range want {
		w.add(p)
	}
	e, got, err := readEntry(w.blob(), nil)
	if err != nil || e != (entry{kind: faqEntry, title: 2}) {
		t.Fatalf("entry %+v, error %v", e, err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(posting{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLongestEntry holds that a word of every block of the longest FAQ fits an item.
func TestLongestEntry(t *testing.T) {
	var w entryWriter
	for n := range maxBlocks {
		w.add(posting{n / 300, n % 300, 1, 1, 200})
	}
	if n := len(w.blob()); n > table.MaxItemSize-4<<10 {
		t.Errorf("the entry has %d bytes", n)
	}
}

func FuzzReadEntry(f *testing.F) {
	f.Add([]byte{textEntry, 0, 1, 2, 3, 4, 5})
	f.Add([]byte{textEntry})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, blob []byte) {
		e, postings, err := readEntry(blob, nil)
		if err != nil {
			if !errors.Is(err, errEntry) {
				t.Fatal(err)
			}
			return
		}
		if e.title < 0 {
			t.Fatalf("title %d", e.title)
		}
		for _, p := range postings {
			if p.part < 0 || p.ordinal < 0 || p.label < 0 || p.body < 0 || p.length < 0 {
				t.Fatalf("posting %+v", p)
			}
		}
	})
}
