// Package egress makes calls to addresses that outsiders choose, such as webhooks and pages for the knowledge
// base, and keeps them out of private networks (server-side request forgery).
//
// The check is on the IP address when connecting, after name resolution and for every redirect. So it does
// not matter how a host is written (decimal, octal, with a trailing dot, in other scripts), what its name
// resolves to, or whether that changes.
//
// These rules are implemented here since the library for them, doyensec/safeurl v0.2.2, accepts
// 64:ff9b:1::/48, IPv4-compatible and site-local addresses, cannot allow plain HTTP and a private address for
// a single named host, checks the scheme of the first URL but not of redirects, panics on an address with a
// zone, does not limit bodies, and puts resolved addresses into its errors.
package egress

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// maxHeader limits the header of a response, in bytes.
const maxHeader = 64 << 10

// Config configures a Client.
type Config struct {
	// AllowHosts are comma-separated hosts that may be private and may be called by plain HTTP. Each is a
	// name or an IP address as written in the URL, optionally with a port to allow only that one: "127.0.0.1,
	// receiver.test:8080, [::1]:8080".
	AllowHosts string
	// UserAgent is the default User-Agent of calls; "" sends none.
	UserAgent string
}

// A Client calls addresses on the public internet and the hosts that its Config allows. It ignores proxy
// settings of the environment and keeps neither cookies nor connections: calls go to many hosts, rarely twice
// to one, and an idle connection rarely survives a frozen Lambda. It speaks HTTP/1.1, and TLS 1.2 or later
// with verified certificates. Every port may be called: without TLS or HTTP a service gets nothing that it
// could act on. A Client is safe for concurrent use.
type Client struct {
	allowed   map[string]bool
	userAgent string
	transport *http.Transport
	tls       *tls.Config
	resolver  *net.Resolver // nil is the system's
	public    func(netip.Addr) bool
}

// New returns a Client.
func New(cfg Config) *Client {
	c := &Client{allowed: parseHosts(cfg.AllowHosts), userAgent: cfg.UserAgent, public: public}
	c.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	c.transport = &http.Transport{
		DialContext:            c.dial,
		DialTLSContext:         c.dialTLS,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeader,
	}
	return c
}

// A Call is a request to make.
type Call struct {
	Method string // "" is GET
	URL    string
	Header http.Header
	Body   []byte
	// Timeout limits the whole call, from the DNS lookup to the last byte of the response. It is required.
	Timeout time.Duration
	// MaxBody is how many bytes of the response's body are read, after decompression. With 0 the body is not
	// read.
	MaxBody int64
	// Redirects is how many redirects are followed, each under the same rules. With 0 a redirect is returned
	// like any other response.
	Redirects int
}

// An Answer is a response.
type Answer struct {
	URL    string // that answered, after redirects
	Status int
	Header http.Header
	Body   []byte // at most MaxBody bytes
	Cut    bool   // the body was longer than MaxBody
}

// Check returns an *Error unless the address is an absolute https URL, or an http URL of an allowed host. It
// does not resolve the host: whether that is public shows in Do.
func (c *Client) Check(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return &Error{Reason: Malformed, cause: err}
	}
	return c.check(u)
}

func (c *Client) check(u *url.URL) error {
	if u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return &Error{Reason: Malformed}
	}
	port := u.Port()
	if port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return &Error{Reason: Malformed}
		}
	}
	if u.Scheme == "http" && !c.allows(u.Hostname(), cmp.Or(port, "80")) {
		return &Error{Reason: Plain}
	}
	return nil
}

// Do makes the call. A response with any status is an Answer; without a response it returns an *Error.
func (c *Client) Do(ctx context.Context, call Call) (Answer, error) {
	if err := c.Check(call.URL); err != nil {
		return Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, call.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, call.Method, call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return Answer{}, &Error{Reason: Malformed, cause: err}
	}
	for name, values := range call.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", c.userAgent)
	}

	resp, err := c.send(req, call.Redirects)
	if err != nil {
		return Answer{}, explain(ctx, err)
	}
	defer resp.Body.Close()
	answer := Answer{URL: req.URL.String(), Status: resp.StatusCode, Header: resp.Header}
	if resp.Request != nil {
		answer.URL = resp.Request.URL.String()
	}
	// What follows 101 Switching Protocols, which no call asks for, is not a body, and reading it would not
	// end with ctx.
	if call.MaxBody <= 0 || resp.StatusCode == http.StatusSwitchingProtocols {
		return answer, nil
	}
	answer.Body, err = io.ReadAll(io.LimitReader(resp.Body, call.MaxBody+1))
	if err != nil {
		return Answer{}, explain(ctx, err)
	}
	if int64(len(answer.Body)) > call.MaxBody {
		answer.Body, answer.Cut = answer.Body[:call.MaxBody], true
	}
	return answer, nil
}

// send makes a request and follows up to redirects redirects. With 0 it calls the transport directly: an
// http.Client parses the Location header even then, and fails on a malformed one.
func (c *Client) send(req *http.Request, redirects int) (*http.Response, error) {
	if redirects == 0 {
		if user := req.URL.User; user != nil && req.Header.Get("Authorization") == "" {
			password, _ := user.Password()
			req.SetBasicAuth(user.Username(), password)
		}
		return c.transport.RoundTrip(req)
	}
	client := http.Client{Transport: c.transport,
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if len(via) > redirects {
				return &Error{Reason: Redirected}
			}
			return c.check(next.URL)
		}}
	return client.Do(req)
}

// dial connects to the host and port of a URL.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Resolver: c.resolver}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if !c.allows(host, port) {
		d.Control = c.control
	}
	return d.DialContext(ctx, network, address)
}

// dialTLS connects like dial and performs the TLS handshake.
func (c *Client) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	plain, err := c.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	cfg := c.tls.Clone()
	cfg.ServerName, _, _ = net.SplitHostPort(address) // dial has checked it
	conn := tls.Client(plain, cfg)
	if err := conn.HandshakeContext(ctx); err != nil {
		plain.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Error{Reason: Insecure, cause: err}
	}
	return conn, nil
}

// control refuses addresses that are not public. The dialer calls it for each IP address that it tries,
// before the socket connects.
func (c *Client) control(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || !c.public(ap.Addr()) {
		return &Error{Reason: Private}
	}
	return nil
}

// allows reports whether the host is in AllowHosts.
func (c *Client) allows(host, port string) bool {
	host = strings.ToLower(host)
	return c.allowed[host] || c.allowed[net.JoinHostPort(host, port)]
}

// parseHosts parses Config.AllowHosts into the keys that allows looks up.
func parseHosts(list string) map[string]bool {
	hosts := map[string]bool{}
	for entry := range strings.SplitSeq(strings.ToLower(list), ",") {
		entry = strings.TrimSpace(entry)
		if host, port, err := net.SplitHostPort(entry); err == nil {
			entry = net.JoinHostPort(host, port)
		} else {
			entry = strings.Trim(entry, "[]")
		}
		if entry != "" {
			hosts[entry] = true
		}
	}
	return hosts
}

// explain converts an error of net/http to an *Error.
func explain(ctx context.Context, err error) error {
	var (
		own     *Error
		network net.Error
		name    *net.DNSError
		dial    *net.OpError
	)
	reason := Broken
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(ctx.Err(), context.Canceled):
		reason = Canceled
	case errors.As(err, &network) && network.Timeout():
		reason = TimedOut
	case errors.As(err, &name):
		reason = Unresolved
	case errors.As(err, &dial) && dial.Op == "dial":
		reason = Unreachable
	}
	return &Error{Reason: reason, cause: err}
}
