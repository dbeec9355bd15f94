package eventsource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Checkpoint remembers how far a Stream has come.
type Checkpoint interface {
	// Load returns the position saved last; empty where none was.
	Load(ctx context.Context) (string, error)
	// Save puts a position in the place of the one before.
	Save(ctx context.Context, position string) error
}

// FileCheckpoint is a Checkpoint in the file of that path, whose folder must exist. It is whole after a crash at any
// moment.
type FileCheckpoint string

// Load implements [Checkpoint].
func (f FileCheckpoint) Load(context.Context) (string, error) {
	position, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("eventsource: checkpoint: %w", err)
	}
	return string(position), nil
}

// Save implements [Checkpoint].
func (f FileCheckpoint) Save(_ context.Context, position string) error {
	if err := f.replace(position); err != nil {
		return fmt.Errorf("eventsource: checkpoint: %w", err)
	}
	return nil
}

// replace writes beside the file and moves the result to its place.
func (f FileCheckpoint) replace(position string) error {
	temp, err := os.CreateTemp(filepath.Dir(string(f)), filepath.Base(string(f))+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // not there any more after Rename
	_, err = temp.WriteString(position)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), string(f))
}
