package knowledge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
)

// TestListIsCut holds that the list of a word that all chunks have stays within an item of one read unit,
// keeps the chunks in which the word counts most, and knows how many have it.
func TestListIsCut(t *testing.T) {
	var l list
	const documents = 5_000
	for n := range int64(documents) {
		body := 1
		if n%100 == 0 {
			body = 3
		}
		l.add(listEntry{version{1e15 + n<<22, 1e15 + n<<22 + 1000},
			entry{postings: []posting{{body: body, length: 60}}}})
	}
	l.cut(newRanking(Corpus{Chunks: documents, Words: 60 * documents}))
	if n := len(l.blob()); n > maxList || n < maxList*9/10 {
		t.Errorf("the list has %d bytes", n)
	}
	if n := l.chunks(); n != documents {
		t.Errorf("%d chunks have the word, want %d", n, documents)
	}
	strong := 0
	for _, e := range l.entries {
		if e.postings[0].body == 3 {
			strong++
		}
	}
	if strong != documents/100 || len(l.entries) < 300 {
		t.Errorf("%d chunks are kept, %d of those with the word three times", len(l.entries), strong)
	}
	t.Logf("%d chunks are kept", len(l.entries))
}

// TestListTakesChangesTwice holds that a change which is repeated after a crash does nothing more.
func TestListTakesChangesTwice(t *testing.T) {
	entryOf := func(document, generation int64) listEntry {
		return listEntry{version{document, generation}, entry{postings: []posting{{body: 1, length: 9}}}}
	}
	var l list
	for range 2 {
		l.add(entryOf(5, 6))
		l.add(entryOf(3, 9))
		l.add(entryOf(5, 4))
		l.remove(version{5, 4})
		l.remove(version{8, 8}) // never there
	}
	want := list{entries: []listEntry{entryOf(3, 9), entryOf(5, 6)}}
	if diff := cmp.Diff(want, l, unexported); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	read, err := readList(table.Item{Blob: l.blob(), Version: 1})
	if diff := cmp.Diff(want, read, unexported); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	for _, v := range []version{{3, 9}, {5, 6}} {
		l.remove(v)
	}
	if !l.empty() {
		t.Errorf("%+v is not empty", l)
	}
}
