package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"frontdesk/infra/costs"
	"frontdesk/shared/agent"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

const (
	people = 20_000 // contacts in the list
	ends   = 20     // pages that count as the first and as the last ones
)

// A walk holds the results of reading a list to its end.
type walk struct {
	pages []costs.Row
	times []time.Duration
	seen  map[int64]bool
	twice int // results that came again
	first int64
	last  int64 // the counts on the first and on the last page
}

// lists reads a long list of contacts page by page while contacts are added and deleted, and prints the cost
// of its first and last pages.
func lists(ctx context.Context, dir string) error {
	store, err := sqlite.Open(filepath.Join(dir, "lists.db"), time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	b, err := openListed(ctx, store)
	if err != nil {
		return err
	}
	if err := inParallel(people, func(n int) error { _, err := b.add(ctx, n); return err }); err != nil {
		return err
	}

	fmt.Printf("\nLists of %d contacts walked by next, while contacts are added and every second of them is "+
		"deleted again\n\n"+
		"| list | pages | first %d: round trips, read units, median | last %d | count before, after | read "+
		"twice |\n|---|---|---|---|---|---|\n",
		people, ends, ends)
	for _, list := range []struct{ name, path string }{
		{"of the workspace", "/contacts/"}, {"of the agent", fmt.Sprintf("/contacts/?agent_id=%d", b.agent)},
	} {
		w, err := b.walkAmongWrites(ctx, list.path)
		if err != nil {
			return err
		}
		after, err := walkThrough(b.front, b.log, b.key, list.path)
		if err != nil {
			return err
		}
		if after.last != int64(b.left) || len(after.seen) != b.left {
			return fmt.Errorf("%s: count %d and %d results, want %d", list.path, after.last, len(after.seen),
				b.left)
		}
		fmt.Printf("| %s | %d | %s | %s | %d, %d | %d |\n",
			list.name, len(w.pages), w.cost(0, ends), w.cost(len(w.pages)-1-ends, ends), w.first, after.last,
			w.twice)
	}
	return nil
}

// listed is an agent with many contacts, and the handler that lists them.
type listed struct {
	front    http.Handler
	log      *costs.Recorder
	key      string
	account  int64
	agent    int64
	contacts *contact.Store
	next     int // the number of the next contact
	left     int // contacts that exist
}

func openListed(ctx context.Context, store table.Table) (*listed, error) {
	front, log, err := costs.Serve("template.yaml", store)
	if err != nil {
		return nil, err
	}
	ids := id.NewSource(time.Now)
	account, issued, err := (&auth.Workspaces{Table: store, Now: time.Now, IDs: ids}).Create(ctx, "Bench",
		"enterprise")
	if err != nil {
		return nil, err
	}
	of, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(ctx, account.ID,
		agent.Agent{Summary: agent.Summary{Name: "Ada"}}, 1)
	if err != nil {
		return nil, err
	}
	return &listed{
		front: front, log: log, key: issued.Text, account: account.ID, agent: of.ID,
		next: people, left: people,
		contacts: &contact.Store{Table: store, Now: time.Now, IDs: ids},
	}, nil
}

// add creates the nth contact.
func (b *listed) add(ctx context.Context, n int) (contact.Contact, error) {
	c := contact.New(0, b.agent, time.Now().UTC())
	c.Name, c.Phone = "Ada Lovelace", fmt.Sprintf("+1415%07d", n)
	c, _, err := b.contacts.Upsert(ctx, b.account, c)
	return c, err
}

// walkAmongWrites reads a list to its end while contacts are added and every second one is deleted again.
func (b *listed) walkAmongWrites(ctx context.Context, path string) (walk, error) {
	written := make(chan error)
	walking, walked := context.WithCancel(ctx)
	go func() {
		for ; walking.Err() == nil; b.next++ {
			c, err := b.add(ctx, b.next)
			if err == nil && b.next%2 == 0 {
				err = b.contacts.Delete(ctx, b.account, c.ID)
			} else {
				b.left++
			}
			if err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	w, err := walkThrough(b.front, b.log, b.key, path)
	walked()
	return w, errors.Join(<-written, err)
}

// walkThrough reads a list to its end by its next tokens.
func walkThrough(front http.Handler, log *costs.Recorder, key, list string) (walk, error) {
	w := walk{seen: map[int64]bool{}}
	for address := "http://localhost/api/v1" + list; address != ""; {
		req := httptest.NewRequest("GET", address, nil)
		req.Header.Set("Authorization", "Bearer "+key)
		answer := httptest.NewRecorder()
		start := time.Now()
		front.ServeHTTP(answer, req)
		w.times = append(w.times, time.Since(start))
		w.pages = append(w.pages, log.Last())
		var page struct {
			Count   int64
			Next    string
			Results []struct{ ID int64 }
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil || answer.Code != http.StatusOK {
			return walk{}, fmt.Errorf("GET %s: %d %.200s %v", address, answer.Code, answer.Body, err)
		}
		for _, one := range page.Results {
			if w.seen[one.ID] {
				w.twice++
			}
			w.seen[one.ID] = true
		}
		if len(w.pages) == 1 {
			w.first = page.Count
		}
		w.last, address = page.Count, page.Next
	}
	return w, nil
}

// cost describes the cost of n pages starting at from: the highest round trips and read units, and the median
// time.
func (w walk) cost(from, n int) string {
	var trips int64
	var units float64
	for _, page := range w.pages[from : from+n] {
		trips, units = max(trips, page.RoundTrips), max(units, page.ReadUnits)
	}
	return fmt.Sprintf("%d, %v, %s", trips, units, milliseconds(quantile(w.times[from:from+n], 0.5)))
}

// inParallel calls do for the numbers below n, several at a time.
func inParallel(n int, do func(int) error) error {
	const workers = 16
	var next atomic.Int64
	errs := make(chan error, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}
