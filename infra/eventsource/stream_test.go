package eventsource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// A log is a feed of items with these partition keys; more can be appended.
type log struct {
	mu     sync.Mutex
	keys   []string
	errors int // so many reads fail first
}

func (l *log) append(keys ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keys = append(l.keys, keys...)
}

func (l *log) Changes(_ context.Context, after string, limit int) ([]table.Change, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.errors > 0 {
		l.errors--
		return nil, errors.New("no connection")
	}
	var changes []table.Change
	for i, key := range l.keys {
		if position := fmt.Sprintf("%04d", i+1); position > after && len(changes) < limit {
			changes = append(changes, table.Change{Position: position,
				New: &table.Item{Key: table.Key{PK: key, SK: "event"}}})
		}
	}
	return changes, nil
}

// memory is a Checkpoint in memory.
type memory struct{ position string }

func (m *memory) Load(context.Context) (string, error) { return m.position, nil }

func (m *memory) Save(_ context.Context, position string) error {
	m.position = position
	return nil
}

// broken is a Checkpoint that cannot be read.
type broken struct{ memory }

func (*broken) Load(context.Context) (string, error) { return "", errors.New("no checkpoint") }

// convert gives each record its key as the sequence number.
func convert(changes []table.Change) events.DynamoDBEvent {
	var event events.DynamoDBEvent
	for _, c := range changes {
		event.Records = append(event.Records, record("INSERT", c.New.PK))
	}
	return event
}

func keysOf(t *testing.T, payload []byte) []string {
	var event events.DynamoDBEvent
	if err := json.Unmarshal(payload, &event); err != nil {
		t.Error(err)
	}
	var keys []string
	for _, r := range event.Records {
		keys = append(keys, r.Change.SequenceNumber)
	}
	return keys
}

// failingAt returns a function that fails on batches which hold one of the keys, and records the batches.
// Where it reports failures it names the keys.
func failingAt(t *testing.T, batches *[]string, report bool, keys ...string) Function {
	return func(_ context.Context, payload []byte) ([]byte, error) {
		got := keysOf(t, payload)
		*batches = append(*batches, strings.Join(got, " "))
		var response events.DynamoDBEventResponse
		for _, key := range got {
			if slices.Contains(keys, key) {
				response.BatchItemFailures = append(response.BatchItemFailures,
					events.DynamoDBBatchItemFailure{ItemIdentifier: key})
			}
		}
		if len(response.BatchItemFailures) > 0 && !report {
			return nil, errors.New("failed")
		}
		return json.Marshal(response)
	}
}

func TestStreamFailures(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stream Stream
		failed []string // the function fails on these
		want   []string // the batches
		given  []string // up: first and last
	}{
		{"none fails", Stream{}, nil, []string{"a b c d", "e"}, nil},
		{"given up whole", Stream{Attempts: 2}, []string{"c"}, []string{"a b c d", "a b c d", "e"},
			[]string{"a d"}},
		{"halved", Stream{Attempts: 2, Bisect: true}, []string{"c"},
			[]string{"a b c d", "a b", "c d", "c", "c", "d", "e"}, []string{"c c"}},
		{"one attempt", Stream{Attempts: 1, Bisect: true}, []string{"a", "e"},
			[]string{"a b c d", "a b", "a", "b", "c d", "e"}, []string{"a a", "e e"}},
		{"reported", Stream{Attempts: 2, PartialFailures: true}, []string{"c"},
			[]string{"a b c d", "c d", "e"}, []string{"c d"}},
		{"reported several", Stream{Attempts: 3, PartialFailures: true}, []string{"b", "d"},
			[]string{"a b c d", "b c d", "b c d", "e"}, []string{"b d"}},
		{"reported and halved", Stream{Attempts: 2, PartialFailures: true, Bisect: true}, []string{"c"},
			[]string{"a b c d", "c d", "c", "c", "d", "e"}, []string{"c c"}},
		{"reported without being asked", Stream{}, nil, []string{"a b c d", "e"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
				_, failures := openQueue(t)
				var batches []string
				checkpoint := new(memory)
				s := &tt.stream
				s.Source, s.Convert, s.Checkpoint, s.Log = &log{keys: strings.Fields("a b c d e")}, convert,
					checkpoint, testLog(t)
				s.Function = failingAt(t, &batches, s.PartialFailures, tt.failed...)
				s.BatchSize, s.OnFailure, s.ARN = 4, failures,
					"arn:aws:dynamodb:eu-west-1:123456789012:table/t/stream/s"
				return s.Run, func() {
					if diff := cmp.Diff(tt.want, batches); diff != "" {
						t.Errorf("batches (-want +got):\n%s", diff)
					}
					var given []string
					for _, body := range left(t, failures) {
						var told failure
						if err := json.Unmarshal([]byte(body), &told); err != nil {
							t.Fatal(err)
						}
						given = append(given, told.Batch.StartSequenceNumber+" "+told.Batch.EndSequenceNumber)
						if told.Batch.StreamARN != s.ARN || told.RequestContext.InvokeCount != s.Attempts {
							t.Errorf("the destination was told %s", body)
						}
					}
					if diff := cmp.Diff(tt.given, given); diff != "" {
						t.Errorf("given up (-want +got):\n%s", diff)
					}
					if position, err := checkpoint.Load(t.Context()); err != nil || position != "0005" {
						t.Errorf("checkpoint = %q, %v, want the last", position, err)
					}
				}
			})
		})
	}
}

