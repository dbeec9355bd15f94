// Package crawl goes through the websites that agents learn from, page by page, and makes documents of
// them.
package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/page"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
	"frontdesk/shared/website"
)

// Service handles the jobs that crawl a website.
type Service struct {
	Table  table.Table
	Now    func() time.Time
	IDs    *id.Source
	Web    *egress.Client
	Queue  queue.Sender  // the same queue, for continuing a run
	Budget time.Duration // time limit of one message, after which another continues the run
}

const (
	// maxBytes is how much text the pages of a website may hold together.
	maxBytes = 20 << 20
	// sitemapTime is how long the reading of all sitemaps may take.
	sitemapTime = 15 * time.Second
	// maxTitle is how many characters the title of a document has.
	maxTitle = 300
)

func (s *Service) websites() *website.Store {
	return &website.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

func (s *Service) documents() *knowledge.Store {
	return &knowledge.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

// Handle does the work that an event asks for. After an error the event is to come again.
func (s *Service) Handle(ctx context.Context, e event.Event) error {
	if e.Kind != event.WebsiteCrawling {
		return fmt.Errorf("crawl: no event is called %q", e.Kind)
	}
	_, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, e.AccountID, e.AgentID)
	if errors.Is(err, agent.ErrNotFound) {
		return nil // its purge deletes the rest
	}
	if err != nil {
		return err
	}
	c, err := s.websites().Open(ctx, e.AccountID, e.AgentID, e.WebsiteID, e.Generation)
	if err == nil {
		err = s.goOn(ctx, c)
	}
	if errors.Is(err, website.ErrEnded) || errors.Is(err, agent.ErrNotFound) {
		return nil
	}
	return err
}

// goOn carries a run on until it ends or its time is over.
func (s *Service) goOn(ctx context.Context, c *website.Crawl) error {
	until := time.Now().Add(s.Budget)
	if c.Status == website.Deleting {
		return s.forget(ctx, c, until)
	}
	r, err := s.begin(ctx, c)
	if err != nil {
		return err
	}
	for {
		next, ok := c.Next()
		if !ok || c.Pages.Bytes >= maxBytes {
			break
		}
		if err := s.look(ctx, c, r, next); err != nil {
			return err
		}
		if time.Now().After(until) {
			return s.later(ctx, c)
		}
		if err := r.pause(ctx); err != nil {
			return err
		}
	}
	if c.Pages.Read == 0 {
		return s.end(ctx, c, website.Failed)
	}
	return s.forget(ctx, c, until)
}

// begin reads the robots.txt of the website, and stores the first pages of a new run.
func (s *Service) begin(ctx context.Context, c *website.Crawl) (*rules, error) {
	r := s.readRules(ctx, c.URL)
	if c.Status != website.Queued {
		return r, nil
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	c.Status, c.StartedAt = website.Crawling, &now
	first := r.normal(c.URL, "")
	if first == "" {
		first = c.URL
	}
	found := c.Find(s.websites(), 0, first)
	mapTime, cancel := context.WithTimeout(ctx, sitemapTime)
	defer cancel()
	for _, address := range s.sitemap(mapTime, r, c.URL, c.MaxPages) {
		if r.allows(address) {
			found = append(found, c.Find(s.websites(), 1, address)...)
		}
	}
	return r, s.websites().Keep(ctx, c, found...)
}

// later puts a message on the queue that continues a run.
func (s *Service) later(ctx context.Context, c *website.Crawl) error {
	e := website.Event(c.AgentID, c.ID, c.Run, s.Now())
	e.AccountID = c.Account
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return s.Queue.Send(ctx, queue.Outgoing{Body: string(body)})
}

// look reads a page and stores the outcome.
func (s *Service) look(ctx context.Context, c *website.Crawl, r *rules, p website.Page) error {
	if !r.allows(p.URL) {
		return s.finish(ctx, c, p, website.PageSkipped, nil)
	}
	read, links, err := page.FetchLinked(ctx, s.Web, p.URL)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.Note(p.URL, err.Error())
		if p.Depth == 0 {
			c.Detail = err.Error()
		}
		if links.Status == http.StatusNotFound || links.Status == http.StatusGone {
			if err := s.drop(ctx, c, &p); err != nil {
				return err
			}
		}
		return s.finish(ctx, c, p, website.PageFailed, nil)
	}
	self, followed := s.follow(c, r, p, links)
	if self != p.URL && self != "" { // the same page by its own address, which is looked at as such
		followed = append(c.Find(s.websites(), p.Depth, self), followed...)
	}
	sum := sha256.Sum256([]byte(read.Text))
	hash := hex.EncodeToString(sum[:])
	if self != p.URL || links.NoIndex || c.Taken(hash) || len(read.Text) > knowledge.MaxContent {
		if err := s.drop(ctx, c, &p); err != nil {
			return err
		}
		return s.finish(ctx, c, p, website.PageSkipped, followed)
	}
	_, err = s.documents().Save(ctx, c.Account, knowledge.Document{
		ID: p.Document, AgentID: c.AgentID, Title: titleOf(read, p.URL), Type: knowledge.URL,
		SourceURL: p.URL, Content: read.Text, Active: true,
	})
	if err != nil {
		return err
	}
	p.Taken, p.Hash, p.Bytes = true, hash, int64(len(read.Text))
	return s.finish(ctx, c, p, website.PageRead, followed)
}

// follow returns the address under which a page is stored, and the pages that it links to and that were not
// known.
func (s *Service) follow(
	c *website.Crawl, r *rules, p website.Page, links page.Links,
) (self string, found []website.Page) {
	self = r.normal(links.URL, "")
	if self == "" { // it redirects to another website
		return "", nil
	}
	base := links.URL
	if links.Base != "" {
		base = resolved(links.Base, base)
	}
	if own := r.normal(links.Canonical, base); links.Canonical != "" && own != "" {
		self = own
	}
	if links.NoFollow {
		return self, nil
	}
	for _, to := range links.To {
		if address := r.normal(to, base); address != "" && r.allows(address) {
			found = append(found, c.Find(s.websites(), p.Depth+1, address)...)
		}
	}
	return self, found
}

// finish stores the outcome of a page, with the pages that it links to.
func (s *Service) finish(
	ctx context.Context, c *website.Crawl, p website.Page, outcome website.Outcome, found []website.Page,
) error {
	p.Outcome = outcome
	return s.websites().Keep(ctx, c, append(found, p)...)
}

// drop deletes the document of a page, if it has one.
func (s *Service) drop(ctx context.Context, c *website.Crawl, p *website.Page) error {
	if !p.Taken {
		return nil
	}
	err := s.documents().Delete(ctx, c.Account, p.Document)
	if err != nil && !errors.Is(err, knowledge.ErrNotFound) {
		return err
	}
	p.Taken, p.Hash, p.Document = false, "", s.IDs.Next()
	return nil
}

// forget deletes the documents of pages that the run did not meet, and ends it.
func (s *Service) forget(ctx context.Context, c *website.Crawl, until time.Time) error {
	for _, p := range c.Left() {
		if time.Now().After(until) {
			return s.later(ctx, c)
		}
		if err := s.drop(ctx, c, &p); err != nil {
			return err
		}
		if err := s.websites().Forget(ctx, c, p); err != nil {
			return err
		}
	}
	if c.Status == website.Deleting {
		return s.websites().Remove(ctx, c)
	}
	return s.end(ctx, c, website.Done)
}

// end stores how a run ended. A run that read no page has failed, with a detail that says so.
func (s *Service) end(ctx context.Context, c *website.Crawl, status website.Status) error {
	now := s.Now().UTC().Truncate(time.Millisecond)
	c.Status, c.FinishedAt = status, &now
	if status == website.Failed && c.Detail == "" {
		c.Detail = "No page of the website could be read."
	}
	if status == website.Done {
		c.Detail = ""
	}
	return s.websites().Keep(ctx, c)
}

// titleOf returns the title of a page, or its address if it has none.
func titleOf(p page.Page, address string) string {
	if p.Title != "" {
		return text.Truncate(p.Title, maxTitle)
	}
	return text.Truncate(address, maxTitle)
}
