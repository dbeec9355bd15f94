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
	// maxQueryWords is how many words of a message are looked up. Each is a request, and all are under way
	// together.
	maxQueryWords = 24
	// maxConcepts is how many concepts of a message are looked up beside its words.
	maxConcepts = 4
	// maxDocuments is how many documents are read for one word, the newest first. A word that more have tells
	// little between them.
	maxDocuments = 2000
)

// Search finds the passages that say most on a message. It takes two trips: one for the index entries of all
// words, one for the chunks that come out best. It takes more only where many of those belong to documents
// that are not active. A document that was deleted, switched off or changed is not found from that moment on;
// a new one is as soon as the index entries, which are read with the latest writes perhaps missing, are
// there: in milliseconds.
func Search(ctx context.Context, t table.Table, q Query) (Result, error) {
	words, telling := queryWords(q)
	if len(words) == 0 || q.Corpus.Chunks == 0 || q.Limit <= 0 {
		return Result{}, nil
	}
	stems := len(words)
	words = append(words, queryConcepts(q)...)
	entries := make([][]table.Item, len(words))
	lookups := make([]func(context.Context) error, len(words))
	for i, word := range words {
		lookups[i] = func(ctx context.Context) error {
			page, err := t.Query(ctx, table.Query{
				PK: WordPartition(q.Account, q.Agent, word), Limit: maxDocuments, Descending: true,
				Stale: true,
			})
			entries[i] = page.Items
			return err
		}
	}
	if err := table.Parallel(ctx, lookups...); err != nil {
		return Result{}, err
	}
	r := newRanking(q.Corpus)
	for i, word := range words {
		if err := r.add(i, word, entries[i]); err != nil {
			return Result{}, err
		}
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
