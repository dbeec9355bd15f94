package local

import (
	"errors"
	"io/fs"
	"os"
)

// private makes an empty file that only its owner may use, for SQLite to open: it would make one that others
// may read. Where the file exists it takes others' rights from it and from the files that SQLite keeps beside
// it, which get the rights of the file itself when they are made.
func private(file string) error {
	made, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return made.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file that exists is not opened: closing it would give up the locks that this process holds on it.
	if err := os.Chmod(file, 0o600); err != nil {
		return err
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Chmod(file+suffix, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
