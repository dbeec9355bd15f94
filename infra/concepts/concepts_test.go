package main

import (
	"os"
	"path/filepath"
	"testing"

	"frontdesk/shared/language"
)

// TestTablesAreCurrent notices concepts, or ways of stemming, that changed after the tables were written.
func TestTablesAreCurrent(t *testing.T) {
	for _, tag := range language.Tags() {
		got, err := os.ReadFile(filepath.Join("../..", folder, tag+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != table(tag) {
			t.Errorf("%s/%s.txt is not what concepts.txt says: run make concepts", folder, tag)
		}
	}
}
