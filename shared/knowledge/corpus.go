package knowledge

import (
	"maps"
	"slices"
	"strings"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// Names of the numbers in an agent's item that describe its knowledge, apart from the number of documents.
// They change in the same transactions as documents.
const (
	chunksNumber   = "chunks"
	wordsNumber    = "chunk_words"
	languagePrefix = "documents/" // followed by a language: the number of documents indexed in it

	// pendingNumber is the size of pending index entries, as computed by pendingSize. mergedNumber is not 0
	// once anything was merged.
	pendingNumber = "index_pending"
	mergedNumber  = "index_merged"
)

// A Corpus summarises all documents of an agent for a search.
type Corpus struct {
	Chunks int64 // number of chunks
	Words  int64 // their total length, in words without stop words
	// Languages are those of the indexed documents. There are several if the agent's language was changed,
	// since documents keep the language in which they were indexed.
	Languages []string

	pending, merged bool // the index has pending entries, and word lists
}

// CorpusOf returns the corpus from the numbers of the agent's item.
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

// A share is the contribution of one document to its agent's numbers.
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

// recount returns the write that replaces a document's share of the agent's numbers and adds the size of new
// pending items. Its condition fails if there is no such agent.
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
