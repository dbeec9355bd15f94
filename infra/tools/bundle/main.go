// Command bundle makes one script of a folder's modules, for browsers, and compresses it.
//
//	bundle FOLDER/main.js OUT.js
//
// It writes OUT.js, OUT.js.gz, and OUT.js.sum: a hash of all the folder's files, by which a test sees that
// OUT.js is older than its sources.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bundle FOLDER/main.js OUT.js")
		os.Exit(2)
	}
	if err := bundle(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func bundle(entry, out string) error {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		Loader:            map[string]api.Loader{".css": api.LoaderText},
		Plugins:           []api.Plugin{minifiedStyles},
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s", api.FormatMessages(result.Errors, api.FormatMessagesOptions{})[0])
	}
	script := result.OutputFiles[0].Contents
	var compressed bytes.Buffer
	w, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(script); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	sum, err := hash(filepath.Dir(entry))
	if err != nil {
		return err
	}
	for suffix, content := range map[string][]byte{"": script, ".gz": compressed.Bytes(), ".sum": sum} {
		if err := os.WriteFile(out+suffix, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// minifiedStyles imports style sheets as minified text.
var minifiedStyles = api.Plugin{Name: "styles", Setup: func(build api.PluginBuild) {
	build.OnLoad(api.OnLoadOptions{Filter: `\.css$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := os.ReadFile(args.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		style := api.Transform(string(text), api.TransformOptions{
			Loader: api.LoaderCSS, MinifyWhitespace: true, MinifySyntax: true,
		})
		if len(style.Errors) > 0 {
			return api.OnLoadResult{Errors: style.Errors}, nil
		}
		small := string(style.Code)
		return api.OnLoadResult{Contents: &small, Loader: api.LoaderText}, nil
	})
}}

// hash returns the hash of the folder's files, in the order of their names. The test in functions/widget
// computes the same.
func hash(folder string) ([]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "%s %d\n%s", entry.Name(), len(text), text)
	}
	return fmt.Appendf(nil, "%x\n", h.Sum(nil)), nil
}
