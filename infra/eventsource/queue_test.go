package eventsource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/shared/queue"
	"frontdesk/shared/queue/sqlite"
)

func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), nil))
}

// openQueue returns a queue with a visibility of 10 s and dead letters after three receives.
func openQueue(t *testing.T) (q, dead queue.Queue) {
	t.Helper()
	file, err := sqlite.Open(filepath.Join(t.TempDir(), "queue.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file.Queue(sqlite.Config{Name: "q", Visibility: 10 * time.Second, MaxReceives: 3,
			DeadLetters: "dead"}),
		file.Queue(sqlite.Config{Name: "dead"})
}

// calls records what a function was called with, and when.
type calls struct {
	mu     sync.Mutex
	bodies [][]string
	at     []time.Duration
	start  time.Time
}

func (c *calls) add(bodies []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.Sort(bodies)
	c.bodies = append(c.bodies, bodies)
	c.at = append(c.at, time.Since(c.start))
}

func bodiesOf(event events.SQSEvent) []string {
	var all []string
	for _, m := range event.Records {
		all = append(all, m.Body)
	}
	return all
}

// inBubble runs a mapping for the given time of a clock that does not wait.
func inBubble(t *testing.T, d time.Duration, test func(t *testing.T) (run func(context.Context) error,
	check func())) {
	synctest.Test(t, func(t *testing.T) {
		run, check := test(t)
		ctx, cancel := context.WithTimeout(t.Context(), d)
		defer cancel()
		if err := run(ctx); err != nil {
			t.Fatal(err)
		}
		check()
	})
}

func sendBodies(t *testing.T, q queue.Queue, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		if err := q.Send(t.Context(), queue.Outgoing{Body: body}); err != nil {
			t.Fatal(err)
		}
	}
}

// left are the bodies of the messages that can be received, now or later.
func left(t *testing.T, q queue.Queue) []string {
	t.Helper()
	var all []string
	for range 3 {
		got, err := q.Receive(context.WithoutCancel(t.Context()), 10, time.Hour, queue.MaxWait)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range got {
			all = append(all, m.Body)
		}
	}
	slices.Sort(all)
	return all
}

func TestQueueEvent(t *testing.T) {
	inBubble(t, time.Second, func(t *testing.T) (func(context.Context) error, func()) {
		q, _ := openQueue(t)
		sendBodies(t, q, `{"id": 1} <é>`)
		sent := time.Now()
		var payload []byte
		mapping := &Queue{
			Source: q, ARN: "arn:aws:sqs:eu-west-1:123456789012:work", Log: testLog(t),
			Function: func(_ context.Context, p []byte) ([]byte, error) {
				payload = p
				return []byte(`"any answer is fine"`), nil
			},
		}
		return mapping.Run, func() {
			var got events.SQSEvent
			if err := json.Unmarshal(payload, &got); err != nil {
				t.Fatal(err)
			}
			want := events.SQSEvent{Records: []events.SQSMessage{{
				MessageId: "1",
				Body:      `{"id": 1} <é>`,
				Md5OfBody: "e06b2a94343d6e0d9622d0ce357e248f",
				Attributes: map[string]string{
					"ApproximateReceiveCount": "1",
					"SentTimestamp":           fmt.Sprint(sent.UnixMilli()),
				},
				MessageAttributes: map[string]events.SQSMessageAttribute{},
				EventSourceARN:    "arn:aws:sqs:eu-west-1:123456789012:work",
				EventSource:       "aws:sqs",
				AWSRegion:         "eu-west-1",
			}}}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(events.SQSMessage{},
				"ReceiptHandle")); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
			if got := left(t, q); len(got) > 0 {
				t.Errorf("left in the queue: %v", got)
			}
		}
	})
}

