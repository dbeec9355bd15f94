package knowledge

import (
	"context"
	"errors"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Purge deletes the parts of a deleted document. Its word lists stay until Merge has used them to remove it
// from the index. Purge may be repeated, and continues after an interruption.
func Purge(ctx context.Context, t table.Table, account, document int64) error {
	_, err := t.Get(ctx, DocumentKey(account, document, 0))
	if !errors.Is(err, table.ErrNotFound) {
		return err // the document exists, since its id was used again
	}
	return resource.DeletePartition(ctx, t, DocumentPartition(account, document), DocumentPartPrefix)
}

// erase deletes a document of a deleted agent: its parts and word lists, and finally its head, by which it
// is listed. It may be repeated, and continues after an interruption.
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

// purgePage is the number of an index's items that one step of its purge deletes.
const purgePage = 500

// purgeIndex deletes some of the index of a deleted agent, with the word lists of deleted documents that
// were not merged yet.
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
