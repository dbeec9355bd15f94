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

// A Query is a search in an agent's documents.
type Query struct {
	Account, Agent int64
	Text           string
	Tongue         string // language of the text if it is known to differ from the corpus; "" otherwise
	Corpus         Corpus // of the agent; without chunks the search reads and finds nothing
	Limit          int    // of passages
}

// A Result is the result of a search.
type Result struct {
	// Passages are the matching passages, best first.
	Passages []ai.Passage
	// Neighbours are FAQ questions stored next to those found, as far as they were read along. They match no
	// words of the message, but the model that chooses among questions needs the alternatives.
	Neighbours []ai.Passage
	// Weights are the inverse document frequencies of the message's words, by stem. Stems that occur in no
	// document are absent.
	Weights map[string]float64
	// Chunks is the number of chunks of all documents.
	Chunks int64
}

// Limits of what a search reads.
const (
	// maxQueryWords is the limit of words of a message to look up, at half a read unit each.
	maxQueryWords = 24
	// maxConcepts is the limit of concepts to look up beside the words.
	maxConcepts = 4
	// maxPending is the limit of pending items to read, newest first. There are about ten unless documents
	// are added faster than they are merged.
	maxPending = 300
)

// Search returns the passages that match a message best, and then others up to the limit. It takes two round
// trips: one for the lists of all words and the pending items, one for the best chunks. A document that was
// deleted, deactivated or changed is not found from then on, since pending items are read strongly
// consistently. A new one is found once eventually consistent reads return its text, within milliseconds.
func Search(ctx context.Context, t table.Table, q Query) (Result, error) {
	words, telling := queryWords(q)
	if len(words) == 0 || q.Corpus.Chunks == 0 || q.Limit <= 0 {
		return Result{}, nil
	}
	stems := len(words)
	words = append(words, queryConcepts(q)...)
	all := q.Corpus.Chunks <= int64(q.Limit)
	if all {
		words = append(words, everywhere)
	}
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
	if !telling && !all {
		// Stop words count only if they make up a whole question.
		candidates = slices.DeleteFunc(candidates,
			func(c *candidate) bool { return c.words&(1<<stems-1) != 1<<stems-1 })
	}
	passages, neighbours, err := readPassages(ctx, t, q, candidates)
	return Result{passages, neighbours, r.weights, q.Corpus.Chunks}, err
}

// readLists reads the word lists and merges the pending items into them.
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

// queryWords returns the stems to look up, in all languages of the corpus: significant words, or stop words
// if there are no others; telling reports which. Above the limit the longest are kept, which tend to be the
// rarest.
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

// queryConcepts returns the concepts of a message as words of the index. It reads the message in the
// languages of the corpus and in its own, and corrects misspellings.
func queryConcepts(q Query) []string {
	if len(q.Corpus.Languages) == 0 {
		return nil
	}
	languages := q.Corpus.Languages
	if own := cmp.Or(q.Tongue, understand.Language(q.Text, languages[0])); !slices.Contains(languages, own) {
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
	for _, t := range text.Tokens(languages[len(languages)-1], q.Text) { // as far as the limit allows
		if !t.Stop {
			add(concept.Near(languages[len(languages)-1], t.Stem))
		}
	}
	return words
}
