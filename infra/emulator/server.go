package emulator

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"
)

// A Server is a running emulator.
type Server struct {
	Address string // such as http://127.0.0.1:8000

	name  string
	guard *exec.Cmd
	stdin io.Closer
	log   tail
	ended chan struct{}
}

// guardScript runs a server until it ends, or until the script's own input does: that happens when whoever
// started it stops it or is gone, in whatever way. The server is killed, since it has nothing to save, and
// ElasticMQ would take 20 seconds to take its leave of clients. Its folder goes with it.
const guardScript = `
exec 3<&0
"$@" </dev/null 3<&- & server=$!
exec >/dev/null 2>&1 # nobody may be left to read what the shell says of the kill
{ read -r _ <&3; kill -KILL "$server"; } & reader=$!
wait "$server"
status=$?
kill "$reader" 2>/dev/null
rm -rf "$PWD"
exit $status`

// startTime is how long a server may take to answer. They need some two seconds, on a busy machine more.
const startTime = time.Minute

// serve runs java with the arguments in the folder temp, which is removed with the server, and returns when
// the port answers.
func (e Emulator) serve(ctx context.Context, args []string, temp string, port int) (*Server, error) {
	s := &Server{
		Address: fmt.Sprintf("http://127.0.0.1:%d", port),
		name:    e.Name,
		ended:   make(chan struct{}),
	}
	s.guard = exec.Command("sh", append([]string{"-c", guardScript, e.Name, "java"}, args...)...)
	s.guard.Dir = temp
	s.guard.Stdout, s.guard.Stderr = &s.log, &s.log
	var err error
	if s.stdin, err = s.guard.StdinPipe(); err != nil {
		return nil, err
	}
	if err := s.guard.Start(); err != nil {
		os.RemoveAll(temp)
		return nil, fmt.Errorf("emulator: start %s: %w", e.Name, err)
	}
	go func() {
		s.guard.Wait()
		close(s.ended)
	}()
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := s.awaitAnswer(ctx, "/", 0); err != nil {
		s.Stop()
		return nil, err
	}
	for _, path := range e.ready {
		if err := s.awaitAnswer(ctx, path, http.StatusOK); err != nil {
			s.Stop()
			return nil, err
		}
	}
	return s, nil
}

// awaitAnswer returns when the server answers a request for the path with the status, or with any status if
// that is 0.
func (s *Server) awaitAnswer(ctx context.Context, path string, status int) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Address+path, nil)
	if err != nil {
		return err
	}
	for {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			response.Body.Close()
			if status == 0 || response.StatusCode == status {
				return nil
			}
			err = fmt.Errorf("%s answers %s", path, response.Status)
		}
		select {
		case <-s.ended:
			return fmt.Errorf("emulator: %s ended at its start:\n%s", s.name, s.log.String())
		case <-ctx.Done():
			return fmt.Errorf("emulator: %s does not answer: %w\n%s", s.name, err, s.log.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Stop ends the server and returns when it has ended.
func (s *Server) Stop() {
	s.stdin.Close()
	<-s.ended
}

// Ended is closed when the server has ended, by Stop or by itself.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// Log returns the last lines that the server printed.
func (s *Server) Log() string { return s.log.String() }

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailSize holds a stack trace of Java.
const tailSize = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - tailSize; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
