package knowledge

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A Query asks what an agent's documents have on a message.
type Query struct {
	Account, Agent int64
	Text           string
	Corpus         Corpus // of the agent; without chunks the search finds nothing and costs nothing
	Limit          int    // how many passages at most
}

// A Result is what a search found.
type Result struct {
	// Passages are what the documents have on the message, best first.
	Passages []ai.Passage
	// Neighbours are questions of FAQs that lie beside those found, though their words were not asked for, as
	// many as were read along with them. Whoever tells which question a message asks needs the others too.
	Neighbours []ai.Passage
	// Weights tell how much a word of the message says: its inverse document frequency, by stem. A stem that
	// no document has is absent.
	Weights map[string]float64
	// Chunks is how many passages the documents have in all.
	Chunks int64
}

// What a search reads at most.
const (
	// maxQueryWords is how many words of a message are looked up, at half a read unit each.
	maxQueryWords = 24
	// maxConcepts is how many concepts of a message are looked up beside its words.
	maxConcepts = 4
	// maxPending is how many pending items are read, the newest first. There are some ten of them, unless
	// documents come faster than they are merged.
	maxPending = 300
)

// Search finds the passages that say most on a message. It takes two trips: one for the lists of all words
// and what is pending, one for the chunks that come out best. A document that was deleted, switched off or
// changed is not found from that moment on, since what is pending is read with the latest writes. A new one
// is found as soon as its text, which is read a moment stale, is there: in milliseconds.
func Search(ctx context.Context, t table.Table, q Query) (Result, error) {
	words, telling := queryWords(q)
	if len(words) == 0 || q.Corpus.Chunks == 0 || q.Limit <= 0 {
		return Result{}, nil
	}
	stems := len(words)
	words = append(words, queryConcepts(q)...)
	lists, err := readLists(ctx, t, q, words)
	if err != nil {
		return Result{}, err
	}
	r := newRanking(q.Corpus)
	for i, word := range words {
		r.add(i, word, lists[i])
	}
	for _, word := range words[stems:] {
		delete(r.weights, word)
	}
	candidates := r.ranked()
	if !telling {
		// Stop words say something only as the whole of a question.
		candidates = slices.DeleteFunc(candidates,
			func(c *candidate) bool { return c.words&(1<<stems-1) != 1<<stems-1 })
	}
	passages, neighbours, err := readPassages(ctx, t, q, candidates)
	return Result{passages, neighbours, r.weights, q.Corpus.Chunks}, err
}

// readLists reads the lists of words, with what is pending merged into them.
func readLists(ctx context.Context, t table.Table, q Query, words []string) ([]list, error) {
	keys := make([]table.Key, len(words))
	for i, word := range words {
		keys[i] = WordKey(q.Account, q.Agent, word)
	}
	var merged map[table.Key]table.Item
	var pending table.Page
	var reads []func(context.Context) error
	if q.Corpus.merged {
		reads = append(reads, func(ctx context.Context) (err error) {
			merged, err = t.BatchGetStale(ctx, keys...)
			return err
		})
	}
	if q.Corpus.pending {
		reads = append(reads, func(ctx context.Context) (err error) {
			pending, err = t.Query(ctx, table.Query{PK: IndexPartition(q.Account, q.Agent),
				Prefix: PendingPrefix, Limit: maxPending, Descending: true})
			return err
		})
	}
	if err := table.Parallel(ctx, reads...); err != nil {
		return nil, err
	}
	lists := make([]list, len(words))
	for i := range words {
		var err error
		if lists[i], err = readList(merged[keys[i]]); err != nil {
			return nil, err
		}
	}
	return lists, addPending(lists, words, pending.Items)
}

// addPending merges pending items into the lists of some words.
func addPending(lists []list, words []string, pending []table.Item) error {
	places := make(map[string]int, len(words))
	for i, word := range words {
		places[word] = i
	}
	var left []version
	for _, item := range pending {
		v, isGone, err := readPendingKey(item.Key)
		if err != nil {
			return err
		}
		if isGone {
			left = append(left, v)
			continue
		}
		err = readPending(item, func(word []byte, e entry) {
			if i, asked := places[string(word)]; asked {
				lists[i].add(listEntry{v, e})
			}
		})
		if err != nil {
			return err
		}
	}
	for i := range lists {
		lists[i].entries = slices.DeleteFunc(lists[i].entries,
			func(e listEntry) bool { return slices.Contains(left, e.version) })
	}
	return nil
}

// queryWords are the stems of a message to look up, in all languages of the corpus: those that say something,
// or, where there are none, the stop words. Of too many the longest are taken, which are the rarer ones.
func queryWords(q Query) (words []string, telling bool) {
	stops, others := map[string]bool{}, map[string]bool{}
	for _, language := range q.Corpus.Languages {
		for _, t := range text.Tokens(language, q.Text) {
			if t.Stop {
				stops[t.Stem] = true
			} else {
				others[t.Stem] = true
			}
		}
	}
	telling = len(others) > 0
	if !telling {
		others = stops
	}
	words = slices.SortedFunc(maps.Keys(others), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return words[:min(len(words), maxQueryWords)], telling
}

// queryConcepts are the concepts of a message, as words of the index: of its words in the languages of the
// corpus, and in the one that it is written in, also where they are misspelt.
func queryConcepts(q Query) []string {
	if len(q.Corpus.Languages) == 0 {
		return nil
	}
	languages := q.Corpus.Languages
	if own := understand.Language(languages[0], q.Text); !slices.Contains(languages, own) {
		languages = append(slices.Clone(languages), own)
	}
	var words []string
	add := func(names []string) {
		for _, name := range names {
			if word := concept.Word(name); len(words) < maxConcepts && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	for _, language := range languages {
		add(concept.Names(language, q.Text))
	}
	for _, t := range text.Tokens(languages[len(languages)-1], q.Text) { // as far as there is room
		if !t.Stop {
			add(concept.Near(languages[len(languages)-1], t.Stem))
		}
	}
	return words
}
