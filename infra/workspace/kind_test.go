package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"frontdesk/shared/table"
)

// indexesOnly are the prefixes that no item has but in an index.
var indexesOnly = map[table.Prefix]bool{
	"contacts": true, "documents": true, "opt-outs": true, "conversations": true, "sent": true,
	"appointments": true, "changes": true, "expiring": true,
}

// TestKinds expects every prefix of partition keys that a package declares to be a kind, and no other.
func TestKinds(t *testing.T) {
	declared := map[table.Prefix]bool{}
	prefix := regexp.MustCompile(`table\.Prefix\s+= "([a-z-]+)"`)
	for _, top := range []string{"../../shared", "../../functions"} {
		err := filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Base(path) != "keys.go" {
				return err
			}
			text, err := os.ReadFile(path)
			for _, match := range prefix.FindAllSubmatch(text, -1) {
				declared[table.Prefix(match[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range declared {
		if _, ok := kinds[name]; ok == indexesOnly[name] {
			t.Errorf("%s has to be either among the kinds or in indexes only", name)
		}
	}
	for name := range kinds {
		if !declared[name] {
			t.Errorf("no package declares %s", name)
		}
	}
}