// TestStreamPauses tries a batch without end and expects growing pauses.
func TestStreamPauses(t *testing.T) {
	inBubble(t, 4*time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
		start := time.Now()
		var at []time.Duration
		checkpoint := new(memory)
		s := &Stream{
			Source: &log{keys: []string{"a", "b"}}, Convert: convert, Checkpoint: checkpoint, Log: testLog(t),
			Function: func(context.Context, []byte) ([]byte, error) {
				at = append(at, time.Since(start).Round(time.Second))
				return nil, errors.New("failed")
			},
		}
		return s.Run, func() {
			var want []time.Duration
			for _, seconds := range []time.Duration{0, 1, 3, 7, 15, 31, 63, 123, 183} {
				want = append(want, seconds*time.Second)
			}
			if diff := cmp.Diff(want, at); diff != "" {
				t.Errorf("times of the calls (-want +got):\n%s", diff)
			}
			if position, err := checkpoint.Load(t.Context()); err != nil || position != "" {
				t.Errorf("checkpoint = %q, %v, want none", position, err)
			}
		}
	})
}

// TestStreamResumes stops and starts again, each time with what came meanwhile.
func TestStreamResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &log{keys: []string{"a", "b", "c"}}
		checkpoint := new(memory)
		var batches []string
		run := func(failing ...string) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			s := &Stream{
				Source: source, Convert: convert, Checkpoint: checkpoint, Log: testLog(t),
				PartialFailures: true, Pause: time.Minute,
				Function: failingAt(t, &batches, true, failing...),
			}
			if err := s.Run(ctx); err != nil {
				t.Fatal(err)
			}
			batches = append(batches, "stop")
		}
		run("b")
		source.append("d")
		run()
		run()
		source.append("e")
		run()
		want := []string{"a b c", "stop", "b c d", "stop", "stop", "e", "stop"}
		if diff := cmp.Diff(want, batches); diff != "" {
			t.Errorf("batches (-want +got):\n%s", diff)
		}
	})
}

