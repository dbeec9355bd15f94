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

// ErrNotFound says that the workspace has no such agent, or the agent no such row. It is the API's own
// not_found, so a handler may return it as it is.
var ErrNotFound error = fault.NotFound()

// A Store keeps the rows of one kind.
type Store[T any, P RowOf[T]] struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Query reads the agent's rows, the newest first.
func (s Store[T, P]) Query(account, agent int64) table.Query {
	return table.Query{PK: partition(account, agent, kindOf[T, P]()), Descending: true}
}

// Count is how many rows the agent has. ErrNotFound where the workspace has no such agent.
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

// taken is what the API says of errTaken.
func taken[T any, P RowOf[T]](row T) error {
	field, value := any(&row).(keyed).key()
	return fault.Invalid(field, "Another of the agent's %s has the %s %s.", kindOf[T, P](), field, value)
}

// Create stores a new row of a kind that has no keys; those are made by Upsert. Id and times are set here;
// fill does the rest, and ends it by an error. ErrNotFound where the workspace has no such agent; an
// *api.Error where it has as many rows as it may have.
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
		return err // where a condition failed, the id is taken
	})
	return row, err
}

// refusal says why the agent cannot have another row.
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

// Load reads a row. ErrNotFound where the workspace has no such agent, or the agent no such row.
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

// find reads items of an agent in one trip. ErrNotFound where one is missing, or the agent is.
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

// Update changes a row: change gets it as it is, and is called again when somebody else changed it meanwhile.
// Its error ends the update. A row that it leaves as it is is not written. Errors are those of Load, and an
// *api.Error where the row is given the key of another.
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

// replace changes a row, and stores it in all of its places, on the condition that its item still has the
// version that was read. What the item holds beside the row stays.
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
	left, err := s.leftBehind(account, &was, &row)
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

// equal reports whether an item holds the row as it is.
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
		left, err := s.leftBehind(account, &row, nil)
		if err != nil {
			return err
		}
		writes = append(writes, left...)
		return s.Table.Transact(ctx, writes...)
	})
}

// leftBehind is the write that has all cleared away which is stored beside a row, where before had such and
// after has none: an action that is deleted, or calls no webhook any more. A nil after is none.
func (s Store[T, P]) leftBehind(account int64, before, after *T) ([]table.Write, error) {
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

// uncount takes one row off the count. It fails where the workspace has no such agent.
func uncount(account, agent int64, kind Kind) table.Write {
	w := revise(account, agent)
	w.Add[string(kind)] = -1
	return w
}

// placesOf are the items that hold a row, given the version that was read of it, 0 for a new one: the first
// is the row itself, and the second, where its kind has keys, is the copy. They are written together on a
// condition of the first alone.
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

// copyDoc is what the copy of a row under its key holds.
type copyDoc struct {
	Version int64           `json:"version"` // of the row's own item
	Row     json.RawMessage `json:"row"`
}

// readCopy is the row that a copy is of, and the version of its own item.
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
