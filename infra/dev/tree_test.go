package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTreeSeesChanges(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", "package main")
	write(".data/table.db", "rows")
	tests := []struct {
		name    string
		change  func()
		noticed bool
	}{
		{"nothing", func() {}, false},
		{"a file written", func() { write("main.go", "package main // more") }, true},
		{"a file written with as many bytes", func() {
			write("main.go", "package main // less")
			later := time.Now().Add(time.Second)
			if err := os.Chtimes(filepath.Join(root, "main.go"), later, later); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a file added", func() { write("shop/shop.go", "package shop") }, true},
		{"a file removed", func() { os.Remove(filepath.Join(root, "shop/shop.go")) }, true},
		{"a folder for what is built", func() { write(".cache/bin/frontdesk", "program") }, false},
		{"stored data", func() { write(".data/table.db", "more rows") }, false},
	}
	for _, test := range tests {
		before, err := readTree(root)
		if err != nil {
			t.Fatal(err)
		}
		test.change()
		after, err := readTree(root)
		if err != nil {
			t.Fatal(err)
		}
		if noticed := before != after; noticed != test.noticed {
			t.Errorf("%s: noticed is %v, want %v", test.name, noticed, test.noticed)
		}
	}
}
