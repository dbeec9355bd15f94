package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A standIn is a Lambda Runtime API that has some events to hand out and then no more.
type standIn struct {
	events  []string
	next    int
	answers []string // "<id> <last part of the path>: <body>"
	status  int      // of what it says to answers; 0 is 202
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path, ok := strings.CutPrefix(req.URL.Path, "/2018-06-01/runtime/invocation/")
	body, _ := io.ReadAll(req.Body)
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
	case path == "next" && req.Method == http.MethodGet:
		if s.next == len(s.events) {
			w.WriteHeader(http.StatusGone)
			return
		}
		s.next++
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", fmt.Sprint("r-", s.next))
		w.Header().Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(time.Now().Add(time.Hour).UnixMilli()))
		w.Header().Set("Lambda-Runtime-Trace-Id", fmt.Sprint("trace-", s.next))
		io.WriteString(w, s.events[s.next-1])
	default:
		s.answers = append(s.answers, strings.ReplaceAll(path, "/", " ")+": "+string(body))
		status := s.status
		if status == 0 {
			status = http.StatusAccepted
		}
		w.WriteHeader(status)
	}
}

// TestRuntime answers events over a connection that stays open, one that the server closes after each answer,
// and one that it closes without a word, as when it waited for too long.
func TestRuntime(t *testing.T) {
	large := strings.Repeat("x", 5<<20)
	for name, restless := range map[string]func(*httptest.Server){
		"open":   func(*httptest.Server) {},
		"closed": func(s *httptest.Server) { s.Config.SetKeepAlivesEnabled(false) },
		"broken": func(s *httptest.Server) {
			s.Config.ConnState = func(conn net.Conn, state http.ConnState) {
				if state == http.StateIdle {
					conn.Close()
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := &standIn{events: []string{`"a"`, `"` + large + `"`, `7`, `"fail"`, `"b"`}}
			server := httptest.NewUnstartedServer(api)
			restless(server)
			server.Start()
			defer server.Close()
			err := (&runtimeAPI{address: server.Listener.Addr().String()}).serve(typed(
				func(ctx context.Context, text string) (map[string]string, error) {
					deadline, _ := ctx.Deadline()
					if left := time.Until(deadline); left < time.Minute || left > time.Hour {
						t.Errorf("%v left", left)
					}
					if text == "fail" {
						return nil, errors.New("no <luck>")
					}
					return map[string]string{"got": text, "trace": os.Getenv("_X_AMZN_TRACE_ID")}, nil
				}))
			if err == nil || !strings.Contains(err.Error(), "status 410") {
				t.Error(err)
			}
			want := []string{
				`r-1 response: {"got":"a","trace":"trace-1"}`,
				`r-2 response: {"got":"` + large + `","trace":"trace-2"}`,
				`r-3 error: {"errorType":"*fmt.wrapError","errorMessage":"cloud: read the event: json: cannot ` +
					`unmarshal number into Go value of type string"}`,
				`r-4 error: {"errorType":"*errors.errorString","errorMessage":"no \u003cluck\u003e"}`,
				`r-5 response: {"got":"b","trace":"trace-5"}`,
			}
			if diff := cmp.Diff(want, api.answers); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRuntimeEnds ends at a panic, whose place it tells, and at an answer that is not taken.
func TestRuntimeEnds(t *testing.T) {
	api := &standIn{events: []string{"{}", "{}"}}
	server := httptest.NewServer(api)
	defer server.Close()
	client := &runtimeAPI{address: server.Listener.Addr().String()}
	err := client.serve(func(context.Context, []byte) ([]byte, error) { panic("lost") })
	if err == nil || err.Error() != "panic: lost" || len(api.answers) != 1 {
		t.Fatalf("%v, %q", err, api.answers)
	}
	text, _ := strings.CutPrefix(api.answers[0], "r-1 error: ")
	var failed failure
	if err := json.Unmarshal([]byte(text), &failed); err != nil || failed.Type != "string" ||
		failed.Message != "lost" || !strings.Contains(strings.Join(failed.Stack, "\n"), "runtime_test.go:") {
		t.Errorf("%v, %q", err, text)
	}
	client.close()
	server.Close() // so that the handler of the first answer has ended
	api.status = http.StatusRequestEntityTooLarge
	again := httptest.NewServer(api)
	defer again.Close()
	client.address = again.Listener.Addr().String()
	err = client.serve(func(context.Context, []byte) ([]byte, error) { return []byte("{}"), nil })
	if err == nil || !strings.Contains(err.Error(), "status 413") || len(api.answers) != 2 {
		t.Errorf("%v, %q", err, api.answers)
	}
	client.close()
	client.address = "127.0.0.1:1"
	if err := client.serve(nil); err == nil {
		t.Error("no server, no error")
	}
}
