package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"frontdesk/shared/queue"
)

// poll is how often a Receive looks for messages of other processes. A Send of this process wakes it at once.
const poll = 500 * time.Millisecond

// Config configures a queue.
type Config struct {
	Name       string
	Delay      time.Duration // default delay of messages
	Visibility time.Duration // default visibility; 0 means 30 seconds, as in SQS
	// MaxReceives is the number of deliveries before a message moves to the queue DeadLetters of the same
	// file; 0 is no limit.
	MaxReceives int
	DeadLetters string
}

// A Queue is one queue of a File. It is safe for concurrent use.
type Queue struct {
	file *File
	Config
}

// Queue returns the queue of that name. It needs no creation.
func (f *File) Queue(c Config) *Queue {
	if c.Visibility == 0 {
		c.Visibility = 30 * time.Second
	}
	return &Queue{f, c}
}

// Send implements [queue.Sender]. It sends all messages or none.
func (q *Queue) Send(ctx context.Context, messages ...queue.Outgoing) error {
	if err := queue.Check(messages...); err != nil {
		return err
	}
	err := q.file.write(ctx, always, func(tx *sql.Tx) error {
		now := q.file.now()
		for _, m := range messages {
			_, err := tx.Stmt(q.file.stmts.insert).Exec(
				q.Name, m.Group, m.Body, now.UnixMilli(), after(now, cmp.Or(m.Delay, q.Delay)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("queue: send to %s: %w", q.Name, err)
	}
	q.file.notify(q.Name)
	return nil
}

// Receive implements [queue.Queue].
func (q *Queue) Receive(ctx context.Context, max int, visibility, wait time.Duration) ([]queue.Message,
	error) {
	end := time.Now().Add(min(wait, queue.MaxWait))
	for {
		// Get the channel before the look, so that a message that arrives after the look closes it.
		arrival := q.file.arrival(q.Name)
		messages, next, err := q.take(ctx, min(max, queue.MaxReceive), visibility)
		if err != nil {
			return nil, fmt.Errorf("queue: receive from %s: %w", q.Name, err)
		}
		left := time.Until(end)
		if len(messages) > 0 || left <= 0 {
			return messages, nil
		}
		timer := time.NewTimer(min(left, next))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-arrival:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// take receives the messages that are visible. Without any it returns how long to wait before the next look.
func (q *Queue) take(ctx context.Context, max int, visibility time.Duration) ([]queue.Message, time.Duration,
	error) {
	now := q.file.now()
	var first int64
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	// A read without a write transaction comes first: most polls find nothing, and must not wait for writers.
	err := q.file.stmts.first.QueryRow(q.Name).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, poll, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if wait := time.UnixMilli(first).Sub(now); wait > 0 {
		return nil, min(wait, poll), nil
	}

	var received []row
	var dead int64
	visibility = cmp.Or(visibility, q.Visibility)
	err = q.file.write(ctx, untilPowerFails, func(tx *sql.Tx) error {
		var err error
		if dead, err = q.bury(tx, max, now); err != nil {
			return err
		}
		received, err = q.hide(tx, max, now, visibility)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	if dead > 0 {
		q.file.notify(q.DeadLetters)
	}
	messages := make([]queue.Message, len(received))
	for i, r := range received {
		messages[i] = r.message()
		q.file.load(q.Name).add(r.id, r.group, now.Add(visibility))
	}
	return messages, poll, nil
}

// bury moves the messages that were received too often to the dead letters and returns their number. It looks
// at the next max messages only, since a queue may be long, and repeats until none of these is over the
// limit.
func (q *Queue) bury(tx *sql.Tx, max int, now time.Time) (int64, error) {
	var dead int64
	for q.MaxReceives > 0 {
		result, err := tx.Stmt(q.file.stmts.bury).Exec(q.DeadLetters, q.MaxReceives, q.Name,
			now.UnixMilli(), max)
		if err != nil {
			return 0, err
		}
		n, err := result.RowsAffected()
		if err != nil || n == 0 {
			return dead, err
		}
		dead += n
	}
	return dead, nil
}

// hide hides up to max messages and returns them: oldest first, but those of noisy groups after all others,
// and of noisy groups the one with the fewest in-flight messages first.
func (q *Queue) hide(tx *sql.Tx, max int, now time.Time, visibility time.Duration) ([]row, error) {
	until, from := after(now, visibility), now.UnixMilli()
	noisy := q.file.load(q.Name).noisy(now)
	if len(noisy) == 0 {
		return scan(tx.Stmt(q.file.stmts.hide).Query(until, q.Name, from, max))
	}
	quiet, err := q.otherGroups(tx, noisy, from)
	if err != nil {
		return nil, err
	}
	var received []row
	for _, groups := range append([][]string{quiet}, noisy...) {
		if len(groups) == 0 || len(received) == max {
			continue
		}
		names, err := json.Marshal(groups)
		if err != nil {
			return nil, err
		}
		more, err := scan(tx.Stmt(q.file.stmts.hideGroups).Query(until, q.Name, string(names), from,
			max-len(received)))
		if err != nil {
			return nil, err
		}
		received = append(received, more...)
	}
	return received, nil
}

// otherGroups returns the groups with visible messages, without the noisy ones.
func (q *Queue) otherGroups(tx *sql.Tx, noisy [][]string, now int64) ([]string, error) {
	rows, err := tx.Stmt(q.file.stmts.groups).Query(q.Name, now)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var quiet []string
	for rows.Next() {
		var group string
		if err := rows.Scan(&group); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(noisy, func(groups []string) bool { return groups[0] == group }) {
			quiet = append(quiet, group)
		}
	}
	return quiet, rows.Err()
}

// A row is a received message with its group.
type row struct {
	id, sent    int64
	group, body string
	receives    int
}

func (r row) message() queue.Message {
	return queue.Message{
		ID: strconv.FormatInt(r.id, 10), Receipt: receipt{r.id, r.receives}.String(), Body: r.body,
		Receives: r.receives,
		Sent:     time.UnixMilli(r.sent),
	}
}

// scan reads all rows of a query and closes it.
func scan(rows *sql.Rows, err error) ([]row, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []row
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.id, &r.group, &r.body, &r.sent, &r.receives); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// Delete implements [queue.Queue]. It deletes all messages or none.
func (q *Queue) Delete(ctx context.Context, receipts ...string) error {
	err := q.file.write(ctx, untilPowerFails, func(tx *sql.Tx) error {
		for _, text := range receipts {
			r, err := parseReceipt(text)
			if err != nil {
				return err
			}
			if _, err = tx.Stmt(q.file.stmts.remove).Exec(r.id, r.receives, q.Name); err != nil {
				return err
			}
			q.file.load(q.Name).remove(r.id)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("queue: delete from %s: %w", q.Name, err)
	}
	return nil
}

// Release implements [queue.Queue].
func (q *Queue) Release(ctx context.Context, text string, delay time.Duration) error {
	r, err := parseReceipt(text)
	if err != nil {
		return fmt.Errorf("queue: release in %s: %w", q.Name, err)
	}
	now := q.file.now()
	err = q.file.write(ctx, untilPowerFails, func(tx *sql.Tx) error {
		_, err := tx.Stmt(q.file.stmts.release).Exec(after(now, delay), r.id, r.receives, q.Name,
			now.UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("queue: release in %s: %w", q.Name, err)
	}
	q.file.load(q.Name).remove(r.id)
	q.file.notify(q.Name)
	return nil
}

// Recover makes all in-flight messages of all queues visible. A process calls it when it starts and knows
// that no other one uses the file, so that messages of a crashed process need not wait for their visibility
// to end. Their deliveries still count.
func (f *File) Recover(ctx context.Context) error {
	err := f.write(ctx, untilPowerFails, func(tx *sql.Tx) error {
		now := f.now().UnixMilli()
		_, err := tx.ExecContext(ctx, `UPDATE messages SET visible = ? WHERE visible > ? AND receives > 0`, now, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("queue: recover: %w", err)
	}
	return nil
}

// after returns now plus d, rounded up to whole seconds, in milliseconds. It is never earlier than the exact
// time, and now for 0.
func after(now time.Time, d time.Duration) int64 {
	if d == 0 {
		return now.UnixMilli()
	}
	return now.Add(time.Millisecond-1).UnixMilli() + int64(queue.WholeSeconds(d))*1000
}
