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

// ErrNotFound says that the workspace has no such document, or that its agent was deleted. It is the API's
// own not_found, so a handler may return it as it is.
var ErrNotFound error = fault.NotFound()

// MaxContent is how many bytes the content of a document may have: what a request's body can carry.
const MaxContent = 1 << 20

// A Store keeps documents and their index.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Create stores a new document of an agent and its index entries. The times, what the index says of it, and
// the id where it is 0 are set here, the rest is up to the caller. agent.ErrNotFound where the workspace has
// no such agent; an *api.Error on "content" where that does not fit the type.
//
// It takes two trips: the agent, and then the document with its entries.
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
		return err // where a condition failed the id is taken
	})
	return d, err
}

// Save stores a document under the id that it has: its title, content and problem where there is one of that
// id, which otherwise stays as it is, and else the whole document. It may be repeated.
func (s *Store) Save(ctx context.Context, account int64, d Document) (Document, error) {
	saved, err := s.Change(ctx, account, d.ID, func(Document) (Edit, error) {
		return Edit{Title: &d.Title, Content: &d.Content, IndexError: &d.IndexError}, nil
	})
	if errors.Is(err, ErrNotFound) {
		return s.Create(ctx, account, d)
	}
	return saved, err
}

// index makes the document's parts and its index entries, with the list of their words, and notes in the
// document what the index says of it. One that is not active is not in the index.
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

// gone is the note that the document's generation is in the index no more; none where it is not in it.
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

// agent reads the language of an agent, and how much of its index is pending.
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

// A stored document is one as it was read.
type stored struct {
	Document
	parts []table.Item // the head first
}

// Load reads a document with all of its content, in one trip. ErrNotFound where the workspace has no such
// document.
func (s *Store) Load(ctx context.Context, account, document int64) (Document, error) {
	read, err := s.load(ctx, account, document)
	return read.Document, err
}

// reads is how often a document is read that is changed while its parts are read.
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
		// What remains of a deleted document may lack its head.
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

// join puts a document together. It is not whole where it was changed while its parts were read.
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

// An Edit is a change of a document. What is nil stays.
type Edit struct {
	Title, Content, IndexError *string
	Active                     *bool
	// Reindex has the document indexed anew though its content stays: in the agent's language of today, as
	// where the content changes, and with today's ways of cutting text. With a new title alone it stays in
	// its language.
	Reindex bool
}

// Change edits a document. It gets edit with the document as it is, which is called again when somebody else
// changed it meanwhile; an error of edit ends it. ErrNotFound where the workspace has no such document; an
// *api.Error on "content" where that does not fit the type.
//
// It takes the trip of Load and none more where nothing changes, one where its index entries stay, and
// those of Create where it is indexed anew: with another content or title, or switched on or off.
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
		case d.Title != read.Title || d.Active != read.Active: // which change what is in the index
			d, err = s.replace(ctx, account, read, d)
		case changed:
			err = s.amend(ctx, read, d)
		}
		return err
	})
	return d, err
}

// apply returns the document as it is to be.
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

// replace stores a document whose index entries change, in the language that it names. A
// *table.ConditionError says that it was changed meanwhile.
func (s *Store) replace(ctx context.Context, account int64, read stored, d Document) (Document, error) {
	// Generations of a document go up, whatever the clock of this machine says.
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

// amend stores a document whose index entries stay. A *table.ConditionError says that it was changed
// meanwhile.
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

// Delete removes a document, in two trips. No search finds it from then on; the event that is left behind has
// the rest of it cleared away. ErrNotFound where the workspace has no such document.
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
