package knowledge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	// mergeAt is the pending size from which a merge starts. A search reads all pending items, at a read
	// unit for each 4 KB. A higher value makes searches dearer, a lower one rewrites the word lists more
	// often.
	mergeAt = 8 << 10
	// maxRound and maxRoundSize are the limits of pending items that one round merges, by number and bytes.
	// The transaction that ends the round deletes each of them, and a word list for each if its version was
	// removed.
	maxRound     = 48
	maxRoundSize = 256 << 10
	// noteTime is the minimum time that the note of a removed version stays pending. Searches read pending
	// items strongly consistently, but parts of documents eventually consistently.
	noteTime = 30 * time.Second
	// maxRoundWords is the limit of word lists in memory at a time.
	maxRoundWords = 1000
	// leaseTime is how long one process may merge an index before another takes over. A round takes much
	// less, so two processes never write the same lists.
	leaseTime = 2 * time.Minute
	roundTime = leaseTime / 2
)

// pendingSize returns what an item adds to the agent's number of pending bytes.
func pendingSize(item table.Item) int64 {
	if !strings.HasPrefix(item.SK, string(PendingPrefix)) {
		return 0
	}
	return int64(len(item.SK) + len(item.Blob))
}

// A Merger merges pending entries of indexes into their word lists.
type Merger struct {
	Table table.Table
	Now   func() time.Time
	// Staleness is the maximum age of eventually consistent reads. Merged entries stay among the pending
	// items for that time, so that a search that read the lists or the agent before the merge still finds
	// them.
	Staleness time.Duration
}

// Merge merges the pending items of an agent's index if they are large enough or contain notes of removed
// versions. It stops between two rounds once the deadline has passed. It returns after what time to call it
// again, 0 for not at all. It may be repeated, also after an interruption. Of concurrent calls one does the
// work, and checks at its end for what the others left.
func (m *Merger) Merge(
	ctx context.Context, account, agentID int64, deadline time.Time,
) (time.Duration, error) {
	for {
		todo, err := m.pending(ctx, account, agentID)
		if err != nil || len(todo.items) == 0 {
			return todo.wait, err
		}
		if m.Now().After(deadline) {
			return time.Second, nil
		}
		claim, version := table.PutKnown(table.Item{
			Key: leaseKey(account, agentID), Expires: m.Now().Add(leaseTime),
		}, m.Now())
		err = m.Table.Transact(ctx, claim)
		if table.IsConditionError(err) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		r := round{Merger: m, account: account, agent: agentID,
			lease: table.CheckVersion(claim.Item.Key, version)}
		// What was read before the lease may have been merged meanwhile, so it is read again.
		if todo, err = m.pending(ctx, account, agentID); err == nil && len(todo.items) > 0 {
			err = r.run(ctx, todo.items)
		}
		released := m.Table.Transact(ctx, table.DeleteIfVersion(claim.Item.Key, version))
		if table.IsConditionError(released) {
			released = nil // it has expired
		}
		if errors.Is(err, agent.ErrNotFound) {
			return 0, released // the agent was deleted; the purge deletes its index
		}
		if err = errors.Join(err, released); err != nil {
			return 0, err
		}
	}
}

// due has what to merge: as many pending items as fit into one round, and the time until the next note is
// due, 0 for none.
type due struct {
	items []table.Item
	wait  time.Duration
}

// pending reads the pending items and returns those that are due.
func (m *Merger) pending(ctx context.Context, account, agentID int64) (due, error) {
	var d due
	size, notes := int64(0), 0
	query := table.Query{PK: IndexPartition(account, agentID), Prefix: PendingPrefix, Limit: 2 * maxRound}
	for {
		page, err := m.Table.Query(ctx, query)
		if err != nil {
			return due{}, err
		}
		for _, item := range page.Items {
			_, isGone, err := readPendingKey(item.Key)
			if err != nil {
				return due{}, err
			}
			if isGone {
				n, err := readNote(item)
				if err != nil {
					return due{}, err
				}
				if wait := n.At.Add(noteTime).Sub(m.Now()); wait > 0 {
					d.wait = max(d.wait, wait)
					continue
				}
				notes++
			}
			size += pendingSize(item)
			if n := len(d.items); n == maxRound || size > maxRoundSize && n > 0 {
				return d, nil
			}
			d.items = append(d.items, item)
		}
		if query.After = page.Next; page.Next == "" {
			break
		}
	}
	if notes == 0 && size < mergeAt {
		d.items = nil
	}
	return d, nil
}