// TestQueueFailures tells which messages come again after what a function answers.
func TestQueueFailures(t *testing.T) {
	report := func(ids ...string) string {
		text, err := json.Marshal(
			events.SQSEventResponse{BatchItemFailures: func() (all []events.SQSBatchItemFailure) {
				for _, id := range ids {
					all = append(all, events.SQSBatchItemFailure{ItemIdentifier: id})
				}
				return all
			}()})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	none, all := []string(nil), []string{"a", "b", "c"}
	for _, tt := range []struct {
		name   string
		whole  bool // no report of failures is asked for
		answer string
		err    error
		want   []string // comes again
	}{
		{"no answer", false, ``, nil, none},
		{"null", false, `null`, nil, none},
		{"empty object", false, `{}`, nil, none},
		{"empty list", false, `{"batchItemFailures":[]}`, nil, none},
		{"null list", false, `{"batchItemFailures":null}`, nil, none},
		{"one", false, report("2"), nil, []string{"b"}},
		{"two", false, report("3", "1"), nil, []string{"a", "c"}},
		{"one twice", false, report("2", "2"), nil, []string{"b"}},
		{"all", false, report("1", "2", "3"), nil, all},
		{"unknown", false, report("2", "4"), nil, all},
		{"empty identifier", false, report(""), nil, all},
		{"null identifier", false, `{"batchItemFailures":[{"itemIdentifier":null}]}`, nil, all},
		{"bad name", false, `{"batchItemFailures":[{"id":"2"}]}`, nil, all},
		{"not JSON", false, `{`, nil, all},
		{"other JSON", false, `["2"]`, nil, all},
		{"error", false, report("2"), errors.New("failed"), all},
		{"error of the whole", true, ``, errors.New("failed"), all},
		{"report that nobody asked for", true, report("2"), nil, none},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, 15*time.Second, func(t *testing.T) (func(context.Context) error, func()) {
				q, _ := openQueue(t)
				got := calls{start: time.Now()}
				mapping := &Queue{
					Source: q, Log: testLog(t), PartialFailures: !tt.whole, Concurrency: 1,
					Function: func(_ context.Context, payload []byte) ([]byte, error) {
						var event events.SQSEvent
						if err := json.Unmarshal(payload, &event); err != nil {
							t.Error(err)
						}
						first := len(got.bodies) == 0
						got.add(bodiesOf(event))
						if !first {
							return nil, nil
						}
						return []byte(tt.answer), tt.err
					},
				}
				var out []queue.Outgoing
				for _, body := range all {
					out = append(out, queue.Outgoing{Body: body})
				}
				if err := q.Send(t.Context(), out...); err != nil {
					t.Fatal(err)
				}
				return mapping.Run, func() {
					want := [][]string{all}
					at := []time.Duration{0}
					if tt.want != nil {
						want = append(want, tt.want)
						at = append(at, 10*time.Second) // the visibility
					}
					if diff := cmp.Diff(want, got.bodies); diff != "" {
						t.Errorf("batches (-want +got):\n%s", diff)
					}
					if diff := cmp.Diff(at, got.at); diff != "" {
						t.Errorf("times of the calls (-want +got):\n%s", diff)
					}
					if got := left(t, q); len(got) > 0 {
						t.Errorf("left in the queue: %v", got)
					}
				}
			})
		})
	}
}

// TestFunctionOf calls a function many times at once: each call gets its own answer.
func TestFunctionOf(t *testing.T) {
	echo := FunctionOf(func(_ context.Context, n int) (int, error) {
		if n == 0 {
			return 0, errors.New("failed")
		}
		return n, nil
	})
	var calls sync.WaitGroup
	for n := range 200 {
		calls.Go(func() {
			answer, err := echo(t.Context(), fmt.Append(nil, n))
			if want := fmt.Sprint(n); n > 0 && (string(answer) != want || err != nil) || n == 0 &&
				err == nil {
				t.Errorf("%d is answered %s, %v", n, answer, err)
			}
		})
	}
	calls.Wait()
	if _, err := echo(t.Context(), []byte("{")); err == nil {
		t.Error("an event that cannot be read is taken")
	}
}

func TestQueueDeadLetters(t *testing.T) {
	inBubble(t, time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
		q, dead := openQueue(t)
		sendBodies(t, q, "poison")
		got := calls{start: time.Now()}
		function := FunctionOf(func(_ context.Context, event events.SQSEvent) (events.SQSEventResponse,
			error) {
			got.add(bodiesOf(event))
			failed := []events.SQSBatchItemFailure{{ItemIdentifier: event.Records[0].MessageId}}
			return events.SQSEventResponse{BatchItemFailures: failed}, nil
		})
		mapping := &Queue{Source: q, Log: testLog(t), PartialFailures: true, Function: function}
		return mapping.Run, func() {
			if diff := cmp.Diff([]time.Duration{0, 10 * time.Second, 20 * time.Second}, got.at); diff != "" {
				t.Errorf("times of the calls (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"poison"}, left(t, dead)); diff != "" {
				t.Errorf("dead letters (-want +got):\n%s", diff)
			}
		}
	})
}

