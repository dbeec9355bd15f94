package contract

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
)

// A site is a website of 30 pages and what crawlers meet beside them. Its pages may be taken away.
type site struct {
	mu     sync.Mutex
	gone   bool
	asked  map[string]int
	opened chan struct{} // closed to let the pages after the tenth be read
}

func (s *site) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	s.asked[req.URL.Path]++
	gone := s.gone
	s.mu.Unlock()
	html := func(text string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, text)
	}
	var n int
	switch path := req.URL.Path; {
	case path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /private/\nSitemap: /map.xml\n")
	case path == "/map.xml":
		fmt.Fprintf(w, `<urlset><url><loc>http://%s/item/29</loc></url></urlset>`, req.Host)
	case path == "/":
		var links strings.Builder
		for n := range 28 {
			fmt.Fprintf(&links, `<a href="/item/%d?utm_source=home#top">%d</a> `, n+1, n+1)
		}
		html(`<title>Bicycles</title><nav>` + links.String() + `</nav><p>We sell bicycles.
			<a href="/private/x">Private</a> <a href="https://other.example/">Elsewhere</a> <a href="/photo.jpg">Photo</a>
			<a href="/copy">Copy</a> <a href="/canonical">Canonical</a> <a href="/hidden">Hidden</a> <a href="/lost">Lost</a>`)
	case path == "/copy":
		html(`<title>Bicycle 1</title><p>The bicycle number 1 costs 101 euros.`)
	case path == "/canonical":
		html(`<link rel="canonical" href="/item/2"><p>The bicycle number 2 costs 102 euros.`)
	case path == "/hidden":
		html(`<meta name="robots" content="noindex"><p>Nobody is to find this.`)
	case scan(path, &n) && n <= 29 && !(gone && n == 7):
		if n > 10 && n < 29 {
			<-s.opened
		}
		html(fmt.Sprintf(`<title>Bicycle %d</title><p>The bicycle number %d costs %d euros.`, n, n, 100+n))
	default:
		http.NotFound(w, req)
	}
}

func scan(path string, n *int) bool {
	_, err := fmt.Sscanf(path, "/item/%d", n)
	return err == nil
}

// progress are the counts of a website's pages.
func progress(a apitest.Answer) map[string]any {
	pages, _ := a.Fields["pages"].(map[string]any)
	return pages
}

// TestWebsite crawls a website of 30 pages, asks, crawls it again, and deletes it.
func TestWebsite(t *testing.T) {
	t.Parallel()
	s := Open(t)
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	pages := &site{asked: map[string]int{}, opened: make(chan struct{})}
	server := httptest.NewServer(pages) // the crawler runs on this machine, outside containers
	defer server.Close()

	made := c.Want(t, 201, "POST", agent+"websites/",
		map[string]any{"url": server.URL})
	if made.Text("status") != "queued" {
		t.Errorf("%s", made.Body)
	}
	path := agent + "websites/" + made.Number("id") + "/"
	read := func() apitest.Answer { return c.Want(t, 200, "GET", path, nil) }
	await := func(what string, holds func(apitest.Answer) bool) apitest.Answer {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			if a := read(); holds(a) {
				return a
			} else if time.Now().After(end) {
				t.Fatalf("%s: %s", what, a.Body)
			}
		}
	}
	await("progress while it is crawled", func(a apitest.Answer) bool {
		n := fmt.Sprint(progress(a)["read"])
		return a.Text("status") == "crawling" && len(n) == 2 && n != "30"
	})
	close(pages.opened)
	status := func(want string) func(apitest.Answer) bool {
		return func(a apitest.Answer) bool { return a.Text("status") == want }
	}
	done := await("the end", status("done"))
	if p := progress(done); fmt.Sprintf("%v %v %v %v", p["read"], p["skipped"], p["failed"],
		p["found"]) != "30 3 1 34" ||
		!strings.Contains(done.Body, `/lost","detail":"The page answered 404."`) {
		t.Errorf("%s", done.Body)
	}
	if pages.asked["/private/x"] > 0 || pages.asked["/photo.jpg"] > 0 {
		t.Errorf("it asked for %v", pages.asked)
	}
	count := func() string { return c.Want(t, 200, "GET", agent+"knowledge/", nil).Number("count") }
	ask := func(want string) {
		t.Helper()
		a := c.Want(t, 200, "POST", agent+"chat/",
			map[string]any{"message": "What does the bicycle number 7 cost?"})
		if strings.Contains(a.Text("reply"), "107 euros") != (want == "107 euros") {
			t.Errorf("%s, want %s", a.Body, want)
		}
	}
	if count() != "30" {
		t.Errorf("%s documents", count())
	}
	ask("107 euros")

	pages.mu.Lock()
	pages.gone = true
	pages.mu.Unlock()
	c.Want(t, 200, "POST", path+"crawl/", nil)
	await("the second end", status("done"))
	if count() != "29" {
		t.Errorf("%s documents after a page was gone", count())
	}
	ask("something else")

	c.Want(t, 204, "DELETE", path, nil)
	for end := time.Now().Add(time.Minute); count() != "0"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s documents are left", count())
		}
	}
}

func TestWebsiteRules(t *testing.T) {
	t.Parallel()
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	for _, address := range []string{"", "ftp://example.com/", "http://example.com/", "nonsense"} {
		c.WantError(t, 400, "validation_error", "url", "POST", agent+"websites/",
			map[string]any{"url": address})
	}
	c.WantError(t, 400, "validation_error", "max_pages", "POST", agent+"websites/",
		map[string]any{"url": "https://example.com/", "max_pages": 501})
	private := c.Want(t, 201, "POST", agent+"websites/", map[string]any{"url": "https://10.0.0.1/"})
	path := agent + "websites/" + private.Number("id") + "/"
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		a := c.Want(t, 200, "GET", path, nil)
		if a.Text("status") == "failed" && strings.Contains(a.Text("detail"), "private network") {
			break
		}
		if time.Now().After(end) {
			t.Fatal(a.Body)
		}
	}
	c.WantError(t, 404, "not_found", "", "GET", agent+"websites/5/", nil)
	c.WantError(t, 404, "not_found", "", "POST", "/agents/5/websites/",
		map[string]any{"url": "https://example.com/"})
}
