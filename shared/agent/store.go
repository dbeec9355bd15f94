package agent

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// ErrLimit reports that the workspace has as many agents as it may have.
var ErrLimit = errors.New("agent: the workspace has no room for another agent")

// A Store stores agents. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source // for Create, Delete and a change of RetentionDays
}

// Load reads an agent in one round trip. It returns ErrNotFound if the workspace has no such agent.
func (s *Store) Load(ctx context.Context, account, agent int64) (Agent, error) {
	items, err := s.Table.BatchGet(ctx, Keys(account, agent)...)
	if err != nil {
		return Agent{}, err
	}
	return Read(items, account, agent)
}

// LoadSummary reads the summary alone. It returns ErrNotFound if the workspace has no such agent.
func (s *Store) LoadSummary(ctx context.Context, account, agent int64) (Summary, error) {
	_, summary, err := s.summary(ctx, account, agent)
	return summary, err
}

func (s *Store) summary(ctx context.Context, account, agent int64) (table.Item, Summary, error) {
	item, err := s.Table.Get(ctx, Key(account, agent))
	if errors.Is(err, table.ErrNotFound) {
		return table.Item{}, Summary{}, ErrNotFound
	}
	if err != nil {
		return table.Item{}, Summary{}, err
	}
	summary, err := ReadSummary(item)
	return item, summary, err
}

// agents is the name of the workspace's number that counts its agents.
const agents = "agents"

// Count returns the number of agents of the workspace.
func (s *Store) Count(ctx context.Context, account int64) (int64, error) {
	item, err := s.Table.Get(ctx, CountKey(account))
	if err != nil && !errors.Is(err, table.ErrNotFound) {
		return 0, err
	}
	return item.Numbers[agents], nil
}

// Create stores a new agent of a workspace that may have at most limit, or else returns ErrLimit. The id, the
// embed key, the times and the prompt are set here, the rest of the agent is up to the caller.
func (s *Store) Create(ctx context.Context, account int64, a Agent, limit int64) (Agent, error) {
	a.AccountID, a.CreatedAt = account, s.now()
	a.UpdatedAt = a.CreatedAt
	a.Prompt = a.systemPrompt()
	err := table.Retry(ctx, func() error {
		a.ID, a.EmbedKey = s.IDs.Next(), newEmbedKey()
		writes, err := a.createWrites()
		if err != nil {
			return err
		}
		retention, err := s.retentionWrites(&a, 0)
		if err != nil {
			return err
		}
		writes = append(writes, retention...)
		writes = append(writes, table.AddAtMost(CountKey(account), agents, 1, limit))
		err = s.Table.Transact(ctx, writes...)
		if table.ConditionErrorAt(err, len(writes)-1) {
			return ErrLimit
		}
		return err // if a condition failed, the id is taken
	})
	return a, err
}

// createWrites make all the items of a new agent.
func (a *Agent) createWrites() ([]table.Write, error) {
	summary, err := a.item(0)
	if err != nil {
		return nil, err
	}
	summary.Numbers = map[string]int64{documents: 0}
	owner, err := a.refItem(OwnerKey(a.ID))
	if err != nil {
		return nil, err
	}
	embed, err := a.refItem(EmbedKey(a.EmbedKey))
	if err != nil {
		return nil, err
	}
	details, err := a.details()
	if err != nil {
		return nil, err
	}
	var writes []table.Write
	for _, item := range append(details, summary, owner, embed) {
		writes = append(writes, table.PutIfAbsent(item))
	}
	return writes, nil
}

// Update edits an agent. change is called again after a conflict with another change; its error ends the
// update. The prompt is rewritten. It returns ErrNotFound if the workspace has no such agent.
func (s *Store) Update(ctx context.Context, account, agent int64, change func(*Agent) error) (Agent, error) {
	return s.UpdateWith(ctx, account, agent, nil,
		func(a *Agent, _ map[table.Key]table.Item) ([]table.Write, error) {
			return nil, change(a)
		})
}

