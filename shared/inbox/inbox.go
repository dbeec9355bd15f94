// Package inbox keeps what the platforms of channels report until it is processed: each update once, and
// those of one person in their order and by one worker at a time.
//
// An update is stored under two keys in one transaction. One is made from the platform's own id and is
// there for some days, so that a repeated post adds nothing. The other is in the lane of the person that
// the update is about, and goes in the very transaction that processes it. The table's change feed tells of
// it, and a message on a queue then names the lane; it may come twice or late, since whoever receives it
// reads the lane.
package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

const (
	// retention is how long updates are remembered, so that repeated posts are recognised: longer than any
	// platform repeats one (Meta's 7 days).
	retention = 8 * 24 * time.Hour
	// lease is how long a worker has a lane for itself: longer than the worker may run, shorter than the
	// visibility of its queue.
	lease = 90 * time.Second
	// maxText is how many characters of a text are kept; no channel's messages but e-mails have so many.
	maxText = 20_000
	// maxID is how many bytes of an id or address stand in a key as they are. Longer ones are hashed.
	maxID = 200
)

// A Store keeps updates. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
	// AloneSince is the time since when the workers of this process are the only ones, so that older leases
	// are void. It is zero where other processes may run workers.
	AloneSince time.Time
}

// A Lane is what orders updates: those of one person on one channel of an agent.
type Lane struct {
	AccountID int64        `json:"account_id"`
	AgentID   int64        `json:"agent_id"`
	Channel   channel.Type `json:"channel"`
	Person    string       `json:"person"` // as in channel.Person.Lane
}

// short is an id that fits into a key.
func short(id string) string {
	if len(id) <= maxID && id != "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// An Entry is an update in a lane.
type Entry struct {
	channel.Update
	ReceivedAt time.Time
	// Pause is how long to wait for further messages to answer together with this one; 0 for not at all.
	Pause time.Duration
	key   table.Key
}

// Due is when the entry may be processed.
func (e Entry) Due() time.Time { return e.ReceivedAt.Add(e.Pause) }

type storedEntry struct {
	Lane       Lane           `json:"lane"`
	Update     channel.Update `json:"update"`
	ReceivedAt time.Time      `json:"received_at"`
	Pause      time.Duration  `json:"pause,omitempty"` // nanoseconds
}

func (s storedEntry) entry(key table.Key) Entry { return Entry{s.Update, s.ReceivedAt, s.Pause, key} }

// Add stores an update of the lane's person. A message is not due before the pause is over. Add reports
// whether the update is new; one that was stored before changes nothing.
func (s *Store) Add(
	ctx context.Context, l Lane, u channel.Update, pause time.Duration,
) (added bool, err error) {
	u.Text = cut(u.Text)
	if !u.Gathers() {
		pause = 0
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	doc, err := json.Marshal(storedEntry{l, u, now, pause})
	if err != nil {
		return false, fmt.Errorf("inbox: %w", err)
	}
	expires := now.Add(retention).Truncate(time.Second)
	key := l.updateKey(s.IDs.Next())
	err = s.Table.Transact(ctx,
		table.PutIfAbsent(table.Item{Key: l.seenKey(u), Expires: expires}),
		table.PutIfAbsent(table.Item{Key: key, Doc: doc, Expires: expires}),
	)
	if table.ConditionErrorAt(err, 0) {
		return false, nil
	}
	return err == nil, err
}

// A Notice says that a lane has something to process.
type Notice struct {
	Lane Lane
	// Due is when to look at the lane: later than the update came where more may follow it that is to be
	// answered with it.
	Due time.Time
}

// ReadNotice reads the item of an update that was stored. It reports false for any other item.
func ReadNotice(item table.Item) (Notice, bool, error) {
	if !strings.HasPrefix(item.PK, KeyPrefix) || !strings.HasPrefix(item.SK, string(updatePrefix)) {
		return Notice{}, false, nil
	}
	var stored storedEntry
	if err := json.Unmarshal(item.Doc, &stored); err != nil {
		return Notice{}, false, fmt.Errorf("inbox: %s %s: %w", item.PK, item.SK, err)
	}
	return Notice{stored.Lane, stored.entry(item.Key).Due()}, true, nil
}

func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText])
	}
	return text
}

