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

// ErrEnded says that a run was stopped, begun anew or deleted, or that another carries it out.
var ErrEnded = errors.New("website: the run has ended")

// Open reads a run with its pages. ErrEnded where it is not the one at hand.
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

// count counts the pages of the run, since a run that was cut short may have stored a page and not its
// count.
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

// Next is the page to look at next: of those nearest to the first one, the one that was found first. It
// reports false where there is none left.
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

// Find adds pages that a page leads to, as far as the limits of the website let it. Those that are known
// stay as they are. It returns the pages that are new, for Keep.
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

// Taken reports whether a page of this run says the same, by its hash.
func (c *Crawl) Taken(hash string) bool {
	for _, p := range c.pages {
		if p.Run == c.Run && p.Outcome == PageRead && p.Hash == hash {
			return true
		}
	}
	return false
}

// Left are the pages of earlier runs that this one did not meet.
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

// Keep stores the website as it has become, with pages that changed. ErrEnded where it was changed
// meanwhile.
func (s *Store) Keep(ctx context.Context, c *Crawl, changed ...Page) error {
	for _, p := range changed {
		c.pages[p.URL] = p
	}
	c.count()
	item, err := stored{c.Website, c.Run}.item(c.Account)
	if err != nil {
		return err
	}
	// The pages go ahead of the website: where a run is cut short between them, Open counts them.
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

// Forget deletes a page that a website does not have any more.
func (s *Store) Forget(ctx context.Context, c *Crawl, p Page) error {
	delete(c.pages, p.URL)
	return s.Table.WriteAll(ctx, table.Delete(pageKey(c.Account, c.AgentID, c.ID, p.URL)))
}

// Remove deletes a website whose pages are gone.
func (s *Store) Remove(ctx context.Context, c *Crawl) error {
	return s.Table.WriteAll(ctx, table.Delete(Key(c.Account, c.AgentID, c.ID)))
}
