package rate

import (
	"context"
	"net/netip"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// storedParts is how often a process stores its count on the way to a limit. So each process may admit up to
// a fifth of the limit above it, and callers far below the limit cost no writes.
const storedParts = 5

// A Limit is how often one caller may call in a clock minute.
type Limit struct {
	Most   int64
	Key    func(minute int64) table.Key // item that all processes count in
	Number string                       // name of the number in that item
	Detail string                       // the public description above the limit
}

// Take counts a call and refuses it with a RateLimited fault above the limit. It takes at most one round
// trip, and usually none.
func (c *Counter) Take(ctx context.Context, t table.Table, now time.Time, l Limit) error {
	begun := now.Truncate(time.Minute)
	minute := begun.Unix() / 60
	key := l.Key(minute)
	caller := key.PK + l.Number
	calls := c.Count(minute, caller, l.Most/storedParts)
	exceeded := calls.Exceeded || calls.Own > l.Most
	if calls.Due > 0 && !exceeded {
		w := table.AddAtMost(key, l.Number, calls.Due, l.Most)
		w.Item.Expires = begun.Add(2 * time.Minute)
		err := t.Transact(table.Alone(ctx), w)
		if exceeded = table.IsConditionError(err); err != nil && !exceeded {
			return err
		}
	}
	if !exceeded {
		return nil
	}
	c.Exceed(minute, caller)
	e := fault.New(fault.RateLimited, "%s", l.Detail)
	e.RetryAfter = begun.Add(time.Minute).Sub(now)
	return e
}

// Network returns the network of an address: an IPv4 address itself, or the /64 of an IPv6 address. It is ""
// for other texts.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	if ip = ip.Unmap(); ip.Is6() {
		prefix, _ := ip.WithZone("").Prefix(64) // every IPv6 address has one
		return prefix.String()
	}
	return ip.String()
}
