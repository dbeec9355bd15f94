package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"frontdesk/infra/workspace"
	"frontdesk/shared/auth"
	"frontdesk/shared/table"
)

// whole returns the store as a workspace.Store. It fails for the stack sam-local, which has no scan.
func (s *store) whole() (workspace.Store, error) {
	if s.scan == nil {
		return workspace.Store{}, errors.New(
			"the stack on this machine is gone with its process, and so is " +
				"what it stores")
	}
	return workspace.Store{Table: s.table, Scan: s.scan, Keys: s.keys}, nil
}

// keyFile returns the path of an export's key. It is a separate file, so that the export alone reveals no
// secret.
func keyFile(file string) string { return file + ".key" }

// exportWorkspace writes a workspace to a file, and the key of its secrets to another. Neither may exist.
func exportWorkspace(ctx context.Context, s *store, o options, out *json.Encoder) (err error) {
	all, err := s.whole()
	if err != nil {
		return err
	}
	// Write under another name until the file is complete, so that nobody mistakes a part for the export.
	if _, err := os.Stat(o.file); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s is there already", o.file))
	}
	to, err := os.CreateTemp(filepath.Dir(o.file), filepath.Base(o.file)+".*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(to.Name())
	sum, key, err := all.Export(ctx, o.account, s.now(), to)
	if err := errors.Join(err, to.Sync(), to.Close()); err != nil {
		return err
	}
	if err := os.WriteFile(keyFile(o.file), []byte(key+"\n"), 0o600); err != nil {
		return err
	}
	if err := os.Rename(to.Name(), o.file); err != nil {
		return err
	}
	return out.Encode(struct {
		File    string `json:"file"`
		KeyFile string `json:"key_file"`
		workspace.Summary
	}{o.file, keyFile(o.file), sum})
}

// importWorkspace stores a workspace from a file. Interrupted, it may be begun again.
func importWorkspace(ctx context.Context, s *store, o options, out *json.Encoder) error {
	from, err := os.Open(o.file)
	if err != nil {
		return err
	}
	defer from.Close()
	key, err := os.ReadFile(keyFile(o.file))
	if err != nil {
		return fmt.Errorf("the key that opens the secrets of the export: %w", err)
	}
	// An import needs no scan, so it works with the stack sam-local too.
	to := workspace.Store{Table: s.table, Keys: s.keys}
	sum, err := to.Import(ctx, from, strings.TrimSpace(string(key)), s.now())
	if err != nil {
		return err
	}
	return out.Encode(sum)
}

// deleteWorkspace deletes all data of a workspace. It requires the name too, so that a mistyped id deletes
// nothing. It may be repeated, also after the workspace itself is gone.
func deleteWorkspace(ctx context.Context, s *store, o options, out *json.Encoder) error {
	all, err := s.whole()
	if err != nil {
		return err
	}
	account, err := (&auth.Workspaces{Table: s.table, Now: s.now}).Account(ctx, o.account)
	if err != nil && !errors.Is(err, table.ErrNotFound) {
		return err
	}
	if err == nil && account.Name != o.name {
		return fmt.Errorf("workspace %d is called %q and not %q", o.account, account.Name, o.name)
	}
	deleted, err := all.Delete(ctx, o.account)
	if err != nil {
		return err
	}
	return out.Encode(struct {
		Account int64 `json:"account_id"`
		Deleted int   `json:"deleted_items"`
	}{o.account, deleted})
}
