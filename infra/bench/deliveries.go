package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"frontdesk/infra/costs"
	"frontdesk/infra/local"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/egress"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/webhook"
)

const (
	total    = 2000        // events per round
	calmly   = 50          // events per second in the slow round
	fan      = webhook.Max // receivers in the round with many
	patience = 5 * time.Minute
)

// deliveries prints the time from the answer to a request that causes an event until a receiver has it, and
// the deliveries per second. It measures the program that make run starts, over sockets. In the fast rounds
// events are created as fast as they are accepted, so those for many receivers queue up.
func deliveries(ctx context.Context, dir string) error {
	program := filepath.Join(dir, "frontdesk")
	if _, err := compile(ctx, ".", "./infra/local/frontdesk", program); err != nil {
		return err
	}
	s, err := serve(ctx, ".", program, filepath.Join(dir, "deliveries"))
	if err != nil {
		return err
	}
	defer s.stop()
	bare, err := bareDeliveries(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("\nDeliveries by the local service, %d events, of which each receiver hears; a client that "+
		"does nothing else delivers %.0f a second\n\n"+
		"| receivers | events a second | accepted to received, p50 | p95 | deliveries a second | as a share "+
		"of those |\n|---|---|---|---|---|---|\n", total, bare)
	for _, round := range []struct{ receivers, pace int }{{1, calmly}, {1, 0}, {fan, 0}} {
		r, err := newRound(s.client, round.receivers)
		if err != nil {
			return err
		}
		if err = r.play(ctx, round.pace); err == nil {
			r.print(round.pace, bare)
		}
		r.close()
		if err != nil {
			return err
		}
	}
	return deliveryCosts(ctx, dir)
}

// deliveryCosts prints the cost of a delivery.
func deliveryCosts(ctx context.Context, dir string) error {
	store, err := sqlite.Open(filepath.Join(dir, "costs.db"), time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	rows, err := costs.MeasureDeliveries(ctx, store)
	if err != nil {
		return err
	}
	fmt.Printf("\nWhat one delivery costs, from the event in the stream on\n\n" +
		"| a delivery | requests to SQS | requests to the table | read units | write units " +
		"|\n|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Printf("| %s | %v | %v | %v | %v |\n", r.Delivery, r.Queue, r.Table, r.ReadUnits, r.WriteUnits)
	}
	return nil
}

// A running is a service that serve started.
type running struct {
	client *apitest.Client      // with the local key
	stop   func() time.Duration // ends it and returns the processor time that it used
}

// serve starts the program built from a checkout on a free port, with additional environment variables.
func serve(
	ctx context.Context, checkout, program, data string, environment ...string,
) (*running, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().(*net.TCPAddr)
	listener.Close()
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = checkout
	cmd.Env = append(append(os.Environ(), environment...), fmt.Sprint("PORT=", address.Port),
		"DATA_DIR="+data, "WEBHOOK_ALLOW_HOSTS=127.0.0.1")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := sync.OnceValue(func() time.Duration {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	})
	c := &apitest.Client{
		Base: fmt.Sprintf("http://%s/api/v1/", address), Key: local.Key,
		Transport: &http.Transport{MaxIdleConnsPerHost: mostAtOnce},
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if a, err := c.Try("GET", "/me/", nil); err == nil && a.Status == http.StatusOK {
			return &running{c, stop}, nil
		}
		if time.Now().After(deadline) {
			stop()
			return nil, fmt.Errorf("%s does not answer", program)
		}
	}
}

// bareDeliveries returns the requests per second that the product's webhook client makes when it does nothing
// else.
func bareDeliveries(ctx context.Context) (float64, error) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		req *http.Request) {
		io.Copy(io.Discard, req.Body)
	}))
	defer receiver.Close()
	web := egress.New(egress.Config{AllowHosts: "127.0.0.1"})
	call := egress.Call{Method: "POST", URL: receiver.URL, Body: make([]byte, 200), Timeout: 10 * time.Second,
		MaxBody: 1}
	begun := time.Now()
	err := inParallel(total, func(int) error { _, err := web.Do(ctx, call); return err })
	return total / time.Since(begun).Seconds(), err
}

