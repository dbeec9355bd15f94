package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"frontdesk/shared/api/apitest"
)

const (
	soakTurns      = 100_000 // the variable TURNS overrides it
	soakRounds     = 10      // after each the service becomes idle and is measured
	soakWorkspaces = 8
	soakVisitors   = 8  // at once
	soakHooks      = 6  // of each agent; a conversation has as many deliveries as turns
	soakHanging    = 50 // one in this many conversations belongs to the agent whose receivers hang
	soakGrowth     = 1.2
)

// soak plays chat turns, and as many deliveries to receivers that answer, fail at first, or hang, in rounds
// with pauses between them, against a service in its own process. It prints the resources that the service
// holds at each pause. It fails if something was lost, or grew by more than a fifth from the third round to
// the last. With few turns memory grows more than that, since the cache of the store is still filling.
func soak(ctx context.Context, dir string) error {
	turns, err := strconv.Atoi(cmp.Or(os.Getenv("TURNS"), strconv.Itoa(soakTurns)))
	if err != nil || turns < soakRounds*soakHanging*len(talk) {
		return fmt.Errorf("TURNS=%s is no number of at least %d", os.Getenv("TURNS"),
			soakRounds*soakHanging*len(talk))
	}
	receivers := &soakReceivers{attempts: map[string]int{}}
	server := httptest.NewServer(receivers)
	defer server.Close()
	s, err := startSoak(ctx, filepath.Join(dir, "soak"))
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.prepare(server.URL); err != nil {
		return err
	}
	perRound := turns / len(talk) / soakRounds
	fmt.Printf("\nSoak: %d turns and as many deliveries, one in %d of those to receivers that hang, in %d "+
		"rounds; figures of the service at rest after each\n\n| round | seconds | turns a second | p50 "+
		"| p99 | heap MB | resident MB | goroutines | open files | store MB | bytes a turn "+
		"|\n|---|---|---|---|---|---|---|---|---|---|---|\n",
		perRound*soakRounds*len(talk), soakHanging, soakRounds)
	before, err := s.rest()
	if err != nil {
		return err
	}
	var rests []soakRest
	for round := range soakRounds {
		r, err := s.round(ctx, round*perRound, perRound, receivers)
		if err != nil {
			return fmt.Errorf("round %d: %w", round+1, err)
		}
		r.perTurn = float64(r.Store-before.Store) / float64(perRound*len(talk))
		r.print(round + 1)
		rests, before = append(rests, r), r
	}
	return errors.Join(s.checkMessages(), s.checkDeliveries(receivers),
		checkGrowth(rests[2], rests[soakRounds-1]))
}

// A soaked is a service under soak, with the clients that load it.
type soaked struct {
	clients  []*apitest.Client // one per workspace
	agents   []string          // of each workspace, that with receivers that answer
	hanging  []string          // of each workspace, that with receivers that hang
	sessions []string          // of the conversations, by their numbers
	control  string            // address that reports the resources of the process
	stop     func()
}

// prepare creates the agents of all workspaces with their webhooks.
func (s *soaked) prepare(receiver string) error {
	for i, c := range s.clients {
		for _, kind := range []string{"good", "hang"} {
			made, err := c.Try("POST", "/agents/", map[string]any{"name": "Ada", "booking_enabled": true,
				"business_hours": "Monday to Sunday 8:00-20:00"})
			if err != nil || made.Status != http.StatusCreated {
				return fmt.Errorf("POST /agents/: %d %s %v", made.Status, made.Body, err)
			}
			agent := made.Number("id")
			for n := range soakHooks {
				url := fmt.Sprintf("%s/%s/%d/%d", receiver, kind, i, n)
				if kind == "good" && n == 0 {
					url = fmt.Sprintf("%s/flaky/%d", receiver, i)
				}
				made, err = c.Try("POST", "/agents/"+agent+"/webhooks/",
					map[string]any{"url": url, "events": []string{"conversation.resolved"}})
				if err != nil || made.Status != http.StatusCreated {
					return fmt.Errorf("POST webhooks/: %d %s %v", made.Status, made.Body, err)
				}
			}
			if kind == "good" {
				s.agents = append(s.agents, agent)
			} else {
				s.hanging = append(s.hanging, agent)
			}
		}
	}
	return nil
}

