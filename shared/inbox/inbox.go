// Package inbox stores the updates of channels' platforms until they are processed. Each is stored once, and
// the updates of one person are processed in order by one worker at a time.
//
// One transaction stores an update under two keys. The first is derived from the platform's id and stays for
// some days, so that a repeated webhook call adds nothing. The second is in the lane of the person and is
// deleted by the transaction that processes the update. The table's change feed reports it, and a queue
// message then names the lane. That message may arrive twice or late, since its receiver reads the lane.
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
	// retention is how long ids are stored to recognise repeated updates. It is longer than any platform
	// repeats one (Meta: 7 days).
	retention = 8 * 24 * time.Hour
	// lease is how long a worker has a lane. It is longer than a worker may run and shorter than the queue's
	// visibility timeout.
	lease = 90 * time.Second
	// maxText is the limit of the stored text in characters. Only e-mails can be longer.
	maxText = 20_000
	// maxID is the limit of an id or address in a key, in bytes. Longer ones are hashed.
	maxID = 200
)

// A Store stores updates. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
	// AloneSince is when the workers of this process became the only ones: older leases are void. It is zero
	// if other processes may run workers.
	AloneSince time.Time
}

// A Lane is the sequence of updates of one person on one channel of an agent.
type Lane struct {
	AccountID int64        `json:"account_id"`
	AgentID   int64        `json:"agent_id"`
	Channel   channel.Type `json:"channel"`
	Person    string       `json:"person"` // from channel.Person.Lane
}

// short returns an id that fits into a key.
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

// Due returns when the entry may be processed.
func (e Entry) Due() time.Time { return e.ReceivedAt.Add(e.Pause) }

type storedEntry struct {
	Lane       Lane           `json:"lane"`
	Update     channel.Update `json:"update"`
	ReceivedAt time.Time      `json:"received_at"`
	Pause      time.Duration  `json:"pause,omitempty"` // nanoseconds
}

func (s storedEntry) entry(key table.Key) Entry { return Entry{s.Update, s.ReceivedAt, s.Pause, key} }

// Add stores an update in a lane. A message is due after the pause. added is false if the update was stored
// before; nothing changes then.
func (s *Store) Add(
	ctx context.Context, l Lane, u channel.Update, pause time.Duration,
) (added bool, err error) {
	u.Text = cut(u.Text)
	if !u.CanBatch() {
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

// A Notice reports that a lane has an update to process.
type Notice struct {
	Lane Lane
	// Due is when to process the lane. It is later than the arrival if further messages may be answered
	// together with this one.
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

// Pending reads the updates of a lane, ordered by the platform's time and then by arrival.
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

// Done returns the write that removes the entry from its lane, for the transaction that processes it. Its
// condition fails if the entry was removed before.
func (e Entry) Done() table.Write { return table.DeleteIfExists(e.key) }

// Remove removes an entry that needs no processing.
func (s *Store) Remove(ctx context.Context, e Entry) error {
	err := s.Table.Transact(ctx, table.Delete(e.key))
	if table.IsConditionError(err) {
		return nil
	}
	return err
}

// Count counts a message of a lane and returns the number in the current hour. It may count a message twice.
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
	// Again is set if another worker asked for the lane while it was held. The holder then reads the lane
	// again before it releases it.
	Again bool `json:"again,omitempty"`
}

// Take acquires a lane. If another worker has it, taken is false, and that worker will read the lane again
// before it releases it.
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

// Release releases a lane. again is set if another worker asked for it meanwhile: the hold then continues,
// and the caller must read the lane again.
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
		return false, nil // the lease expired and another worker has the lane
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
