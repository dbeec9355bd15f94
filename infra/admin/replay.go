package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"frontdesk/functions/dispatch"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

const (
	// replayHidden is how long the dead letters are hidden from others while they are replayed.
	replayHidden = 30 * time.Minute
	// replayWait is how long the queue is asked for a further dead letter. SQS may overlook some when it is
	// not waited for.
	replayWait = 2 * time.Second
	// arrivalSlack is by how much the id of an event and its arrival in the stream may differ.
	arrivalSlack = time.Minute
	// streamRetention is how long the stream keeps a change, and so how old one can be when it is given up.
	streamRetention = 24 * time.Hour
)

// An outbox is where the events of a store are, with the dead letters of dispatch.
type outbox struct {
	*store
	dead  queue.Queue
	inbox queue.Sender // of lanes that have something to process
}

// openOutbox opens the outbox of a stack, or of this machine where the stack has no name.
func openOutbox(ctx context.Context, stackName string) (*outbox, error) {
	opened, err := open(ctx, stackName)
	if err == nil {
		_, err = opened.whole()
	}
	if err != nil {
		return nil, err
	}
	dead, err := opened.queue(ctx, deadLetters)
	if err != nil {
		return nil, err
	}
	lanes, err := opened.queue(ctx, inboxQueue)
	return &outbox{opened, dead, lanes}, err
}

// A deadLetter is a message of dispatch's dead letters: an event that was set aside with its content, or
// Lambda's record of a batch of the stream that was given up.
type deadLetter struct {
	dispatch.Unreadable
	Batch *struct {
		First time.Time `json:"approximateArrivalOfFirstRecord"`
		Last  time.Time `json:"approximateArrivalOfLastRecord"`
	} `json:"DDBStreamBatchInfo"`

	message  queue.Message
	from, to time.Time // when the events of a batch were published
}

// A replayLine is the outcome of a dead letter as the command prints it.
type replayLine struct {
	Message  string `json:"message"`
	Replayed int    `json:"replayed"` // how many events
	// Lanes is how many lanes of the inbox were queued again, for all batches together.
	Lanes int `json:"lanes,omitempty"`
	// Kept says why the dead letter stays in its queue; it is absent where the letter is done with.
	Kept string `json:"kept,omitempty"`
}

// replay publishes the events of all dead letters of dispatch again, and deletes the letters. A letter stays
// in the queue if this version cannot read its event or the table no longer has its events.
func replay(ctx context.Context, o options, out *json.Encoder) error {
	box, err := openOutbox(ctx, o.stack)
	if err != nil {
		return err
	}
	defer box.close()
	letters, err := box.letters(ctx)
	if err != nil {
		return err
	}
	if len(letters) == 0 {
		fmt.Fprintln(os.Stderr, "There are no dead letters of dispatch")
	}
	lines, err := box.publish(ctx, letters)
	if err != nil {
		return err
	}
	kept := 0
	for i, line := range lines {
		if line.Kept == "" {
			err = box.dead.Delete(ctx, letters[i].message.Receipt)
		} else {
			kept++
			err = box.dead.Release(ctx, letters[i].message.Receipt, 0)
		}
		if err := errors.Join(err, out.Encode(line)); err != nil {
			return err
		}
	}
	if kept > 0 {
		return fmt.Errorf("%d of %d dead letters are left", kept, len(lines))
	}
	return nil
}

// letters receives all dead letters.
func (b *outbox) letters(ctx context.Context) ([]deadLetter, error) {
	var all []deadLetter
	for {
		messages, err := b.dead.Receive(ctx, queue.MaxReceive, replayHidden, replayWait)
		if err != nil || len(messages) == 0 {
			return all, err
		}
		for _, m := range messages {
			letter := deadLetter{message: m}
			if err := json.Unmarshal([]byte(m.Body), &letter); err != nil {
				letter = deadLetter{message: m} // which is no letter of dispatch
			}
			if of := letter.Batch; of != nil && !of.First.IsZero() && !of.Last.IsZero() {
				letter.from, letter.to = of.First.Add(-arrivalSlack), of.Last.Add(arrivalSlack)
			} else if of != nil {
				letter.from, letter.to = m.Sent.Add(-streamRetention), m.Sent
			}
			all = append(all, letter)
		}
	}
}

