package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"frontdesk/shared/queue"
)

// poll is how often a Receive looks for what other processes sent. What this process sends wakes it at once.
const poll = 500 * time.Millisecond

// Config says how a queue behaves.
type Config struct {
	Name       string
	Delay      time.Duration // of messages that name none
	Visibility time.Duration // of receivers who name none; 0 is 30 seconds, as in SQS
	// MaxReceives is how often a message is received before it goes to the queue DeadLetters of the same
	// file; 0 is without end.
	MaxReceives int
	DeadLetters string
}

// A Queue is one queue of a File.
type Queue struct {
	file *File
	Config
}

// Queue returns the queue of that name. It exists from its first message on.
func (f *File) Queue(c Config) *Queue {
	if c.Visibility == 0 {
		c.Visibility = 30 * time.Second
	}
	return &Queue{f, c}
}

// Send implements [queue.Sender]. All messages are sent or none.
func (q *Queue) Send(ctx context.Context, messages ...queue.Outgoing) error {
	if err := queue.Check(messages...); err != nil {
		return err
	}
	err := q.file.write(ctx, func(tx *sql.Tx) error {
		now := q.file.now()
		for _, m := range messages {
			_, err := tx.ExecContext(ctx,
				`INSERT INTO message (queue, body, sent, visible) VALUES (?, ?, ?, ?)`,
				q.Name, m.Body, now.UnixMilli(), after(now, cmp.Or(m.Delay, q.Delay)))
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
		// Taken before the look: what arrives after the look closes it.
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

// take receives what is there. Where nothing is, it says when to look again.
func (q *Queue) take(ctx context.Context, max int, visibility time.Duration) ([]queue.Message, time.Duration,
	error) {
	now := q.file.now()
	var first int64
	err := q.file.db.QueryRowContext(ctx,
		`SELECT visible FROM message WHERE queue = ? ORDER BY visible LIMIT 1`, q.Name).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, poll, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if wait := time.UnixMilli(first).Sub(now); wait > 0 {
		return nil, min(wait, poll), nil
	}

	var messages []queue.Message
	var dead int64
	err = q.file.write(ctx, func(tx *sql.Tx) error {
		var err error
		if dead, err = q.bury(ctx, tx, max, now); err != nil {
			return err
		}
		messages, err = hide(ctx, tx, q.Name, max, now, cmp.Or(visibility, q.Visibility))
		return err
	})
	if dead > 0 && err == nil {
		q.file.notify(q.DeadLetters)
	}
	return messages, poll, err
}

// bury gives the dead letters what was received too often of the max messages that come next, until none of
// these was. Only so many are looked at, since a queue may be long. It returns how many there were.
func (q *Queue) bury(ctx context.Context, tx *sql.Tx, max int, now time.Time) (int64, error) {
	var dead int64
	for q.MaxReceives > 0 {
		result, err := tx.ExecContext(ctx, `
			UPDATE message SET queue = ?
			WHERE receives >= ? AND id IN (
				SELECT id FROM message WHERE queue = ? AND visible <= ? ORDER BY visible, id LIMIT ?)`,
			q.DeadLetters, q.MaxReceives, q.Name, now.UnixMilli(), max)
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

// hide makes up to max messages invisible and returns them.
func hide(ctx context.Context, tx *sql.Tx, name string, max int, now time.Time,
	visibility time.Duration) ([]queue.Message, error) {
	rows, err := tx.QueryContext(ctx, `
		UPDATE message SET visible = ?, receives = receives + 1
		WHERE id IN (SELECT id FROM message WHERE queue = ? AND visible <= ? ORDER BY visible, id LIMIT ?)
		RETURNING id, body, sent, receives`,
		after(now, visibility), name, now.UnixMilli(), max)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var messages []queue.Message
	for rows.Next() {
		var id, sent int64
		var m queue.Message
		if err := rows.Scan(&id, &m.Body, &sent, &m.Receives); err != nil {
			return nil, err
		}
		m.ID = strconv.FormatInt(id, 10)
		m.Receipt = receipt{id, m.Receives}.String()
		m.Sent = time.UnixMilli(sent)
		messages = append(messages, m)
	}
	return messages, rows.Err()
}

// Delete implements [queue.Queue]. All messages are deleted or none.
func (q *Queue) Delete(ctx context.Context, receipts ...string) error {
	err := q.file.write(ctx, func(tx *sql.Tx) error {
		for _, text := range receipts {
			r, err := parseReceipt(text)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `DELETE FROM message WHERE id = ? AND receives = ? AND queue = ?`,
				r.id, r.receives, q.Name)
			if err != nil {
				return err
			}
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
	_, err = q.file.db.ExecContext(ctx,
		`UPDATE message SET visible = ? WHERE id = ? AND receives = ? AND queue = ? AND visible > ?`,
		after(now, delay), r.id, r.receives, q.Name, now.UnixMilli())
	if err != nil {
		return fmt.Errorf("queue: release in %s: %w", q.Name, err)
	}
	q.file.notify(q.Name)
	return nil
}

// Recover makes the messages of all queues visible that were received and not deleted. It is for one who
// knows that those who received them have ended: nobody needs to wait then until the messages' visibility is
// over. That they were received still counts.
func (f *File) Recover(ctx context.Context) error {
	err := f.write(ctx, func(tx *sql.Tx) error {
		now := f.now().UnixMilli()
		_, err := tx.ExecContext(ctx, `UPDATE message SET visible = ? WHERE visible > ? AND receives > 0`,
			now, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("queue: recover: %w", err)
	}
	return nil
}

// after is when a time that is given in whole seconds has passed, as the file has it: never a fraction of a
// millisecond earlier, but at once where there is none.
func after(now time.Time, d time.Duration) int64 {
	if d == 0 {
		return now.UnixMilli()
	}
	return now.Add(time.Millisecond-1).UnixMilli() + int64(queue.WholeSeconds(d))*1000
}
