package concept

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed related.txt
var relations string

// related has the related concepts of each concept, nearest first. It is read on first use.
var related = sync.OnceValue(func() map[string][]string {
	out := make(map[string][]string, strings.Count(relations, "\n"))
	add := func(from, to string) {
		if !slices.Contains(out[from], to) {
			out[from] = append(out[from], to)
		}
	}
	for name, list := range relationLines {
		for other := range strings.SplitSeq(list, ",") {
			add(name, strings.TrimSpace(other))
		}
	}
	for name, list := range relationLines {
		for other := range strings.SplitSeq(list, ",") {
			add(strings.TrimSpace(other), name)
		}
	}
	return out
})

// relationLines yields the lines of related.txt: a concept and the list of its related concepts.
func relationLines(yield func(name, list string) bool) {
	for line := range strings.Lines(relations) {
		name, list, ok := strings.Cut(line, ":")
		if ok && name[0] != '#' && !yield(name, list) {
			return
		}
	}
}

// Related returns the concepts that often occur in answers to questions about a concept, without the concept
// itself, nearest first: "pet" for "dog", "aftercare" for "pool". The relation is symmetric. The result is
// nil for a concept without relations, and must not be changed.
func Related(name string) []string { return related()[name] }
