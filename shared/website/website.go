// Package website stores the websites that an agent learns from: their settings, the state of their crawls,
// and which of their pages became documents.
//
// A crawl is a run of a website. The crawler stores each step on the condition that the website is unchanged
// since it was read: of two crawlers of one run only one continues, and a run that was stopped or restarted
// ends at its next page. An interrupted crawl continues from the stored pages.
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

// ErrNotFound says that the agent has no such website. It is the API's not_found fault.
var ErrNotFound error = fault.NotFound()

// Max is the limit of websites of an agent.
const Max = 20

// A Status is the state of a website's crawl.
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

// Values implements api.Enum.
func (Status) Values() []string {
	return []string{string(Queued), string(Crawling), string(Done), string(Stopped), string(Failed),
		string(Deleting)}
}

// A Website is a website that an agent learns from.
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
	// StartedAt and FinishedAt are when the crawl began and ended; null before.
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

// maxProblems is the limit of stored problems of a crawl.
const maxProblems = 20

// Note stores a problem, unless there are maxProblems already.
func (w *Website) Note(address, detail string) {
	if len(w.Problems) < maxProblems {
		w.Problems = append(w.Problems, Problem{address, detail})
	}
}

// An Outcome is the result of reading a page.
type Outcome string

// The outcomes; "" means that the page was not read yet.
const (
	PageRead    Outcome = "read"
	PageSkipped Outcome = "skipped"
	PageFailed  Outcome = "failed"
)

// A Page is a page of a website, as the last crawl that found it left it.
type Page struct {
	URL      string  `json:"url"`
	Run      int64   `json:"run"` // the crawl that found it last
	Depth    int     `json:"depth"`
	Order    int     `json:"order"` // order of discovery
	Outcome  Outcome `json:"outcome,omitempty"`
	Document int64   `json:"document"` // id of its document, whether or not that exists
	Taken    bool    `json:"taken"`    // the document exists
	Hash     string  `json:"hash,omitempty"`
	Bytes    int64   `json:"bytes,omitempty"` // of its text
}

// A Crawl is a run of a website. It is not safe for concurrent use.
type Crawl struct {
	Website
	Run     int64
	Account int64

	version int64
	pages   map[string]Page // by URL, with those of earlier runs
}

// stored is the JSON document of a website.
type stored struct {
	Website
	Run int64 `json:"run"`
}

// A Store stores websites. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Query reads an agent's websites, newest first.
func Query(account, agentID int64) table.Query {
	return table.Query{PK: agent.Partition(account, agentID), Prefix: websites, Descending: true}
}

// Read decodes an item of a website.
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

// Count returns the number of an agent's websites. It returns agent.ErrNotFound if the workspace has no
// such agent.
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

// Load reads a website. It returns ErrNotFound if the agent has no such website.
func (s *Store) Load(ctx context.Context, account, agentID, website int64) (Website, error) {
	item, err := s.item(ctx, account, agentID, website)
	if err != nil {
		return Website{}, err
	}
	return Read(item)
}

// item reads the item of a website, in one round trip.
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

// Create stores a website and starts its crawl, and sets its id, status and times. It returns
// agent.ErrNotFound if the workspace has no such agent, and a *fault.Error where the agent has Max
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

// begun returns a website at the beginning of a new run.
func (s *Store) begun(w Website, status Status) stored {
	w.Status, w.Detail, w.Pages, w.Problems = status, "", Progress{}, []Problem{}
	w.StartedAt, w.FinishedAt = nil, nil
	return stored{w, s.IDs.Next()}
}

func (s *Store) publish(account int64, w stored) ([]table.Write, error) {
	return event.Publish(s.IDs, account, nil, Event(w.AgentID, w.ID, w.Run, s.now()))
}

// Event returns the event that lets a worker continue a run.
func Event(agentID, website, run int64, at time.Time) event.Event {
	return event.Event{
		Kind: event.WebsiteCrawling, At: at, AgentID: agentID, WebsiteID: website, Generation: run,
	}
}

// Crawl starts a new run, unless the website is being crawled or deleted.
func (s *Store) Crawl(ctx context.Context, account, agentID, website int64) (Website, error) {
	return s.change(ctx, account, agentID, website, func(w stored) stored {
		switch w.Status {
		case Queued, Crawling, Deleting:
			return w
		}
		return s.begun(w.Website, Queued)
	})
}

// Stop ends a crawl at its current page. The documents that it created stay.
func (s *Store) Stop(ctx context.Context, account, agentID, website int64) (Website, error) {
	return s.change(ctx, account, agentID, website, func(w stored) stored {
		if w.Status == Queued || w.Status == Crawling {
			now := s.now()
			w.Status, w.FinishedAt = Stopped, &now
		}
		return w
	})
}

// Delete deletes a website with its documents in the background.
func (s *Store) Delete(ctx context.Context, account, agentID, website int64) error {
	_, err := s.change(ctx, account, agentID, website, func(w stored) stored {
		return s.begun(w.Website, Deleting)
	})
	return err
}

// change edits a website and, if it begins a new run, publishes the event for a worker in the same
// transaction.
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
