// Package table is the store: one table of items, each under a partition key and a sort key, with four
// secondary indexes, conditional writes, transactions and a change feed.
//
// The interface is the part of DynamoDB that the product needs, and its comments are the contract that
// every implementation keeps: [frontdesk/shared/table/dynamo] over DynamoDB,
// [frontdesk/shared/table/sqlite] over a file for one machine. [frontdesk/shared/table/tabletest] holds
// them to it. The keys of everything that is stored are in keys.go and nowhere else.
package table

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Limits of DynamoDB that every implementation keeps.
const (
	MaxItemSize     = 400 << 10 // bytes of one item, names and values together
	MaxTransact     = 100       // writes in one Transact
	MaxTransactSize = 4 << 20   // bytes of all items of one Transact
	MaxPartitionKey = 2048      // bytes of a partition key
	MaxSortKey      = 1024      // bytes of a sort key
)

// Errors of a Table. They are compared with errors.Is.
var (
	// ErrNotFound says that there is no item under the key.
	ErrNotFound = errors.New("table: item not found")
	// ErrTooLarge says that an item or a transaction is over its limit. Nothing was written.
	ErrTooLarge = errors.New("table: item or transaction too large")
	// ErrBadCursor says that a cursor was not made by this query. Nothing was read.
	ErrBadCursor = errors.New("table: cursor does not belong to the query")
	// ErrBusy says that the table refused the call for load or a conflict, also after retries. The caller
	// may try again.
	ErrBusy = errors.New("table: busy")
	// ErrUnavailable says that what the table is stored on failed, as a disk that is full does. A write
	// that gave it was not carried out. Trying again helps only when somebody has mended the cause.
	ErrUnavailable = errors.New("table: unavailable")
)

// A Key names an item. Both parts are text in UTF-8 that is not empty; they sort by their bytes. Reads find
// nothing under a key that no item can have, however it came to be asked for; writes refuse it.
type Key struct{ PK, SK string }

// An Index is one of the orders that items can be read in.
type Index int

const (
	// Primary is the table itself.
	Primary Index = iota
	// Index1 is a secondary index, as Index2 is: an item is in one when it names a key there. Many items
	// may share one key. They follow the table with a delay that is mostly some milliseconds, and they are
	// read whole.
	Index1
	// Index2 is a further one.
	Index2
	// Index3 is a narrow one: a query of it returns items that have their Key and Index3 and nothing else,
	// thousands a request; see Whole. It costs a write only where the key in it changes. It does not know
	// what has expired, so an item that Expires cannot be in it.
	Index3
	// Index4 is a further narrow one.
	Index4
)

