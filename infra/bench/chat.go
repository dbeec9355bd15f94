package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// chatTime is the duration of the measurement for each number of visitors.
const chatTime = 3 * time.Second

// talk lists the messages of each visitor's session in order: a greeting, a question about the documents, the
// price of a product, an appointment with its time, and thanks.
var talk = []string{
	"Hello", "What do the things on shelf 7 cost?", "How much is the city bicycle?",
	"I would like an appointment",
	"Tomorrow at 3 pm", "Thank you!",
}

// chat prints the chat turns per second and the latency of the local service for several numbers of
// concurrent visitors, compared with requests that do nothing.
func chat(ctx context.Context, dir string) error {
	s, err := start(ctx, filepath.Join(dir, "chat"), 8)
	if err != nil {
		return err
	}
	defer s.close()
	nothing := func(ctx context.Context, _, _ int, _ string) (string, error) {
		_, err := s.call(ctx, "POST", s.nothing, "x", map[string]any{"message": "Hello"})
		return "", err
	}
	turn := func(ctx context.Context, visitor, n int, session string) (string, error) {
		w := s.workspaces[visitor%len(s.workspaces)]
		body := map[string]any{"message": talk[n%len(talk)]}
		if n%len(talk) > 0 {
			body["session_id"] = session
		}
		answer, err := s.call(ctx, "POST", w.agent+"chat/", w.key, body)
		if err != nil {
			return "", err
		}
		return string(answer["session_id"][1 : len(answer["session_id"])-1]), nil
	}
	fmt.Printf("\nTurns of a chat with the local service over SQLite: 25 documents, products and "+
		"appointments, conversations of %d messages; %v and %d processors for each row, visitors and "+
		"service together\n\n", len(talk), chatTime, runtime.NumCPU())
	fmt.Printf("| visitors at once | turns a second | p50 | p95 | p99 | processor time a turn | a handler " +
		"that does nothing, requests a second | p99 | turns against it " +
		"|\n|---|---|---|---|---|---|---|---|---|\n")
	for _, visitors := range []int{1, 8, mostAtOnce} {
		idle, err := load(ctx, visitors, nothing)
		if err != nil {
			return err
		}
		before := processorTime()
		turns, err := load(ctx, visitors, turn)
		if err != nil {
			return err
		}
		each := (processorTime() - before) / time.Duration(len(turns))
		rate := func(times []time.Duration) float64 { return float64(len(times)) / chatTime.Seconds() }
		fmt.Printf("| %d | %.0f | %s | %s | %s | %s | %.0f | %s | 1 : %.0f |\n", visitors, rate(turns),
			milliseconds(quantile(turns, 0.5)), milliseconds(quantile(turns, 0.95)),
			milliseconds(quantile(turns, 0.99)),
			milliseconds(each), rate(idle), milliseconds(quantile(idle, 0.99)), rate(idle)/rate(turns))
	}
	return nil
}

// processorTime returns the processor time that this process has used. Other processes on the machine hardly
// affect it.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// load calls do repeatedly for each visitor, with the visitor's number, its count of earlier calls and the
// result of its last call, and returns the duration of each call.
func load(ctx context.Context, visitors int, do func(ctx context.Context, visitor, n int,
	last string) (string, error)) ([]time.Duration, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := make([][]time.Duration, visitors)
	end := time.Now().Add(chatTime)
	var wg sync.WaitGroup
	for visitor := range visitors {
		wg.Go(func() {
			last := ""
			for n := 0; ctx.Err() == nil; n++ {
				start := time.Now()
				if start.After(end) {
					return
				}
				var err error
				if last, err = do(ctx, visitor, n, last); err != nil {
					cancel(err)
					return
				}
				all[visitor] = append(all[visitor], time.Since(start))
			}
		})
	}
	wg.Wait()
	var times []time.Duration
	for _, own := range all {
		times = append(times, own...)
	}
	return times, context.Cause(ctx)
}
