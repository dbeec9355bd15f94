package egress

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	tests := map[bool][]string{
		true: {
			"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
			"126.255.255.255",
			"128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
			"192.0.3.0",
			"192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
			"198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
			"::ffff:8.8.8.8", // to the operating system the IPv4 address
			"2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1", "2400:cb00::1",
			"2606:4700:4700::1111", "2620:fe::fe", "2a00:1450::1", "2c0f::1", "3ffe::1", "3fff:1000::1",
		},
		false: {
			"0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200",
			"100.127.255.255",
			"127.0.0.0", "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.170.2",
			"169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.170", "192.0.0.255",
			"192.0.2.1",
			"192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1",
			"203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",

			"::", "::1", "::2", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254",
			"ff02::1",
			"100::1", "100:0:0:1::1", "4000::1", "5f00::1", "3fff::1", "3fff:fff::1",
			"2001:db8::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:1ff::1",
			// The same in wrappings of IPv6, and public ones in them too.
			"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0.0.0.0",
			"::ffff:127.0.0.1%lo",
			"::127.0.0.1", "::10.0.0.1", "::8.8.8.8", "::ffff:0:127.0.0.1",
			"64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "64:ff9b:1:ffff:ffff:ffff:127.0.0.1",
			"2002:7f00:1::1", "2002:a00:1::1", "2002:808:808::1",
			"2001::1", "2001:0:7f00:1::1", "2001:0:ffff:ffff:ffff:ffff:80ff:fffe",
			"2606:4700:4700::1111%eth0", // a zone belongs to a link
		},
	}
	for want, addresses := range tests {
		for _, s := range addresses {
			if got := public(netip.MustParseAddr(s)); got != want {
				t.Errorf("public(%s) = %v, want %v", s, got, want)
			}
		}
	}
	if public(netip.Addr{}) {
		t.Error("the zero address is public")
	}
}

// FuzzPublic holds the rule to what net/netip knows of addresses, and to its own answer on other forms of the
// same one.
func FuzzPublic(f *testing.F) {
	for _, s := range []string{"8.8.8.8", "127.0.0.1", "2606:4700:4700::1111", "2001::1", "64:ff9b::a00:1",
		"::ffff:10.0.0.1"} {
		f.Add(netip.MustParseAddr(s).AsSlice())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			t.Skip()
		}
		got := public(a)
		if bare := a.Unmap(); got && (!bare.IsGlobalUnicast() || bare.IsPrivate() || bare.IsLoopback()) {
			t.Errorf("public(%s)", a)
		}
		if a.Is6() && public(a.WithZone("eth0")) {
			t.Errorf("public(%s) with a zone", a)
		}
		if !a.Is4() {
			return
		}
		v4 := a.As4()
		if mapped := netip.AddrFrom16(a.As16()); public(mapped) != got {
			t.Errorf("public(%s) is not public(%s)", mapped, a)
		}
		for _, prefix := range []string{"::", "64:ff9b::", "64:ff9b:1::"} {
			b := netip.MustParseAddr(prefix).As16()
			copy(b[12:], v4[:])
			if wrapped := netip.AddrFrom16(b); public(wrapped) {
				t.Errorf("public(%s)", wrapped)
			}
		}
		b6 := [16]byte{0: 0x20, 1: 0x02, 2: v4[0], 3: v4[1], 4: v4[2], 5: v4[3], 15: 1}
		if wrapped := netip.AddrFrom16(b6); public(wrapped) {
			t.Errorf("public(%s)", wrapped)
		}
	})
}