func TestQueueBatches(t *testing.T) {
	for _, tt := range []struct {
		name   string
		size   int
		window time.Duration
		sends  []time.Duration // when messages are sent
		want   []int           // sizes of the batches
		at     []time.Duration
	}{
		{"default size", 0, 0, make([]time.Duration, 25), []int{10, 10, 5}, []time.Duration{0, 0, 0}},
		{"one by one", 1, 0, make([]time.Duration, 3), []int{1, 1, 1}, []time.Duration{0, 0, 0}},
		{"no window takes what is there", 5, 0, []time.Duration{0, time.Second}, []int{1, 1},
			[]time.Duration{0, time.Second}},
		{"window gathers", 5, 3 * time.Second, []time.Duration{time.Second, 2 * time.Second, 5 * time.Second},
			[]int{2, 1}, []time.Duration{4 * time.Second, 8 * time.Second}},
		{"full batch ends the window", 2, 3 * time.Second, []time.Duration{time.Second, 2 * time.Second},
			[]int{2}, []time.Duration{2 * time.Second}},
		{"more than a request takes", 25, 2 * time.Second, make([]time.Duration, 30), []int{25, 5},
			[]time.Duration{0, 2 * time.Second}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
				q, _ := openQueue(t)
				got := calls{start: time.Now()}
				mapping := &Queue{
					Source: q, Log: testLog(t), BatchSize: tt.size, Window: tt.window, Concurrency: 1,
					Function: func(_ context.Context, payload []byte) ([]byte, error) {
						var event events.SQSEvent
						if err := json.Unmarshal(payload, &event); err != nil {
							t.Error(err)
						}
						got.add(bodiesOf(event))
						return nil, nil
					},
				}
				// Those of the start are there before it.
				for i, at := range tt.sends {
					message := queue.Outgoing{Body: fmt.Sprint(i)}
					if at > 0 {
						time.AfterFunc(at, func() {
							if err := q.Send(context.WithoutCancel(t.Context()), message); err != nil {
								t.Error(err)
							}
						})
					} else if err := q.Send(t.Context(), message); err != nil {
						t.Fatal(err)
					}
				}
				return mapping.Run, func() {
					var sizes []int
					for _, batch := range got.bodies {
						sizes = append(sizes, len(batch))
					}
					if diff := cmp.Diff(tt.want, sizes); diff != "" {
						t.Errorf("sizes of the batches (-want +got):\n%s", diff)
					}
					if diff := cmp.Diff(tt.at, got.at); diff != "" {
						t.Errorf("times of the calls (-want +got):\n%s", diff)
					}
				}
			})
		})
	}
}

func TestQueueConcurrency(t *testing.T) {
	for concurrency, want := range map[int]int{0: 50, 1: 1, 3: 3} {
		t.Run(fmt.Sprint(concurrency), func(t *testing.T) {
			inBubble(t, 2*time.Minute, func(t *testing.T) (func(context.Context) error, func()) {
				q, _ := openQueue(t)
				for i := range 60 {
					sendBodies(t, q, fmt.Sprint(i))
				}
				var mu sync.Mutex
				running, most := 0, 0
				mapping := &Queue{
					Source: q, Log: testLog(t), BatchSize: 1, Concurrency: concurrency,
					Function: func(context.Context, []byte) ([]byte, error) {
						mu.Lock()
						running++
						most = max(most, running)
						mu.Unlock()
						time.Sleep(time.Second)
						mu.Lock()
						running--
						mu.Unlock()
						return nil, nil
					},
				}
				return mapping.Run, func() {
					if most != want {
						t.Errorf("%d calls at a time, want %d", most, want)
					}
					if got := left(t, q); len(got) > 0 {
						t.Errorf("left in the queue: %v", got)
					}
				}
			})
		})
	}
}

// TestQueueEnds ends the context during a call, and expects the call to finish and its message to be deleted.
func TestQueueEnds(t *testing.T) {
	inBubble(t, time.Second, func(t *testing.T) (func(context.Context) error, func()) {
		q, _ := openQueue(t)
		sendBodies(t, q, "x")
		ended := false
		mapping := &Queue{
			Source: q, Log: testLog(t), Concurrency: 1,
			Function: func(ctx context.Context, _ []byte) ([]byte, error) {
				time.Sleep(5 * time.Second)
				ended = true
				return nil, ctx.Err()
			},
		}
		return mapping.Run, func() {
			if !ended {
				t.Error("Run returned before the call")
			}
			if got := left(t, q); len(got) > 0 {
				t.Errorf("left in the queue: %v", got)
			}
		}
	})
}

// TestQueueReadsOn expects that an error of the queue does not end the reading.
func TestQueueReadsOn(t *testing.T) {
	inBubble(t, 5*time.Second, func(t *testing.T) (func(context.Context) error, func()) {
		q, _ := openQueue(t)
		sendBodies(t, q, "x")
		called := false
		mapping := &Queue{
			Source: &breaking{Queue: q, errors: 2}, Log: testLog(t), Concurrency: 1,
			Function: func(context.Context, []byte) ([]byte, error) {
				called = true
				return nil, nil
			},
		}
		return mapping.Run, func() {
			if !called {
				t.Error("the function was not called")
			}
		}
	})
}

// breaking is a queue whose first receives fail.
type breaking struct {
	queue.Queue
	errors int
}

func (b *breaking) Receive(ctx context.Context, max int, visibility, wait time.Duration) ([]queue.Message,
	error) {
	if b.errors > 0 {
		b.errors--
		return nil, errors.New("no connection")
	}
	return b.Queue.Receive(ctx, max, visibility, wait)
}

func TestQueueRefusesSettings(t *testing.T) {
	for name, mapping := range map[string]*Queue{
		"large batch without a window": {BatchSize: 11},
		"batch too large":              {BatchSize: 10_001, Window: time.Second},
		"negative batch":               {BatchSize: -1},
		"window too long":              {Window: 6 * time.Minute},
		"negative window":              {Window: -1},
	} {
		if err := mapping.Run(t.Context()); err == nil {
			t.Errorf("%s: Run gave no error", name)
		}
	}
}
