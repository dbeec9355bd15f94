// Command console bundles the dashboard from functions/console/app into functions/console/dist, with
// esbuild's Go API, so that Go is the only tool it takes. Run it by `make console`, in the folder
// infra/tools.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
)

const (
	app  = "../../functions/console/app"
	dist = "../../functions/console/dist"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "console:", err)
		os.Exit(1)
	}
}

func run() error {
	result, err := bundle()
	if err != nil {
		return err
	}
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors", len(result.Errors))
	}
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	names := map[string]string{}
	for _, file := range result.OutputFiles {
		name := filepath.Base(file.Path)
		if err := write(name, file.Contents); err != nil {
			return err
		}
		for _, entry := range []string{"main", "style", "preview"} {
			if strings.HasPrefix(name, entry+"-") {
				names[entry+filepath.Ext(name)] = name
			}
		}
	}
	names["preload"] = preloads(result.OutputFiles, names["main.js"])
	for _, name := range []string{"index.html", "preview.html"} {
		if err := writePage(name, names); err != nil {
			return err
		}
	}
	sources, err := hash()
	if err != nil {
		return err
	}
	manifest, err := json.MarshalIndent(map[string]string{"sources": sources}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "manifest.json"), append(manifest, '\n'), 0o644)
}

var (
	imported = regexp.MustCompile(`(?:from|import)"\./([\w-]+\.js)"`)
	deferred = regexp.MustCompile(`import\("\./([\w-]+\.js)"\)`)
)

// preloads are the elements that have a browser fetch at once, rather than one after the other, what a script
// imports and what that imports in turn. What the pages share that it loads later comes behind.
func preloads(files []api.OutputFile, script string) string {
	contents := map[string][]byte{}
	for _, file := range files {
		contents[filepath.Base(file.Path)] = file.Contents
	}
	known := map[string]bool{script: true}
	links := follow(contents, known, "", script)
	for _, page := range deferred.FindAllSubmatch(contents[script], -1) {
		links += follow(contents, known, " fetchpriority=\"low\"", string(page[1]))
	}
	return strings.TrimSuffix(links, "\n")
}

// follow are the elements for what a script imports, directly or not, and is not known yet.
func follow(contents map[string][]byte, known map[string]bool, attribute, script string) string {
	var links strings.Builder
	for waiting := []string{script}; len(waiting) > 0; waiting = waiting[1:] {
		for _, m := range imported.FindAllSubmatch(contents[waiting[0]], -1) {
			if name := string(m[1]); !known[name] {
				known[name] = true
				waiting = append(waiting, name)
				fmt.Fprintf(&links, "<link rel=\"modulepreload\" href=%q%s>\n", name, attribute)
			}
		}
	}
	return links.String()
}

// writePage writes a page of app with the names of the files that were built in it.
func writePage(name string, built map[string]string) error {
	page, err := os.ReadFile(filepath.Join(app, name))
	if err != nil {
		return err
	}
	for entry, file := range built {
		page = bytes.ReplaceAll(page, []byte("{{"+entry+"}}"), []byte(file))
	}
	if bytes.Contains(page, []byte("{{")) {
		return fmt.Errorf("%s names a file that was not built", name)
	}
	return write(name, page)
}

// bundle builds the scripts and the style, in memory.
func bundle() (api.BuildResult, error) {
	vendor, err := filepath.Abs(filepath.Join(app, "vendor"))
	if err != nil {
		return api.BuildResult{}, err
	}
	return api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(app, "main.tsx"), filepath.Join(app, "preview.ts"),
			filepath.Join(app, "style.css")},
		Outdir: dist, Bundle: true, Splitting: true, Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		EntryNames: "[name]-[hash]", ChunkNames: "[name]-[hash]", AssetNames: "[name]-[hash]",
		JSX: api.JSXAutomatic, JSXImportSource: "preact",
		Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		Alias: map[string]string{
			"preact":               filepath.Join(vendor, "preact.mjs"),
			"preact/hooks":         filepath.Join(vendor, "hooks.mjs"),
			"preact/jsx-runtime":   filepath.Join(vendor, "jsx-runtime.mjs"),
			"@preact/signals":      filepath.Join(vendor, "signals.mjs"),
			"@preact/signals-core": filepath.Join(vendor, "signals-core.mjs"),
		},
		Metafile: true, Write: false, LogLevel: api.LogLevelWarning,
	}), nil
}

// write writes a file of dist, and beside it the same compressed by brotli and by gzip.
func write(name string, content []byte) error {
	var br, gz bytes.Buffer
	b := brotli.NewWriterLevel(&br, brotli.BestCompression)
	b.Write(content) // a Buffer takes everything
	b.Close()
	g, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		return err
	}
	g.Write(content)
	g.Close()
	fmt.Printf("%-28s %7d B, %6d B by brotli\n", name, len(content), br.Len())
	forms := map[string][]byte{name: content, name + ".br": br.Bytes(), name + ".gz": gz.Bytes()}
	for file, text := range forms {
		if err := os.WriteFile(filepath.Join(dist, file), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// hash is one hash over the names and contents of all sources, as the test of package console computes it.
func hash() (string, error) {
	var files []string
	err := filepath.WalkDir(app, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		name, err := filepath.Rel(app, file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(content))
		sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