// A note records that a version was removed from the index.
type note struct {
	At time.Time `json:"at"`
}

func readNote(item table.Item) (n note, err error) {
	if err := json.Unmarshal(item.Doc, &n); err != nil {
		return note{}, fmt.Errorf("knowledge: %s %s: %w", item.PK, item.SK, err)
	}
	return n, nil
}

// A round merges some pending items.
type round struct {
	*Merger
	account, agent int64
	lease          table.Write // checks that the lease is still held
	changes        map[string]*change
}

// A change is a round's change of one word's list.
type change struct {
	gone  []version
	added []listEntry
}

// run merges the items. It returns agent.ErrNotFound if the agent was deleted.
func (r *round) run(ctx context.Context, pending []table.Item) error {
	ctx, cancel := context.WithTimeout(ctx, roundTime)
	defer cancel()
	summary, err := r.Table.Get(ctx, agent.Key(r.account, r.agent))
	if errors.Is(err, table.ErrNotFound) {
		return agent.ErrNotFound
	}
	if err != nil {
		return err
	}
	lists, err := r.collect(ctx, pending)
	if err != nil {
		return err
	}
	ranking := newRanking(CorpusOf(summary.Numbers))
	words := slices.Sorted(maps.Keys(r.changes))
	for some := range slices.Chunk(words, maxRoundWords) {
		if err := r.rewrite(ctx, ranking, some); err != nil {
			return err
		}
	}
	if summary.Numbers[mergedNumber] == 0 {
		_, err := r.Table.Update(ctx, table.Update{Key: summary.Key, Add: map[string]int64{mergedNumber: 1}})
		if errors.Is(err, table.ErrNotFound) {
			return agent.ErrNotFound
		}
		if err != nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(r.Staleness):
	}
	merged := int64(0)
	for _, item := range pending {
		merged += pendingSize(item)
	}
	writes := []table.Write{r.lease, table.Add(summary.Key, pendingNumber, -merged).Existing()}
	err = r.Table.Transact(ctx, slices.Concat(writes, deletions(pending), deletions(lists))...)
	if table.ConditionErrorAt(err, 1) {
		return agent.ErrNotFound
	}
	return err
}

func deletions(items []table.Item) []table.Write {
	writes := make([]table.Write, len(items))
	for i, item := range items {
		writes[i] = table.Delete(item.Key)
	}
	return writes
}

// collect collects the changes of each word from the pending items. It returns the items of the removed
// versions' word lists.
func (r *round) collect(ctx context.Context, pending []table.Item) (lists []table.Item, err error) {
	r.changes = map[string]*change{}
	of := func(word string) *change {
		c, ok := r.changes[word]
		if !ok {
			c = &change{}
			r.changes[word] = c
		}
		return c
	}
	var keys []table.Key
	for _, item := range pending {
		v, isGone, err := readPendingKey(item.Key)
		if err != nil {
			return nil, err
		}
		if isGone {
			keys = append(keys, DocumentWordsKey(r.account, v.document, v.generation))
			continue
		}
		err = readPending(item, func(word []byte, e entry) {
			c := of(string(word))
			c.added = append(c.added, listEntry{v, e})
		})
		if err != nil {
			return nil, err
		}
	}
	found, err := r.Table.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for _, item := range found {
		v, err := readDocumentWordsKey(item.Key)
		if err != nil {
			return nil, err
		}
		for word := range strings.SplitSeq(string(item.Blob), "\n") {
			c := of(word)
			c.gone = append(c.gone, v)
		}
		lists = append(lists, item)
	}
	return lists, nil
}

// rewrite updates the lists of some words.
func (r *round) rewrite(ctx context.Context, ranking *ranking, words []string) error {
	keys := make([]table.Key, len(words))
	for i, word := range words {
		keys[i] = WordKey(r.account, r.agent, word)
	}
	items, err := r.Table.BatchGet(ctx, keys...)
	if err != nil {
		return err
	}
	var writes []table.Write
	for i, word := range words {
		before := items[keys[i]]
		l, err := readList(before)
		if err != nil {
			return err
		}
		for _, e := range r.changes[word].added {
			l.add(e)
		}
		for _, v := range r.changes[word].gone {
			l.remove(v)
		}
		l.cut(ranking)
		blob := l.blob()
		switch {
		case l.empty():
			writes = append(writes, table.Delete(keys[i]))
		case !bytes.Equal(blob, before.Blob):
			writes = append(writes, table.Set(table.Item{Key: keys[i], Blob: blob}))
		}
	}
	return r.Table.WriteAll(ctx, writes...)
}