// publish publishes the events of letters, and returns a line for each.
func (b *outbox) publish(ctx context.Context, letters []deadLetter) ([]replayLine, error) {
	lines := make([]replayLine, len(letters))
	ids := id.NewSource(b.now)
	batches := false
	for i, letter := range letters {
		lines[i].Message = letter.message.ID
		switch {
		case letter.Batch != nil:
			batches = true
		case letter.Key == "":
			lines[i].Kept = "it is no dead letter of dispatch"
		default:
			e, err := event.Read(table.Item{Key: table.Key{PK: letter.Key}, Doc: letter.Doc})
			if err != nil {
				lines[i].Kept = err.Error()
				continue
			}
			if err := b.put(ctx, ids.Next(), e.AccountID, letter.Doc); err != nil {
				return nil, err
			}
			lines[i].Replayed = 1
		}
	}
	if !batches {
		return lines, nil
	}
	if err := b.publishBatches(ctx, ids, letters, lines); err != nil {
		return nil, err
	}
	waiting, err := b.queueLanes(ctx)
	if err != nil {
		return nil, err
	}
	for i := range lines {
		if letters[i].Batch == nil {
			continue
		}
		if lines[i].Lanes = waiting; lines[i].Replayed+waiting == 0 {
			lines[i].Kept = "the table has nothing of that time any more"
		}
	}
	return lines, nil
}

// queueLanes queues all lanes of the inbox that have waiting messages, since a batch of the stream may have
// had news of them, and returns their number. Queueing a lane in which nothing is due is harmless.
func (b *outbox) queueLanes(ctx context.Context) (int, error) {
	lanes := map[inbox.Lane]bool{}
	err := b.scan(ctx, inbox.KeyPrefix, func(item table.Item) error {
		notice, ok, err := inbox.ReadNotice(item)
		if err != nil || !ok || lanes[notice.Lane] {
			return nil // what cannot be read was set aside in a letter of its own
		}
		lanes[notice.Lane] = true
		body, err := json.Marshal(notice.Lane)
		if err != nil {
			return err
		}
		delay := queue.DelayUntil(notice.Due, b.now())
		return b.inbox.Send(ctx, queue.Outgoing{Body: string(body), Delay: delay})
	})
	return len(lanes), err
}

// publishBatches publishes again all events that were published at the times of the batches among letters.
// Some may not have been in a batch, but handling an event twice is harmless. It counts the events in the
// lines.
func (b *outbox) publishBatches(
	ctx context.Context, ids *id.Source, letters []deadLetter, lines []replayLine,
) error {
	begun := ids.Next()
	done := map[int64]bool{} // by the event's own id, which its copies share
	return b.scan(ctx, event.KeyPrefix, func(item table.Item) error {
		stored, err := strconv.ParseInt(item.PK[strings.LastIndex(item.PK, "/")+1:], 10, 64)
		if err != nil || stored >= begun { // a copy that was made just now
			return nil
		}
		within := false
		at := id.Time(stored)
		for i, letter := range letters {
			if letter.Batch != nil && !at.Before(letter.from) && !at.After(letter.to) {
				within = true
				lines[i].Replayed++
			}
		}
		if !within {
			return nil
		}
		e, err := event.Read(item)
		if err != nil || done[e.ID] { // what cannot be read was set aside in a letter of its own
			return nil
		}
		done[e.ID] = true
		return b.put(ctx, ids.Next(), e.AccountID, item.Doc)
	})
}

// put stores an event again under another key. The stream tells dispatch of new items alone.
func (b *outbox) put(ctx context.Context, key, account int64, doc []byte) error {
	item := table.Item{Key: event.Key(account, key), Doc: doc, Expires: event.ExpiresAt(b.now())}
	return b.table.Transact(ctx, table.PutIfAbsent(item))
}
