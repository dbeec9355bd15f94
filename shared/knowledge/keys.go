package knowledge

import (
	"fmt"
	"strconv"
	"strings"

	"frontdesk/shared/table"
)

const (
	documents        table.Prefix = "document"
	documentsOfAgent table.Prefix = "documents"
	words            table.Prefix = "word"

	// DocumentPartPrefix begins the sort keys of a document's parts.
	DocumentPartPrefix table.SortPrefix = "part/"
	// DocumentWordsPrefix begins the sort keys of a document's word lists.
	DocumentWordsPrefix table.SortPrefix = "words/"
)

// DocumentPartition holds a document's parts and the word lists of its index entries.
func DocumentPartition(account, document int64) string { return documents.Of(account, document) }

// DocumentKey is the key of part n of a knowledge document; part 0 is the document itself.
func DocumentKey(account, document int64, n int) table.Key {
	return table.Key{PK: DocumentPartition(account, document),
		SK: DocumentPartPrefix.Of(fmt.Sprintf("%04d", n))}
}

// DocumentKeyByAgent is where an agent's documents are listed, in Index1.
func DocumentKeyByAgent(account, agent, document int64) table.Key {
	return table.Key{PK: documentsOfAgent.Of(account, agent), SK: table.PadID(document)}
}

// DocumentWordsKey is the key of the list of the words under which one generation of a document stands in the
// index.
func DocumentWordsKey(account, document, generation int64) table.Key {
	return table.Key{PK: DocumentPartition(account, document),
		SK: DocumentWordsPrefix.Of(table.PadID(generation))}
}

// ReadDocumentWordsKey returns the generation that a DocumentWordsKey is of.
func ReadDocumentWordsKey(key table.Key) (generation int64, err error) {
	generation, err = strconv.ParseInt(strings.TrimPrefix(key.SK, string(DocumentWordsPrefix)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("knowledge: %s %s is no key of a word list: %w", key.PK, key.SK, err)
	}
	return generation, nil
}

// WordPartition holds the entries of one word in an agent's index.
func WordPartition(account, agent int64, word string) string { return words.Of(account, agent, word) }

// WordKey is the key of the entry of one word in an agent's index, for one generation of a document.
func WordKey(account, agent int64, word string, document, generation int64) table.Key {
	return table.Key{
		PK: WordPartition(account, agent, word),
		SK: table.PadID(document) + "/" + table.PadID(generation),
	}
}

// ReadWordKey returns the document and the generation that a WordKey is of.
func ReadWordKey(key table.Key) (document, generation int64, err error) {
	id, gen, _ := strings.Cut(key.SK, "/")
	if document, err = strconv.ParseInt(id, 10, 64); err == nil {
		generation, err = strconv.ParseInt(gen, 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("knowledge: %s %s is no key of a word: %w", key.PK, key.SK, err)
	}
	return document, generation, nil
}
