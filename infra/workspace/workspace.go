// Package workspace exports, imports and deletes all data of a workspace. Only the operator's tool uses it,
// since no function may read a whole table.
package workspace

import (
	"context"
	"errors"

	"frontdesk/shared/auth"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// A Scan calls each, one call at a time, with every item of a table whose partition key begins with the
// prefix. An empty prefix is all of them.
type Scan func(ctx context.Context, prefix string, each func(table.Item) error) error

// A Store is where workspaces are.
type Store struct {
	Table table.Table
	Scan  Scan
	Keys  *secret.Keys // that its secrets are sealed with
}

// ErrUnknown says that the store has no such workspace.
var ErrUnknown = errors.New("workspace: there is no such workspace")

// deleteBatch is how many items are deleted together.
const deleteBatch = 500

// maxPasses bounds the scans of the table for items that were written meanwhile.
const maxPasses = 5

// Delete deletes all data of a workspace. Concurrent calls may still write, so it scans the table again until
// nothing is left, and returns an error if there still is something after maxPasses. It returns the number of
// deleted items. It may be repeated.
func (s Store) Delete(ctx context.Context, account int64) (deleted int, err error) {
	for range maxPasses {
		n, err := s.deleteAll(ctx, account)
		deleted += n
		if n == 0 || err != nil {
			return deleted, err
		}
	}
	return deleted, errors.New("workspace: it is still written to; delete it again")
}

func (s Store) deleteAll(ctx context.Context, account int64) (deleted int, err error) {
	var writes []table.Write
	flush := func() error {
		err := s.Table.WriteAll(ctx, writes...)
		deleted += len(writes)
		writes = writes[:0]
		return err
	}
	err = s.each(ctx, account, func(item table.Item, _ kind) error {
		if writes = append(writes, table.Delete(item.Key)); len(writes) < deleteBatch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return deleted, err
	}
	return deleted, flush()
}

// each calls do with every item of a workspace.
func (s Store) each(ctx context.Context, account int64, do func(table.Item, kind) error) error {
	return s.Scan(ctx, "", func(item table.Item) error {
		k, err := kindOf(item)
		if err != nil {
			return err
		}
		owner, err := k.owner(item)
		if err != nil || owner != account {
			return err
		}
		return do(item, k)
	})
}

// moves reports whether an item of that kind is exported and imported. The sessions of signed-in members are
// not.
func moves(item table.Item, k kind) bool {
	return k.moves && !auth.IsSession(item.Key)
}

// exists returns ErrUnknown where the store has no such workspace.
func (s Store) exists(ctx context.Context, account int64) error {
	_, err := s.Table.Get(ctx, auth.AccountKey(account))
	if errors.Is(err, table.ErrNotFound) {
		return ErrUnknown
	}
	return err
}
