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
	indexes          table.Prefix = "index"

	// DocumentPartPrefix begins the sort keys of a document's parts.
	DocumentPartPrefix table.SortPrefix = "part/"
	// DocumentWordsPrefix begins the sort keys of a document's word lists.
	DocumentWordsPrefix table.SortPrefix = "words/"

	// PendingPrefix begins the sort keys of what is not merged into the lists of an index yet.
	PendingPrefix table.SortPrefix = "pending/"
	wordPrefix    table.SortPrefix = "word/"
	mergingKey    table.SortPrefix = "merging"
)

// gone is in the place of a number, in the key of the note that a generation is in the index no more.
const gone = "gone"

// DocumentPartition holds a document's parts and its word lists.
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

// readDocumentWordsKey returns what a DocumentWordsKey is of.
func readDocumentWordsKey(key table.Key) (v version, err error) {
	document := key.PK[strings.LastIndexByte(key.PK, '/')+1:]
	if v.document, err = strconv.ParseInt(document, 10, 64); err == nil {
		generation := strings.TrimPrefix(key.SK, string(DocumentWordsPrefix))
		v.generation, err = strconv.ParseInt(generation, 10, 64)
	}
	if err != nil {
		return version{}, fmt.Errorf("knowledge: %s %s is no key of a word list: %w", key.PK, key.SK, err)
	}
	return v, nil
}

// IndexPartition holds an agent's index: the lists of its words, and what is not merged into them yet.
func IndexPartition(account, agent int64) string { return indexes.Of(account, agent) }

// WordKey is the key of the list of one word in an agent's index.
func WordKey(account, agent int64, word string) table.Key {
	return table.Key{PK: IndexPartition(account, agent), SK: wordPrefix.Of(word)}
}

// PendingKey is the key of item n of the entries of one generation of a document, which are not merged into
// the lists yet.
func PendingKey(account, agent, document, generation int64, n int) table.Key {
	return pendingKey(account, agent, version{document, generation}, strconv.Itoa(n))
}

// goneKey is the key of the note that a generation of a document is in the index no more.
func goneKey(account, agent int64, v version) table.Key { return pendingKey(account, agent, v, gone) }

func pendingKey(account, agent int64, v version, last string) table.Key {
	return table.Key{PK: IndexPartition(account, agent),
		SK: PendingPrefix.Of(table.PadID(v.generation), "/", table.PadID(v.document), "/", last)}
}

// readPendingKey returns what a pendingKey is of, and whether it is a note that the generation is gone.
func readPendingKey(key table.Key) (v version, isGone bool, err error) {
	parts := strings.Split(strings.TrimPrefix(key.SK, string(PendingPrefix)), "/")
	if len(parts) == 3 {
		v.generation, err = strconv.ParseInt(parts[0], 10, 64)
		if err == nil {
			v.document, err = strconv.ParseInt(parts[1], 10, 64)
		}
	}
	if len(parts) != 3 || err != nil {
		return version{}, false, fmt.Errorf("knowledge: %s %s is no key of what is pending", key.PK, key.SK)
	}
	return v, parts[2] == gone, nil
}

// leaseKey is the key of the lease of who merges an agent's index.
func leaseKey(account, agent int64) table.Key {
	return table.Key{PK: IndexPartition(account, agent), SK: string(mergingKey)}
}
