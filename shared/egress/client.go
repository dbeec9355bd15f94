// Package egress makes the product's calls to addresses that outsiders name, such as webhooks and pages for
// the knowledge base, and keeps them out of private networks.
//
// Whether an address may be called is decided on the IP address, at the moment of connecting, after the name
// was resolved and at every redirect. So it does not matter how a host is written (decimal, octal, with a
// trailing dot, in other scripts), what a name resolves to, or whether it resolves to something else the next
// time.
//
// The rules are written here since the library for them, doyensec/safeurl v0.2.2, lets 64:ff9b:1::/48,
// IPv4-compatible and site-local addresses pass, cannot permit plain HTTP and a private address for one named
// host alone, checks the scheme of the first address but of no redirect, panics on an address with a zone,
// bounds no body, and puts the resolved address into its errors.
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

// maxHeader bounds the header of an answer, in bytes.
const maxHeader = 64 << 10

// Config is what a Client is made of.
type Config struct {
	// AllowHosts are hosts, parted by commas, that may be private and may be called by plain http. Each is a
	// name or an IP address as it stands in the URL, with a port for that port only: "127.0.0.1,
	// receiver.test:8080, [::1]:8080".
	AllowHosts string
	// UserAgent is sent by calls that set none of their own. An empty one sends none.
	UserAgent string
}

// A Client calls addresses on the public internet, and the hosts that its Config allows. It reads no proxy
// from the environment, keeps no cookies and no connection: calls go to many hosts, seldom twice to one, and
// a connection that slept in a frozen Lambda is mostly a dead one. It speaks HTTP/1.1, and TLS of version 1.2
// or later with verified certificates. Every port may be called: what speaks no TLS there, or not our HTTP,
// gets nothing that it could act on. A Client is safe for concurrent use.
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
	Method string // GET where empty
	URL    string
	Header http.Header
	Body   []byte
	// Timeout bounds the whole call, from looking up the name to the last byte of the answer's body. It must
	// be set.
	Timeout time.Duration
	// MaxBody is how many bytes of the answer's body are read, after decompression. Where it is zero, the
	// answer is complete with its header.
	MaxBody int64
	// Redirects is how many redirects are followed, each under the same rules. Where it is zero, an answer
	// that redirects is an answer like others.
	Redirects int
}

// An Answer is what came back.
type Answer struct {
	URL    string // that answered, after redirects
	Status int
	Header http.Header
	Body   []byte // at most MaxBody bytes
	Cut    bool   // the body was longer than MaxBody
}

// Check says whether a call to the address would be tried: it must be an absolute https URL, or http where
// the host is allowed. Its host is not looked up; whether that is on the public internet shows when it is
// called. The error is an *Error.
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

// Do makes the call. An answer of any status is an answer; the error, an *Error, says why there is none.
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
	// What follows on a switch of protocols, which nobody asked for, is no body, and reading it would not end
	// with ctx.
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

// send makes a request and follows so many redirects. Where none are followed it asks the transport: an
// http.Client looks at the address that an answer redirects to even then, and takes an answer with a
// malformed one for a failure.
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

// dialTLS connects like dial and shakes hands.
func (c *Client) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	plain, err := c.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	cfg := c.tls.Clone()
	cfg.ServerName, _, _ = net.SplitHostPort(address) // dial has split it before
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

// control refuses to connect to an address that is not public. It is called with each IP address that is
// tried, on a socket that has not sent anything yet.
func (c *Client) control(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || !c.public(ap.Addr()) {
		return &Error{Reason: Private}
	}
	return nil
}

// allows reports whether the host is one that may be private.
func (c *Client) allows(host, port string) bool {
	host = strings.ToLower(host)
	return c.allowed[host] || c.allowed[net.JoinHostPort(host, port)]
}

// parseHosts reads the list of Config.AllowHosts into the forms that allows looks up.
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

// explain turns what net/http says into an *Error.
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
