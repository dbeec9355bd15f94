package egress

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMain names a proxy that nobody runs, before net/http reads the environment for the first and only time.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		os.Setenv(name, "http://127.0.0.1:1")
	}
	os.Exit(m.Run())
}

// serve starts a server on address ("127.0.0.1:0") whose certificate nobody knows, and counts the connections
// to it.
func serve(t *testing.T, address string, secure bool, h http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("no listener on %s: %v", address, err)
	}
	var connections atomic.Int64
	s := httptest.NewUnstartedServer(h)
	s.Listener.Close()
	s.Listener = listener
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s, &connections
}

// port is the port that a server listens on.
func port(t *testing.T, s *httptest.Server) string {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port()
}

// reason is why the call failed, or "" if it did not.
func reason(t *testing.T, err error) Reason {
	t.Helper()
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%v is a %T and not an *Error", err, err)
	}
	if e == nil {
		return ""
	}
	return e.Reason
}

func hello(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }

func get(c *Client, address string) (Answer, error) {
	return c.Do(context.Background(), Call{URL: address, Timeout: 5 * time.Second, MaxBody: 1000,
		Redirects: 3})
}

func TestPrivateHostsAreNeverConnectedTo(t *testing.T) {
	server, connections := serve(t, "127.0.0.1:0", true, hello)
	names, resolver := startDNS(t)
	names.set("*", "127.0.0.1", "::1")
	names.set("mapped.test", "::ffff:127.0.0.1")
	names.set("nat64.test", "64:ff9b::7f00:1")
	names.set("inside.test", "10.1.2.3", "169.254.169.254")
	c := New(Config{})
	c.resolver = resolver
	c.tls.InsecureSkipVerify = true // so that nothing but the address stops the call

	listener, err := net.Listen("tcp", "[::1]:0")
	if err == nil {
		listener.Close()
	}
	noIPv6 := err != nil

	for want, hosts := range map[Reason][]string{
		Private: {
			"127.0.0.1", "0x7f000001", "0x7f.0.0.1", "localhost", "localhost.", "LOCALHOST",
			"anything.localhost", "0.0.0.0",
			"10.0.0.1", "169.254.169.254", "255.255.255.255", "metadata.google.internal", "name.test",
			"name.test.",
			"inside.test", "mapped.test", "nat64.test", "①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.0.0.1", "bücher.test",
			"xn--bcher-kva.test", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]",
			"[::ffff:7f00:1]",
			"[::127.0.0.1]", "[fe80::1%25lo]", "[::1%25lo]", "[fd00:ec2::254]", "[64:ff9b::7f00:1]",
			"[2002:7f00:1::1]",
		},
		// Go's resolver takes a name that ends in a number for none; that of a C library reads an address.
		Unresolved: {
			"127.0.0.1.", "127.1", "2130706433", "017700000001", "0177.0.0.1", "127.000.000.001", "0",
		},
	} {
		for _, host := range hosts {
			if noIPv6 && strings.Contains(host, ":") {
				continue
			}
			_, err := get(c, "https://"+host+":"+port(t, server)+"/")
			if got := reason(t, err); got != want {
				t.Errorf("https://%s: %q (%v), want %q", host, got, errors.Unwrap(err), want)
			}
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to a private server", n)
	}
}

