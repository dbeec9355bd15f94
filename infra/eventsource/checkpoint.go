package eventsource

import "context"

// A Checkpoint remembers how far a Stream has come.
type Checkpoint interface {
	// Load returns the position saved last; empty where none was.
	Load(ctx context.Context) (string, error)
	// Save puts a position in the place of the one before.
	Save(ctx context.Context, position string) error
}