// converse plays and resolves a conversation, and returns the duration of each turn.
func (s *soaked) converse(n int) ([]time.Duration, error) {
	workspace := n % len(s.clients)
	agent := s.agents[workspace]
	if n%soakHanging == 0 {
		workspace = n / soakHanging % len(s.clients)
		agent = s.hanging[workspace]
	}
	c := s.clients[workspace]
	body := map[string]any{}
	var took []time.Duration
	var conversation string
	for _, text := range talk {
		body["message"] = text
		begun := time.Now()
		a, err := c.Try("POST", "/agents/"+agent+"/chat/", body)
		if err != nil || a.Status != http.StatusOK {
			return nil, fmt.Errorf("chat: %d %s %v", a.Status, a.Body, err)
		}
		took = append(took, time.Since(begun))
		body["session_id"], conversation = a.Text("session_id"), a.Number("conversation_id")
	}
	s.sessions[n] = workspaceSession(workspace, agent, body["session_id"])
	a, err := c.Try("POST", "/conversations/"+conversation+"/resolve/", nil)
	if err != nil || a.Status != http.StatusOK {
		return nil, fmt.Errorf("resolve: %d %s %v", a.Status, a.Body, err)
	}
	return took, nil
}

// round plays conversations starting at number from, waits until all their deliveries are done, and measures
// the service.
func (s *soaked) round(ctx context.Context, from, conversations int, r *soakReceivers) (soakRest, error) {
	s.sessions = append(s.sessions, make([]string, conversations)...)
	next := make(chan int, conversations)
	for n := range conversations {
		next <- from + n
	}
	close(next)
	var mu sync.Mutex
	var took []time.Duration
	var failure error
	var visitors sync.WaitGroup
	begun := time.Now()
	for range soakVisitors {
		visitors.Go(func() {
			for n := range next {
				durations, err := s.converse(n)
				mu.Lock()
				took, failure = append(took, durations...), errors.Join(failure, err)
				mu.Unlock()
				if err != nil || ctx.Err() != nil {
					return
				}
			}
		})
	}
	visitors.Wait()
	if failure = errors.Join(failure, ctx.Err()); failure != nil {
		return soakRest{}, failure
	}
	seconds := time.Since(begun).Seconds()
	if err := r.await(ctx, len(s.sessions)); err != nil {
		return soakRest{}, err
	}
	rest, err := s.rest()
	rest.seconds, rest.turns = seconds, float64(len(took))/seconds
	rest.p50, rest.p99 = quantile(took, 0.5), quantile(took, 0.99)
	return rest, err
}

// A soakRest holds the resources of the idle service and the results of the round before.
type soakRest struct {
	Heap, Resident, Store int64 // bytes
	Goroutines, Files     int

	seconds, turns, perTurn float64
	p50, p99                time.Duration
}

func (r soakRest) print(round int) {
	const mega = 1 << 20
	fmt.Printf("| %d | %.0f | %.0f | %s | %s | %.1f | %.1f | %d | %d | %.1f | %.0f |\n", round, r.seconds,
		r.turns, milliseconds(r.p50), milliseconds(r.p99), float64(r.Heap)/mega, float64(r.Resident)/mega,
		r.Goroutines, r.Files, float64(r.Store)/mega, r.perTurn)
}

// checkGrowth returns an error if a resource grew too much between two measurements.
func checkGrowth(early, late soakRest) error {
	var errs []error
	for what, grown := range map[string]float64{
		"resident memory": float64(late.Resident) / float64(early.Resident),
		"goroutines":      float64(late.Goroutines) / float64(early.Goroutines),
		"open files":      float64(late.Files) / float64(early.Files),
		"bytes a turn":    late.perTurn / early.perTurn,
	} {
		fmt.Printf("\n%s, last round against the third: %.2f", what, grown)
		if grown > soakGrowth {
			errs = append(errs, fmt.Errorf("%s grew by the factor %.2f", what, grown))
		}
	}
	fmt.Println()
	return errors.Join(errs...)
}
