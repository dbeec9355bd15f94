package email

import (
	"strings"

	"golang.org/x/net/publicsuffix"

	"frontdesk/shared/channel"
)

// The sender of a mail is authenticated as in DMARC (RFC 9989): the domain of From, or one aligned with it,
// has signed the mail (DKIM) or has listed the host that sent it (SPF). Only the verdict of the service that
// received the mail counts, not what the mail says of itself.

// aligned reports whether two domains have the same owner, as in DMARC.
func aligned(a, b string) bool {
	a, b = strings.ToLower(strings.Trim(a, ". ")), strings.ToLower(strings.Trim(b, ". "))
	if a == "" || b == "" {
		return false
	}
	if a == b {
		return true
	}
	ownerA, errA := publicsuffix.EffectiveTLDPlusOne(a)
	ownerB, errB := publicsuffix.EffectiveTLDPlusOne(b)
	return errA == nil && errB == nil && ownerA == ownerB
}

var (
	comments = pattern(`\([^()]*\)`)
	result   = pattern(`^\s*(dmarc|dkim|spf)\s*=\s*([a-z]+)`)
	property = pattern(`(header\.from|header\.d|header\.i|smtp\.mailfrom|smtp\.from)\s*=\s*"?([^\s;"]+)`)
)

// vouchedByHost reads what the host that took a raw mail found, in the first Authentication-Results of that
// host (RFC 8601): a host puts its own above those that came with the mail.
func (l *letter) vouchedByHost(c channel.Connection, from string) bool {
	host := domain(c.Text(channel.InboundAddress))
	for fields := l.header.FieldsByKey("Authentication-Results"); fields.Next(); {
		value := strings.ToLower(comments().ReplaceAllString(fields.Value(), " "))
		server, found, _ := strings.Cut(value, ";")
		server, _, _ = strings.Cut(strings.TrimSpace(server), " ") // a version may follow
		if host == "" || server != host && !strings.HasSuffix(server, "."+host) {
			continue
		}
		return vouches(found, domain(from))
	}
	return false
}

// vouches reports whether the results of an Authentication-Results field authenticate a domain.
func vouches(found, of string) bool {
	passed, judged := false, false
	for method := range strings.SplitSeq(found, ";") {
		m := result().FindStringSubmatch(method)
		if m == nil {
			continue
		}
		named := map[string]string{}
		for _, p := range property().FindAllStringSubmatch(method, -1) {
			named[p[1]] = p[2][strings.LastIndexByte(p[2], '@')+1:]
		}
		switch m[1] {
		case "dmarc":
			if m[2] == "pass" && (named["header.from"] == "" || aligned(named["header.from"], of)) {
				return true
			}
			judged = judged || m[2] != "none"
		case "dkim":
			passed = passed || m[2] == "pass" && (aligned(named["header.d"], of) ||
				aligned(named["header.i"], of))
		case "spf":
			passed = passed || m[2] == "pass" && (aligned(named["smtp.mailfrom"], of) ||
				aligned(named["smtp.from"], of))
		}
	}
	return passed && !judged
}
