// Command bench measures the product on this machine and prints ratios and counts: how long a function takes
// from the start of its process to its first answer, against handlers made the usual way; how long warm
// requests take; how many turns of a chat a second has; whether long lists are read at the same cost
// throughout; how fast events are delivered; how fast messages of platforms are accepted and answered; and
// what each request costs. Single times depend on the machine and its load; ratios were measured in turn.
// Arguments name the parts to measure.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// parts lists the measurements in the order in which they are printed.
var parts = []struct {
	name string
	run  func(ctx context.Context, dir string) error
}{{"coldstarts", coldStarts}, {"requests", requests}, {"chat", chat}, {"limits", limits}, {"lists", lists},
	{"deliveries", deliveries}, {"inbound", inbound}, {"against", against}, {"prices", prices},
	{soakPart, soak}}

// soakPart names a measurement that takes so long that it runs only when it is named.
const soakPart = "soak"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run runs the named measurements, or all of them if no name is given. If a name is unknown it returns an
// error and measures nothing.
func run(ctx context.Context, names []string) error {
	if len(names) == 2 && names[0] == soakService {
		return serveSoak(ctx, names[1])
	}
	var known []string
	for _, part := range parts {
		known = append(known, part.name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no part %q; the parts are %s", name, strings.Join(known, ", "))
		}
	}
	dir, err := os.MkdirTemp("", "frontdesk-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, part := range parts {
		if !slices.Contains(names, part.name) && (len(names) > 0 || part.name == soakPart) {
			continue
		}
		if err := part.run(ctx, dir); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// quantile returns the value below which the given share of the durations lies.
func quantile(durations []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(durations))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000)
}

// inTurn calls each function once per round, in an order that changes from round to round, so that no
// function profits from its position. It stops at the first error.
func inTurn(ctx context.Context, rounds int, fns ...func() error) error {
	order := make([]int, len(fns))
	for i := range order {
		order[i] = i
	}
	for range rounds {
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fns[i](); err != nil {
				return err
			}
		}
	}
	return nil
}
