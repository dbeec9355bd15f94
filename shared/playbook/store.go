package playbook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// ErrNotFound says that the workspace has no such agent, or the agent no such row. It is the API's not_found
// fault, so handlers return it unchanged.
var ErrNotFound error = fault.NotFound()

// A Store stores the rows of one kind. It is safe for concurrent use.
type Store[T any, P RowOf[T]] struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Query reads the agent's rows, newest first.
func (s Store[T, P]) Query(account, agent int64) table.Query {
	return table.Query{PK: partition(account, agent, kindOf[T, P]()), Descending: true}
}

// Count returns the number of rows. It returns ErrNotFound if the workspace has no such agent.
func (s Store[T, P]) Count(ctx context.Context, account, agentID int64) (int64, error) {
	summary, err := s.Table.Get(ctx, agent.Key(account, agentID))
	if errors.Is(err, table.ErrNotFound) {
		return 0, ErrNotFound
	}
	return summary.Numbers[string(kindOf[T, P]())], err
}

func kindOf[T any, P RowOf[T]]() Kind { return P(new(T)).kind() }

// errTaken says that another row has the key.
var errTaken = errors.New("playbook: another row has this key")

// taken returns the API's error for errTaken.
func taken[T any, P RowOf[T]](row T) error {
	field, value := any(&row).(keyed).key()
	return fault.Invalid(field, "Another of the agent's %s has the %s %s.", kindOf[T, P](), field, value)
}

// Create stores a new row of a kind without keys; Upsert creates the others. It sets id and times; fill sets
// the rest, and its error ends the call. It returns ErrNotFound if the workspace has no such agent, and a
// *fault.Error if the agent has the most rows or webhook actions allowed.
func (s Store[T, P]) Create(ctx context.Context, account, agentID int64, fill func(*T) error) (row T,
	err error) {
	err = table.Retry(ctx, func() error {
		row = *new(T)
		base := P(&row).row()
		base.ID, base.AgentID, base.CreatedAt = s.IDs.Next(), agentID, s.now()
		base.UpdatedAt = base.CreatedAt
		if err := fill(&row); err != nil {
			return err
		}
		version := table.NewVersion(s.Now())
		places, err := placesOf[T, P](account, row, version-1)
		if err != nil {
			return err
		}
		count := table.AddAtMost(agent.Key(account, agentID), string(kindOf[T, P]()), 1, MaxRows).Existing()
		subs := subscriptionsOf(nil, &row)
		maps.Copy(count.Add, subs)
		count.Add[revision] = 1
		limitCalls(&count, nil, &row)
		writes := []table.Write{count}
		for _, item := range places {
			writes = append(writes, table.PutIfAbsent(item))
		}
		writes[1].Making = version
		writes = append(writes, subs.mark(account, agentID)...)
		err = s.Table.Transact(ctx, writes...)
		switch {
		case table.ConditionErrorAt(err, 0):
			return s.refusal(ctx, account, agentID)
		case table.ConditionErrorAt(err, 2):
			return errTaken
		}
		return err // a failed condition means that the id is taken
	})
	return row, err
}

// refusal returns why the agent cannot have another row.
func (s Store[T, P]) refusal(ctx context.Context, account, agent int64) error {
	rows, err := s.Count(ctx, account, agent)
	if err != nil {
		return err
	}
	if rows < MaxRows {
		return fault.Invalid("action_type", "An agent may have at most %d actions that call a webhook.",
			MaxCalls)
	}
	return fault.New(fault.ValidationError, "An agent may have at most %d %s.", MaxRows, kindOf[T, P]())
}

// Load reads a row. It returns ErrNotFound if the workspace has no such agent, or the agent no such row.
func (s Store[T, P]) Load(ctx context.Context, account, agent, id int64) (T, error) {
	row, _, err := s.load(ctx, account, agent, id)
	return row, err
}

func (s Store[T, P]) load(ctx context.Context, account, agent, id int64) (row T, item table.Item, err error) {
	items, err := find(ctx, s.Table, account, agent, Key(account, agent, string(kindOf[T, P]()), id))
	if err != nil {
		return row, table.Item{}, err
	}
	row, err = Read[T](items[0])
	return row, items[0], err
}

// find reads items of an agent in one round trip. It returns ErrNotFound if one of them or the agent is
// missing.
func find(ctx context.Context, t table.Table, account, agentID int64, keys ...table.Key) ([]table.Item,
	error) {
	summary := agent.Key(account, agentID)
	found, err := t.BatchGet(ctx, append(keys, summary)...)
	if err != nil {
		return nil, err
	}
	if _, ok := found[summary]; !ok {
		return nil, ErrNotFound
	}
	items := make([]table.Item, len(keys))
	for i, key := range keys {
		item, ok := found[key]
		if !ok {
			return nil, ErrNotFound
		}
		items[i] = item
	}
	return items, nil
}

// Update changes a row. change is called again after a conflict with another change; its error ends the
// update. A row that it leaves unchanged is not written. Errors are those of Load, and a *fault.Error if
// another row has the new key.
func (s Store[T, P]) Update(ctx context.Context, account, agent, id int64, change func(*T) error) (T, error) {
	var row T
	err := table.Retry(ctx, func() error {
		read, item, err := s.load(ctx, account, agent, id)
		if err != nil {
			return err
		}
		row, err = s.replace(ctx, account, read, item, change)
		return err
	})
	if err == errTaken {
		return row, taken[T, P](row)
	}
	return row, err
}

