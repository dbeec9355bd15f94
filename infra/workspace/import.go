package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"frontdesk/shared/auth"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// importBatch is how many items are stored together.
const importBatch = 200

// ErrThere says that the store has a workspace of that id already.
var ErrThere = errors.New("workspace: the store has this workspace already; delete it first")

// Import stores an export, whose secrets the key opens. The workspace becomes usable with the last items, by
// which it is entered; until then an import that was interrupted may be begun again, and stores the same. It
// fails, with an unusable workspace, where the export was cut short or names items of others.
func (s Store) Import(ctx context.Context, from io.Reader, key string, now time.Time) (Summary, error) {
	lines := json.NewDecoder(from)
	var head header
	if err := lines.Decode(&head); err != nil || head.Format == 0 || head.Account == 0 {
		return Summary{}, errors.New("workspace: the file is no export of a workspace")
	}
	if head.Format != Format {
		return Summary{}, fmt.Errorf("workspace: the export has format %d, and this version reads %d",
			head.Format, Format)
	}
	i := &importing{Store: s, now: now, keys: &secret.Keys{Read: secret.Static(key)}}
	i.sum.Account = head.Account
	switch err := s.exists(ctx, head.Account); {
	case err == nil:
		return i.sum, ErrThere
	case !errors.Is(err, ErrUnknown):
		return i.sum, err
	}
	if err := i.keys.Check(ctx); err != nil {
		return i.sum, fmt.Errorf("workspace: the key of the export: %w", err)
	}
	if err := i.all(ctx, lines); err != nil {
		return i.sum, err
	}
	return i.sum, i.open(ctx)
}

// An importing is an import under way.
type importing struct {
	Store
	now     time.Time
	keys    *secret.Keys // of the export
	sum     Summary
	waiting []table.Write
	doors   []table.Write // that are stored when all others are
	account table.Write   // the workspace itself, the very last
}

// all stores every line up to the footer but the doors.
func (i *importing) all(ctx context.Context, lines *json.Decoder) error {
	for {
		var l struct {
			line
			footer
		}
		if err := lines.Decode(&l); err != nil {
			return fmt.Errorf("workspace: the export is cut short or broken behind item %d: %w",
				i.sum.Items, err)
		}
		if l.PK == "" {
			if l.Items != i.sum.Items {
				return fmt.Errorf("workspace: the export lacks lines: %d of %d are there",
					i.sum.Items, l.Items)
			}
			return i.flush(ctx)
		}
		if err := i.take(ctx, l.line); err != nil {
			return err
		}
	}
}

// take stores an item, or keeps it in doors if it is one.
func (i *importing) take(ctx context.Context, l line) error {
	item, err := l.item()
	if err != nil {
		return err
	}
	k, err := kindOf(item)
	if err != nil {
		return err
	}
	if owner, err := k.owner(item); err != nil || owner != i.sum.Account || !moves(item, k) {
		return errors.Join(err,
			fmt.Errorf("workspace: %s %s does not belong into this export", item.PK, item.SK))
	}
	i.sum.Items++
	if !item.Expires.IsZero() && !i.now.Before(item.Expires) {
		return nil
	}
	doc, resealed, lost, err := secret.Reseal(ctx, i.keys, i.Keys, item.PK, item.SK, item.Doc)
	if err != nil {
		return fmt.Errorf("workspace: %s %s: %w", item.PK, item.SK, err)
	}
	item.Doc = doc
	i.sum.Secrets, i.sum.Lost = i.sum.Secrets+resealed, i.sum.Lost+lost
	write := table.Set(item)
	switch {
	case item.Key == auth.AccountKey(i.sum.Account):
		i.account = write
		return nil
	case k.door:
		i.doors = append(i.doors, write)
		return nil
	}
	if i.waiting = append(i.waiting, write); len(i.waiting) < importBatch {
		return nil
	}
	return i.flush(ctx)
}

func (i *importing) flush(ctx context.Context) error {
	err := i.Table.WriteAll(ctx, i.waiting...)
	i.waiting = i.waiting[:0]
	return err
}

// open stores the doors, and then the workspace itself, which tells that the import is complete.
func (i *importing) open(ctx context.Context) error {
	if i.account.Item.PK == "" {
		return errors.New("workspace: the export lacks the workspace itself")
	}
	for _, door := range i.doors {
		if err := i.free(ctx, door.Item); err != nil {
			return err
		}
	}
	if err := i.Table.WriteAll(ctx, i.doors...); err != nil {
		return err
	}
	return i.Table.WriteAll(ctx, i.account)
}

// free returns an error if a door belongs to another workspace of the store.
func (i *importing) free(ctx context.Context, item table.Item) error {
	there, err := i.Table.Get(ctx, item.Key)
	if errors.Is(err, table.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	k, err := kindOf(there)
	if err != nil {
		return err
	}
	owner, err := k.owner(there)
	if err == nil && owner != i.sum.Account {
		err = fmt.Errorf("workspace: %s belongs to the workspace %d of this store", item.PK, owner)
	}
	return err
}

func (l line) item() (table.Item, error) {
	item := table.Item{
		Key: table.Key{PK: l.PK, SK: l.SK}, Doc: l.Doc, Blob: l.Blob, Numbers: l.Numbers, Expires: l.Expires,
	}
	for _, index := range []struct {
		from []string
		to   *table.Key
	}{
		{l.Index1, &item.Index1}, {l.Index2, &item.Index2}, {l.Index3, &item.Index3},
		{l.Index4, &item.Index4},
	} {
		switch len(index.from) {
		case 0:
		case 2:
			*index.to = table.Key{PK: index.from[0], SK: index.from[1]}
		default:
			return item, fmt.Errorf("workspace: %s %s: an index has two keys", l.PK, l.SK)
		}
	}
	return item, nil
}
