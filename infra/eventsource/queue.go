package eventsource

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/queue"
)

// Limits of Lambda.
const (
	maxQueueBatch = 10_000
	maxWindow     = 5 * time.Minute
	maxPayload    = 6 << 20 // bytes of one event
)

// concurrency is how many calls a queue makes at a time where the template names no limit. Lambda's own is
// that of the account.
const concurrency = 50

// errorPause is how long a reader waits after its source gave an error.
const errorPause = time.Second

// A Queue calls a function with the messages of a queue. Messages that the function took are deleted; the
// others stay hidden for the visibility of the queue and come again.
type Queue struct {
	Source   queue.Queue
	Function Function
	ARN      string // of the queue, for the events

	// BatchSize is the greatest number of messages of one call; 0 is 10. A greater one than 10 needs a
	// Window.
	BatchSize int
	// Window is how long a batch that has begun waits to get full; 0 takes what one request gives.
	Window time.Duration
	// Concurrency is how many calls there may be at a time; 0 is 50.
	Concurrency int
	// PartialFailures lets the function report the messages that failed, by events.SQSEventResponse.
	// Otherwise a batch fails as a whole, by an error of the function.
	PartialFailures bool

	Log *slog.Logger
}

// Run calls the function until ctx ends and then returns nil. An error means that the settings are none that
// Lambda takes; nothing was read then.
func (q *Queue) Run(ctx context.Context) error {
	if q.batchSize() > maxQueueBatch || q.batchSize() < 1 {
		return fmt.Errorf("eventsource: batch size %d is not within 1 and %d", q.BatchSize, maxQueueBatch)
	}
	if q.batchSize() > queue.MaxReceive && q.Window < time.Second {
		return fmt.Errorf("eventsource: batch size %d needs a window of at least a second", q.BatchSize)
	}
	if q.Window < 0 || q.Window > maxWindow {
		return fmt.Errorf("eventsource: window of %v is not within 0 and %v", q.Window, maxWindow)
	}
	// One reads for all calls. Many readers of an empty queue would keep the machine busy.
	var calls sync.WaitGroup
	slots := make(chan struct{}, cmp.Or(q.Concurrency, concurrency))
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			continue
		case slots <- struct{}{}:
		}
		batch := q.next(ctx)
		if len(batch) == 0 {
			<-slots
			continue
		}
		calls.Go(func() {
			defer func() { <-slots }()
			q.handle(context.WithoutCancel(ctx), batch)
		})
	}
	calls.Wait()
	return nil
}

func (q *Queue) batchSize() int { return cmp.Or(q.BatchSize, queue.MaxReceive) }

// next is the next batch, which is empty where nothing comes for a while.
func (q *Queue) next(ctx context.Context) []queue.Message {
	batch, err := q.gather(ctx)
	if err != nil && ctx.Err() == nil {
		q.Log.LogAttrs(ctx, slog.LevelError, "queue not read",
			slog.String("queue", q.ARN), slog.String("error", err.Error()))
		sleep(ctx, errorPause)
	}
	return batch
}

// gather receives a batch. After an error it may have some messages too.
func (q *Queue) gather(ctx context.Context) ([]queue.Message, error) {
	batch, err := q.Source.Receive(ctx, min(q.batchSize(), queue.MaxReceive), 0, queue.MaxWait)
	if err != nil || len(batch) == 0 || q.Window == 0 {
		return batch, err
	}
	end := time.Now().Add(q.Window)
	for {
		room := q.batchSize() - len(batch)
		left := time.Until(end)
		if room == 0 || left <= 0 || size(batch) > maxPayload-queue.MaxReceive*queue.MaxBody {
			return batch, nil
		}
		more, err := q.Source.Receive(ctx, min(room, queue.MaxReceive), 0, left)
		if err != nil {
			return batch, err
		}
		batch = append(batch, more...)
	}
}

// size is the bytes of all bodies.
func size(batch []queue.Message) int {
	n := 0
	for _, m := range batch {
		n += len(m.Body)
	}
	return n
}

// handle calls the function with a batch and deletes what it took.
func (q *Queue) handle(ctx context.Context, batch []queue.Message) {
	failed, err := q.call(ctx, batch)
	if err != nil {
		q.Log.LogAttrs(ctx, slog.LevelError, "batch failed",
			slog.String("queue", q.ARN), slog.Int("failed", len(failed)), slog.Int("messages", len(batch)),
			slog.String("error", err.Error()))
	}
	var done []string
	for i, m := range batch {
		if !failed[i] {
			done = append(done, m.Receipt)
		}
	}
	if len(done) == 0 {
		return
	}
	if err := q.Source.Delete(ctx, done...); err != nil {
		q.Log.LogAttrs(ctx, slog.LevelError, "messages not deleted",
			slog.String("queue", q.ARN), slog.String("error", err.Error()))
	}
}

// call calls the function with a batch and returns the places of the messages that failed, with the cause.
func (q *Queue) call(ctx context.Context, batch []queue.Message) (failed map[int]bool, err error) {
	all := make(map[int]bool, len(batch))
	items := make(map[string]int, len(batch))
	var event events.SQSEvent
	for i, m := range batch {
		all[i] = true
		items[m.ID] = i
		event.Records = append(event.Records, q.record(m))
	}
	answer, err := q.Function.call(ctx, event)
	if err != nil {
		return all, err
	}
	if !q.PartialFailures {
		return nil, nil
	}
	reported, err := failures(answer, items)
	if err != nil {
		return all, err
	}
	if len(reported) == 0 {
		return nil, nil
	}
	failed = map[int]bool{}
	for _, i := range reported {
		failed[i] = true
	}
	return failed, errReported
}

// record is the message as Lambda gives it to functions.
func (q *Queue) record(m queue.Message) events.SQSMessage {
	sum := md5.Sum([]byte(m.Body))
	return events.SQSMessage{
		MessageId:     m.ID,
		ReceiptHandle: m.Receipt,
		Body:          m.Body,
		Md5OfBody:     hex.EncodeToString(sum[:]),
		Attributes: map[string]string{
			"ApproximateReceiveCount": strconv.Itoa(m.Receives),
			"SentTimestamp":           strconv.FormatInt(m.Sent.UnixMilli(), 10),
		},
		MessageAttributes: map[string]events.SQSMessageAttribute{},
		EventSourceARN:    q.ARN,
		EventSource:       "aws:sqs",
		AWSRegion:         regionOf(q.ARN),
	}
}