// replace changes a row and its copy, on the condition that the row's item has the version that was read. The
// item's Blob stays.
func (s Store[T, P]) replace(ctx context.Context, account int64, row T, read table.Item,
	change func(*T) error) (T, error) {
	before, err := placesOf[T, P](account, row, read.Version)
	if err != nil {
		return row, err
	}
	was := row
	if err := change(&row); err != nil {
		return row, err
	}
	if same, err := equal(before[0], row); same || err != nil {
		return row, err
	}
	P(&row).row().UpdatedAt = s.now()
	after, err := placesOf[T, P](account, row, read.Version)
	if err != nil {
		return row, err
	}
	after[0].Blob = read.Blob
	writes := []table.Write{table.PutIfVersion(after[0])}
	moved := false
	if len(after) == 2 {
		if moved = after[1].Key != before[1].Key; moved {
			writes = append(writes, table.PutIfAbsent(after[1]), table.Delete(before[1].Key))
		} else {
			writes = append(writes, table.Put(after[1]))
		}
	}
	agent := P(&row).row().AgentID
	summary, subs := revise(account, agent), subscriptionsOf(&was, &row)
	maps.Copy(summary.Add, subs)
	limitCalls(&summary, &was, &row)
	summaryPlace := len(writes)
	writes = append(append(writes, summary), subs.mark(account, agent)...)
	left, err := s.cleanUp(account, &was, &row)
	if err != nil {
		return row, err
	}
	writes = append(writes, left...)
	err = s.Table.Transact(ctx, writes...)
	if moved && table.ConditionErrorAt(err, 1) && !table.ConditionErrorAt(err, 0) {
		return row, errTaken
	}
	if _, limited := summary.AtMost[calls]; limited && table.ConditionErrorAt(err, summaryPlace) {
		return row, s.refusal(ctx, account, agent)
	}
	return row, err
}

// equal reports whether an item has the row unchanged.
func equal[T any](item table.Item, row T) (bool, error) {
	doc, err := wire.Marshal(row)
	return bytes.Equal(doc, item.Doc), err
}

// Delete removes a row. Errors are those of Load.
func (s Store[T, P]) Delete(ctx context.Context, account, agent, id int64) error {
	return table.Retry(ctx, func() error {
		row, item, err := s.load(ctx, account, agent, id)
		if err != nil {
			return err
		}
		places, err := placesOf[T, P](account, row, item.Version)
		if err != nil {
			return err
		}
		count, subs := uncount(account, agent, kindOf[T, P]()), subscriptionsOf(&row, nil)
		maps.Copy(count.Add, subs)
		limitCalls(&count, &row, nil)
		writes := []table.Write{count, table.DeleteIfVersion(item.Key, item.Version)}
		for _, copy := range places[1:] {
			writes = append(writes, table.Delete(copy.Key))
		}
		writes = append(writes, subs.mark(account, agent)...)
		left, err := s.cleanUp(account, &row, nil)
		if err != nil {
			return err
		}
		writes = append(writes, left...)
		return s.Table.Transact(ctx, writes...)
	})
}

// cleanUp returns the write of the event from which a worker deletes what belongs to an action that is
// deleted or no longer calls a webhook. after is nil if the row is deleted.
func (s Store[T, P]) cleanUp(account int64, before, after *T) ([]table.Write, error) {
	a, ok := any(before).(*Action)
	if !ok {
		return nil, nil
	}
	if b := any(after).(*Action); b != nil && (b.ActionType == FireWebhook || a.ActionType != FireWebhook) {
		return nil, nil
	}
	deleted := event.Event{Kind: event.ActionDeleted, At: s.now(), AgentID: a.AgentID, ActionID: a.ID}
	return event.Publish(s.IDs, account, nil, deleted)
}

// uncount returns the write that decrements the count of rows. Its condition fails if the workspace has no
// such agent.
func uncount(account, agent int64, kind Kind) table.Write {
	w := revise(account, agent)
	w.Add[string(kind)] = -1
	return w
}

// placesOf returns the items of a row: the row itself and, for kinds with keys, its copy. version is what was
// read, 0 for a new row. They are written together, on a condition of the first alone.
func placesOf[T any, P RowOf[T]](account int64, row T, version int64) ([]table.Item, error) {
	doc, err := wire.Marshal(row)
	if err != nil {
		return nil, err
	}
	base, kind := P(&row).row(), string(kindOf[T, P]())
	places := []table.Item{{Key: Key(account, base.AgentID, kind, base.ID), Doc: doc, Version: version}}
	k, ok := any(&row).(keyed)
	if !ok {
		return places, nil
	}
	_, key := k.key()
	copied, err := json.Marshal(copyDoc{version + 1, doc})
	return append(places, table.Item{Key: CopyKey(account, base.AgentID, kind, key), Doc: copied}), err
}

// copyDoc is the document of a row's copy.
type copyDoc struct {
	Version int64           `json:"version"` // of the row's own item
	Row     json.RawMessage `json:"row"`
}

// readCopy decodes a copy to its row and the version of the row's own item.
func readCopy[T any](item table.Item) (row T, version int64, err error) {
	var c copyDoc
	if err = json.Unmarshal(item.Doc, &c); err == nil {
		err = json.Unmarshal(c.Row, &row)
	}
	if err != nil {
		err = fmt.Errorf("playbook: %s %s: %w", item.PK, item.SK, err)
	}
	return row, c.Version, err
}

func (s Store[T, P]) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
