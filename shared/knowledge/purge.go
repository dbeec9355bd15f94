package knowledge

import (
	"context"
	"errors"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Purge deletes what is left of a deleted document, but for the lists of its words: by them Merge takes it
// out of the index, and then deletes them. It may be repeated, and goes on where it was cut short.
func Purge(ctx context.Context, t table.Table, account, document int64) error {
	_, err := t.Get(ctx, DocumentKey(account, document, 0))
	if !errors.Is(err, table.ErrNotFound) {
		return err // it is there, under an id that was used again
	}
	return resource.DeletePartition(ctx, t, DocumentPartition(account, document), DocumentPartPrefix)
}

// erase deletes a document of an agent that is no more: its parts and lists of words, and last its head, by
// which it is listed. It may be repeated, and goes on where it was cut short.
func erase(ctx context.Context, t table.Table, account, document int64) error {
	head := DocumentKey(account, document, 0)
	for _, q := range []table.Query{
		{PK: head.PK, Prefix: DocumentWordsPrefix},
		{PK: head.PK, From: DocumentKey(account, document, 1).SK, To: string(DocumentPartPrefix) + "9999"},
	} {
		if err := resource.DeleteQuery(ctx, t, q); err != nil {
			return err
		}
	}
	return t.WriteAll(ctx, table.Delete(head))
}

// purgePage is how many items of an index one step of its purge deletes.
const purgePage = 500

// purgeIndex deletes some of the index of a deleted agent, with the lists of words of documents that were
// deleted before and are still to be taken out of it.
func purgeIndex(ctx context.Context, t table.Table, account, agent int64) (more bool, err error) {
	page, err := t.Query(ctx, table.Query{PK: IndexPartition(account, agent), Limit: purgePage})
	if err != nil {
		return false, err
	}
	writes := deletions(page.Items)
	for _, item := range page.Items {
		if v, isGone, err := readPendingKey(item.Key); err == nil && isGone {
			writes = append(writes, table.Delete(DocumentWordsKey(account, v.document, v.generation)))
		}
	}
	return page.Next != "", t.WriteAll(ctx, writes...)
}
