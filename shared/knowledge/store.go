package knowledge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// ErrNotFound reports that the workspace has no such document, or that its agent was deleted. It is the
// API's not_found error.
var ErrNotFound error = fault.NotFound()

// MaxContent is the limit of a document's content, in bytes. It is what a request body can carry.
const MaxContent = 1 << 20

// A Store stores documents and their index.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Create stores a new document of an agent with its index entries. It sets the times, the indexing state
// and, if it is 0, the id. It returns agent.ErrNotFound if the workspace has no such agent, and a
// validation_error of "content" if that does not fit the type.
//
// It takes two round trips: one for the agent, one for the document with its entries.
func (s *Store) Create(ctx context.Context, account int64, d Document) (Document, error) {
	language, pending, err := s.agent(ctx, account, d.AgentID)
	if err != nil {
		return Document{}, err
	}
	d.CreatedAt = s.now()
	d.UpdatedAt = d.CreatedAt
	named := d.ID
	err = table.Retry(ctx, func() error {
		d.ID = cmp.Or(named, s.IDs.Next())
		d.Index = state{Generation: s.IDs.Next(), Language: language}
		items, entries, err := d.index(account)
		if err != nil {
			return err
		}
		counted := recount(account, d.AgentID, share{}, d.share(), entries...)
		writes := []table.Write{counted}
		for _, item := range slices.Concat(items, entries) {
			writes = append(writes, table.PutIfAbsent(item))
		}
		if pending+counted.Add[pendingNumber] >= mergeAt {
			published, err := s.publish(event.DocumentIndexed, account, d)
			if err != nil {
				return err
			}
			writes = append(writes, published...)
		}
		err = s.Table.Transact(ctx, writes...)
		if table.ConditionErrorAt(err, 0) {
			return agent.ErrNotFound
		}
		return err // if a condition failed, the id is taken
	})
	return d, err
}

// Save stores a document under its id. If the document exists, only its title, content and index error are
// replaced. It may be repeated.
func (s *Store) Save(ctx context.Context, account int64, d Document) (Document, error) {
	saved, err := s.Change(ctx, account, d.ID, func(Document) (Edit, error) {
		return Edit{Title: &d.Title, Content: &d.Content, IndexError: &d.IndexError}, nil
	})
	if errors.Is(err, ErrNotFound) {
		return s.Create(ctx, account, d)
	}
	return saved, err
}

// index makes the document's parts, its index entries and its word list, and sets its indexing state. An
// inactive document has no entries.
func (d *Document) index(account int64) (parts, entries []table.Item, err error) {
	ix, err := newIndex(d.Index.Language, *d)
	if err != nil {
		return nil, nil, err
	}
	d.Chunks, d.Index.Words, d.Index.Parts = ix.chunks, ix.length, len(ix.parts)
	if parts, err = d.items(account, ix.parts); err != nil || len(ix.words) == 0 || !d.Active {
		return parts, nil, err
	}
	return parts, append(ix.pending(account, *d), ix.list(account, *d)), nil
}

// gone returns the note that removes the document's current version from the index; none if it is not
// indexed.
func (s *Store) gone(account int64, d Document) ([]table.Item, error) {
	if !d.Active {
		return nil, nil
	}
	doc, err := json.Marshal(note{s.now()})
	return []table.Item{{Key: goneKey(account, d.AgentID, version{d.ID, d.Index.Generation}), Doc: doc}}, err
}

// publish returns the write of an event of a document.
func (s *Store) publish(kind event.Kind, account int64, d Document) ([]table.Write, error) {
	return event.Publish(s.IDs, account, nil,
		event.Event{Kind: kind, At: s.now(), AgentID: d.AgentID, DocumentID: d.ID})
}

// agent reads the agent's language and the pending size of its index.
func (s *Store) agent(
	ctx context.Context, account, agentID int64,
) (language string, pending int64, err error) {
	item, err := s.Table.Get(ctx, agent.Key(account, agentID))
	if errors.Is(err, table.ErrNotFound) {
		return "", 0, agent.ErrNotFound
	}
	if err != nil {
		return "", 0, err
	}
	summary, err := agent.ReadSummary(item)
	return string(summary.Language), item.Numbers[pendingNumber], err
}

// A stored document is a document as it was read.
type stored struct {
	Document
	parts []table.Item // the head is the first
}

// Load reads a document with its whole content in one round trip. It returns ErrNotFound if the workspace
// has no such document.
func (s *Store) Load(ctx context.Context, account, document int64) (Document, error) {
	read, err := s.load(ctx, account, document)
	return read.Document, err
}

// reads is how often to read a document that is changed while its parts are read.
const reads = 24

func (s *Store) load(ctx context.Context, account, document int64) (stored, error) {
	for range reads {
		var parts table.Page
		var deleted agent.Deleted
		err := table.Parallel(ctx, func(ctx context.Context) (err error) {
			parts, err = s.Table.Query(ctx, table.Query{PK: DocumentPartition(account, document),
				Prefix: DocumentPartPrefix})
			return err
		}, func(ctx context.Context) (err error) {
			deleted, err = agent.ReadDeleted(ctx, s.Table, account)
			return err
		})
		if err != nil {
			return stored{}, err
		}
		// A partly deleted document may lack its head.
		if len(parts.Items) == 0 || parts.Items[0].Key != DocumentKey(account, document, 0) {
			return stored{}, ErrNotFound
		}
		read, whole, err := join(parts.Items)
		if err != nil {
			return stored{}, err
		}
		if deleted.Has(read.AgentID) {
			return stored{}, ErrNotFound
		}
		if whole {
			return read, nil
		}
	}
	return stored{}, table.ErrBusy
}

