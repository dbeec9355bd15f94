package local

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestBehindProxies(t *testing.T) {
	for _, test := range []struct {
		name, proxies, peer string
		forwarded           []string
		want                string
	}{
		{"no proxy is trusted", "", "127.0.0.1:5", []string{"192.0.2.1"}, "127.0.0.1:5"},
		{"the peer is not trusted", "10.0.0.0/8", "198.51.100.7:5", []string{"192.0.2.1"}, "198.51.100.7:5"},
		{"one proxy", "127.0.0.1", "127.0.0.1:5", []string{"192.0.2.1"}, "192.0.2.1:0"},
		{"a visitor who writes the header too", "127.0.0.1", "127.0.0.1:5", []string{"8.8.8.8, 192.0.2.1"},
			"192.0.2.1:0"},
		{"a visitor who claims to be a proxy", "127.0.0.1", "127.0.0.1:5", []string{"127.0.0.1, 192.0.2.1"},
			"192.0.2.1:0"},
		{"two proxies", "127.0.0.1, 10.0.0.0/8", "127.0.0.1:5", []string{"192.0.2.1, 10.1.2.3"},
			"192.0.2.1:0"},
		{"two headers", "127.0.0.1,10.0.0.0/8", "127.0.0.1:5", []string{"8.8.8.8", "192.0.2.1,10.1.2.3"},
			"192.0.2.1:0"},
		{"from a proxy itself", "10.0.0.0/8", "10.0.0.1:5", []string{"10.0.0.9"}, "10.0.0.9:0"},
		{"no header", "127.0.0.1", "127.0.0.1:5", nil, "127.0.0.1:5"},
		{"no address", "127.0.0.1", "127.0.0.1:5", []string{"192.0.2.1, unknown"}, "127.0.0.1:5"},
		{"no address behind a proxy", "127.0.0.1,10.0.0.1", "127.0.0.1:5", []string{"unknown, 10.0.0.1"},
			"10.0.0.1:0"},
		{"with a port", "127.0.0.1", "127.0.0.1:5", []string{"192.0.2.1:4711"}, "192.0.2.1:0"},
		{"version 6", "::1", "[::1]:5", []string{"2001:db8::1"}, "[2001:db8::1]:0"},
		{"version 6 with a port", "::1", "[::1]:5", []string{"[2001:db8::1]:4711"}, "[2001:db8::1]:0"},
		{"version 4 in version 6", "127.0.0.1", "[::ffff:127.0.0.1]:5", []string{"::ffff:192.0.2.1"},
			"192.0.2.1:0"},
	} {
		proxies, err := trustedProxies(test.proxies)
		if err != nil {
			t.Fatal(err)
		}
		req := httptest.NewRequest("GET", "/", nil)
		req.RemoteAddr = test.peer
		for _, value := range test.forwarded {
			req.Header.Add("X-Forwarded-For", value)
		}
		got := ""
		next := http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) { got = req.RemoteAddr })
		behindProxies(next, proxies).ServeHTTP(httptest.NewRecorder(), req)
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	for _, list := range []string{"localhost", "10.0.0.0/33", "10.0.0.1;10.0.0.2"} {
		if _, err := trustedProxies(list); err == nil {
			t.Errorf("%q is taken", list)
		}
	}
}
