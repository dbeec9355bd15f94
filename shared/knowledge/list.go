package knowledge

import (
	"cmp"
	"encoding/binary"
	"slices"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// maxList is the limit of a word's list in bytes, so that its item costs one read unit. That is some 350
// chunks. For a word in more chunks, those in which it counts most are kept; such a word distinguishes
// little, and the other chunks are found by rarer words.
const maxList = 3900

// A list has the occurrences of one word in an agent's documents.
type list struct {
	dropped int         // number of chunks with the word that are not listed
	entries []listEntry // sorted by version
}

// A listEntry is the entry of one version of a document.
type listEntry struct {
	version
	entry
}

// blob encodes the list: the number of dropped chunks, then each entry after its document, as the difference
// from the previous one, and its generation, as the difference from the document's id.
func (l *list) blob() []byte {
	b := binary.AppendUvarint(nil, uint64(l.dropped))
	last := int64(0)
	for _, e := range l.entries {
		b = binary.AppendUvarint(b, uint64(e.document-last))
		b = binary.AppendVarint(b, e.generation-e.document)
		b = e.append(b)
		last = e.document
	}
	return b
}

// readList decodes a list. The zero Item is an empty list.
func readList(item table.Item) (list, error) {
	if item.Version == 0 {
		return list{}, nil
	}
	d := decoder{bytes: item.Blob}
	l := list{dropped: d.small()}
	last := int64(0)
	for len(d.bytes) > 0 && !d.broken {
		var e listEntry
		e.document = last + int64(d.number())
		e.generation = e.document + d.signed()
		e.entry = d.entry()
		l.entries = append(l.entries, e)
		last = e.document
		d.broken = d.broken || e.document > id.Max
	}
	if d.broken {
		return list{}, errEntry
	}
	return l, nil
}

// empty reports whether no chunk has the word.
func (l *list) empty() bool { return len(l.entries) == 0 && l.dropped == 0 }

// chunks returns the number of chunks with the word.
func (l *list) chunks() int {
	n := l.dropped
	for _, e := range l.entries {
		n += e.chunks()
	}
	return n
}

// add replaces the list's entry of a version. It may be repeated. If the version was dropped in between, the
// number of dropped chunks becomes too high, and the word weighs a little less.
func (l *list) add(e listEntry) {
	at, found := slices.BinarySearchFunc(l.entries, e.version, compareVersion)
	if found {
		l.entries[at] = e
		return
	}
	l.entries = slices.Insert(l.entries, at, e)
}

// remove removes the entry of a version. A version without an entry counts as dropped.
func (l *list) remove(v version) {
	at, found := slices.BinarySearchFunc(l.entries, v, compareVersion)
	if found {
		l.entries = slices.Delete(l.entries, at, at+1)
		return
	}
	l.dropped = max(0, l.dropped-1)
}

func compareVersion(e listEntry, v version) int {
	return cmp.Or(cmp.Compare(e.document, v.document), cmp.Compare(e.generation, v.generation))
}

// cut drops the chunks in which the word counts least until the list is short enough.
func (l *list) cut(r *ranking) {
	size := len(l.blob())
	if size <= maxList {
		return
	}
	var spots []spot
	for i, e := range l.entries {
		if len(e.postings) == 0 {
			spots = append(spots, spot{i, -1, r.saturate(titleWeight*float64(e.title), r.meanLength())})
		}
		for j, p := range e.postings {
			spots = append(spots, spot{i, j, r.saturate(e.count(p), float64(p.length))})
		}
	}
	slices.SortFunc(spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.entry, a.entry),
			cmp.Compare(a.posting, b.posting))
	})
	all, dropped := l.entries, l.dropped
	for keep := len(spots); size > maxList; size = len(l.blob()) {
		keep = min(keep-1, keep*maxList/size)
		l.entries, l.dropped = pick(all, spots[:keep]), dropped+len(spots)-keep
	}
}

// A spot is the position of a posting in a list, and what it counts.
type spot struct {
	entry, posting int // the posting is -1 for a title with the word in a document without chunks
	score          float64
}

// pick returns the entries with only the postings at the spots.
func pick(all []listEntry, spots []spot) []listEntry {
	spots = slices.Clone(spots)
	slices.SortFunc(spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.posting, b.posting))
	})
	var picked []listEntry
	for i, s := range spots {
		if i == 0 || spots[i-1].entry != s.entry {
			picked = append(picked, all[s.entry])
			picked[len(picked)-1].postings = nil
		}
		if s.posting >= 0 {
			last := &picked[len(picked)-1]
			last.postings = append(last.postings, all[s.entry].postings[s.posting])
		}
	}
	return picked
}