// A name that resolved to a public address is judged again when it is called again. Nothing here can be
// reached at a public address, so 127.0.0.2 plays one.
func TestRebinding(t *testing.T) {
	outside, _ := serve(t, "127.0.0.2:0", true, hello)
	inside, connections := serve(t, "127.0.0.1:"+port(t, outside), true, hello)
	names, resolver := startDNS(t)
	c := New(Config{})
	c.resolver = resolver
	c.tls.InsecureSkipVerify = true
	c.public = func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.2") || public(a) }
	address := "https://rebind.test:" + port(t, inside) + "/"

	for _, step := range []struct {
		resolves []string
		want     Reason
	}{
		{[]string{"127.0.0.2"}, ""},
		{[]string{"127.0.0.1"}, Private},
		{[]string{"127.0.0.1", "127.0.0.2"}, ""}, // by way of the second alone
		{[]string{"::1"}, Private},
	} {
		names.set("rebind.test", step.resolves...)
		_, err := get(c, address)
		if got := reason(t, err); got != step.want {
			t.Errorf("resolves to %v: %q (%v), want %q", step.resolves, got, errors.Unwrap(err), step.want)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to the private server", n)
	}
}

func TestAllowedHosts(t *testing.T) {
	server, _ := serve(t, "127.0.0.1:0", false, hello)
	p := port(t, server)
	names, resolver := startDNS(t)
	names.set("*", "127.0.0.1")
	for _, test := range []struct {
		allow, host string
		want        Reason
	}{
		{"127.0.0.1", "127.0.0.1", ""},
		{" receiver.test , 127.0.0.1", "127.0.0.1", ""},
		{"127.0.0.1:" + p, "127.0.0.1", ""},
		{"127.0.0.1:1", "127.0.0.1", Plain},
		{"Receiver.Test", "receiver.tesT", ""},
		{"receiver.test", "other.test", Plain},
		{"receiver.test", "receiver.test.other.test", Plain},
		{"receiver.test", "127.0.0.1", Plain},
		{"127.0.0.1", "receiver.test", Plain},
		{"", "127.0.0.1", Plain},
		{",", "127.0.0.1", Plain},
	} {
		c := New(Config{AllowHosts: test.allow})
		c.resolver = resolver
		_, err := get(c, "http://"+test.host+":"+p+"/")
		if got := reason(t, err); got != test.want {
			t.Errorf("%q allowed, %s called: %q (%v), want %q", test.allow, test.host, got,
				errors.Unwrap(err), test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	c := New(Config{AllowHosts: "127.0.0.1, [::1]:8080, ::2"})
	for address, want := range map[string]Reason{
		"https://example.com":             "",
		"HTTPS://example.com/x?y#z":       "",
		"https://example.com:8443/":       "",
		"https://user:word@example.com/":  "",
		"https://10.0.0.1/":               "", // is refused when it is called
		"http://127.0.0.1:9/":             "",
		"http://[::1]:8080/":              "",
		"http://[::2]/":                   "",
		"http://[::1]/":                   Plain,
		"http://example.com/":             Plain,
		"http://127.0.0.1.example.com/":   Plain,
		"http://127.0.0.1@example.com/":   Plain,
		"":                                Malformed,
		"example.com":                     Malformed,
		"//example.com/":                  Malformed,
		"/path":                           Malformed,
		"https:example.com":               Malformed,
		"https:///path":                   Malformed,
		"https://:443/":                   Malformed,
		"https://example.com:0/":          Malformed,
		"https://example.com:65536/":      Malformed,
		"https://example.com:port/":       Malformed,
		"https://exa mple.com/":           Malformed,
		"https://[::1/":                   Malformed,
		"https://example.com/\r\nHost: x": Malformed,
		"ftp://example.com/":              Malformed,
		"file:///etc/passwd":              Malformed,
		"gopher://127.0.0.1:9/":           Malformed,
		"javascript:alert(1)":             Malformed,
	} {
		if got := reason(t, c.Check(address)); got != want {
			t.Errorf("Check(%q) = %q, want %q", address, got, want)
		}
		if want == "" {
			continue
		}
		if _, err := get(c, address); reason(t, err) != want {
			t.Errorf("Do(%q): %v, want %q", address, err, want)
		}
	}
}

func TestDo(t *testing.T) {
	server, _ := serve(t, "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", r.Method+"|"+r.UserAgent()+"|"+r.Header.Get("X-Service-Event")+"|"+
			string(body))
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "hello")
	})
	type result struct {
		Status int
		Seen   string
		Body   string
		Cut    bool
	}
	for _, test := range []struct {
		name string
		call Call
		want result
	}{
		{"plain", Call{MaxBody: 5}, result{418, "GET|Frontdesk/1.0||", "hello", false}},
		{"header alone", Call{}, result{418, "GET|Frontdesk/1.0||", "", false}},
		{"cut", Call{MaxBody: 4}, result{418, "GET|Frontdesk/1.0||", "hell", true}},
		{"post", Call{
			Method: "POST", Body: []byte("{}"), MaxBody: 5,
			Header: http.Header{"X-Service-Event": {"a"}, "User-Agent": {"Service-Webhook/1.0"}},
		}, result{418, "POST|Service-Webhook/1.0|a|{}", "hello", false}},
	} {
		test.call.URL, test.call.Timeout = server.URL, 5*time.Second
		answer, err := New(Config{AllowHosts: "127.0.0.1", UserAgent: "Frontdesk/1.0"}).Do(t.Context(),
			test.call)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := result{answer.Status, answer.Header.Get("X-Seen"), string(answer.Body), answer.Cut}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestRedirects(t *testing.T) {
	private, connections := serve(t, "127.0.0.2:0", true, hello)
	var target string
	server, _ := serve(t, "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			hello(w, r)
			return
		}
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusFound)
	})
	names, resolver := startDNS(t)
	names.set("inside.test", "127.0.0.2")
	c := New(Config{AllowHosts: "127.0.0.1"})
	c.resolver = resolver
	c.tls.InsecureSkipVerify = true
	for _, test := range []struct {
		target    string
		redirects int
		status    int
		want      Reason
	}{
		{"/end", 0, 302, ""},
		{"/end", 1, 200, ""},
		{"/loop", 3, 0, Redirected},
		{"https://127.0.0.2:" + port(t, private), 1, 0, Private},
		{"https://127.0.0.2:" + port(t, private), 0, 302, ""},
		{"https://inside.test:" + port(t, private), 1, 0, Private},
		{"http://127.0.0.2:" + port(t, private), 1, 0, Plain},
		{"//127.0.0.2:" + port(t, private), 1, 0, Plain},
		{"file:///etc/passwd", 1, 0, Malformed},
		{"", 1, 302, ""},
		{"http://[::1", 0, 302, ""},
		{"http://[::1", 1, 0, Broken},
	} {
		target = test.target
		answer, err := c.Do(t.Context(), Call{URL: server.URL, Timeout: 5 * time.Second, MaxBody: 10,
			Redirects: test.redirects})
		if got := reason(t, err); got != test.want || answer.Status != test.status {
			t.Errorf("%d redirects to %s: %d %q (%v), want %d %q",
				test.redirects, test.target, answer.Status, got, errors.Unwrap(err), test.status, test.want)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to the private server", n)
	}
}

func TestTLS(t *testing.T) {
	server, _ := serve(t, "127.0.0.1:0", true, hello)
	plain, _ := serve(t, "127.0.0.1:0", false, hello)
	old := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	old.StartTLS()
	t.Cleanup(old.Close)
	names, resolver := startDNS(t)
	names.set("*", "127.0.0.1")
	known := x509.NewCertPool()
	known.AddCert(server.Certificate())
	known.AddCert(old.Certificate())

	for _, test := range []struct {
		name, address string
		roots         *x509.CertPool
		want          Reason
	}{
		{"known certificate", server.URL, known, ""},
		{"known certificate, by name", "https://example.com:" + port(t, server), known, ""},
		{"unknown certificate", server.URL, nil, Insecure},
		{"another's certificate", "https://other.test:" + port(t, server), known, Insecure},
		{"TLS 1.1", old.URL, known, Insecure},
		{"no TLS", "https://127.0.0.1:" + port(t, plain), known, Insecure},
	} {
		c := New(Config{AllowHosts: "127.0.0.1,example.com,other.test"})
		c.resolver, c.tls.RootCAs = resolver, test.roots
		_, err := get(c, test.address)
		if got := reason(t, err); got != test.want {
			t.Errorf("%s: %q (%v), want %q", test.name, got, errors.Unwrap(err), test.want)
		}
	}
}

func TestTimeout(t *testing.T) {
	server, _ := serve(t, "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		for r.URL.Path == "/drip" {
			if _, err := io.WriteString(w, "."); err != nil {
				return
			}
			http.NewResponseController(w).Flush()
			time.Sleep(10 * time.Millisecond)
		}
		<-r.Context().Done()
	})
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	names, resolver := startDNS(t)
	names.mute()
	c := New(Config{AllowHosts: "127.0.0.1"})
	c.resolver = resolver
	for name, address := range map[string]string{
		"no header":    server.URL,
		"slow body":    server.URL + "/drip",
		"no handshake": "https://" + silent.Addr().String(),
		"no name":      "https://slow.test/",
	} {
		begin := time.Now()
		_, err := c.Do(t.Context(), Call{URL: address, Timeout: 200 * time.Millisecond, MaxBody: 1 << 20})
		if got := reason(t, err); got != TimedOut {
			t.Errorf("%s: %q (%v), want %q", name, got, errors.Unwrap(err), TimedOut)
		}
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("%s: cut after %v", name, took)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = c.Do(ctx, Call{URL: server.URL, Timeout: 5 * time.Second})
	if got := reason(t, err); got != Canceled || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %q (%v), want %q", got, errors.Unwrap(err), Canceled)
	}
	if _, err := c.Do(t.Context(), Call{URL: server.URL}); reason(t, err) != TimedOut {
		t.Errorf("no time given: %v, want %q", err, TimedOut)
	}
}

