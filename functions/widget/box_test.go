package widget

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// maxScript is how many bytes the chat box may take on its way to a visitor.
const maxScript = 12 << 10

// TestScriptIsNew holds that the script was made of the modules as they are. `make box` makes it.
func TestScriptIsNew(t *testing.T) {
	entries, err := os.ReadDir("box")
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join("box", entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %d\n%s", entry.Name(), len(text), text)
	}
	sum, err := os.ReadFile("dist/widget.js.sum")
	if err != nil || string(sum) != fmt.Sprintf("%x\n", h.Sum(nil)) {
		t.Errorf("dist/widget.js is older than its modules: run make box (%v)", err)
	}
}

func TestScriptIsSmall(t *testing.T) {
	if n := len(compressed); n > maxScript {
		t.Errorf("the compressed script has %d bytes, more than %d", n, maxScript)
	}
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || !bytes.Equal(text, script) {
		t.Errorf("the compressed script is another: %v", err)
	}
}
