package knowledge

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
	"frontdesk/shared/table"
	"frontdesk/shared/website"
)

// websiteRoutes registers the endpoints for the websites that an agent learns from.
func (s *Service) websiteRoutes(r *api.Router) {
	api.Handle(r, "GET /agents/{agent_id}/websites/", api.Doc{
		Summary: "List the websites that an agent learns from", Description: "Newest first.",
	}, s.listWebsites)
	api.Handle(r, "POST /agents/{agent_id}/websites/", api.Doc{
		Summary: "Have an agent learn from a website",
		Description: "The website is crawled in the background: from `url` on, the pages of the same host " +
			"that its links and its sitemap lead to, as its robots.txt allows. Each page becomes a " +
			"document of doc_type `url`; those that say the same, or name another as their canonical " +
			"address, become one. `status` and `pages` tell how far it is.",
		Status: 201,
	}, s.createWebsite)
	api.Handle(r, "GET /agents/{agent_id}/websites/{website_id}/", api.Doc{
		Summary: "Read a website and how far it is crawled",
	}, s.readWebsite)
	api.Handle(r, "POST /agents/{agent_id}/websites/{website_id}/crawl/", api.Doc{
		ID: "crawlWebsite", Summary: "Crawl a website again",
		Description: "Pages that changed are replaced, and those that are not there any more are deleted " +
			"when the crawl is done. A website that is being crawled stays as it is.",
	}, s.crawlWebsite)
	api.Handle(r, "POST /agents/{agent_id}/websites/{website_id}/stop/", api.Doc{
		ID: "stopWebsite", Summary: "Stop a crawl", Description: "The documents that it made stay.",
	}, s.stopWebsite)
	api.Handle(r, "DELETE /agents/{agent_id}/websites/{website_id}/", api.Doc{
		Summary: "Delete a website with its documents", Status: 204,
		Description: "The documents go in the background, with `status` `deleting` until they are gone.",
	}, s.deleteWebsite)
}

func (s *Service) websites() *website.Store {
	return &website.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

func (s *Service) listWebsites(ctx context.Context, in listIn) (api.List[website.Website], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in.PageIn, api.Listing[website.Website]{
		Query: website.Query(account, in.AgentID),
		Count: func(ctx context.Context) (int64, error) {
			return s.websites().Count(ctx, account, in.AgentID)
		},
		Item: func(item table.Item) (website.Website, error) { return website.Read(item) },
	})
}

// Defaults of a crawl's limits.
const (
	usualPages = 100
	usualDepth = 5
)

type createWebsiteIn struct {
	AgentID  int64            `path:"agent_id"`
	URL      string           `json:"url" check:"required,format=url,max=2000" doc:"Where to begin, an https address on the public internet." example:"https://example.com/"`
	MaxPages opt.Value[int64] `json:"max_pages" check:"range=1..500" doc:"Default 100." example:"100"`
	MaxDepth opt.Value[int64] `json:"max_depth" check:"range=0..20" doc:"How many links away from the first page, default 5." example:"5"`
}

// createWebsite stores a website and starts its crawl in the background. A malformed address is refused
// here; whether its host is public shows only when the crawler calls it.
func (s *Service) createWebsite(ctx context.Context, in createWebsiteIn) (website.Website, error) {
	if err := s.Web.Check(in.URL); err != nil {
		return website.Website{}, fault.Invalid("url", "%s", err.Error())
	}
	return s.websites().Create(ctx, auth.CallerOf(ctx).Account.ID, website.Website{
		AgentID: in.AgentID, URL: in.URL, MaxPages: int(in.MaxPages.Or(usualPages)),
		MaxDepth: int(in.MaxDepth.Or(usualDepth)),
	})
}

type websiteIn struct {
	AgentID   int64 `path:"agent_id"`
	WebsiteID int64 `path:"website_id"`
}

func (s *Service) readWebsite(ctx context.Context, in websiteIn) (website.Website, error) {
	return s.websites().Load(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID, in.WebsiteID)
}

func (s *Service) crawlWebsite(ctx context.Context, in websiteIn) (website.Website, error) {
	return s.websites().Crawl(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID, in.WebsiteID)
}

func (s *Service) stopWebsite(ctx context.Context, in websiteIn) (website.Website, error) {
	return s.websites().Stop(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID, in.WebsiteID)
}

func (s *Service) deleteWebsite(ctx context.Context, in websiteIn) (api.None, error) {
	return api.None{}, s.websites().Delete(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID, in.WebsiteID)
}