// join assembles a document from its parts. whole is false if it was changed while they were read.
func join(parts []table.Item) (read stored, whole bool, err error) {
	d, err := Read(parts[0])
	if err != nil {
		return stored{}, false, err
	}
	if len(parts) != d.Index.Parts {
		return stored{Document: d}, false, nil
	}
	content := strings.Builder{}
	content.WriteString(d.Content)
	for _, item := range parts[1:] {
		p, err := readPart(item)
		if err != nil {
			return stored{}, false, err
		}
		if p.Generation != d.Index.Generation {
			return stored{Document: d}, false, nil
		}
		content.Write(item.Blob)
	}
	d.Content, d.Truncated = content.String(), false
	return stored{d, parts}, true, nil
}

// An Edit is a change of a document. nil fields stay unchanged.
type Edit struct {
	Title, Content, IndexError *string
	Active                     *bool
	// Reindex indexes the document again even if its content is unchanged: in the agent's current language,
	// as for a changed content, and with the current chunking. A new title alone keeps the document's
	// language.
	Reindex bool
}

// Change edits a document. edit gets the current document, and is called again after a concurrent change; an
// error of edit is returned. It returns ErrNotFound if the workspace has no such document, and a
// validation_error of "content" if that does not fit the type.
//
// It takes the round trip of Load, one more if only fields change, and those of Create if the document is
// indexed again: if its content, title or active flag changed.
func (s *Store) Change(ctx context.Context, account, document int64,
	edit func(Document) (Edit, error)) (Document, error) {
	var d Document
	err := table.Retry(ctx, func() error {
		read, err := s.load(ctx, account, document)
		if err != nil {
			return err
		}
		e, err := edit(read.Document)
		if err != nil {
			return err
		}
		d = e.apply(read.Document)
		changed := d != read.Document
		if changed {
			d.UpdatedAt = s.now()
		}
		switch {
		case e.Reindex || d.Content != read.Content:
			if d.Index.Language, _, err = s.agent(ctx, account, d.AgentID); err != nil {
				return err
			}
			d, err = s.replace(ctx, account, read, d)
		case d.Title != read.Title || d.Active != read.Active: // indexed fields
			d, err = s.replace(ctx, account, read, d)
		case changed:
			err = s.amend(ctx, read, d)
		}
		return err
	})
	return d, err
}

// apply returns the edited document.
func (e Edit) apply(d Document) Document {
	if e.Title != nil {
		d.Title = *e.Title
	}
	if e.Content != nil {
		d.Content = *e.Content
	}
	if e.IndexError != nil {
		d.IndexError = *e.IndexError
	}
	if e.Active != nil {
		d.Active = *e.Active
	}
	return d
}

// replace stores a document whose index entries change, in its Index.Language. It returns a
// *table.ConditionError after a concurrent change.
func (s *Store) replace(ctx context.Context, account int64, read stored, d Document) (Document, error) {
	// Generations of a document increase even if the clock is set back.
	d.Index.Generation = max(s.IDs.Next(), read.Index.Generation+1)
	items, entries, err := d.index(account)
	if err != nil {
		return Document{}, err
	}
	gone, err := s.gone(account, read.Document)
	if err != nil {
		return Document{}, err
	}
	entries = append(entries, gone...)
	published, err := s.publish(event.DocumentIndexed, account, d)
	if err != nil {
		return Document{}, err
	}
	writes := append([]table.Write{recount(account, d.AgentID, read.share(), d.share(), entries...)},
		published...)
	for _, item := range entries {
		writes = append(writes, table.Put(item))
	}
	for n, item := range items {
		if n == 0 {
			item.Version = read.parts[0].Version
			writes = append(writes, table.PutIfVersion(item))
		} else {
			writes = append(writes, table.Put(item))
		}
	}
	for _, item := range read.parts[min(len(items), len(read.parts)):] {
		writes = append(writes, table.Delete(item.Key))
	}
	err = s.Table.Transact(ctx, writes...)
	if table.ConditionErrorAt(err, 0) {
		return Document{}, ErrNotFound // its agent was deleted
	}
	return d, err
}

// amend stores a document whose index entries stay. It returns a *table.ConditionError after a concurrent
// change.
func (s *Store) amend(ctx context.Context, read stored, d Document) error {
	head, err := readHead(read.parts[0])
	if err != nil {
		return err
	}
	item := read.parts[0]
	if item.Doc, err = json.Marshal(headDoc{d, head.Marks}); err != nil {
		return err
	}
	return s.Table.Transact(ctx, table.PutIfVersion(item))
}

// Delete deletes a document in two round trips. No search finds it from then on. It publishes the event from
// which its remaining items are deleted. It returns ErrNotFound if the workspace has no such document.
func (s *Store) Delete(ctx context.Context, account, document int64) error {
	return table.Retry(ctx, func() error {
		head, marks, err := agent.ReadMarked(ctx, s.Table, account, DocumentKey(account, document, 0),
			agent.DeletedPrefix)
		if errors.Is(err, table.ErrNotFound) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		d, err := Read(head)
		if err != nil {
			return err
		}
		if marks.Has(d.AgentID) {
			return ErrNotFound
		}
		published, err := s.publish(event.DocumentDeleted, account, d)
		if err != nil {
			return err
		}
		gone, err := s.gone(account, d)
		if err != nil {
			return err
		}
		counted := recount(account, d.AgentID, d.share(), share{}, gone...)
		writes := append([]table.Write{counted}, published...)
		for _, item := range gone {
			writes = append(writes, table.Put(item))
		}
		err = s.Table.Transact(ctx, append(writes, table.DeleteIfVersion(head.Key, head.Version))...)
		if table.ConditionErrorAt(err, 0) {
			return ErrNotFound // its agent was deleted
		}
		return err
	})
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
