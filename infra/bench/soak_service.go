package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/delivery"
)

// soakService is the argument that starts this program as the service under soak.
const soakService = "soak-service"

// controlPath is the path at which the service under soak reports its resources.
const controlPath = "/soak"

// A soakStart is the line that the service under soak prints when it is ready.
type soakStart struct {
	Address string
	Keys    []string // of the workspaces
}

// serveSoak runs the service under soak: the local service, which also reports the resources of its process.
func serveSoak(ctx context.Context, dir string) error {
	service, err := local.Start(ctx, local.Config{
		Template: "template.yaml", DataDir: dir, Now: time.Now, AllowHosts: "127.0.0.1",
		Log: slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		return err
	}
	defer service.Close()
	mux := http.NewServeMux()
	mux.Handle("/", service)
	mux.HandleFunc(controlPath, func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(holds(dir))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	start := soakStart{Address: server.URL}
	for i := range soakWorkspaces {
		_, issued, err := service.Workspaces.Create(ctx, fmt.Sprint("Soak ", i), "enterprise")
		if err != nil {
			return err
		}
		start.Keys = append(start.Keys, issued.Text)
	}
	if err := json.NewEncoder(os.Stdout).Encode(start); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// holds returns the resources that this process and its store use.
func holds(dir string) soakRest {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r := soakRest{Heap: int64(memory.HeapAlloc), Goroutines: runtime.NumGoroutine()}
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		_, resident, _ := strings.Cut(string(status), "VmRSS:")
		fmt.Sscan(resident, &r.Resident)
		r.Resident <<= 10
	}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		r.Files = len(files)
	}
	if files, err := os.ReadDir(dir); err == nil {
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				r.Store += info.Size()
			}
		}
	}
	return r
}

// startSoak starts this program as the service under soak.
func startSoak(ctx context.Context, dir string) (*soaked, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, soakService, dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &soaked{stop: sync.OnceFunc(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var start soakStart
	if err == nil {
		err = json.Unmarshal(line, &start)
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("the service did not start: %w", err)
	}
	s.control = start.Address + controlPath
	transport := &http.Transport{MaxIdleConnsPerHost: soakVisitors}
	for _, key := range start.Keys {
		s.clients = append(s.clients,
			&apitest.Client{Base: start.Address + "/api/v1/", Key: key, Transport: transport})
	}
	return s, nil
}

// rest returns the resources that the service uses.
func (s *soaked) rest() (soakRest, error) {
	a, err := s.clients[0].Try("GET", s.control, nil)
	if err != nil {
		return soakRest{}, err
	}
	var r soakRest
	return r, json.Unmarshal([]byte(a.Body), &r)
}

// workspaceSession returns the entry of s.sessions for a conversation.
func workspaceSession(workspace int, agent string, session any) string {
	return fmt.Sprint(workspace, " ", agent, " ", session)
}

// checkMessages returns an error unless the history of each session has both messages of every turn.
func (s *soaked) checkMessages() error {
	var mu sync.Mutex
	messages := 0
	err := inParallel(len(s.sessions), func(n int) error {
		var workspace int
		var agent, session string
		if _, err := fmt.Sscan(s.sessions[n], &workspace, &agent, &session); err != nil {
			return err
		}
		path := "/agents/" + agent + "/chat/history/?session_id=" + session
		a, err := s.clients[workspace].Try("GET", path, nil)
		if err != nil || a.Status != http.StatusOK {
			return fmt.Errorf("history: %d %s %v", a.Status, a.Body, err)
		}
		list, _ := a.Fields["messages"].([]any)
		if len(list) != 2*len(talk) {
			return fmt.Errorf("conversation %d has %d messages, want %d", n, len(list), 2*len(talk))
		}
		mu.Lock()
		defer mu.Unlock()
		messages += len(list)
		return nil
	})
	fmt.Printf("\n%d messages of %d conversations are there\n", messages, len(s.sessions))
	return err
}

// checkDeliveries returns an error unless every delivery reached its receiver: once, or twice if the first
// attempt failed, or once per attempt if the receiver hangs.
func (s *soaked) checkDeliveries(r *soakReceivers) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	missing, more := 0, 0
	for id, n := range r.attempts {
		want := r.want(id)
		if n < want {
			missing++
		}
		if n > want {
			more++
		}
	}
	all := len(s.sessions) * soakHooks
	fmt.Printf("%d of %d deliveries came, %d with attempts missing, %d more often than they should\n",
		len(r.attempts), all, missing, more)
	if missing > 0 || len(r.attempts) != all {
		return fmt.Errorf("%d deliveries are missing, %d had too few attempts", all-len(r.attempts), missing)
	}
	return nil
}

// soakReceivers are the receivers of all webhooks: those below /good/ answer at once, those below /flaky/
// fail the first attempt of every tenth delivery, and those below /hang/ never answer.
type soakReceivers struct {
	mu       sync.Mutex
	attempts map[string]int // by path and delivery
	ended    int            // deliveries whose last attempt came
	hanging  int            // requests that hang now
}

// want returns the number of attempts that a delivery needs.
func (r *soakReceivers) want(id string) int {
	switch {
	case strings.HasPrefix(id, "/hang/"):
		return delivery.Attempts
	case strings.HasPrefix(id, "/flaky/") && strings.HasSuffix(id, "7"):
		return 2
	}
	return 1
}

// ServeHTTP implements http.Handler.
func (r *soakReceivers) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	io.Copy(io.Discard, req.Body)
	id := req.URL.Path + " " + req.Header.Get("Webhook-Id")
	hangs := strings.HasPrefix(id, "/hang/")
	r.mu.Lock()
	r.attempts[id]++
	n := r.attempts[id]
	if n == r.want(id) {
		r.ended++
	}
	if hangs {
		r.hanging++
	}
	r.mu.Unlock()
	if hangs {
		<-req.Context().Done()
		r.mu.Lock()
		r.hanging--
		r.mu.Unlock()
		return
	}
	if n < r.want(id) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// settling is the pause after the last attempt. The service stores the outcome in it and closes idle
// connections.
const settling = 15 * time.Second

// await waits until every delivery of the conversations had its last attempt, and then for settling.
func (r *soakReceivers) await(ctx context.Context, conversations int) error {
	done := func() (int, bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.ended, r.ended == conversations*soakHooks && r.hanging == 0
	}
	for before, since := 0, time.Now(); ; {
		ended, quiet := done()
		if quiet {
			break
		}
		if ended > before {
			before, since = ended, time.Now()
		}
		if time.Since(since) > patience {
			return fmt.Errorf("%d of %d deliveries have ended, and none for %v", ended,
				conversations*soakHooks, patience)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(settling):
		return nil
	}
}