// A round is an agent whose webhooks each have their own receiver, with the times at which its events were
// accepted and received.
type round struct {
	client    *apitest.Client
	agent     json.Number
	contact   json.Number
	receivers []*httptest.Server

	mu       sync.Mutex
	accepted map[json.Number]time.Time // by the appointment that an event is of
	received map[json.Number][]time.Time
	missing  int
	all      chan struct{} // closed when none is
}

func newRound(c *apitest.Client, receivers int) (*round, error) {
	r := &round{
		client: c, accepted: map[json.Number]time.Time{}, received: map[json.Number][]time.Time{},
		missing: total * receivers, all: make(chan struct{}),
	}
	made, err := r.post("/agents/", map[string]any{"name": "Ada"})
	if err != nil {
		return nil, err
	}
	r.agent = made
	if r.contact, err = r.post("/contacts/", map[string]any{"agent_id": r.agent,
		"phone": "+14155550123"}); err != nil {
		return nil, err
	}
	for range receivers {
		receiver := httptest.NewServer(http.HandlerFunc(r.receive))
		r.receivers = append(r.receivers, receiver)
		_, err := r.post("/agents/"+string(r.agent)+"/webhooks/",
			map[string]any{"url": receiver.URL, "events": []string{"appointment.created"}})
		if err != nil {
			r.close()
			return nil, err
		}
	}
	return r, nil
}

// post creates a resource and returns its id.
func (r *round) post(path string, body any) (json.Number, error) {
	a, err := r.client.Try("POST", path, body)
	if err != nil || a.Status >= 300 {
		return "", fmt.Errorf("POST %s: %d %s %v", path, a.Status, a.Body, err)
	}
	return json.Number(a.Number("id")), nil
}

func (r *round) receive(_ http.ResponseWriter, req *http.Request) {
	var event struct {
		Data struct {
			ID json.Number `json:"appointment_id"`
		} `json:"data"`
	}
	if json.NewDecoder(req.Body).Decode(&event) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.received[event.Data.ID] = append(r.received[event.Data.ID], time.Now())
	if r.missing--; r.missing == 0 {
		close(r.all)
	}
}

// play causes the events, pace per second or, if pace is 0, as fast as they are accepted, and waits until all
// are received.
func (r *round) play(ctx context.Context, pace int) error {
	begun := time.Now()
	err := inParallel(total, func(n int) error {
		if pace > 0 {
			time.Sleep(time.Until(begun.Add(time.Duration(n) * time.Second / time.Duration(pace))))
		}
		id, err := r.post("/appointments/", map[string]any{
			"agent_id": r.agent, "contact_id": r.contact, "title": "Hair cut",
			"start_time": "2026-03-02T09:30:00+01:00",
		})
		r.mu.Lock()
		defer r.mu.Unlock()
		r.accepted[id] = time.Now()
		return err
	})
	if err != nil {
		return err
	}
	select {
	case <-r.all:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(patience):
		r.mu.Lock()
		defer r.mu.Unlock()
		return fmt.Errorf("%d of %d deliveries are missing after %v", r.missing, total*len(r.receivers),
			patience)
	}
}

// print prints the round as a row. A given pace limits the rate, so the share of bare is left out then.
func (r *round) print(pace int, bare float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var first, last, end time.Time // of the acceptances; of the receipts
	var took []time.Duration
	for id, at := range r.accepted {
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
		for _, received := range r.received[id] {
			took = append(took, received.Sub(at))
			if received.After(end) {
				end = received
			}
		}
	}
	rate := float64(len(took)) / end.Sub(first).Seconds()
	share := "–"
	if pace == 0 {
		share = fmt.Sprintf("%.2f", rate/bare)
	}
	fmt.Printf("| %d | %.0f | %s | %s | %.0f | %s |\n", len(r.receivers), total/last.Sub(first).Seconds(),
		milliseconds(quantile(took, 0.5)), milliseconds(quantile(took, 0.95)), rate, share)
}

func (r *round) close() {
	for _, receiver := range r.receivers {
		receiver.Close()
	}
}
