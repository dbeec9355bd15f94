package local

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"frontdesk/infra/eventsource"
	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/shared/queue"
	queuedb "frontdesk/shared/queue/sqlite"
)

// The workers of a store run in one process at a time, however many processes serve requests. A process
// that takes over knows that the previous one has ended, and continues its work at once: received messages
// and claimed attempts need not wait until their leases expire.
type workers struct {
	Config
	stack  template.Template
	store  *Store
	queues map[string]*queuedb.Queue
	parts  product.Parts
}

// run runs the workers until ctx ends, from when it is this process's turn.
func (w *workers) run(ctx context.Context) error {
	turn, err := awaitTurn(ctx, filepath.Join(w.DataDir, "workers.lock"))
	if err != nil {
		return err
	}
	defer turn.Close()
	w.parts.AloneSince = w.Now()
	if err := w.store.Queues.Recover(ctx); err != nil {
		return err
	}
	sources, err := w.sources(ctx)
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	for _, source := range sources {
		running.Go(func() {
			if err := source.Run(ctx); err != nil {
				w.Log.Error("worker ended", slog.String("error", err.Error()))
			}
		})
	}
	running.Wait()
	return nil
}

// lookForTurn is the interval in which a process checks whether it is its turn.
const lookForTurn = 250 * time.Millisecond

// awaitTurn waits for the lock in a file, and holds it until it is closed or the process ends in any way.
// It is a lock of SQLite, which works wherever the store does.
func awaitTurn(ctx context.Context, file string) (turn *sql.DB, err error) {
	turn, err = sql.Open("sqlite", file)
	if err != nil {
		return nil, err
	}
	turn.SetMaxOpenConns(1) // the connection that has the lock
	for {
		_, err := turn.ExecContext(ctx, "BEGIN EXCLUSIVE")
		var fault *sqlite.Error
		switch {
		case err == nil:
			return turn, nil
		case !errors.As(err, &fault) || fault.Code()&0xff != sqlite3.SQLITE_BUSY:
			return nil, errors.Join(err, turn.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), turn.Close())
		case <-time.After(lookForTurn):
		}
	}
}

// sources returns the event sources of the workers.
func (w *workers) sources(ctx context.Context) ([]eventsource.Source, error) {
	var groups []string
	for _, f := range w.stack.Functions {
		if len(f.Streams) > 0 {
			groups = append(groups, f.Group)
		}
	}
	readers, err := w.store.Table.Readers(ctx, groups...)
	if err != nil {
		return nil, err
	}
	callers := eventsource.Stack{
		Queue: func(name string) queue.Queue { return w.queues[name] },
		Feed:  w.store.Table,
		Checkpoint: func(group string) eventsource.Checkpoint {
			return readers[slices.Index(groups, group)]
		},
		Now: w.Now,
		Log: w.Log,
	}
	all := product.Workers(w.parts)
	var sources []eventsource.Source
	for _, f := range w.stack.Functions {
		worker, ok := all[f.Group]
		if !ok {
			continue
		}
		more, err := callers.Sources(f, limited(worker, time.Duration(f.Timeout)*time.Second))
		if err != nil {
			return nil, err
		}
		sources = append(sources, more...)
	}
	return sources, nil
}

// limited runs a function with its timeout on Lambda.
func limited(worker eventsource.Function, timeout time.Duration) eventsource.Function {
	return func(ctx context.Context, payload []byte) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		return worker(ctx, payload)
	}
}
