package rate

import (
	"context"
	"net/netip"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// storedParts is how often a process stores its count on the way to a limit. So each process that serves a
// caller may let a fifth of the limit through beyond it, and a caller who is far from it costs no write.
const storedParts = 5

// A Limit bounds how often one caller may call in a minute of the clock.
type Limit struct {
	Most   int64
	Key    func(minute int64) table.Key // of the item that all processes count in
	Number string                       // of that item
	Detail string                       // what the caller is told who calls more often
}

// Take counts a call, and refuses it with a fault of the code RateLimited where there were too many in this
// minute. It takes one trip to the table, and mostly none.
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

// Network is what one caller has of addresses: one of version 4, 64 bits of version 6. It is "" for what is
// no address.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	if ip = ip.Unmap(); ip.Is6() {
		prefix, _ := ip.WithZone("").Prefix(64) // every such address has one
		return prefix.String()
	}
	return ip.String()
}
