package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/api"
)

// TestDistIsFresh holds dist to the sources that it was made from.
func TestDistIsFresh(t *testing.T) {
	var files []string
	err := filepath.WalkDir("app", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(filepath.ToSlash(file), "app/")
		fmt.Fprintf(sum, "%s %d\n", name, len(content))
		sum.Write(content)
	}
	text, err := dist.ReadFile("dist/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Sources string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Sources != hex.EncodeToString(sum.Sum(nil)) {
		t.Error("dist was made from other sources: run `make console`")
	}
}

// TestVendored compares the vendored libraries with their checksums.
func TestVendored(t *testing.T) {
	text, err := os.ReadFile("app/vendor/checksums.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for line := range strings.Lines(string(text)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		content, err := os.ReadFile(filepath.Join("app/vendor", name))
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(content); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s is not what checksums.txt says", name)
		}
		listed++
	}
	if modules, _ := filepath.Glob("app/vendor/*.mjs"); listed != len(modules)+1 {
		t.Errorf("%d checksums for %d modules and the licence", listed, len(modules))
	}
}

// Budgets in bytes compressed by brotli: of the scripts that every page needs, of the style, and of a
// page's own script.
const (
	shellBudget = 35 << 10
	styleBudget = 10 << 10
	pageBudget  = 20 << 10
)

func TestBudgets(t *testing.T) {
	page, err := dist.ReadFile("dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	size := func(name string) int {
		t.Helper()
		encoded, err := dist.ReadFile("dist/" + name + ".br")
		if err != nil {
			t.Fatal(err)
		}
		return len(encoded)
	}
	imports := regexp.MustCompile(`(?:from|import)"\./([\w-]+\.js)"`)
	shell, waiting := map[string]bool{}, []string{}
	for _, m := range regexp.MustCompile(`"([\w-]+\.js)"`).FindAllSubmatch(page, -1) {
		waiting = append(waiting, string(m[1]))
	}
	total := 0
	for len(waiting) > 0 {
		name := waiting[0]
		waiting = waiting[1:]
		if shell[name] {
			continue
		}
		shell[name] = true
		total += size(name)
		script, err := dist.ReadFile("dist/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllSubmatch(script, -1) {
			waiting = append(waiting, string(m[1]))
		}
	}
	if total == 0 || total > shellBudget {
		t.Errorf("the shell's scripts take %d bytes, the budget is %d", total, shellBudget)
	}
	names, err := Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		switch {
		case filepath.Ext(name) == ".css" && size(name) > styleBudget:
			t.Errorf("%s takes %d bytes, the budget is %d", name, size(name), styleBudget)
		case filepath.Ext(name) == ".js" && !shell[name] && size(name) > pageBudget:
			t.Errorf("%s takes %d bytes, the budget is %d", name, size(name), pageBudget)
		}
	}
	t.Logf("the shell's scripts take %d bytes", total)
}

func TestServing(t *testing.T) {
	router := &api.Router{Log: slog.New(slog.DiscardHandler)}
	(&Service{}).Routes(router)
	get := func(path, accepts string) *httptest.ResponseRecorder {
		req := httptest.NewRequest("GET", path, nil)
		req.Header.Set("Accept-Encoding", accepts)
		w := httptest.NewRecorder()
		router.ServeHTTP(w, req)
		return w
	}
	page := get("/app/", "")
	policy := page.Header().Get("Content-Security-Policy")
	if page.Code != 200 || !strings.Contains(policy, "frame-ancestors 'none'") ||
		!strings.Contains(policy, "require-trusted-types-for 'script'") {
		t.Fatalf("the page: %d, %v", page.Code, page.Header())
	}
	preview := get("/app/preview.html", "")
	if preview.Code != 200 || strings.Contains(preview.Header().Get("Cache-Control"), "immutable") ||
		!strings.Contains(preview.Header().Get("Content-Security-Policy"), "frame-ancestors 'self'") {
		t.Errorf("the preview: %d, %v", preview.Code, preview.Header())
	}
	script := regexp.MustCompile(`style-\w+\.css`).FindString(page.Body.String())
	plain, packed := get("/app/"+script, "identity"), get("/app/"+script, "deflate, gzip;q=0.9")
	if plain.Code != 200 || !strings.Contains(plain.Header().Get("Cache-Control"), "immutable") ||
		plain.Header().Get("Content-Encoding") != "" {
		t.Errorf("the script: %d, %v", plain.Code, plain.Header())
	}
	reader, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(reader)
	if err != nil || packed.Header().Get("Content-Encoding") != "gzip" ||
		!bytes.Equal(unpacked, plain.Body.Bytes()) {
		t.Errorf("compressed it is another script: %v, %v", packed.Header(), err)
	}
	br := get("/app/"+script, "gzip, deflate, br, zstd").Header()
	if br.Get("Content-Encoding") != "br" || br.Get("ETag") == plain.Header().Get("ETag") {
		t.Errorf("by brotli: %v", br)
	}
	missing := []string{"index.html", "manifest.json", "nothing.js", "%2e%2e%2fconsole.go", script + ".br"}
	for _, name := range missing {
		if w := get("/app/"+name, ""); w.Code != 404 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}