func TestEndlessAnswers(t *testing.T) {
	const limit = 100_000
	zeros := make([]byte, 32<<10)
	server, _ := serve(t, "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		var out io.Writer = w
		switch r.URL.Path {
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
			return
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			out = gzip.NewWriter(w)
		}
		for {
			if _, err := out.Write(zeros); err != nil {
				return
			}
		}
	})
	c := New(Config{AllowHosts: "127.0.0.1"})
	for _, path := range []string{"/", "/gzip"} {
		answer, err := c.Do(t.Context(), Call{URL: server.URL + path, Timeout: 10 * time.Second,
			MaxBody: limit})
		if err != nil || len(answer.Body) != limit || !answer.Cut {
			t.Errorf("%s: %d bytes, cut %v, %v", path, len(answer.Body), answer.Cut, err)
		}
	}
	if _, err := get(c, server.URL+"/header"); reason(t, err) != Broken {
		t.Errorf("header of 1 MiB: %v, want %q", err, Broken)
	}
}

func TestBrokenAnswers(t *testing.T) {
	server, _ := serve(t, "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		conn, buffer, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		buffer.WriteString(map[string]string{
			"/no-http":  "220 mail.test ESMTP\r\n",
			"/cut-body": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello",
		}[r.URL.Path])
		buffer.Flush()
	})
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	_, resolver := startDNS(t)
	c := New(Config{AllowHosts: "127.0.0.1"})
	c.resolver = resolver
	for address, want := range map[string]Reason{
		server.URL + "/no-http":             Broken,
		server.URL + "/closed":              Broken,
		server.URL + "/cut-body":            Broken,
		"http://" + closed.Addr().String():  Unreachable,
		"https://" + closed.Addr().String(): Unreachable,
		"https://unknown.test/":             Unresolved,
	} {
		if _, err := get(c, address); reason(t, err) != want {
			t.Errorf("%s: %v (%v), want %q", address, err, errors.Unwrap(err), want)
		}
	}
}

