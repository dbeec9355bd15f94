package website

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"frontdesk/shared/table"
)

// ErrEnded says that a run was stopped, restarted, deleted or taken over by another process.
var ErrEnded = errors.New("website: the run has ended")

// Open reads a run with its pages. It returns ErrEnded if run is not the website's current run.
func (s *Store) Open(ctx context.Context, account, agentID, website, run int64) (*Crawl, error) {
	item, err := s.Table.Get(ctx, Key(account, agentID, website))
	if errors.Is(err, table.ErrNotFound) {
		return nil, ErrEnded
	}
	if err != nil {
		return nil, err
	}
	w, err := read(item)
	if err != nil {
		return nil, err
	}
	if w.Run != run || w.Status != Queued && w.Status != Crawling && w.Status != Deleting {
		return nil, ErrEnded
	}
	c := &Crawl{
		Website: w.Website, Run: run, Account: account, version: item.Version, pages: map[string]Page{},
	}
	found, err := s.Table.Query(ctx, table.Query{PK: item.PK, Prefix: pagesOf(website)})
	if err != nil {
		return nil, err
	}
	for _, item := range found.Items {
		var p Page
		if err := json.Unmarshal(item.Doc, &p); err != nil {
			return nil, fmt.Errorf("website: %s %s: %w", item.PK, item.SK, err)
		}
		c.pages[p.URL] = p
	}
	c.count()
	return c, nil
}

// count recounts the pages of the run, since an interrupted run may have stored a page without its count.
func (c *Crawl) count() {
	c.Pages = Progress{}
	for _, p := range c.pages {
		if p.Run != c.Run {
			continue
		}
		c.Pages.Found++
		c.Pages.Bytes += p.Bytes
		switch p.Outcome {
		case PageRead:
			c.Pages.Read++
		case PageSkipped:
			c.Pages.Skipped++
		case PageFailed:
			c.Pages.Failed++
		}
	}
}

// Next returns the next page to read, by depth and then in the order of discovery. ok is false if none is
// left.
func (c *Crawl) Next() (Page, bool) {
	var next Page
	found := false
	for _, p := range c.pages {
		if p.Run != c.Run || p.Outcome != "" {
			continue
		}
		if !found || cmp.Or(cmp.Compare(p.Depth, next.Depth), cmp.Compare(p.Order, next.Order)) < 0 {
			next, found = p, true
		}
	}
	return next, found
}

// Find adds pages that a page links to, within the website's limits. Known pages of this run stay as they
// are. It returns the new ones, which the caller passes to Keep.
func (c *Crawl) Find(s *Store, depth int, addresses ...string) []Page {
	var found []Page
	for _, address := range addresses {
		p, known := c.pages[address]
		if known && p.Run == c.Run || c.Pages.Found >= c.MaxPages || depth > c.MaxDepth {
			continue
		}
		if !known {
			p = Page{URL: address, Document: s.IDs.Next()}
		}
		p.Run, p.Depth, p.Order, p.Outcome, p.Bytes = c.Run, depth, c.Pages.Found, "", 0
		c.Pages.Found++
		c.pages[address] = p
		found = append(found, p)
	}
	return found
}

// Taken reports whether a page of this run has the same hash of its text.
func (c *Crawl) Taken(hash string) bool {
	for _, p := range c.pages {
		if p.Run == c.Run && p.Outcome == PageRead && p.Hash == hash {
			return true
		}
	}
	return false
}

// Left returns the pages of earlier runs that this run has not found, by URL.
func (c *Crawl) Left() []Page {
	var left []Page
	for _, p := range c.pages {
		if p.Run != c.Run {
			left = append(left, p)
		}
	}
	slices.SortFunc(left, func(a, b Page) int { return cmp.Compare(a.URL, b.URL) })
	return left
}

// Keep stores the website and the changed pages. It returns ErrEnded if the website was changed in the
// meantime.
func (s *Store) Keep(ctx context.Context, c *Crawl, changed ...Page) error {
	for _, p := range changed {
		c.pages[p.URL] = p
	}
	c.count()
	item, err := stored{c.Website, c.Run}.item(c.Account)
	if err != nil {
		return err
	}
	// Pages are written first: if the run is interrupted in between, Open counts them.
	writes := make([]table.Write, len(changed))
	for i, p := range changed {
		doc, err := json.Marshal(p)
		if err != nil {
			return err
		}
		writes[i] = table.Set(table.Item{Key: pageKey(c.Account, c.AgentID, c.ID, p.URL), Doc: doc})
	}
	if err := s.Table.WriteAll(ctx, writes...); err != nil {
		return err
	}
	item.Version = c.version
	err = s.Table.Transact(ctx, table.PutIfVersion(item))
	if table.IsConditionError(err) {
		return ErrEnded
	}
	c.version++
	return err
}

// Forget deletes a page that the website no longer has.
func (s *Store) Forget(ctx context.Context, c *Crawl, p Page) error {
	delete(c.pages, p.URL)
	return s.Table.WriteAll(ctx, table.Delete(pageKey(c.Account, c.AgentID, c.ID, p.URL)))
}

// Remove deletes a website whose pages are deleted.
func (s *Store) Remove(ctx context.Context, c *Crawl) error {
	return s.Table.WriteAll(ctx, table.Delete(Key(c.Account, c.AgentID, c.ID)))
}
