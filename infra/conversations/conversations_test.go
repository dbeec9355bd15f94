// Package conversations has people talk with the agents of four businesses, and keeps what was said. A folder
// of testdata is a business: agent.json is what its owner sends to make the agent, playbook.json what they
// add to it, knowledge its documents, and conversations what people write with what they are answered. The
// files are for reading: what stands there is what a patient employee would have said, or else something is
// to be done.
package conversations

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is said now into the conversations")

func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*/conversations/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Errorf("%d conversations, want 20 at least", len(files))
	}
	for _, file := range files {
		business := filepath.Dir(filepath.Dir(file))
		name := filepath.Base(business) + "/" + strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			after := newDesk(t, business).play(t, string(before))
			if diff := cmp.Diff(strings.Split(string(before), "\n"),
				strings.Split(after, "\n")); diff != "" && !*update {
				t.Errorf("said differently (-before +after):\n%s", diff)
			}
			if *update {
				if err := os.WriteFile(file, []byte(after), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// readJSON reads a file of a business.
func readJSON[T any](t *testing.T, file string) (v T) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}
