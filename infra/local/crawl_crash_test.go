package local_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
)

// TestKilledCrawl kills the service with kill -9 in the middle of a crawl, twice. It goes on when the service
// runs again, and each page is learnt once.
func TestKilledCrawl(t *testing.T) {
	const pages = 20
	var served atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var item int
		w.Header().Set("Content-Type", "text/html")
		switch n, _ := fmt.Sscanf(r.URL.Path, "/item/%d", &item); {
		case n == 1:
			served.Add(1)
			time.Sleep(50 * time.Millisecond)
			fmt.Fprintf(w, "<title>Bicycle %d</title><p>The bicycle number %d costs %d euros.", item, item,
				100+item)
		case r.URL.Path == "/":
			fmt.Fprint(w, "<title>Bicycles</title><p>We sell bicycles.")
			for item := range pages - 1 {
				fmt.Fprintf(w, `<a href="/item/%d">%d</a> `, item+1, item+1)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()

	program, data := build(t), t.TempDir()
	c, kill := run(t, program, data)
	agent := "/agents/" + c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id") + "/"
	crawl := agent + "websites/" +
		c.Want(t, 201, "POST", agent+"websites/", map[string]any{"url": site.URL + "/"}).Number("id") + "/"
	for _, some := range []int64{3, 8} {
		waitUntil(t, func() bool { return served.Load() >= some })
		if status := c.Want(t, 200, "GET", crawl, nil).Text("status"); status != "crawling" {
			t.Fatalf("after %d pages the crawl is %s", served.Load(), status)
		}
		kill()
		c, kill = run(t, program, data)
	}
	waitUntil(t, func() bool {
		return c.Want(t, 200, "GET", crawl, nil).Text("status") == "done"
	})

	if list := c.Want(t, 200, "GET", agent+"knowledge/?page_size=100",
		nil); list.Number("count") != fmt.Sprint(pages) {
		t.Errorf("%s documents of %d pages: %v", list.Number("count"), pages, titles(list))
	}
	said := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "What does the bicycle number 17 cost?"})
	if !strings.Contains(said.Text("reply"), "117") {
		t.Errorf("the reply is %q", said.Text("reply"))
	}
}

// titles are the titles of a list's rows.
func titles(list apitest.Answer) []string {
	var all []string
	for _, row := range list.Results() {
		all = append(all, fmt.Sprint(row["title"]))
	}
	return all
}

// waitUntil waits for a condition, at most a minute.
func waitUntil(t *testing.T, met func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !met(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not happen")
		}
	}
}
