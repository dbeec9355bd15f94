package crawl

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/egress"
	"frontdesk/shared/page"
)

const (
	// maxRobots bounds a robots.txt, as RFC 9309 asks, and maxSitemap a sitemap, in bytes.
	maxRobots  = 500 << 10
	maxSitemap = 4 << 20
	// maxSitemaps is how many sitemaps are read that others list.
	maxSitemaps = 5
	// maxPause is the longest pause between pages that a website is given.
	maxPause = 5 * time.Second
	// smallTimeout bounds the fetching of a robots.txt or a sitemap.
	smallTimeout = 10 * time.Second
	redirects    = 5
)

// product is the name by which robots.txt files speak of this visitor.
const product = "Frontdesk"

// rules say which addresses belong to a website and may be crawled.
type rules struct {
	robots
	host string // with the port, if any
}

// readRules reads the robots.txt of a website. If it does not exist or cannot be parsed, everything is
// allowed. If the server fails, only the first page is allowed, whose outcome then reports the failure.
func (s *Service) readRules(ctx context.Context, address string) *rules {
	start, err := url.Parse(address)
	if err != nil {
		return &rules{}
	}
	r := &rules{host: start.Host}
	answer, err := s.Web.Do(ctx, s.small(resolved("/robots.txt", address), maxRobots))
	if err != nil {
		return r
	}
	r.robots = readRobots(answer.Status, answer.Body)
	return r
}

func (s *Service) small(address string, most int64) egress.Call {
	return egress.Call{
		URL: address, Header: http.Header{"User-Agent": {page.UserAgent}}, Timeout: smallTimeout,
		MaxBody: most, Redirects: redirects,
	}
}

// allows reports whether the website lets a page be read.
func (r *rules) allows(address string) bool {
	u, err := url.Parse(address)
	return err == nil && r.robots.allows(u.RequestURI())
}

// pause waits as long as the website asks between two pages.
func (r *rules) pause(ctx context.Context) error {
	if r.delay == 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(r.delay):
		return nil
	}
}

// binary are the endings of addresses that are no pages of text.
var binary = []string{
	".7z", ".avi", ".avif", ".css", ".dmg", ".doc", ".docx", ".eot", ".exe", ".gif", ".gz", ".ico", ".ics",
	".jpeg", ".jpg", ".js", ".json", ".m4a", ".mov", ".mp3", ".mp4", ".ogg", ".pdf", ".png", ".ppt", ".pptx",
	".rar", ".rss", ".svg", ".tar", ".tgz", ".ttf", ".wav", ".webm", ".webp", ".woff", ".woff2", ".xls",
	".xlsx", ".xml", ".zip",
}

// tracking are query parameters that identify a visitor's origin and do not change a page.
var tracking = []string{"fbclid", "gclid", "mc_cid", "mc_eid", "msclkid"}

// normal returns the normalised address of a page, equal for all addresses of the same page; "" if it is no
// page of the website.
func (r *rules) normal(address, base string) string {
	if base != "" {
		address = resolved(address, base)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return ""
	}
	bare := func(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }
	if bare(u.Host) != bare(r.host) || slices.Contains(binary, strings.ToLower(path.Ext(u.Path))) {
		return ""
	}
	u.Host, u.Fragment, u.RawFragment = strings.ToLower(u.Host), "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	if u.RawQuery != "" {
		query := u.Query()
		for name := range query {
			if strings.HasPrefix(name, "utm_") || slices.Contains(tracking, name) {
				query.Del(name)
			}
		}
		u.RawQuery = query.Encode()
	}
	u.ForceQuery = false
	if text := u.String(); len(text) <= maxAddress {
		return text
	}
	return ""
}

// maxAddress is how many bytes the address of a page may have.
const maxAddress = 2000

// resolved returns an address relative to that of a page as an absolute one; "" if it is invalid.
func resolved(address, from string) string {
	base, err := url.Parse(from)
	if err != nil {
		return ""
	}
	u, err := base.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	return u.String()
}

// A siteMap is a parsed sitemap: of pages, or of other sitemaps.
type siteMap struct {
	Pages []string `xml:"url>loc"`
	Maps  []string `xml:"sitemap>loc"`
}

// sitemap returns the pages that the website's sitemaps list, at most so many.
func (s *Service) sitemap(ctx context.Context, r *rules, start string, most int) []string {
	waiting := append(slices.Clone(r.maps), resolved("/sitemap.xml", start))
	var found []string
	for n := 0; n < len(waiting) && n < maxSitemaps && len(found) < most; n++ {
		address := r.sitemapAddress(waiting[n], start)
		if address == "" || slices.Contains(waiting[:n], waiting[n]) {
			continue
		}
		answer, err := s.Web.Do(ctx, s.small(address, maxSitemap))
		if err != nil || answer.Status != http.StatusOK || answer.Cut {
			continue
		}
		var m siteMap
		if err := xml.Unmarshal(answer.Body, &m); err != nil && !errors.Is(err, io.EOF) {
			continue
		}
		waiting = append(waiting, m.Maps...)
		for _, each := range m.Pages {
			if p := r.normal(each, start); p != "" && len(found) < most {
				found = append(found, p)
			}
		}
	}
	return found
}

// sitemapAddress returns the address of a sitemap of the website; "" for one of another host.
func (r *rules) sitemapAddress(address, start string) string {
	u, err := url.Parse(resolved(address, start))
	if err != nil || !strings.EqualFold(u.Host, r.host) {
		return ""
	}
	return u.String()
}
