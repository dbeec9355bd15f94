package egress

import "net/netip"

// public reports whether a is an address of the public internet. It is false for private, loopback,
// link-local, shared, documentation, benchmarking, multicast and reserved addresses, and for IPv6 addresses
// that embed an IPv4 address (compatible, NAT64, 6to4, Teredo), since the translating gateway may be in a
// private network. An IPv4-mapped address is treated as the IPv4 address, as the operating system does.
func public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	special := specialIPv4[:]
	if a.Is6() {
		if !globalIPv6.Contains(a) {
			return false
		}
		special = specialIPv6[:]
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// specialIPv4 are the blocks of the IANA IPv4 Special-Purpose Address Registry that are not public, and
// multicast.
var specialIPv4 = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("10.0.0.0/8"),      // private
	netip.MustParsePrefix("100.64.0.0/10"),   // shared address space of carriers
	netip.MustParsePrefix("127.0.0.0/8"),     // loopback
	netip.MustParsePrefix("169.254.0.0/16"),  // link-local, with the metadata services of clouds
	netip.MustParsePrefix("172.16.0.0/12"),   // private
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays, deprecated
	netip.MustParsePrefix("192.168.0.0/16"),  // private
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarking
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("224.0.0.0/3"),     // multicast, reserved and broadcast
}

// globalIPv6 is all that IANA allocates as global unicast addresses. It excludes loopback, IPv4-compatible,
// NAT64, discard, segment routing, unique local, link-local, site-local and multicast addresses.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// specialIPv6 are the special-purpose blocks in globalIPv6.
var specialIPv6 = [...]netip.Prefix{
	netip.MustParsePrefix("2001::/23"),     // protocol assignments: Teredo, benchmarking, ORCHID
	netip.MustParsePrefix("2001:db8::/32"), // documentation
	netip.MustParsePrefix("2002::/16"),     // 6to4
	netip.MustParsePrefix("3fff::/20"),     // documentation
}
