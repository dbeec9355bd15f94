package local

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// A delivery is a request that a receiver got.
type delivery struct {
	header http.Header
	body   string
}

// A receiver is a server that takes whatever it gets, and knows it by the path.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got map[string][]delivery
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{got: map[string][]delivery{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got[req.URL.Path] = append(r.got[req.URL.Path], delivery{req.Header, string(body)})
	}))
	t.Cleanup(r.Server.Close)
	return r
}

// await waits until a path has got so many deliveries, and returns them.
func (r *receiver) await(t *testing.T, path string, n int, patience time.Duration) []delivery {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		r.mu.Lock()
		got := append([]delivery(nil), r.got[path]...)
		r.mu.Unlock()
		if len(got) >= n {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s got %d deliveries in %v, want %d", path, len(got), patience, n)
		}
	}
}
