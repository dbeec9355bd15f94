package local

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// trustedProxies are the reverse proxies in front of the service, from TRUSTED_PROXIES: addresses and
// networks separated by commas. Empty is none.
func trustedProxies(list string) ([]netip.Prefix, error) {
	var proxies []netip.Prefix
	for _, word := range strings.Split(list, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		network, err := netip.ParsePrefix(word)
		if err != nil {
			address, err := netip.ParseAddr(word)
			if err != nil {
				return nil, fmt.Errorf("TRUSTED_PROXIES: %q is no address and no network such as 10.0.0.0/8",
					word)
			}
			address = address.Unmap().WithZone("")
			network = netip.PrefixFrom(address, address.BitLen())
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

// behindProxies sets the address of requests from trusted proxies to that of the client of the first proxy.
// Other requests keep their address, whatever their headers say.
func behindProxies(next http.Handler, proxies []netip.Prefix) http.Handler {
	if len(proxies) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if sender, ok := senderOf(req, proxies); ok {
			req = req.Clone(req.Context())
			req.RemoteAddr = net.JoinHostPort(sender.String(), "0")
		}
		next.ServeHTTP(w, req)
	})
}

// senderOf returns the right-most address of X-Forwarded-For that is not a trusted proxy, since anything to
// the left of it may be forged; if all are trusted, the left-most one. It returns false if the request did
// not come from a trusted proxy, or the header is missing or invalid.
func senderOf(req *http.Request, proxies []netip.Prefix) (sender netip.Addr, ok bool) {
	trusted := func(address netip.Addr) bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(address) })
	}
	peer, known := parseAddress(req.RemoteAddr)
	if !known || !trusted(peer) {
		return netip.Addr{}, false
	}
	hops := strings.Split(strings.Join(req.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		address, known := parseAddress(strings.TrimSpace(hop))
		if !known {
			break
		}
		sender, ok = address, true
		if !trusted(address) {
			break
		}
	}
	return sender, ok
}

// parseAddress reads an IP address that may have a port.
func parseAddress(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap().WithZone(""), err == nil
}
