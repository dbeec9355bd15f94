package console

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readSources reads the scripts of the dashboard, by name, without the vendored libraries.
func readSources(t *testing.T) map[string]string {
	t.Helper()
	sources := map[string]string{}
	err := filepath.WalkDir("app", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "vendor" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".ts") {
			return err
		}
		content, err := os.ReadFile(path)
		sources[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

const literal = `"(?:[^"\\]|\\.)*"`

var (
	said    = regexp.MustCompile(`\b(?:say|mix)\(\s*(` + literal + `)?`)
	plurals = regexp.MustCompile(`\bplural\([^"\n]*(` + literal + `), (` + literal + `)`)
	counted = regexp.MustCompile(`\bplural\(`)
)

// sentences lists the keys that the sources use, and fails where one is no literal.
func sentences(t *testing.T) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	add := func(source, text string) {
		var key string
		if err := json.Unmarshal([]byte(text), &key); err != nil {
			t.Errorf("%s: the key %s is no literal that JSON has too", source, text)
		}
		keys[key] = true
	}
	for name, content := range readSources(t) {
		if name == filepath.Join("app", "say.ts") { // which defines the functions
			continue
		}
		for _, m := range said.FindAllStringSubmatch(content, -1) {
			add(name, m[1])
		}
		found := plurals.FindAllStringSubmatch(content, -1)
		for _, m := range found {
			add(name, m[1])
			add(name, m[2])
		}
		if n := len(counted.FindAllString(content, -1)); n != len(found) {
			t.Errorf("%s: %d of %d calls of plural have two literals", name, len(found), n)
		}
	}
	return keys
}

var place = regexp.MustCompile(`\{\w+\}`)

// TestTranslations holds the translations to the sentences of the sources.
func TestTranslations(t *testing.T) {
	keys := sentences(t)
	if len(keys) < 500 {
		t.Fatalf("only %d sentences were found", len(keys))
	}
	files, err := filepath.Glob("app/strings/*.json")
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	places := func(text string) []string {
		found := place.FindAllString(text, -1)
		slices.Sort(found)
		return found
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var translations map[string]string
		if err := json.Unmarshal(content, &translations); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if strings.TrimSpace(translations[key]) == "" {
				t.Errorf("%s lacks %q", file, key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(translations)) {
			if !keys[key] {
				t.Errorf("%s has %q, which the sources no longer say", file, key)
			} else if !slices.Equal(places(key), places(translations[key])) {
				t.Errorf("%s: %q has other places than %q", file, translations[key], key)
			}
		}
	}
}

var (
	elementText = regexp.MustCompile(`[^=]>\s*([A-Za-z][^<>{}=;()&?|]*)<(?:/|[a-z])`)
	attribute   = regexp.MustCompile(`\b(?:label|hint|placeholder|title|alt)="([^"]*[A-Za-z]{2}[^"]*)"`)
	spoken      = regexp.MustCompile(`\b(?:toast|confirm|setError|Error)\(["` + "`" + `]([^"` + "`" + `]+)`)
)

// untranslated are names, keys and commands, which are the same in every language.
var untranslated = []string{"Frontdesk", "make account LOGIN=local", "Aa", "sku", "https://", "j", "k"}

// TestVisibleTextIsTranslated finds texts in elements and attributes that do not go through say.
func TestVisibleTextIsTranslated(t *testing.T) {
	for name, content := range readSources(t) {
		for _, pattern := range []*regexp.Regexp{elementText, attribute, spoken} {
			for _, m := range pattern.FindAllStringSubmatch(content, -1) {
				if text := strings.TrimSpace(m[1]); !slices.Contains(untranslated, text) {
					t.Errorf("%s: %q does not go through say", name, text)
				}
			}
		}
	}
}