// A connection that was switched to another protocol stays open as long as the server likes.
func TestSwitchedProtocol(t *testing.T) {
	ended := make(chan struct{})
	server, _ := serve(t, "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		conn, buffer, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		buffer.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\n")
		buffer.Flush()
		<-ended
	})
	defer close(ended)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		answer, err := get(New(Config{AllowHosts: "127.0.0.1"}), server.URL)
		if err != nil || answer.Status != http.StatusSwitchingProtocols || len(answer.Body) != 0 {
			t.Errorf("%+v, %v", answer, err)
		}
	}()
	select {
	case <-answered:
	case <-time.After(10 * time.Second):
		t.Fatal("the call does not end")
	}
}

// The user that an address names is sent by Basic authentication, whether redirects are followed or not.
func TestUserOfAddress(t *testing.T) {
	server, _ := serve(t, "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		io.WriteString(w, user+" "+password)
	})
	for _, redirects := range []int{0, 1} {
		answer, err := New(Config{AllowHosts: "127.0.0.1"}).Do(t.Context(), Call{
			URL: strings.Replace(server.URL, "//", "//ada:se%63ret@", 1), Timeout: 5 * time.Second,
			MaxBody: 100, Redirects: redirects,
		})
		if err != nil || string(answer.Body) != "ada secret" {
			t.Errorf("%d redirects: %s, %v", redirects, answer.Body, err)
		}
	}
}

func TestNoProxyOfTheEnvironment(t *testing.T) {
	server, _ := serve(t, "127.0.0.1:0", false, hello)
	names, resolver := startDNS(t)
	names.set("receiver.test", "127.0.0.1") // by name, since Go asks no proxy for a loopback address
	c := New(Config{AllowHosts: "receiver.test"})
	c.resolver = resolver
	if _, err := get(c, "http://receiver.test:"+port(t, server)); err != nil {
		t.Errorf("%v (%v)", err, errors.Unwrap(err))
	}
}

func TestErrorsSayNothingInside(t *testing.T) {
	names, resolver := startDNS(t)
	names.set("inside.test", "127.0.0.3")
	c := New(Config{AllowHosts: "inside.test"})
	c.resolver = resolver
	_, err := get(c, "http://inside.test:1/")
	if want := "The address refused the connection or cannot be reached."; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	if cause := errors.Unwrap(err); cause == nil || !strings.Contains(cause.Error(), "127.0.0.3") {
		t.Errorf("the cause, for the log, is %v", cause)
	}
	private := &Error{Reason: Private}
	if want := "The address points to a private network."; private.Error() != want {
		t.Errorf("%v, want %q", private, want)
	}
}
