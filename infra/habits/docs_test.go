package habits

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxParagraph bounds the characters of a paragraph of the documents.
const maxParagraph = 800

// listItem matches the start of a list item, which counts as a paragraph.
var listItem = regexp.MustCompile(`^ *(-|\d+\.) `)

// TestParagraphs holds the paragraphs of the documents to a length that is read at once. Tables and blocks of
// code are none.
func TestParagraphs(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d documents: %v", len(files), err)
	}
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code, first, characters := false, 0, 0
		for n, line := range strings.Split(string(text), "\n") {
			fence := strings.HasPrefix(line, "```")
			code = code != fence
			if code || fence || line == "" || strings.HasPrefix(line, "|") || listItem.MatchString(line) {
				first, characters = n+1, 0
			}
			if code || fence || strings.HasPrefix(line, "|") {
				continue
			}
			if characters += utf8.RuneCountInString(line); characters > maxParagraph {
				t.Errorf("%s:%d: a paragraph has more than %d characters", file, first, maxParagraph)
				characters = 0
			}
		}
	}
}
