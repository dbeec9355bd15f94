package knowledge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
)

var unexported = cmp.AllowUnexported(posting{}, entry{}, listEntry{}, version{}, list{})

func TestEntry(t *testing.T) {
	for _, want := range []entry{
		{faq: true, title: 2, postings: []posting{{0, 0, 0, 1, 80}, {0, 1, 7, 0, 9}, {0, 300, 2, 0, 100_000},
			{3, 1, 1, 15, 1}, {74, 24_999, 0, 7, 60}}},
		{title: 1, head: 3, rest: 1, postings: []posting{}},
		{head: 2, postings: []posting{{0, 1, 0, 1, 1}}},
		{postings: []posting{{0, 0, 0, 1, 1}}},
	} {
		d := decoder{bytes: want.append(nil)}
		got := d.entry()
		if d.broken || len(d.bytes) > 0 {
			t.Errorf("%+v is broken, with %d bytes left", want, len(d.bytes))
		}
		if diff := cmp.Diff(want, got, unexported); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// TestCountsAreBounded holds that a word which a chunk repeats often counts as often as is stored.
func TestCountsAreBounded(t *testing.T) {
	d := decoder{bytes: entry{postings: []posting{{label: 100, body: 1000, length: 2000}}}.append(nil)}
	want := []posting{{label: maxLabel, body: maxBody, length: 2000}}
	if diff := cmp.Diff(want, d.entry().postings, unexported); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLongestEntry holds that a word of every block of the longest FAQ fits an item, behind what is in it.
func TestLongestEntry(t *testing.T) {
	e := entry{faq: true}
	for n := range maxBlocks {
		e.postings = append(e.postings, posting{n / 300, n % 300, 1, 1, 200})
	}
	if n := len(e.append(nil)); n > table.MaxItemSize-maxPendingItem-4<<10 {
		t.Errorf("the entry has %d bytes", n)
	}
}

// FuzzReadList holds that any bytes are a list or broken, and that a list is read as it was written.
func FuzzReadList(f *testing.F) {
	l := list{dropped: 3}
	l.add(listEntry{version{7, 9}, entry{title: 1, postings: []posting{{0, 0, 1, 2, 3}}}})
	l.add(listEntry{version{5, 4}, entry{faq: true, postings: []posting{{2, 1, 1, 2, 300}}}})
	f.Add(l.blob())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, blob []byte) {
		l, err := readList(table.Item{Blob: blob, Version: 1})
		if err != nil {
			return
		}
		if l.dropped < 0 {
			t.Fatalf("%d dropped", l.dropped)
		}
		for _, e := range l.entries {
			for _, p := range e.postings {
				if p.part < 0 || p.ordinal < 0 || p.label < 0 || p.body < 0 || p.length < 0 {
					t.Fatalf("posting %+v", p)
				}
			}
		}
		again, err := readList(table.Item{Blob: l.blob(), Version: 1})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l, again, unexported); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}
