package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"frontdesk/shared/api/apitest"
)

const (
	againstTurns         = 1500 // turns of a chat, by againstVisitors at once
	againstVisitors      = 8
	againstConversations = 1000 // conversations of two messages, all resolved in one burst
	againstRounds        = 3    // of each program, in turn
)

// against compares the program of this checkout with that of the checkout that the environment variable
// AGAINST names, such as an earlier commit. It measures resolved conversations delivered per second, chat
// turns per second, and bytes of the store per conversation. The programs take turns. Both run as make run
// starts them, each round on a new store.
func against(ctx context.Context, dir string) error {
	checkouts := []string{"."}
	if other := os.Getenv("AGAINST"); other != "" {
		checkouts = append(checkouts, other)
	}
	programs := make([]string, len(checkouts))
	for i, checkout := range checkouts {
		programs[i] = filepath.Join(dir, fmt.Sprint("against-", i))
		if _, err := compile(ctx, checkout, "./infra/local/frontdesk", programs[i]); err != nil {
			return err
		}
	}
	results := make([][]againstResult, len(checkouts))
	for round := range againstRounds {
		for i, program := range programs {
			data := filepath.Join(dir, fmt.Sprintf("against-%d-%d", i, round))
			result, err := measureAgainst(ctx, checkouts[i], program, data)
			if err != nil {
				return fmt.Errorf("%s: %w", checkouts[i], err)
			}
			results[i] = append(results[i], result)
		}
	}
	fmt.Printf("\nThe local service, medians of %d rounds in turn: %d conversations of two messages that "+
		"are all resolved, "+
		"of which one webhook hears, then %d turns of a chat by %d visitors\n\n",
		againstRounds, againstConversations, againstTurns, againstVisitors)
	fmt.Printf("| checkout | resolved and delivered a second | turns a second | processor seconds | " +
		"bytes of the store a conversation |\n|---|---|---|---|---|\n")
	for i, checkout := range checkouts {
		printAgainst(checkout, func(of func(againstResult) float64) float64 {
			return median(len(results[i]), func(round int) float64 { return of(results[i][round]) })
		})
	}
	if len(checkouts) > 1 {
		printAgainst("this one : the other", func(of func(againstResult) float64) float64 {
			return median(againstRounds,
				func(round int) float64 { return of(results[0][round]) / of(results[1][round]) })
		})
	}
	return nil
}

// printAgainst prints a row. figure computes one of its figures from the results by the given selector.
func printAgainst(name string, figure func(of func(againstResult) float64) float64) {
	burst := figure(func(r againstResult) float64 { return r.burst })
	turns := figure(func(r againstResult) float64 { return r.turns })
	processor := figure(func(r againstResult) float64 { return r.processor })
	bytes := figure(func(r againstResult) float64 { return r.bytes })
	fmt.Printf("| %s | %.4g | %.4g | %.3g | %.4g |\n", name, burst, turns, processor, bytes)
}

// median returns the median of n figures.
func median(n int, figure func(int) float64) float64 {
	figures := make([]float64, n)
	for i := range figures {
		figures[i] = figure(i)
	}
	slices.Sort(figures)
	return figures[n/2]
}

// An againstResult holds the figures of one round.
type againstResult struct {
	turns     float64 // a second
	burst     float64 // conversations a second, from the first request to the last receipt
	processor float64 // seconds of the service in both
	bytes     float64 // of the store for a conversation
}

// measureAgainst plays one round with a program built from a checkout.
func measureAgainst(ctx context.Context, checkout, program, data string) (result againstResult, err error) {
	received := newReceipts(againstConversations)
	receiver := httptest.NewServer(received)
	defer receiver.Close()
	s, err := serve(ctx, checkout, program, data)
	if err != nil {
		return result, err
	}
	defer s.stop()
	agent, err := makeAgent(s.client, receiver.URL)
	if err != nil {
		return result, err
	}
	if result.burst, err = playBurst(ctx, s.client, agent, received); err != nil {
		return result, err
	}
	result.processor = s.stop().Seconds()
	result.bytes = float64(storeSize(data)) / againstConversations

	if s, err = serve(ctx, checkout, program, data); err != nil {
		return result, err
	}
	defer s.stop()
	begun := time.Now()
	if err := playTurns(s.client, agent); err != nil {
		return result, err
	}
	result.turns = againstTurns / time.Since(begun).Seconds()
	result.processor += s.stop().Seconds()
	return result, nil
}