// UpdateWith is Update for an agent and items that depend on it. It reads the items of keys in the same round
// trip, and change returns further writes for the transaction.
func (s *Store) UpdateWith(ctx context.Context, account, agent int64, keys []table.Key,
	change func(*Agent, map[table.Key]table.Item) ([]table.Write, error)) (Agent, error) {
	var a Agent
	err := table.Retry(ctx, func() error {
		items, err := s.Table.BatchGet(ctx, append(Keys(account, agent), keys...)...)
		if err != nil {
			return err
		}
		if a, err = Read(items, account, agent); err != nil {
			return err
		}
		retention := a.RetentionDays
		more, err := change(&a, items)
		if err != nil {
			return err
		}
		expiry, err := s.retentionWrites(&a, retention)
		if err != nil {
			return err
		}
		more = append(more, expiry...)
		a.UpdatedAt = s.now()
		a.Prompt = a.systemPrompt()
		writes, err := a.updateWrites(items)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, append(writes, more...)...)
	})
	return a, err
}

// updateWrites returns the writes of what has changed since the items were read. The items of a BatchGet may
// be of different moments, so the profile, which the prompt contains, is checked even if it is not written.
func (a *Agent) updateWrites(read map[table.Key]table.Item) ([]table.Write, error) {
	summary, err := a.item(read[Key(a.AccountID, a.ID)].Version)
	if err != nil {
		return nil, err
	}
	details, err := a.details()
	if err != nil {
		return nil, err
	}
	writes := []table.Write{table.PutIfVersion(summary)}
	for _, item := range details {
		before, ok := read[item.Key]
		item.Version = before.Version
		switch {
		case !ok:
			writes = append(writes, table.PutIfAbsent(item))
		case !bytes.Equal(item.Doc, before.Doc):
			writes = append(writes, table.PutIfVersion(item))
		case item.Key == DetailKey(a.AccountID, a.ID, profilePart):
			writes = append(writes, table.CheckVersion(item.Key, item.Version))
		}
	}
	return writes, nil
}

// UpdateSummary changes fields that are not part of the prompt: status and widget. It reads and writes only
// the summary, and otherwise works like Update; change may return further writes for the transaction.
func (s *Store) UpdateSummary(ctx context.Context, account, agent int64,
	change func(*Summary) ([]table.Write, error)) (Summary, error) {
	var summary Summary
	err := table.Retry(ctx, func() error {
		var read table.Item
		var err error
		if read, summary, err = s.summary(ctx, account, agent); err != nil {
			return err
		}
		writes, err := change(&summary)
		if err != nil {
			return err
		}
		summary.UpdatedAt = s.now()
		item, err := summary.item(read.Version)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, append(writes, table.PutIfVersion(item))...)
	})
	return summary, err
}

// RotateKey gives the agent's widget a new embed key. The old one leads nowhere from then on.
func (s *Store) RotateKey(ctx context.Context, account, agent int64) (Summary, error) {
	return s.UpdateSummary(ctx, account, agent, func(summary *Summary) ([]table.Write, error) {
		old := EmbedKey(summary.EmbedKey)
		summary.EmbedKey = newEmbedKey()
		item, err := summary.refItem(EmbedKey(summary.EmbedKey))
		return []table.Write{table.Delete(old), table.PutIfAbsent(item)}, err
	})
}

// Delete removes an agent. Everything that belongs to it is inaccessible at once; an event and a mark make a
// worker delete it. It returns ErrNotFound if the workspace has no such agent.
func (s *Store) Delete(ctx context.Context, account, agent int64) error {
	return table.Retry(ctx, func() error {
		read, summary, err := s.summary(ctx, account, agent)
		if err != nil {
			return err
		}
		deleted := event.Event{Kind: event.AgentDeleted, At: s.now(), AgentID: agent}
		published, err := event.Publish(s.IDs, account, nil, deleted)
		if err != nil {
			return err
		}
		if summary.RetentionDays > 0 {
			published = append(published, table.Delete(retentionKey(account, agent)))
		}
		return s.Table.Transact(ctx, append(published,
			table.DeleteIfVersion(read.Key, read.Version),
			table.Delete(EmbedKey(summary.EmbedKey)),
			table.Delete(OwnerKey(agent)),
			table.Add(CountKey(account), agents, -1),
			table.Put(table.Item{Key: DeletedKey(account, agent), Doc: published[0].Item.Doc}),
		)...)
	})
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

// newEmbedKey returns a random key of 130 bits: 26 lower-case letters and digits.
func newEmbedKey() string { return strings.ToLower(rand.Text()) }
