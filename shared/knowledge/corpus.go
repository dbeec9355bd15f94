package knowledge

import (
	"maps"
	"slices"
	"strings"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// The numbers of an agent's item that tell of its knowledge, beside that of its documents. They change in the
// transactions that change documents.
const (
	chunksNumber   = "chunks"
	wordsNumber    = "chunk_words"
	languagePrefix = "documents/" // and a language: how many documents are indexed in it

	// pendingNumber is how much of the index is not merged into the lists of words yet, by pendingSize, and
	// mergedNumber is not 0 once something was merged.
	pendingNumber = "index_pending"
	mergedNumber  = "index_merged"
)

// A Corpus is what a search needs to know of all of an agent's documents together.
type Corpus struct {
	Chunks int64 // how many there are
	Words  int64 // their length, without stop words
	// Languages are those whose words the index holds. There are several when the agent's language was
	// changed: each document stays in the language it was indexed in.
	Languages []string

	pending, merged bool // whether the index has anything that is pending, and any lists of words
}

// CorpusOf reads the corpus from the numbers of the agent's item.
func CorpusOf(numbers map[string]int64) Corpus {
	c := Corpus{
		Chunks: numbers[chunksNumber], Words: numbers[wordsNumber],
		pending: numbers[pendingNumber] > 0, merged: numbers[mergedNumber] > 0,
	}
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		if language, ok := strings.CutPrefix(name, languagePrefix); ok && numbers[name] > 0 {
			c.Languages = append(c.Languages, language)
		}
	}
	return c
}

// A share is what a document adds to the numbers of its agent.
type share struct {
	documents int64
	numbers   map[string]int64
}

func (d Document) share() share {
	s := share{1, map[string]int64{chunksNumber: int64(d.Chunks), wordsNumber: int64(d.Index.Words)}}
	if d.Empty() {
		s.numbers[agent.EmptyDocuments] = 1
	}
	if d.Index.Language != "" {
		s.numbers[languagePrefix+d.Index.Language] = 1
	}
	return s
}

// recount is the write that takes one share of an agent's numbers for another, and counts what becomes
// pending of the index. It fails when there is no such agent.
func recount(account, agentID int64, before, after share, pending ...table.Item) table.Write {
	w := agent.CountDocuments(account, agentID, after.documents-before.documents)
	for _, item := range pending {
		w.Add[pendingNumber] += pendingSize(item)
	}
	for name, n := range after.numbers {
		w.Add[name] += n
	}
	for name, n := range before.numbers {
		w.Add[name] -= n
	}
	maps.DeleteFunc(w.Add, func(name string, n int64) bool { return n == 0 && len(w.Add) > 1 })
	return w
}