// An Item is what is stored under a key.
type Item struct {
	Key
	// Doc is the item's JSON text in UTF-8; nil when it has none, which is how an empty one is read back.
	Doc []byte
	// Blob is for packed bytes; nil when it has none, which is how an empty one is read back.
	Blob []byte
	// Numbers are the counters of the item. Transact's puts set them only where they make the item, and
	// leave them alone afterwards; Add and Update change them, and several writers can do so at once. A sum
	// that int64 cannot hold is the caller's mistake.
	Numbers map[string]int64
	// Index1 to Index4 are the item's keys in the secondary indexes; the zero Key keeps it out.
	Index1, Index2, Index3, Index4 Key
	// Expires is when the item stops to exist, in whole seconds; the zero time keeps it for good. After
	// that moment no read returns it and no condition sees it, though its bytes may go days later.
	Expires time.Time
	// Version is drawn by the write that makes the item, as NewVersion does, and goes up by one with each
	// put. An item that is deleted and made again has another; see Set for what WriteAll makes. Reads set
	// it, PutIfVersion compares it.
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

// Narrow reports whether a query of the index returns the keys of items alone.
func (i Index) Narrow() bool { return i == Index3 || i == Index4 }

// A Table is the store. All methods are safe for concurrent use, and give up when their context ends.
type Table interface {
	// Get reads one item, and sees every write that was acknowledged before. ErrNotFound where there is
	// none.
	Get(ctx context.Context, key Key) (Item, error)

	// BatchGet reads any number of items, a hundred a request. Keys without an item are absent from the
	// answer. It sees every write that was acknowledged before, but is no snapshot.
	BatchGet(ctx context.Context, keys ...Key) (map[Key]Item, error)

	// BatchGetStale is BatchGet whose answer may lack the writes of the last moments, at half the read
	// units.
	BatchGetStale(ctx context.Context, keys ...Key) (map[Key]Item, error)

	// Query reads items of one partition in the order of their sort keys. ErrBadCursor for a cursor that
	// the query cannot have given.
	Query(ctx context.Context, q Query) (Page, error)

	// Update changes an item's numbers and gives back the whole item as it is afterwards, in one request, at
	// half of what a Transact costs. ErrNotFound, and no change, where there is no item; a *ConditionError,
	// no change and the item as it is where a number would go over its AtMost. Where an answer gets lost on
	// the way the request is sent again, so in rare cases an amount is added twice; a Transact is carried
	// out once.
	Update(ctx context.Context, u Update) (Item, error)

	// Transact carries out all the writes or none, and is isolated from other writes. No two writes may
	// name one key. When a condition fails the error is a *ConditionError that says which. A conflict with
	// another transaction is tried again; ErrBusy when that does not help. ErrTooLarge past the limits. The
	// Companion of the context goes along.
	Transact(ctx context.Context, writes ...Write) error

	// WriteAll carries out any number of unconditional writes made with Set and Delete, 25 a request,
	// several requests at a time. It is not atomic: after an error some may have been done. No two writes
	// may name one key.
	WriteAll(ctx context.Context, writes ...Write) error
}

// A Query asks for items of one partition.
type Query struct {
	Index Index  // where to look
	PK    string // the partition

	// From and To bound the sort keys, both inclusive; empty is no bound. Prefix stands for both: only sort
	// keys that start with it. Prefix goes with neither From nor To.
	From, To string
	Prefix   SortPrefix

	Descending bool   // greatest sort key first
	Limit      int    // at most so many items; 0 is all of them
	After      string // a Cursor: begin behind that place, in the direction of the query

	// Stale allows an answer that lacks the writes of the last moments, at half the read units. Reads of an
	// index are stale always.
	Stale bool
}

// A Page is the answer to a Query.
type Page struct {
	Items []Item
	// Next is the cursor behind the last item; empty when nothing follows. With a Limit it may be set
	// though nothing follows.
	Next string
}

// An Update adds to and removes numbers of one item that exists. The item's other parts and its version
// stay.
type Update struct {
	Key
	Add    map[string]int64 // added to the number of that name, which is 0 when absent
	AtMost map[string]int64 // what numbers that are added to may be at most afterwards
	Remove []string         // numbers to remove; those that do not exist are no error
}

// A ConditionError is the error of a Transact of which a condition did not hold. Nothing was written.
type ConditionError struct {
	// Writes are the places, among the writes of the call, of those whose condition failed, in ascending
	// order.
	Writes []int
}

// Error names the places of the writes.
func (f *ConditionError) Error() string {
	return fmt.Sprintf("table: condition of writes %v failed", f.Writes)
}

// Condition reports whether err is a ConditionError that names the write at place i.
func (f *ConditionError) Condition(i int) bool {
	for _, w := range f.Writes {
		if w == i {
			return true
		}
	}
	return false
}

// IsConditionError reports whether err says that a condition failed.
func IsConditionError(err error) bool {
	var f *ConditionError
	return errors.As(err, &f)
}

// ConditionErrorAt reports whether err says that the condition of the write at place i failed.
func ConditionErrorAt(err error, i int) bool {
	var f *ConditionError
	return errors.As(err, &f) && f.Condition(i)
}
