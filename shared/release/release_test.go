package release

import (
	"os"
	"regexp"
	"testing"
)

// TestChangelog expects the newest release of CHANGELOG.md to be this one.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) `).FindSubmatch(text)
	if newest == nil || string(newest[1]) != Version {
		t.Errorf("the newest release of CHANGELOG.md is %q, want %q", newest, Version)
	}
}
