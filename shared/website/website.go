// Package website is the websites that an agent learns from: what is known of each, how far it is
// crawled, and which of its pages became documents.
//
// A crawl is a run of a website. Whoever crawls changes the website and a page together, on the condition
// that the website is as it was read: of two that crawl the same run one goes on, and a run that was
// stopped, or begun anew, ends at its next page. So a crawl that is cut short goes on where it was.
package website

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// ErrNotFound says that the agent has no such website. It is the API's own not_found.
var ErrNotFound error = fault.NotFound()

// Max is how many websites an agent may have.
const Max = 20

// A Status is how far a website is crawled.
type Status string

// The statuses of a website.
const (
	Queued   Status = "queued"
	Crawling Status = "crawling"
	Done     Status = "done"
	Stopped  Status = "stopped"
	Failed   Status = "failed"
	Deleting Status = "deleting" // its documents are being deleted
)

// Values are all statuses there are.
func (Status) Values() []string {
	return []string{string(Queued), string(Crawling), string(Done), string(Stopped), string(Failed),
		string(Deleting)}
}

// A Website is one that an agent learns from.
type Website struct {
	ID       int64     `json:"id" example:"219482113060871"`
	AgentID  int64     `json:"agent_id" example:"219482113000001"`
	URL      string    `json:"url" check:"format=url" doc:"Where a crawl begins." example:"https://example.com/"`
	MaxPages int       `json:"max_pages" example:"100"`
	MaxDepth int       `json:"max_depth" example:"5"`
	Status   Status    `json:"status" example:"queued"`
	Detail   string    `json:"detail" doc:"Why a crawl failed; empty otherwise." example:""`
	Pages    Progress  `json:"pages"`
	Problems []Problem `json:"problems" doc:"The first 20 pages of the crawl that could not be read."`
	// when the crawl of Status began and ended; null before
	StartedAt  *time.Time `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	CreatedAt  time.Time  `json:"created_at"`
}

// A Progress counts the pages of a crawl.
type Progress struct {
	Found   int   `json:"found" doc:"Those that are known, of which the following have been looked at." example:"0"`
	Read    int   `json:"read" doc:"Those that are documents." example:"0"`
	Skipped int   `json:"skipped" doc:"Those that say what another does, or ask not to be taken." example:"0"`
	Failed  int   `json:"failed" example:"0"`
	Bytes   int64 `json:"bytes" doc:"Of text that was read." example:"0"`
}

// A Problem is why a page could not be read.
type Problem struct {
	URL    string `json:"url" check:"format=url" example:"https://example.com/old"`
	Detail string `json:"detail" example:"The page answered 404."`
}

// maxProblems is how many problems of a crawl are kept.
const maxProblems = 20

// Note keeps a problem, unless there are many.
func (w *Website) Note(address, detail string) {
	if len(w.Problems) < maxProblems {
		w.Problems = append(w.Problems, Problem{address, detail})
	}
}

// An Outcome is what came of looking at a page.
type Outcome string

// The outcomes of a page; "" is of one that was not looked at.
const (
	PageRead    Outcome = "read"
	PageSkipped Outcome = "skipped"
	PageFailed  Outcome = "failed"
)

// A Page is a page of a website, as the last crawl that met it left it.
type Page struct {
	URL      string  `json:"url"`
	Run      int64   `json:"run"` // of the crawl
	Depth    int     `json:"depth"`
	Order    int     `json:"order"` // in which it was found
	Outcome  Outcome `json:"outcome,omitempty"`
	Document int64   `json:"document"` // the id of its document, whether or not there is one
	Taken    bool    `json:"taken"`    // there is a document
	Hash     string  `json:"hash,omitempty"`
	Bytes    int64   `json:"bytes,omitempty"` // of its text
}

// A Crawl is a run of a website, for whoever carries it out.
type Crawl struct {
	Website
	Run     int64
	Account int64

	version int64
	pages   map[string]Page // by address, those of earlier runs too
}

// stored is the JSON text of a website.
type stored struct {
	Website
	Run int64 `json:"run"`
}

// A Store keeps websites.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Query asks for an agent's websites, newest first.
func Query(account, agentID int64) table.Query {
	return table.Query{PK: agent.Partition(account, agentID), Prefix: websites, Descending: true}
}

// Read is the website that an item holds.
func Read(item table.Item) (Website, error) {
	s, err := read(item)
	return s.Website, err
}

func read(item table.Item) (stored, error) {
	var s stored
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return stored{}, fmt.Errorf("website: %s %s: %w", item.PK, item.SK, err)
	}
	return s, nil
}

func (s stored) item(account int64) (table.Item, error) {
	if s.Problems == nil {
		s.Problems = []Problem{}
	}
	doc, err := json.Marshal(s)
	return table.Item{Key: Key(account, s.AgentID, s.ID), Doc: doc}, err
}

// Count is how many websites an agent has. agent.ErrNotFound where the workspace has no such agent.
func (s *Store) Count(ctx context.Context, account, agentID int64) (int64, error) {
	var page table.Page
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, agentID)
		return err
	}, func(ctx context.Context) (err error) {
		page, err = s.Table.Query(ctx, Query(account, agentID))
		return err
	})
	return int64(len(page.Items)), err
}

// Load reads a website. ErrNotFound where the agent has none of that id.
func (s *Store) Load(ctx context.Context, account, agentID, website int64) (Website, error) {
	item, err := s.item(ctx, account, agentID, website)
	if err != nil {
		return Website{}, err
	}
	return Read(item)
}

// item reads the item of a website, in one trip.
func (s *Store) item(ctx context.Context, account, agentID, website int64) (item table.Item, err error) {
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		item, err = s.Table.Get(ctx, Key(account, agentID, website))
		if errors.Is(err, table.ErrNotFound) {
			return ErrNotFound
		}
		return err
	}, func(ctx context.Context) error {
		_, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, agentID)
		return err
	})
	return item, err
}

// Create stores a website and has it crawled. The id, the status and the times are set here.
// agent.ErrNotFound where the workspace has no such agent; a *fault.Error where the agent has Max
// websites.
func (s *Store) Create(ctx context.Context, account int64, w Website) (Website, error) {
	n, err := s.Count(ctx, account, w.AgentID)
	if err != nil {
		return Website{}, err
	}
	if n >= Max {
		return Website{}, fault.Invalid("url", "An agent may have %d websites.", Max)
	}
	w.ID, w.CreatedAt = s.IDs.Next(), s.now()
	made := s.begun(w, Queued)
	item, err := made.item(account)
	if err != nil {
		return Website{}, err
	}
	published, err := s.publish(account, made)
	if err != nil {
		return Website{}, err
	}
	return made.Website, s.Table.Transact(ctx, append(published, table.PutIfAbsent(item))...)
}

// begun is a website at the beginning of a run.
func (s *Store) begun(w Website, status Status) stored {
	w.Status, w.Detail, w.Pages, w.Problems = status, "", Progress{}, []Problem{}
	w.StartedAt, w.FinishedAt = nil, nil
	return stored{w, s.IDs.Next()}
}

func (s *Store) publish(account int64, w stored) ([]table.Write, error) {
	return event.Publish(s.IDs, account, nil, Event(w.AgentID, w.ID, w.Run, s.now()))
}

// Event is the one upon which a run goes on.
func Event(agentID, website, run int64, at time.Time) event.Event {
	return event.Event{
		Kind: event.WebsiteCrawling, At: at, AgentID: agentID, WebsiteID: website, Generation: run,
	}
}

// Crawl has a website crawled anew. One that is being crawled, or deleted, stays as it is.
func (s *Store) Crawl(ctx context.Context, account, agentID, website int64) (Website, error) {
	return s.change(ctx, account, agentID, website, func(w stored) stored {
		switch w.Status {
		case Queued, Crawling, Deleting:
			return w
		}
		return s.begun(w.Website, Queued)
	})
}

// Stop ends a crawl at the page that it is at. The documents that it made stay.
func (s *Store) Stop(ctx context.Context, account, agentID, website int64) (Website, error) {
	return s.change(ctx, account, agentID, website, func(w stored) stored {
		if w.Status == Queued || w.Status == Crawling {
			now := s.now()
			w.Status, w.FinishedAt = Stopped, &now
		}
		return w
	})
}

// Delete has a website deleted with its documents, in the background.
func (s *Store) Delete(ctx context.Context, account, agentID, website int64) error {
	_, err := s.change(ctx, account, agentID, website, func(w stored) stored {
		return s.begun(w.Website, Deleting)
	})
	return err
}

// change stores a website as edit makes it, and has a run of it go on where that is a new one.
func (s *Store) change(
	ctx context.Context, account, agentID, website int64, edit func(stored) stored,
) (Website, error) {
	var changed stored
	err := table.Retry(ctx, func() error {
		item, err := s.item(ctx, account, agentID, website)
		if err != nil {
			return err
		}
		before, err := read(item)
		if err != nil {
			return err
		}
		changed = edit(before)
		if changed.Run == before.Run && changed.Status == before.Status {
			return nil
		}
		next, err := changed.item(account)
		if err != nil {
			return err
		}
		next.Version = item.Version
		writes := []table.Write{table.PutIfVersion(next)}
		if changed.Run != before.Run {
			published, err := s.publish(account, changed)
			if err != nil {
				return err
			}
			writes = append(writes, published...)
		}
		return s.Table.Transact(ctx, writes...)
	})
	return changed.Website, err
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
