package table

import "context"

// Whole returns the complete items that a query found, in their order. For a narrow index it reads them, in
// one round trip and a read unit for each 4 KB of an item. Items that were deleted in the meantime are
// skipped.
func Whole(ctx context.Context, t Table, index Index, found []Item) ([]Item, error) {
	if !index.Narrow() || len(found) == 0 {
		return found, nil
	}
	keys := make([]Key, len(found))
	for i, item := range found {
		keys[i] = item.Key
	}
	items, err := t.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	whole := make([]Item, 0, len(found))
	for _, key := range keys {
		if item, ok := items[key]; ok {
			whole = append(whole, item)
		}
	}
	return whole, nil
}
