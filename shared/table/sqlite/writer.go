package sqlite

import (
	"context"
	"errors"

	"frontdesk/shared/table"
)

// A job is one change of the file.
type job struct {
	ctx  context.Context
	run  func() error // on the writer's connection, in a transaction shared with other jobs
	done chan error
}

// maxShared is the limit of jobs in one transaction. More jobs make each cheaper, but the first one waits
// longer.
const maxShared = 64

// do lets the writer call run, and returns its result after the commit. run must check everything before it
// writes: an error after a write rolls back the other jobs of the transaction too. If ctx ends, run may still
// be carried out.
func do[R any](ctx context.Context, t *Table, run func() (R, error)) (R, error) {
	var result, none R
	j := job{ctx: ctx, done: make(chan error, 1), run: func() (err error) {
		result, err = run()
		return err
	}}
	select {
	case t.jobs <- j:
	case <-ctx.Done():
		return none, ctx.Err()
	case <-t.stop:
		return none, errClosed
	}
	select {
	case err := <-j.done:
		if err != nil {
			return none, err
		}
		return result, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

var errClosed = errors.New("table: closed")

// write carries out jobs until the table is closed.
func (t *Table) write() {
	for {
		select {
		case <-t.stop:
			return
		case first := <-t.jobs:
			jobs := t.waiting(first)
			for i, err := range t.commit(jobs) {
				jobs[i].done <- err
			}
		}
	}
}

// waiting returns the first job and those that are queued after it.
func (t *Table) waiting(first job) []job {
	jobs := []job{first}
	for len(jobs) < maxShared {
		select {
		case next := <-t.jobs:
			jobs = append(jobs, next)
		default:
			return jobs
		}
	}
	return jobs
}

// commit carries out the jobs in one transaction and returns the error of each.
func (t *Table) commit(jobs []job) []error {
	errs := make([]error, len(jobs))
	t.feedGrew = false
	if _, err := t.stmts.begin.Exec(); err != nil {
		return fill(errs, failure(err))
	}
	for i, j := range jobs {
		if errs[i] = j.ctx.Err(); errs[i] != nil {
			continue
		}
		if errs[i] = j.run(); errs[i] != nil && !refused(errs[i]) {
			t.stmts.rollback.Exec()
			return fill(errs, errs[i])
		}
	}
	if _, err := t.stmts.commit.Exec(); err != nil {
		t.stmts.rollback.Exec()
		return fill(errs, failure(err))
	}
	if t.feedGrew {
		t.notify()
	}
	return errs
}

// refused reports whether an error says that the job has written nothing.
func refused(err error) bool {
	return table.IsConditionError(err) || errors.Is(err, table.ErrNotFound) ||
		errors.Is(err, table.ErrTooLarge)
}

// fill replaces every nil by err.
func fill(errs []error, err error) []error {
	for i := range errs {
		if errs[i] == nil {
			errs[i] = err
		}
	}
	return errs
}

// exec runs a statement on the writer's connection.
func (t *Table) exec(statement string, args ...any) error {
	if _, err := t.writer.ExecContext(context.Background(), statement, args...); err != nil {
		return failure(err)
	}
	return nil
}
