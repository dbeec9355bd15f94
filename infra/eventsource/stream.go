package eventsource

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

const (
	streamBatch = 100                    // of Lambda, where a mapping names none
	streamPoll  = 250 * time.Millisecond // of Lambda
	// after a change of which the feed tells, so that those that come together are read together
	pollPause   = 10 * time.Millisecond
	streamPause = time.Second
	maxPause    = time.Minute
)

// A Stream calls a function with the changes of a table, in their order, one batch at a time. A batch that
// fails comes again before any later one.
type Stream struct {
	Source table.Feed
	// Convert writes changes as Lambda gives them to functions, one record for each in the same order and
	// with a sequence number of its own.
	Convert    func([]table.Change) events.DynamoDBEvent
	Function   Function
	Checkpoint Checkpoint
	ARN        string // of the stream, for OnFailure

	Filter    Filter
	BatchSize int // the greatest number of changes of one call; 0 is 100
	// Window is how long a batch that has begun waits to get full; 0 takes what is there.
	Window time.Duration
	// PartialFailures lets the function report the changes that failed, by events.DynamoDBEventResponse.
	// Those before the first of them count as taken, the others come again.
	PartialFailures bool
	// Bisect halves a batch that failed as a whole, until what fails stands alone.
	Bisect bool
	// Attempts is how often a batch is tried before it is given up; 0 is without end. Halving begins the
	// count anew.
	Attempts int
	// OnFailure is told, in the form of Lambda's destinations, which changes were given up. It may be nil.
	OnFailure queue.Sender

	// between two looks at a feed that has nothing new and does not tell; 0 is a quarter of a second
	Poll  time.Duration
	Pause time.Duration // before the second attempt; it doubles up to a minute; 0 is a second
	Log   *slog.Logger
}

// A change is one that passed the filter.
type change struct {
	position string
	record   events.DynamoDBEventRecord
}

// Run calls the function until ctx ends and then returns nil. It begins behind the checkpoint, or with the
// oldest change where there is none. An error means that the checkpoint cannot be read.
func (s *Stream) Run(ctx context.Context) error {
	position, err := s.Checkpoint.Load(ctx)
	if err != nil {
		return err
	}
	saved := position
	for ctx.Err() == nil {
		batch, next, err := s.gather(ctx, position)
		if err != nil {
			if ctx.Err() == nil {
				s.Log.LogAttrs(ctx, slog.LevelError, "stream not read",
					slog.String("stream", s.ARN), slog.String("error", err.Error()))
			}
			sleep(ctx, errorPause)
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		if len(batch) > 0 {
			if !s.deliver(ctx, batch) {
				return nil
			}
			saved = batch[len(batch)-1].position
		}
		if position = next; len(batch) == 0 {
			// What was left out of the batches needs no new look after a restart.
			if saved != position {
				s.save(ctx, position)
				saved = position
			}
			s.rest(ctx)
		}
	}
	return nil
}

// rest returns when the feed may have something new: after a while, and soon after a change where the feed
// tells of them. A function thus begins as early as it can, where Lambda would have it wait for a quarter of
// a second at most.
func (s *Stream) rest(ctx context.Context) {
	var changed <-chan struct{}
	if feed, ok := s.Source.(interface{ Changed() <-chan struct{} }); ok {
		changed = feed.Changed()
	}
	timer := time.NewTimer(cmp.Or(s.Poll, streamPoll))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
		sleep(ctx, pollPause)
	case <-timer.C:
	}
}

// gather reads a batch behind a position, and says how far it read. The batch is empty when nothing is there.
func (s *Stream) gather(ctx context.Context, after string) (batch []change, next string, err error) {
	size := cmp.Or(s.BatchSize, streamBatch)
	next = after
	var end time.Time // of the window, which begins with the first change
	for {
		changes, err := s.Source.Changes(ctx, next, size-len(batch))
		if err != nil {
			return nil, after, err
		}
		passed, err := s.filter(changes)
		if err != nil {
			return nil, after, err
		}
		if batch = append(batch, passed...); len(batch) > 0 && end.IsZero() {
			end = time.Now().Add(s.Window)
		}
		if len(changes) > 0 {
			next = changes[len(changes)-1].Position
		}
		left := time.Until(end)
		switch {
		case len(batch) == size, ctx.Err() != nil:
			return batch, next, nil
		case len(changes) > 0: // more may be there
		case len(batch) == 0, left <= 0:
			return batch, next, nil
		default:
			sleep(ctx, min(left, cmp.Or(s.Poll, streamPoll)))
		}
	}
}

// filter converts changes and returns those that pass the filter.
func (s *Stream) filter(changes []table.Change) ([]change, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	event := s.Convert(changes)
	if len(event.Records) != len(changes) {
		return nil, fmt.Errorf("%d changes became %d records", len(changes), len(event.Records))
	}
	var passed []change
	for i, record := range event.Records {
		ok, err := s.Filter.Match(record)
		if err != nil {
			return nil, err
		}
		if ok {
			passed = append(passed, change{changes[i].Position, record})
		}
	}
	return passed, nil
}

// deliver calls the function until it has taken all of the batch or the rest is given up. It reports false
// when ctx ended before.
func (s *Stream) deliver(ctx context.Context, batch []change) bool {
	for attempt := 1; ; attempt++ {
		taken, err := s.call(ctx, batch)
		if taken > 0 {
			s.save(ctx, batch[taken-1].position)
			batch = batch[taken:]
			attempt = 1
		}
		if len(batch) == 0 {
			return true
		}
		s.Log.LogAttrs(ctx, slog.LevelError, "batch failed",
			slog.String("stream", s.ARN), slog.Int("changes", len(batch)), slog.Int("attempt", attempt),
			slog.String("from", batch[0].record.Change.SequenceNumber), slog.String("error", err.Error()))
		if s.Bisect && taken == 0 && len(batch) > 1 {
			half := len(batch) / 2
			return s.deliver(ctx, batch[:half]) && s.deliver(ctx, batch[half:])
		}
		if s.Attempts > 0 && attempt >= s.Attempts && s.giveUp(ctx, batch, attempt) {
			s.save(ctx, batch[len(batch)-1].position)
			return true
		}
		sleep(ctx, min(cmp.Or(s.Pause, streamPause)<<min(attempt-1, 10), maxPause))
		if ctx.Err() != nil {
			return false
		}
	}
}

// call calls the function with a batch and returns how many of its changes, from the first on, it took. The
// error says why not all.
func (s *Stream) call(ctx context.Context, batch []change) (taken int, err error) {
	var event events.DynamoDBEvent
	items := make(map[string]int, len(batch))
	for i, c := range batch {
		event.Records = append(event.Records, c.record)
		items[c.record.Change.SequenceNumber] = i
	}
	answer, err := s.Function.call(ctx, event)
	if err != nil {
		return 0, err
	}
	if !s.PartialFailures {
		return len(batch), nil
	}
	failed, err := failures(answer, items)
	if err != nil {
		return 0, err
	}
	if len(failed) == 0 {
		return len(batch), nil
	}
	return slices.Min(failed), errReported
}

// save moves the checkpoint. A failure is logged only: the changes then come again after a restart.
func (s *Stream) save(ctx context.Context, position string) {
	if err := s.Checkpoint.Save(context.WithoutCancel(ctx), position); err != nil {
		s.Log.LogAttrs(ctx, slog.LevelError, "checkpoint not saved",
			slog.String("stream", s.ARN), slog.String("error", err.Error()))
	}
}
