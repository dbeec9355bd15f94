package local

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

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
	if err := os.WriteFile(filepath.Join(dir, "table.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := secretsKey(dir); err != nil || text != later {
		t.Errorf("beside a store: another key, %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "table.db")); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v", files, err)
	}
}

// TestSecretsKeyIsGone opens stores whose key is broken or missing. It is said at once, nothing is made in
// its place, and the store opens again when the key is back.
func TestSecretsKeyIsGone(t *testing.T) {
	dir := t.TempDir()
	store, err := OpenStore(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	file := filepath.Join(dir, "secrets.key")
	key, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"empty": "", "short": string(key[:20]),
		"other": "no key at all\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenStore(dir, time.Now); err == nil ||
			!strings.Contains(err.Error(), file+" holds no key") {
			t.Errorf("%s: %v", name, err)
		} else if text != "" && strings.Contains(err.Error(), strings.TrimSpace(text)) {
			t.Errorf("%s: the error shows the file: %v", name, err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStore(dir, time.Now); err == nil || !strings.Contains(err.Error(), file+" is missing") {
		t.Errorf("missing: %v", err)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a new key was made: %v", err)
	}
	if err := os.WriteFile(file, key, 0o600); err != nil {
		t.Fatal(err)
	}
	if store, err = OpenStore(dir, time.Now); err != nil {
		t.Fatal(err)
	}
	store.Close()
}

// TestFilesArePrivate looks at what a running service keeps in its folder, new and after others were let in.
func TestFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	for _, when := range []string{"new", "opened again"} {
		service, err := Start(t.Context(),
			Config{Template: "../../template.yaml", DataDir: dir, Now: time.Now,
				Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		check(t, when, dir)
		service.Close()
		check(t, when+", and closed", dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if err := os.Chmod(filepath.Join(dir, entry.Name()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// check wants every file of a folder to be its owner's alone.
func check(t *testing.T, when, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 4 {
		t.Fatalf("%s: %d files, %v", when, len(entries), err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %s has mode %v, %v", when, entry.Name(), info.Mode(), err)
		}
	}
}
