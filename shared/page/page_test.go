package page

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"frontdesk/shared/egress"
)

// serve starts a server, and returns its address and a client that may call it.
func serve(t *testing.T, h http.HandlerFunc) (string, *egress.Client) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL, egress.New(egress.Config{AllowHosts: "127.0.0.1"})
}

func TestFetch(t *testing.T) {
	luna, err := os.ReadFile(filepath.Join("testdata", "luna.html"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "luna.txt"))
	if err != nil {
		t.Fatal(err)
	}
	address, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/luna" {
			http.Redirect(w, r, "/luna", http.StatusMovedPermanently)
			return
		}
		if r.UserAgent() != UserAgent || r.Header.Get("Accept-Encoding") != "gzip" {
			t.Errorf("asked by %q, accepting %q", r.UserAgent(), r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write(luna)
		z.Close()
	})
	got, err := Fetch(t.Context(), client, address+"/old")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Page{Title: "Café Luna – Bern", Text: strings.TrimSuffix(string(want), "\n")},
		got); diff != "" {
		t.Error(diff)
	}
}

func TestFetchErrors(t *testing.T) {
	address, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/inside":
			http.Redirect(w, r, "https://10.0.0.1/", http.StatusFound)
		case "/moved-nowhere":
			w.WriteHeader(http.StatusFound)
		case "/missing":
			http.NotFound(w, r)
		case "/broken":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/nothing":
			w.WriteHeader(http.StatusNoContent)
		case "/endless":
			w.Header().Set("Content-Type", "text/html")
			for {
				if _, err := io.WriteString(w, "<p>and on and on"); err != nil {
					return
				}
			}
		}
	})
	for target, want := range map[string]string{
		address + "/missing":       "The page answered 404.",
		address + "/broken":        "The page answered 503.",
		address + "/moved-nowhere": "The page answered 302.",
		address +
			"/nothing": "The page holds no text. A page that is drawn by scripts alone cannot be read.",
		address + "/endless":  "The page is larger than 2 MiB.",
		address + "/loop":     "The address redirects too many times.",
		address + "/inside":   "The address points to a private network.",
		"https://127.0.0.2/":  "The address points to a private network.",
		"http://example.com/": "The address, or one it redirects to, does not use https.",
		"example.com":         "The address is not a valid web address.",
	} {
		p, err := Fetch(t.Context(), client, target)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", target, err, want)
		}
		if p != (Page{}) {
			t.Errorf("%s: %v beside an error", target, p)
		}
	}
}

func TestRead(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00"
	for _, test := range []struct {
		contentType, body string
		want              Page
		err               error
	}{
		{"text/html", "<title>T</title><p>x", Page{"T", "x"}, nil},
		{"TEXT/HTML;charset=UTF-8", "<p>x", Page{"", "x"}, nil},
		{"text/html; charset", "<p>x", Page{"", "x"}, nil},
		{"text/html;;", "<p>x", Page{"", "x"}, nil},
		{"application/xhtml+xml",
			`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><title>T</title><body><p>x<br/>y</p></body></html>`,
			Page{"T", "x\ny"}, nil},
		{"", "<!doctype html><p>x", Page{"", "x"}, nil},
		{"", "just text", Page{"", "just text"}, nil},
		{"text/plain", "\n\n  <p> is a tag \r\nof HTML.\rx\u200b\n\n",
			Page{"", "  <p> is a tag\nof HTML.\nx"}, nil},
		{"text/markdown", "intro\n# Luna  bar \n\n## Hours\n- Mon\n# Other",
			Page{"Luna bar", "intro\n# Luna  bar\n\n## Hours\n- Mon\n# Other"}, nil},
		{"text/html", "", Page{}, NoText},
		{"text/html", "<div id=root></div><script>start()</script>", Page{}, NoText},
		{"text/html", "<p>– • –</p>", Page{}, NoText},
		{"text/plain", " \n ", Page{}, NoText},
		{"application/pdf", "%PDF-1.7", Page{}, isPDF},
		{"text/html", "%PDF-1.7", Page{}, isPDF},
		{"", "%PDF-1.7", Page{}, isPDF},
		{"text/html", png, Page{}, isBinary},
		{"text/plain", "a\x00b\x01", Page{}, isBinary},
		{"application/json", "{}", Page{},
			Error(`The address holds "application/json", which is neither HTML nor plain text.`)},
		{"image/png", png, Page{},
			Error(`The address holds "image/png", which is neither HTML nor plain text.`)},
		{"", png, Page{}, Error(`The address holds "image/png", which is neither HTML nor plain text.`)},
	} {
		got, err := read([]byte(test.body), test.contentType, false, new(Links))
		if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, test.err) {
			t.Errorf("%q, %q: %v, want %v %s", test.contentType, test.body, err, test.err, diff)
		}
	}
}

func TestEncodings(t *testing.T) {
	encode := func(e encoding.Encoding, s string) string {
		t.Helper()
		b, err := e.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	long := strings.Repeat("<!-- -->", 500) // what is told of an encoding by its look lies behind
	for _, test := range []struct{ name, contentType, body, want string }{
		{"none named, UTF-8", "text/html", "<p>Café", "Café"},
		{"none named, UTF-8 late", "text/html", long + "<p>Café", "Café"},
		{"none named, windows-1252", "text/html", "<p>Caf\xe9 \x80 10", "Café € 10"},
		{"header", "text/html; charset=iso-8859-2", "<p>" + encode(charmap.ISO8859_2, "Łódź"), "Łódź"},
		{"header, quoted", `text/html; charset="Shift_JIS"`, "<p>" + encode(japanese.ShiftJIS, "営業時間"),
			"営業時間"},
		{"header, unknown", "text/html; charset=none", "<p>Café", "Café"},
		{"header before meta", "text/html; charset=utf-8", "<meta charset=iso-8859-1><p>Café", "Café"},
		{"meta", "text/html", "<meta charset=windows-1251><p>" + encode(charmap.Windows1251, "Привет"),
			"Привет"},
		{"meta, old form", "text/html",
			`<meta http-equiv=Content-Type content="text/html; charset=koi8-r"><p>` +
				encode(charmap.KOI8R, "Привет"), "Привет"},
		{"meta that is wrong", "text/html", "<meta charset=iso-8859-1><p>Café", "Café"},
		{"seven bits", "text/html", "<meta charset=iso-2022-jp><p>" + encode(japanese.ISO2022JP, "営業時間"),
			"営業時間"},
		{"mark of UTF-16", "text/html", encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
			"<p>Café"), "Café"},
		{"mark of UTF-8", "text/plain; charset=iso-8859-1", "\xef\xbb\xbfCafé", "Café"},
		{"broken UTF-8", "text/plain; charset=utf-8", "Caf\xe9 Luna", "Caf\ufffd Luna"},
		{"plain text", "text/plain", "Caf\xe9", "Café"},
	} {
		p, err := read([]byte(test.body), test.contentType, false, new(Links))
		if err != nil || p.Text != test.want {
			t.Errorf("%s: %q, %v; want %q", test.name, p.Text, err, test.want)
		}
	}
	if !bytes.Contains([]byte(encode(japanese.ISO2022JP, "営業")), []byte{0x1b}) {
		t.Error("the test of seven bits has none")
	}
}
