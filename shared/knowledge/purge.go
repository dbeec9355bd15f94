package knowledge

import (
	"context"
	"errors"
	"strings"

	"frontdesk/shared/table"
)

// Purge deletes what nobody finds any more of a document: the index entries of earlier generations, or, where
// the document is gone, all that is left of it. It may be repeated, and goes on where it was cut short.
func Purge(ctx context.Context, t table.Table, account, agent, document int64) error {
	head, err := t.Get(ctx, DocumentKey(account, document, 0))
	if errors.Is(err, table.ErrNotFound) {
		return Erase(ctx, t, account, agent, document)
	}
	if err != nil {
		return err
	}
	d, err := Read(head)
	if err != nil {
		return err
	}
	return eraseGenerations(ctx, t, account, agent, document, d.Index.Generation)
}

// Abandon deletes the index entries of one generation of a document, unless the document names that one. It
// is for entries whose document never came to name them, and so must wait until nobody can be writing them
// any more. It may be repeated, and goes on where it was cut short.
func Abandon(ctx context.Context, t table.Table, account, agent, document, generation int64) error {
	headKey, listKey := DocumentKey(account, document, 0), DocumentWordsKey(account, document, generation)
	items, err := t.BatchGet(ctx, headKey, listKey)
	if err != nil {
		return err
	}
	if head, ok := items[headKey]; ok {
		d, err := Read(head)
		if err != nil || d.Index.Generation == generation {
			return err
		}
	}
	list, ok := items[listKey]
	if !ok {
		return nil
	}
	return eraseEntries(ctx, t, account, agent, document, generation, strings.Split(string(list.Blob), "\n"))
}

// Erase deletes a document of an agent that is no more: its index entries, its parts, and last its head, by
// which it is listed. It may be repeated, and goes on where it was cut short.
func Erase(ctx context.Context, t table.Table, account, agent, document int64) error {
	if err := eraseGenerations(ctx, t, account, agent, document, 0); err != nil {
		return err
	}
	parts, err := t.Query(ctx, table.Query{PK: DocumentPartition(account, document),
		Prefix: DocumentPartPrefix})
	if err != nil {
		return err
	}
	head := DocumentKey(account, document, 0)
	var writes []table.Write
	for _, item := range parts.Items {
		if item.Key != head {
			writes = append(writes, table.Delete(item.Key))
		}
	}
	if err := t.WriteAll(ctx, writes...); err != nil {
		return err
	}
	return t.WriteAll(ctx, table.Delete(head))
}

// eraseGenerations deletes the index entries of a document's generations before the one given; of all for 0.
func eraseGenerations(ctx context.Context, t table.Table, account, agent, document, before int64) error {
	for {
		// A list may be as large as an item can be, so they are read one by one.
		lists, err := t.Query(ctx, table.Query{
			PK: DocumentPartition(account, document), Prefix: DocumentWordsPrefix, Limit: 1,
		})
		if err != nil || len(lists.Items) == 0 {
			return err
		}
		list := lists.Items[0]
		generation, err := ReadDocumentWordsKey(list.Key)
		if err != nil {
			return err
		}
		if before != 0 && generation >= before {
			return nil
		}
		words := strings.Split(string(list.Blob), "\n")
		if err := eraseEntries(ctx, t, account, agent, document, generation, words); err != nil {
			return err
		}
	}
}
