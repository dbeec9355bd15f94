package graph

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"frontdesk/shared/channel"
)

// post sends something, which must fail.
func post(t *testing.T, c *Client) *channel.Error {
	t.Helper()
	var refusal *channel.Error
	err := c.Call(t.Context(), "1/messages", "token", map[string]string{"type": "text"}, new(struct{}))
	if !errors.As(err, &refusal) {
		t.Fatalf("%v", err)
	}
	return refusal
}

// TestSlow calls something that takes its time, and something that has no end.
func TestSlow(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"silence": func(_ http.ResponseWriter, req *http.Request) {
			io.Copy(io.Discard, req.Body)
			<-req.Context().Done()
		},
		"drops": func(w http.ResponseWriter, req *http.Request) {
			io.Copy(io.Discard, req.Body)
			for req.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(serve)
			defer server.Close()
			client := New("WhatsApp", server.URL)
			client.timeout = 100 * time.Millisecond
			begun := time.Now()
			if e := post(t, client); e.Class != channel.Unclear || time.Since(begun) > 5*time.Second {
				t.Errorf("%v after %v", e, time.Since(begun))
			}
		})
	}
}

// TestAddresses has only the host that was named be called in private.
func TestAddresses(t *testing.T) {
	client := New("WhatsApp", "http://127.0.0.1:8125/")
	for address, allowed := range map[string]bool{
		client.address + "1/messages": true, "http://127.0.0.1:8126/": false, "http://localhost:8125/": false,
	} {
		if err := client.web.Check(address); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
	// Nothing was sent to any of these.
	for _, nowhere := range []string{"http://127.0.0.1:1", "http://no-such-host.invalid"} {
		e := post(t, New("WhatsApp", nowhere))
		if e.Class != channel.Transient || e.Detail != "WhatsApp could not be reached." {
			t.Errorf("%s: %#v", nowhere, e)
		}
	}
	if e := post(t, New("WhatsApp", "nonsense")); !e.Retry() {
		t.Errorf("%v", e)
	}
}
