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
	// mergeAt is how much may be pending before it is merged. A question reads all of it, at a read unit for
	// 4 KB; more would cost questions more, less would rewrite the lists of words more often.
	mergeAt = 8 << 10
	// maxRound and maxRoundSize are how many pending items one round merges, and how many bytes of them. The
	// transaction that ends the round deletes each of them, and perhaps a list of words for each.
	maxRound     = 48
	maxRoundSize = 256 << 10
	// noteTime is how long the note that a version is gone stays pending at least. A question reads what is
	// pending with the latest writes, and the parts of documents a moment stale.
	noteTime = 30 * time.Second
	// maxRoundWords is how many lists are in memory at once.
	maxRoundWords = 1000
	// leaseTime is how long one process may merge an index before another takes over. A round ends long
	// before that, so that no two write the same lists.
	leaseTime = 2 * time.Minute
	roundTime = leaseTime / 2
)

// pendingSize is what an item counts in the agent's number of what is pending.
func pendingSize(item table.Item) int64 {
	if !strings.HasPrefix(item.SK, string(PendingPrefix)) {
		return 0
	}
	return int64(len(item.SK) + len(item.Blob))
}

// A Merger merges what is pending of indexes into their lists of words.
type Merger struct {
	Table table.Table
	Now   func() time.Time
	// Settle is how long what was merged stays pending too, for questions that read the lists, or the
	// agent, a moment before.
	Settle time.Duration
}

// Merge merges what is pending of an agent's index, where that is much or something is gone. It ends at the
// deadline, between two rounds, and returns after what time it is to be called again; 0 where nothing is
// left. It may be repeated, also after it was cut short. Of several at a time one does the work, and looks
// at its end for what the others left to it.
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
		// What was read before the lease may have been merged meanwhile.
		if todo, err = m.pending(ctx, account, agentID); err == nil && len(todo.items) > 0 {
			err = r.run(ctx, todo.items)
		}
		released := m.Table.Transact(ctx, table.DeleteIfVersion(claim.Item.Key, version))
		if table.IsConditionError(released) {
			released = nil // it ended by itself
		}
		if errors.Is(err, agent.ErrNotFound) {
			return 0, released // the agent was deleted, and its index is purged with it
		}
		if err = errors.Join(err, released); err != nil {
			return 0, err
		}
	}
}

// due is what is to be merged: as many pending items as one round takes, and how long the next note has to
// wait, 0 where none has.
type due struct {
	items []table.Item
	wait  time.Duration
}

// pending reads what is due of what is pending.
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

// A note tells that a version is in the index no more.
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
	lease          table.Write // the check that it is still held
	changes        map[string]*change
}

// A change is what a round does to the list of a word.
type change struct {
	gone  []version
	added []listEntry
}

// run merges the items. agent.ErrNotFound where the agent was deleted.
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
	case <-time.After(r.Settle):
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

// collect notes what the pending items change of each word, and returns the lists of words of what is gone.
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

// rewrite changes the lists of some words.
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
