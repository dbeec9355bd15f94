package local

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"frontdesk/shared/secret"
)

// TestSecretsKey starts several processes' worth of first starts at once: all have the one key that stays.
func TestSecretsKey(t *testing.T) {
	dir := t.TempDir()
	texts := make([]string, 8)
	var wg sync.WaitGroup
	for i := range texts {
		wg.Go(func() {
			var err error
			if texts[i], err = secretsKey(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	later, err := secretsKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if text != later {
			t.Errorf("start %d had another key than later ones", i)
		}
	}
	sealed, err := (&secret.Keys{Read: secret.Static(later)}).Seal(t.Context(), "place", "text")
	if err != nil || sealed == "" {
		t.Errorf("the key cannot be used: %v", err)
	}
	info, err := os.Stat(filepath.Join(dir, "secrets.key"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file has mode %v", info.Mode())
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v", files, err)
	}
}
