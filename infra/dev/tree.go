package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// A tree stands for the state of a folder's files: it differs when one was added, removed or written.
type tree struct {
	files  int
	bytes  int64
	latest time.Time
}

// readTree reads the state of the files below a folder, hidden ones left out: those that are built and stored
// are there.
func readTree(root string) (tree, error) {
	var t tree
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed since its folder was read
		}
		if err != nil {
			return err
		}
		hidden := path != root && strings.HasPrefix(entry.Name(), ".")
		if hidden && entry.IsDir() {
			return filepath.SkipDir
		}
		if hidden || entry.IsDir() {
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		t.files++
		t.bytes += info.Size()
		if info.ModTime().After(t.latest) {
			t.latest = info.ModTime()
		}
		return nil
	})
	return t, err
}
