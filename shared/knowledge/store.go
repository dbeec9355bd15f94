package knowledge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
// It takes two trips, the agent and then the document with its entries, as long as these fit one transaction:
// up to some 95 different words. A longer one takes two more, for its entries ahead of the document, and with
// more than 200 different words, which are 25 a request and eight requests at a time, some more.
func (s *Store) Create(ctx context.Context, account int64, d Document) (Document, error) {
	language, err := s.language(ctx, account, d.AgentID)
	if err != nil {
		return Document{}, err
	}
	d.CreatedAt = s.now()
	d.UpdatedAt = d.CreatedAt
	named := d.ID
	err = table.Retry(ctx, func() error {
		d.ID = cmp.Or(named, s.IDs.Next())
		d.Index = state{Generation: s.IDs.Next(), Language: language}
		items, ix, err := d.index(account)
		if err != nil {
			return err
		}
		writes := []table.Write{recount(account, d.AgentID, share{}, d.share())}
		for _, item := range items {
			writes = append(writes, table.PutIfAbsent(item))
		}
		err = s.commit(ctx, account, d, ix, writes)
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

// index makes the document's parts and its index, and notes in the document what the index says of it.
func (d *Document) index(account int64) ([]table.Item, *index, error) {
	ix, err := newIndex(d.Index.Language, *d)
	if err != nil {
		return nil, nil, err
	}
	d.Chunks, d.Index.Words, d.Index.Parts = ix.chunks, ix.length, len(ix.parts)
	items, err := d.items(account, ix.parts)
	return items, ix, err
}

// commit stores the document's index entries and carries out the writes that make the document name them: in
// one transaction where they fit. Otherwise the entries go ahead of it, and nothing finds them before the
// document names their generation. Should it never come to do so, for a condition that fails or since the
// process dies, then the event that is written before them has them deleted.
func (s *Store) commit(ctx context.Context, account int64, d Document, ix *index,
	writes []table.Write) error {
	if len(ix.words) == 0 {
		return s.Table.Transact(ctx, writes...)
	}
	list, entries := ix.list(account, d), ix.items(account, d)
	// One place is left for a companion. Of one part the entries are small as well.
	if len(ix.parts) == 1 && len(writes)+1+len(entries)+1 <= table.MaxTransact {
		for _, item := range append(entries, list) {
			writes = append(writes, table.PutIfAbsent(item))
		}
		return s.Table.Transact(ctx, writes...)
	}
	published, err := event.Publish(s.IDs, account, nil, event.Event{
		Kind: event.DocumentIndexing, At: s.now(), AgentID: d.AgentID, DocumentID: d.ID,
		Generation: d.Index.Generation,
	})
	if err != nil {
		return err
	}
	err = s.Table.Transact(table.Alone(ctx), append(published, table.PutIfAbsent(list))...)
	if table.IsConditionError(err) {
		return &table.ConditionError{} // the generation is taken, and none of writes is at fault
	}
	if err != nil {
		return err
	}
	ahead := make([]table.Write, len(entries))
	for i, item := range entries {
		ahead[i] = table.Set(item)
	}
	if err := s.Table.WriteAll(ctx, ahead...); err != nil {
		return err
	}
	return s.Table.Transact(ctx, writes...)
}

// publish returns the write of an event of a document.
func (s *Store) publish(kind event.Kind, account int64, d Document) ([]table.Write, error) {
	return event.Publish(s.IDs, account, nil,
		event.Event{Kind: kind, At: s.now(), AgentID: d.AgentID, DocumentID: d.ID})
}

// language is that of an agent.
func (s *Store) language(ctx context.Context, account, agentID int64) (string, error) {
	summary, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, agentID)
	return string(summary.Language), err
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
// It takes the trip of Load and none more where nothing changes, one where the content stays, and those of
// Create where the document is indexed anew. Indexing a long one takes two more in both cases, as there.
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
			if d.Index.Language, err = s.language(ctx, account, d.AgentID); err != nil {
				return err
			}
			d, err = s.replace(ctx, account, read, d)
		case d.Title != read.Title: // whose words are in the index
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
	// Purge deletes what is older than the head's generation, so that one must not be less than the last,
	// whatever the clock of this machine says.
	d.Index.Generation = max(s.IDs.Next(), read.Index.Generation+1)
	items, ix, err := d.index(account)
	if err != nil {
		return Document{}, err
	}
	published, err := s.publish(event.DocumentIndexed, account, d)
	if err != nil {
		return Document{}, err
	}
	writes := append([]table.Write{recount(account, d.AgentID, read.share(), d.share())}, published...)
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
	err = s.commit(ctx, account, d, ix, writes)
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
		writes := append([]table.Write{recount(account, d.AgentID, d.share(), share{})}, published...)
		err = s.Table.Transact(ctx, append(writes, table.DeleteIfVersion(head.Key, head.Version))...)
		if table.ConditionErrorAt(err, 0) {
			return ErrNotFound // its agent was deleted
		}
		return err
	})
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
