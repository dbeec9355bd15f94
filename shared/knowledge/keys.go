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

	// PendingPrefix begins the sort keys of entries that are not merged into the lists of an index yet.
	PendingPrefix table.SortPrefix = "pending/"
	wordPrefix    table.SortPrefix = "word/"
	mergingKey    table.SortPrefix = "merging"
)

// gone replaces a number in the key of the note that a version was removed.
const gone = "gone"

// DocumentPartition returns the partition of a document's parts and word lists.
func DocumentPartition(account, document int64) string { return documents.Join(account, document) }

// DocumentKey returns the key of part n of a document; part 0 is the head.
func DocumentKey(account, document int64, n int) table.Key {
	return table.Key{PK: DocumentPartition(account, document),
		SK: DocumentPartPrefix.Join(fmt.Sprintf("%04d", n))}
}

// DocumentKeyByAgent returns the key in Index1 by which an agent's documents are listed.
func DocumentKeyByAgent(account, agent, document int64) table.Key {
	return table.Key{PK: documentsOfAgent.Join(account, agent), SK: table.PadID(document)}
}

// DocumentWordsKey returns the key of the list of words under which one version of a document is indexed.
func DocumentWordsKey(account, document, generation int64) table.Key {
	return table.Key{PK: DocumentPartition(account, document),
		SK: DocumentWordsPrefix.Join(table.PadID(generation))}
}

// readDocumentWordsKey returns the version in a DocumentWordsKey.
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

// IndexPartition returns the partition of an agent's index: its word lists and pending entries.
func IndexPartition(account, agent int64) string { return indexes.Join(account, agent) }

// WordKey returns the key of the list of a word in an agent's index.
func WordKey(account, agent int64, word string) table.Key {
	return table.Key{PK: IndexPartition(account, agent), SK: wordPrefix.Join(word)}
}

// PendingKey returns the key of item n of the pending entries of one version of a document.
func PendingKey(account, agent, document, generation int64, n int) table.Key {
	return pendingKey(account, agent, version{document, generation}, strconv.Itoa(n))
}

// goneKey returns the key of the note that a version was removed from the index.
func goneKey(account, agent int64, v version) table.Key { return pendingKey(account, agent, v, gone) }

func pendingKey(account, agent int64, v version, last string) table.Key {
	return table.Key{PK: IndexPartition(account, agent),
		SK: PendingPrefix.Join(table.PadID(v.generation), "/", table.PadID(v.document), "/", last)}
}

// readPendingKey returns the version in a PendingKey or goneKey, and whether it is a goneKey.
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

// leaseKey returns the key of the lease for merging an agent's index.
func leaseKey(account, agent int64) table.Key {
	return table.Key{PK: IndexPartition(account, agent), SK: string(mergingKey)}
}
