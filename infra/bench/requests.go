package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"frontdesk/infra/costs"
	"frontdesk/infra/local"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/table/sqlite"
)

// rounds is how often each warm request is made.
const rounds = 1500

// requests prints how long warm requests to the local service take, as a multiple of a request that does nothing.
func requests(ctx context.Context, dir string) error {
	service, err := local.Start(ctx, local.Config{
		Template: "template.yaml", DataDir: filepath.Join(dir, "data"), Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	defer service.Close()
	server := httptest.NewServer(service)
	defer server.Close()
	nothing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body)
		io.WriteString(w, "{}")
	}))
	defer nothing.Close()

	call := func(method, address, key string, body any) (map[string]json.RawMessage, error) {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		answer := map[string]json.RawMessage{}
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode >= 300 {
			return nil, fmt.Errorf("%s %s: %d %s %v", method, address, resp.StatusCode, answer["detail"], err)
		}
		return answer, nil
	}
	// The rate limit of a plan holds here too, so the load is spread over workspaces.
	type workspace struct{ key, agent string }
	var workspaces []workspace
	base := server.URL + "/api/v1"
	for i := range 4 {
		_, issued, err := service.Workspaces.Create(ctx, fmt.Sprint("Bench ", i), "enterprise")
		if err != nil {
			return err
		}
		made, err := call("POST", base+"/agents/", issued.Text, map[string]any{"name": "Ada", "industry": "retail"})
		if err != nil {
			return err
		}
		w := workspace{issued.Text, base + "/agents/" + string(made["id"]) + "/"}
		for n := range 25 {
			if _, err := call("POST", w.agent+"knowledge/", w.key, map[string]any{"title": fmt.Sprint("Shelf ", n), "content": fmt.Sprintf(
				"Shelf %d holds things for the garden. They cost %d euros each. Dogs are welcome beside shelf %d.", n, n+10, n)}); err != nil {
				return err
			}
		}
		workspaces = append(workspaces, w)
	}

	var idle, read, turn []time.Duration
	n := 0
	timed := func(to *[]time.Duration, method, address, key string, body any) error {
		start := time.Now()
		_, err := call(method, address, key, body)
		*to = append(*to, time.Since(start))
		return err
	}
	next := func() workspace { n++; return workspaces[n%len(workspaces)] }
	err = inTurn(ctx, rounds,
		func() error { return timed(&idle, "POST", nothing.URL, "x", map[string]any{}) },
		func() error { w := next(); return timed(&read, "GET", w.agent, w.key, nil) },
		func() error {
			w := next()
			return timed(&turn, "POST", w.agent+"chat/", w.key, map[string]any{"message": "What do the things on shelf 7 cost?"})
		},
	)
	if err != nil {
		return err
	}
	base50 := float64(quantile(idle, 0.5))
	fmt.Printf("\nWarm requests to the local service, one at a time, %d of each\n\n| request | p50 | p99 | p50 against a handler that does nothing |\n|---|---|---|---|\n", rounds)
	for _, row := range []struct {
		name  string
		times []time.Duration
	}{{"a handler that does nothing", idle}, {"GET an agent", read}, {"a turn of a chat, 25 documents known", turn}} {
		p50 := quantile(row.times, 0.5)
		fmt.Printf("| %s | %s | %s | %.1f |\n", row.name, milliseconds(p50), milliseconds(quantile(row.times, 0.99)), float64(p50)/base50)
	}
	return nil
}

// prices prints what each request costs.
func prices(ctx context.Context, dir string) error {
	store, err := sqlite.Open(filepath.Join(dir, "prices.db"), time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	front, log, err := costs.Serve("template.yaml", store)
	if err != nil {
		return err
	}
	ids := id.NewSource(time.Now)
	workspaces := auth.Workspaces{Table: store, Now: time.Now, IDs: ids}
	account, issued, err := workspaces.Create(ctx, "Bench", "pro")
	if err != nil {
		return err
	}
	rows, err := costs.Measure(ctx, front, log, costs.Workspace{Table: store, Account: account.ID, Key: issued.Text})
	if err != nil {
		return err
	}
	fmt.Printf("\nWhat requests cost\n\n| request | round trips | read units | write units |\n|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Printf("| %s | %d | %v | %v |\n", r.Request, r.RoundTrips, r.ReadUnits, r.WriteUnits)
	}
	return nil
}
