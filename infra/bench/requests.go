package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"frontdesk/infra/costs"
	"frontdesk/shared/table/sqlite"
)

// rounds is the number of times that each warm request is made.
const rounds = 1500

// requests prints the time of warm requests to the local service as a multiple of that of a request that does
// nothing.
func requests(ctx context.Context, dir string) error {
	s, err := start(ctx, filepath.Join(dir, "requests"), 4)
	if err != nil {
		return err
	}
	defer s.close()

	var idle, read, turn []time.Duration
	n := 0
	timed := func(to *[]time.Duration, method, address, key string, body any) error {
		start := time.Now()
		_, err := s.call(ctx, method, address, key, body)
		*to = append(*to, time.Since(start))
		return err
	}
	next := func() workspace { n++; return s.workspaces[n%len(s.workspaces)] }
	err = inTurn(ctx, rounds,
		func() error { return timed(&idle, "POST", s.nothing, "x", map[string]any{}) },
		func() error { w := next(); return timed(&read, "GET", w.agent, w.key, nil) },
		func() error {
			w := next()
			return timed(&turn, "POST", w.agent+"chat/", w.key,
				map[string]any{"message": "What do the things on shelf 7 cost?"})
		},
	)
	if err != nil {
		return err
	}
	base50 := float64(quantile(idle, 0.5))
	fmt.Printf("\nWarm requests to the local service, one at a time, %d of each\n\n| request | p50 | p99 | "+
		"p50 against a handler that does nothing |\n|---|---|---|---|\n", rounds)
	for _, row := range []struct {
		name  string
		times []time.Duration
	}{{"a handler that does nothing", idle}, {"GET an agent", read},
		{"a turn of a chat, 25 documents known", turn}} {
		p50 := quantile(row.times, 0.5)
		fmt.Printf("| %s | %s | %s | %.1f |\n", row.name, milliseconds(p50),
			milliseconds(quantile(row.times, 0.99)), float64(p50)/base50)
	}
	return nil
}

// prices prints the cost of each request.
func prices(ctx context.Context, dir string) error {
	store, err := sqlite.Open(filepath.Join(dir, "prices.db"), time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	rows, err := costs.MeasureRequests(ctx, "template.yaml", store)
	if err != nil {
		return err
	}
	fmt.Printf("\nWhat requests cost\n\n| request | round trips | read units | write units " +
		"|\n|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Printf("| %s | %d | %v | %v |\n", r.Request, r.RoundTrips, r.ReadUnits, r.WriteUnits)
	}
	return nil
}
