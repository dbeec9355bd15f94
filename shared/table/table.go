// Package table is the store: one table of items with partition and sort keys, four secondary indexes,
// conditional writes, transactions and a change feed.
//
// The interface is the subset of DynamoDB that the product needs, and its comments are the contract of the
// implementations: [frontdesk/shared/table/dynamo] with DynamoDB and [frontdesk/shared/table/sqlite] with a
// file on one machine. [frontdesk/shared/table/tabletest] tests both. Each package that stores items has
// their keys in its keys.go.
package table

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Limits of DynamoDB, which every implementation enforces.
const (
	MaxItemSize     = 400 << 10 // bytes of an item, names and values together
	MaxTransact     = 100       // writes of a Transact
	MaxTransactSize = 4 << 20   // bytes of all items of a Transact
	MaxPartitionKey = 2048      // bytes of a partition key
	MaxSortKey      = 1024      // bytes of a sort key
)

// Errors of a Table, for errors.Is.
var (
	// ErrNotFound says that no item has the key.
	ErrNotFound = errors.New("table: item not found")
	// ErrTooLarge says that an item or a transaction exceeds its limit. Nothing was written.
	ErrTooLarge = errors.New("table: item or transaction too large")
	// ErrBadCursor says that a cursor does not belong to the query. Nothing was read.
	ErrBadCursor = errors.New("table: cursor does not belong to the query")
	// ErrBusy says that the call was refused because of load or conflicts, even after retries. The caller may
	// try again.
	ErrBusy = errors.New("table: busy")
	// ErrUnavailable says that the underlying storage failed, for example because the disk is full. The write
	// was not carried out. Retrying does not help until an operator has fixed the cause.
	ErrUnavailable = errors.New("table: unavailable")
)

// A Key identifies an item. Both parts are non-empty UTF-8 and sort by bytes. Reads of a key that no item can
// have find nothing; writes of one are refused.
type Key struct{ PK, SK string }

// An Index is an order in which items can be read.
type Index int

const (
	// Primary is the table itself.
	Primary Index = iota
	// Index1 is a secondary index, which has the items with a key in it. Several items may have the same key.
	// Secondary indexes lag behind the table, usually by milliseconds. A query of Index1 returns whole items.
	Index1
	// Index2 is like Index1.
	Index2
	// Index3 is a narrow secondary index: a query returns only the Key and Index3 of items, thousands per
	// request; see Whole. It costs a write only when its key changes. It does not know which items have
	// expired, so an item with Expires cannot be in it.
	Index3
	// Index4 is like Index3.
	Index4
)

// An Item is what is stored under a key.
type Item struct {
	Key
	// Doc is the item's JSON text. An empty one is read back as nil.
	Doc []byte
	// Blob is binary data. An empty one is read back as nil.
	Blob []byte
	// Numbers are the item's counters. Puts in a Transact set them only when they create the item; afterwards
	// Add and Update change them, concurrently if need be. The caller makes sure that sums fit into int64.
	Numbers map[string]int64
	// Index1 to Index4 are the item's keys in the secondary indexes. The zero Key leaves it out.
	Index1, Index2, Index3, Index4 Key
	// Expires is when the item ceases to exist, in whole seconds; zero means never. After that no read
	// returns it and no condition sees it, although it may be removed days later.
	Expires time.Time
	// Version is drawn when the item is created (see NewVersion), and each put increments it. An item that is
	// deleted and created again has another version, except by Set. Reads set it, PutIfVersion compares it.
	Version int64
}

// In returns the item's key in an index.
func (i Item) In(index Index) Key {
	switch index {
	case Index1:
		return i.Index1
	case Index2:
		return i.Index2
	case Index3:
		return i.Index3
	case Index4:
		return i.Index4
	}
	return i.Key
}

// Narrow reports whether a query of the index returns only the keys of items.
func (i Index) Narrow() bool { return i == Index3 || i == Index4 }

// A Table is the store. Its methods are safe for concurrent use and return when their context ends.
type Table interface {
	// Get reads one item, with all writes acknowledged before. It returns ErrNotFound if there is none.
	Get(ctx context.Context, key Key) (Item, error)

	// BatchGet reads any number of items, a hundred per request. Keys without an item are missing from the
	// result. It sees all writes acknowledged before, but it is not a snapshot.
	BatchGet(ctx context.Context, keys ...Key) (map[Key]Item, error)

	// BatchGetStale is an eventually consistent BatchGet at half the read units.
	BatchGetStale(ctx context.Context, keys ...Key) (map[Key]Item, error)

	// Query reads items of one partition in the order of their sort keys. It returns ErrBadCursor for a
	// cursor that the query cannot have returned.
	Query(ctx context.Context, q Query) (Page, error)

	// Update changes an item's numbers and returns the whole item after the change, in one request, at half
	// the cost of a Transact. It returns ErrNotFound if there is no item. If a number would exceed its
	// AtMost, it changes nothing and returns the item and a *ConditionError. A request whose response is
	// lost is repeated, so an amount may in rare cases be added twice; a Transact never is.
	Update(ctx context.Context, u Update) (Item, error)

	// Transact carries out all writes or none, isolated from other writes. All keys must be distinct. If a
	// condition fails the error is a *ConditionError that says which. Conflicts with other transactions are
	// retried, and end in ErrBusy. Above the limits the error is ErrTooLarge. Companions of the context are
	// carried out too.
	Transact(ctx context.Context, writes ...Write) error

	// WriteAll carries out any number of Sets and Deletes without conditions, 25 per request, several
	// requests concurrently. It is not atomic: after an error some may have been carried out. All keys must
	// be distinct.
	WriteAll(ctx context.Context, writes ...Write) error
}

// A Query describes a read of items of one partition.
type Query struct {
	Index Index  // where to look
	PK    string // the partition

	// From and To are inclusive bounds of the sort keys; "" does not restrict. Prefix restricts to sort keys
	// that begin with it, and excludes From and To.
	From, To string
	Prefix   SortPrefix

	Descending bool   // greatest sort key first
	Limit      int    // most items to return; 0 is no limit
	After      string // a Cursor: begin after it, in the direction of the query

	// Stale allows an eventually consistent read at half the read units. Reads of an index always are one.
	Stale bool
}

// A Page is the result of a Query.
type Page struct {
	Items []Item
	// Next is the cursor after the last item; "" if nothing follows. With a Limit it may be set although
	// nothing follows.
	Next string
}

// An Update adds to and removes numbers of an existing item. The rest of the item and its version stay.
type Update struct {
	Key
	Add    map[string]int64 // added to the number of that name; a missing one is 0
	AtMost map[string]int64 // upper bounds of numbers after the addition
	Remove []string         // numbers to remove; missing ones are no error
}

// A ConditionError is the error of a Transact with a failed condition. Nothing was written.
type ConditionError struct {
	// Writes are the indexes of the writes whose conditions failed, in ascending order.
	Writes []int
}

// Error implements error.
func (f *ConditionError) Error() string {
	return fmt.Sprintf("table: condition of writes %v failed", f.Writes)
}

// Condition reports whether the condition of the write at index i failed.
func (f *ConditionError) Condition(i int) bool {
	for _, w := range f.Writes {
		if w == i {
			return true
		}
	}
	return false
}

// IsConditionError reports whether err is, or wraps, a *ConditionError.
func IsConditionError(err error) bool {
	var f *ConditionError
	return errors.As(err, &f)
}

// ConditionErrorAt reports whether err says that the condition of the write at index i failed.
func ConditionErrorAt(err error, i int) bool {
	var f *ConditionError
	return errors.As(err, &f) && f.Condition(i)
}