func TestStreamBatches(t *testing.T) {
	type arrival struct {
		after time.Duration
		keys  []string
	}
	many := func(n int) []string {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("outbox/%03d", i)
		}
		return keys
	}
	for _, tt := range []struct {
		name     string
		stream   Stream
		arrivals []arrival
		want     []int
		at       []time.Duration
		position string
	}{
		{"default size", Stream{}, []arrival{{0, many(250)}}, []int{100, 100, 50}, make([]time.Duration, 3),
			"0250"},
		{"what comes later", Stream{}, []arrival{{time.Second, many(2)}, {3 * time.Second, many(1)}},
			[]int{2, 1}, []time.Duration{time.Second, 3 * time.Second}, "0003"},
		{"window", Stream{Window: 2 * time.Second},
			[]arrival{{time.Second, many(2)}, {2 * time.Second, many(1)}, {10 * time.Second, many(1)}},
			[]int{3, 1}, []time.Duration{3 * time.Second, 12 * time.Second}, "0004"},
		{"full batch ends the window", Stream{Window: 2 * time.Second, BatchSize: 3},
			[]arrival{{time.Second, many(2)}, {2 * time.Second, many(1)}},
			[]int{3}, []time.Duration{2 * time.Second}, "0003"},
		{"filtered ones count for no batch", Stream{BatchSize: 2},
			[]arrival{{0, strings.Fields("x outbox/1 x x x outbox/2 outbox/3 x")}}, []int{2, 1},
			make([]time.Duration, 2), "0008"},
		{"only filtered ones", Stream{}, []arrival{{0, strings.Fields("x x x")}}, nil, nil, "0003"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
				source := &log{}
				for _, a := range tt.arrivals {
					if a.after == 0 {
						source.append(a.keys...)
					} else {
						// A moment earlier, so that the look at that time finds it.
						time.AfterFunc(a.after-time.Millisecond, func() { source.append(a.keys...) })
					}
				}
				filter, err := ParseFilter(outboxPattern)
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				checkpoint := new(memory)
				var sizes []int
				var at []time.Duration
				s := &tt.stream
				s.Source, s.Convert, s.Filter, s.Checkpoint, s.Log = source, convert, filter, checkpoint,
					testLog(t)
				s.Function = func(_ context.Context, payload []byte) ([]byte, error) {
					sizes = append(sizes, len(keysOf(t, payload)))
					at = append(at, time.Since(start))
					return nil, nil
				}
				return s.Run, func() {
					if diff := cmp.Diff(tt.want, sizes); diff != "" {
						t.Errorf("sizes of the batches (-want +got):\n%s", diff)
					}
					if diff := cmp.Diff(tt.at, at); diff != "" {
						t.Errorf("times of the calls (-want +got):\n%s", diff)
					}
					if position, err := checkpoint.Load(t.Context()); err != nil || position != tt.position {
						t.Errorf("checkpoint = %q, %v, want %s", position, err, tt.position)
					}
				}
			})
		})
	}
}

func TestStreamReadsOn(t *testing.T) {
	inBubble(t, 10*time.Second, func(t *testing.T) (func(context.Context) error, func()) {
		var batches []string
		s := &Stream{
			Source: &log{keys: []string{"a"}, errors: 3}, Convert: convert, Log: testLog(t),
			Checkpoint: new(memory), Function: failingAt(t, &batches, false),
		}
		return s.Run, func() {
			if diff := cmp.Diff([]string{"a"}, batches); diff != "" {
				t.Errorf("batches (-want +got):\n%s", diff)
			}
		}
	})
}

// TestStreamKeepsWhatCannotBeGivenUp has a destination that fails at first.
// A tellingLog is a log that tells when it was appended to.
type tellingLog struct {
	log
	changed chan struct{}
}

func (l *tellingLog) Changed() <-chan struct{} { return l.changed }

// TestStreamIsTold expects that a feed which tells of its changes is not waited for.
func TestStreamIsTold(t *testing.T) {
	inBubble(t, 2*time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
		feed := &tellingLog{changed: make(chan struct{}, 1)}
		var told, called time.Time
		time.AfterFunc(time.Minute, func() {
			told = time.Now()
			feed.append("a")
			feed.changed <- struct{}{}
		})
		s := &Stream{
			Source: feed, Convert: convert, Checkpoint: new(memory), Log: testLog(t),
			Poll: time.Hour, Function: func(context.Context, []byte) ([]byte,
				error) {
				called = time.Now()
				return nil, nil
			},
		}
		return s.Run, func() {
			if late := called.Sub(told); late < 0 || late > pollPause {
				t.Errorf("called after %v", late)
			}
		}
	})
}

func TestStreamKeepsWhatCannotBeGivenUp(t *testing.T) {
	inBubble(t, time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
		_, failures := openQueue(t)
		var batches []string
		s := &Stream{
			Source: &log{keys: []string{"a"}}, Convert: convert, Log: testLog(t), Attempts: 1,
			Checkpoint: new(memory),
			Function:   failingAt(t, &batches, false, "a"),
			OnFailure:  &breakingSender{Sender: failures, errors: 2},
		}
		return s.Run, func() {
			if len(batches) != 3 || len(left(t, failures)) != 1 {
				t.Errorf("%d attempts, want 3 until the destination was told once", len(batches))
			}
		}
	})
}

// breakingSender is a sender whose first sends fail.
type breakingSender struct {
	queue.Sender
	errors int
}

func (b *breakingSender) Send(ctx context.Context, messages ...queue.Outgoing) error {
	if b.errors > 0 {
		b.errors--
		return errors.New("no connection")
	}
	return b.Sender.Send(ctx, messages...)
}

func TestStreamNeedsItsCheckpoint(t *testing.T) {
	s := &Stream{Checkpoint: new(broken), Log: testLog(t)}
	if err := s.Run(t.Context()); err == nil {
		t.Error("Run gave no error")
	}
}