// playBurst starts conversations, resolves all of them, and returns how many per second were resolved and
// delivered.
func playBurst(ctx context.Context, c *apitest.Client, agent string, received *receipts) (float64, error) {
	conversations := make([]string, againstConversations)
	err := inParallel(len(conversations), func(i int) error {
		a, err := c.Try("POST", "/agents/"+agent+"/chat/",
			map[string]any{"message": "Hello, are you open on Sunday?"})
		if err != nil || a.Status != http.StatusOK {
			return fmt.Errorf("chat: %d %s %v", a.Status, a.Body, err)
		}
		conversations[i] = a.Number("conversation_id")
		return nil
	})
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	err = inParallel(len(conversations), func(i int) error {
		a, err := c.Try("POST", "/conversations/"+conversations[i]+"/resolve/", nil)
		if err != nil || a.Status != http.StatusOK {
			return fmt.Errorf("resolve: %d %s %v", a.Status, a.Body, err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	select {
	case <-received.all:
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(patience):
		return 0, fmt.Errorf("deliveries are missing after %v", patience)
	}
	return againstConversations / time.Since(begun).Seconds(), nil
}

// makeAgent creates an agent with a document and a webhook, and returns its id.
func makeAgent(c *apitest.Client, receiver string) (string, error) {
	made, err := c.Try("POST", "/agents/", map[string]any{"name": "Ada", "booking_enabled": true,
		"business_hours": "Monday to Sunday 8:00-20:00"})
	if err != nil {
		return "", err
	}
	agent := made.Number("id")
	for path, body := range map[string]map[string]any{
		"knowledge/": {"title": "Shelves",
			"content": "Shelf 7 holds things for the garden. They cost 17 euros each."},
		"products/": {"name": "City bicycle", "price": 499.9, "currency": "EUR"},
		"webhooks/": {"url": receiver, "events": []string{"conversation.resolved"}},
	} {
		if made, err = c.Try("POST", "/agents/"+agent+"/"+path, body); err != nil || made.Status >= 300 {
			return "", fmt.Errorf("POST %s: %d %s %v", path, made.Status, made.Body, err)
		}
	}
	return agent, nil
}

// playTurns sends the messages of talk for several concurrent visitors, each in its own conversations.
func playTurns(c *apitest.Client, agent string) error {
	errs := make(chan error, againstVisitors)
	for range againstVisitors {
		go func() {
			session := ""
			for n := range againstTurns / againstVisitors {
				body := map[string]any{"message": talk[n%len(talk)]}
				if n%len(talk) > 0 {
					body["session_id"] = session
				}
				a, err := c.Try("POST", "/agents/"+agent+"/chat/", body)
				if err != nil || a.Status != http.StatusOK {
					errs <- fmt.Errorf("chat: %d %s %v", a.Status, a.Body, err)
					return
				}
				session = a.Text("session_id")
			}
			errs <- nil
		}()
	}
	var first error
	for range againstVisitors {
		if err := <-errs; err != nil {
			first = err
		}
	}
	return first
}

// storeSize returns the size in bytes of the store in a data folder. The service must have ended.
func storeSize(data string) int64 {
	sum := int64(0)
	for _, name := range []string{"table.db", "queues.db"} {
		if info, err := os.Stat(filepath.Join(data, name)); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// receipts records the distinct deliveries that a receiver got.
type receipts struct {
	want int
	all  chan struct{} // closed when the expected number came

	mu  sync.Mutex
	ids map[string]bool
}

func newReceipts(want int) *receipts {
	return &receipts{want: want, all: make(chan struct{}), ids: map[string]bool{}}
}

// ServeHTTP answers 200.
func (r *receipts) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := req.Header.Get("Webhook-Id")
	if r.ids[id] {
		return
	}
	if r.ids[id] = true; len(r.ids) == r.want {
		close(r.all)
	}
}
