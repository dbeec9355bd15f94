package crawl

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestRobots reads files as RFC 9309 explains them, with its own examples.
func TestRobots(t *testing.T) {
	for _, test := range []struct {
		name, text      string
		allowed, denied []string
	}{
		{"nothing", "", []string{"/", "/a"}, nil},
		{"all", "User-agent: *\nDisallow: /\n", nil, []string{"/", "/a?b"}},
		{"an empty rule", "User-agent: *\nDisallow:\n", []string{"/a"}, nil},
		{"by name", "User-Agent: *\nDisallow: /\n\nUSER-AGENT: frontdesk/1.0\n" +
			"DISALLOW: /private # ours\n", []string{"/"}, []string{"/private", "/private/a"}},
		{"of another name", "User-agent: Frontdesks\nDisallow: /\n", []string{"/"}, nil},
		{"one group for two", "User-agent: other\nUser-agent: Frontdesk\nDisallow: /a\n", []string{"/b"},
			[]string{"/a"}},
		{"two groups of one name", "User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /x\n" +
			"User-agent: *\nDisallow: /b\n", []string{"/x"}, []string{"/a", "/b"}},
		{"the longest counts", "User-agent: *\nAllow: /ex/page/\nDisallow: /ex/page/no.gif\n" +
			"Disallow: /ex/\n", []string{"/ex/page/a"}, []string{"/ex/a", "/ex/page/no.gif"}},
		{"of two as long", "User-agent: *\nDisallow: /a\nAllow: /a\n", []string{"/a"}, nil},
		{"patterns", "User-agent: *\nDisallow: *.gif$\nDisallow: /a*b*/c\nDisallow: /end$\n" +
			"Disallow: /q?*id=\n",
			[]string{"/x.gif?y", "/a/c", "/ending", "/q?x=1"},
			[]string{"/x.gif", "/y/x.gif.gif", "/axbx/c/d", "/end", "/q?x=1&id=2"}},
		{"lines of other systems", "\ufeffUser-agent: *\r\nDisallow: /a\r\n<html>\r\nnonsense\r\n",
			[]string{"/b"}, []string{"/a"}},
	} {
		r := readRobots(200, []byte(test.text))
		for _, path := range test.allowed {
			if !r.allows(path) {
				t.Errorf("%s: %s is denied", test.name, path)
			}
		}
		for _, path := range test.denied {
			if r.allows(path) {
				t.Errorf("%s: %s is allowed", test.name, path)
			}
		}
	}
	for status, allowed := range map[int]bool{200: false, 301: true, 404: true, 500: false, 503: false} {
		r := readRobots(status, []byte("User-agent: *\nDisallow: /"))
		if r.allows("/a") != allowed {
			t.Errorf("status %d: allowed is not %v", status, allowed)
		}
	}
	r := readRobots(200, []byte("Sitemap: https://a.example/1.xml\nUser-agent: *\nCrawl-delay: 1.5\n"+
		"sitemap: https://a.example/2.xml\nUser-agent: x\nCrawl-delay: 9\n"))
	want := []string{"https://a.example/1.xml", "https://a.example/2.xml"}
	if diff := cmp.Diff(want, r.maps); diff != "" || r.delay != 1500*time.Millisecond {
		t.Errorf("%v, %s", r.delay, diff)
	}
	for text, want := range map[string]time.Duration{"1e300": maxPause, "NaN": 0, "-1": 0, "soon": 0} {
		if r := readRobots(200, []byte("User-agent: *\nCrawl-delay: "+text)); r.delay != want {
			t.Errorf("Crawl-delay: %s is %v", text, r.delay)
		}
	}
}

// TestRobotsBombs compares addresses with files that were made to take long.
func TestRobotsBombs(t *testing.T) {
	path := "/" + strings.Repeat("a", maxAddress-1)
	for name, line := range map[string]string{
		"one long pattern":  "Disallow: /" + strings.Repeat("*a", maxRobots/2),
		"patterns of 500":   "Disallow: /" + strings.Repeat("*a", 500) + "b\n",
		"many patterns":     "Disallow: /*a*a*a*a*a*a*a*a*b\n",
		"many long matches": "Allow: /" + strings.Repeat("a", 200) + "*b$\n",
		"many agents":       "User-agent: *\n",
		"many sitemaps":     "Sitemap: https://a.example/\n",
	} {
		text := "User-agent: *\n" + strings.Repeat(line, maxRobots/len(line)+1)
		begin := time.Now()
		r := readRobots(200, []byte(text))
		for range 10 {
			r.allows(path)
		}
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

// FuzzRobots expects no file to be too odd.
func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nCrawl-delay: 1", "/ab")
	f.Fuzz(func(t *testing.T, text, path string) {
		r := readRobots(200, []byte(text))
		r.allows(path)
	})
}