// Pending reads the updates of a lane, the earliest first by the platform's clock, and then as they were
// received.
func (s *Store) Pending(ctx context.Context, l Lane) ([]Entry, error) {
	page, err := s.Table.Query(ctx, table.Query{PK: l.partition(), Prefix: updatePrefix})
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(page.Items))
	for _, item := range page.Items {
		var stored storedEntry
		if err := json.Unmarshal(item.Doc, &stored); err != nil {
			return nil, fmt.Errorf("inbox: %s %s: %w", item.PK, item.SK, err)
		}
		entries = append(entries, stored.entry(item.Key))
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.At.Compare(b.At) })
	return entries, nil
}

// Done is the write that takes an entry out of its lane, for the transaction that processes it. It fails
// where somebody else did.
func (e Entry) Done() table.Write { return table.DeleteIfExists(e.key) }

// Remove takes an entry out of its lane that needs no further processing.
func (s *Store) Remove(ctx context.Context, e Entry) error {
	err := s.Table.Transact(ctx, table.Delete(e.key))
	if table.IsConditionError(err) {
		return nil
	}
	return err
}

// Count counts a message of a lane and returns how many there were in this hour of the clock. It may count
// one twice.
func (s *Store) Count(ctx context.Context, l Lane) (int64, error) {
	now := s.Now().UTC()
	key := l.hourKey(now)
	for {
		item, err := s.Table.Update(ctx, table.Update{Key: key, Add: map[string]int64{counted: 1}})
		if !errors.Is(err, table.ErrNotFound) {
			return item.Numbers[counted], err
		}
		err = s.Table.Transact(ctx, table.PutIfAbsent(table.Item{
			Key: key, Expires: now.Add(2 * time.Hour).Truncate(time.Second),
		}))
		if err != nil && !table.IsConditionError(err) {
			return 0, err
		}
	}
}

// A Hold is the exclusive right of a worker to process a lane.
type Hold struct {
	lane    Lane
	version int64
}

type storedHold struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	// Again says that another worker asked for the lane while it was held. Its holder looks at the lane again
	// before it lets go.
	Again bool `json:"again,omitempty"`
}

// Take takes a lane. Where another worker has it, taken is false and that worker will look at the lane
// again before it lets go.
func (s *Store) Take(ctx context.Context, l Lane) (hold Hold, taken bool, err error) {
	err = table.Retry(ctx, func() error {
		item, err := s.Table.Get(ctx, l.lockKey())
		if err != nil && !errors.Is(err, table.ErrNotFound) {
			return err
		}
		now := s.Now().UTC()
		state := storedHold{Since: now, Until: now.Add(lease)}
		if err == nil {
			var held storedHold
			if err := json.Unmarshal(item.Doc, &held); err != nil {
				return fmt.Errorf("inbox: %s: %w", item.PK, err)
			}
			if now.Before(held.Until) && !held.Since.Before(s.AloneSince) {
				taken = false
				if held.Again {
					return nil
				}
				held.Again = true
				state = held
			} else {
				taken = true
			}
		} else {
			taken = true
		}
		doc, err := json.Marshal(state)
		if err != nil {
			return err
		}
		put := table.Item{
			Key: l.lockKey(), Doc: doc, Version: item.Version,
			Expires: state.Until.Add(time.Hour).Truncate(time.Second),
		}
		write, version := table.PutKnown(put, s.Now())
		hold = Hold{l, version}
		return s.Table.Transact(ctx, write)
	})
	return hold, taken && err == nil, err
}

// Release lets go of a lane. It reports whether another worker asked for it meanwhile: the hold goes on then,
// and the caller is to look at the lane again.
func (s *Store) Release(ctx context.Context, h *Hold) (again bool, err error) {
	err = s.Table.Transact(ctx, table.DeleteIfVersion(h.lane.lockKey(), h.version))
	if !table.IsConditionError(err) {
		return false, err
	}
	item, err := s.Table.Get(ctx, h.lane.lockKey())
	if errors.Is(err, table.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var held storedHold
	if err := json.Unmarshal(item.Doc, &held); err != nil {
		return false, fmt.Errorf("inbox: %s: %w", item.PK, err)
	}
	if !held.Again {
		return false, nil // the lease ran out, and another worker has the lane
	}
	held.Again, held.Until = false, s.Now().UTC().Add(lease)
	doc, err := json.Marshal(held)
	if err != nil {
		return false, err
	}
	item.Doc = doc
	err = s.Table.Transact(ctx, table.PutIfVersion(item))
	if table.IsConditionError(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	h.version = item.Version + 1
	return true, nil
}
