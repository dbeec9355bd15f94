package webhooktest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A request is one that a receiver got.
type request struct {
	at     time.Time
	header http.Header
	body   string
}

// signed reports whether the request is signed with a secret.
func (r request) signed(secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(r.body))
	return r.header.Get("X-Service-Signature") == "sha256="+hex.EncodeToString(mac.Sum(nil))
}

// A receiver is a server that webhooks are at, and what it got at each path.
type receiver struct {
	*httptest.Server
	end chan struct{}

	mu     sync.Mutex
	got    map[string][]request
	secret string // the only one that is known at knowsOld
}

// The paths, and how the receiver answers there.
const (
	takes        = "/takes"
	takesLong    = "/takes-long"    // with an answer of a MiB
	redirects    = "/redirects"     // to elsewhere
	elsewhere    = "/elsewhere"     //
	nowhere      = "/nowhere"       // redirects to what is no address
	switches     = "/switches"      // to another protocol, and keeps the connection
	refuses      = "/refuses"       // with 500
	refusesOnce  = "/refuses-once"  // per event
	switchedOff  = "/switched-off"  // refuses; the webhook is switched off after the first attempt
	deletedLater = "/deleted-later" // refuses; the webhook is deleted after the first attempt
	silent       = "/silent"        // does not answer
	endless      = "/endless"       // answers without end
	breaksOff    = "/breaks-off"    // closes the connection
	// knows the secret that the webhook had, and refuses what is not signed with it
	knowsOld     = "/knows-old"
	off          = "/off"          // is at a webhook that was never active
	unsubscribed = "/unsubscribed" // is at one that is subscribed to all other events
	deleted      = "/deleted"      // is at one that is gone before the event
)

func newReceiver(t *testing.T) *receiver {
	r := &receiver{end: make(chan struct{}), got: map[string][]request{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Server.Close)
	t.Cleanup(func() { close(r.end) })
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	got := request{at: time.Now(), header: req.Header}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	got.body = string(body)
	r.mu.Lock()
	before := slices.ContainsFunc(r.got[req.URL.Path],
		func(other request) bool { return other.body == got.body })
	r.got[req.URL.Path] = append(r.got[req.URL.Path], got)
	known := r.secret
	r.mu.Unlock()
	switch req.URL.Path {
	case takesLong:
		io.WriteString(w, strings.Repeat("x", 1<<20))
	case redirects:
		http.Redirect(w, req, elsewhere, http.StatusFound)
	case nowhere:
		w.Header().Set("Location", "http://[::1")
		w.WriteHeader(http.StatusFound)
	case switches:
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn,
			"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\n")
		<-r.end
	case refuses, switchedOff, deletedLater:
		w.WriteHeader(http.StatusInternalServerError)
	case refusesOnce:
		if !before {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	case knowsOld:
		if !got.signed(known) {
			w.WriteHeader(http.StatusForbidden)
		}
	case silent:
		r.wait(req, time.Hour)
	case endless:
		for r.wait(req, 50*time.Millisecond) {
			if _, err := io.WriteString(w, "still there\n"); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	case breaksOff:
		panic(http.ErrAbortHandler)
	}
}

// wait reports false where the caller gives up before the time is over, or the test ends.
func (r *receiver) wait(req *http.Request, d time.Duration) bool {
	select {
	case <-r.end:
	case <-req.Context().Done():
	case <-time.After(d):
		return true
	}
	return false
}

// at is what a path has got.
func (r *receiver) at(path string) []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got[path])
}

// await waits until a path has got so many requests, and returns them.
func (r *receiver) await(t *testing.T, path string, n int, patience time.Duration) []request {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		got := r.at(path)
		if len(got) >= n {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s got %d requests in %v, want %d", path, len(got), patience, n)
		}
	}
}
