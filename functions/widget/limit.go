package widget

import (
	"context"
	"net/netip"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// Limits of a minute. Many visitors may share an address, as in an office.
const (
	sessionWrites = 20  // calls that store something, in one session
	addressWrites = 120 // the same from one address
	addressReads  = 600 // other calls from one address
	// storedParts is how often a process stores its count on the way to a limit. So each process that serves a
	// visitor may let a fifth of the limit through beyond it, and a visitor who is far from it costs no write.
	storedParts = 5
)

// Numbers of the items that count calls.
const (
	writes = "writes"
	reads  = "reads"
)

// count counts a call to a widget, and refuses it where there were too many in this minute of the clock. The
// session is "" for one that is only begun. It takes one trip, and mostly none.
func (s *Service) count(ctx context.Context, embed, session, kind string) error {
	most := int64(addressReads)
	if kind == writes {
		most = addressWrites
	}
	address := network(api.CallerAddress(ctx))
	return table.Parallel(ctx, func(ctx context.Context) error {
		return s.countCaller(ctx, embed, address, kind, most)
	}, func(ctx context.Context) error {
		if session == "" || kind != writes {
			return nil
		}
		return s.countCaller(ctx, embed, session, kind, sessionWrites)
	})
}

// countCaller counts a call of one address or session.
func (s *Service) countCaller(ctx context.Context, embed, who, kind string, most int64) error {
	now := s.Now()
	begun := now.Truncate(time.Minute)
	minute := begun.Unix() / 60
	key := visitorKey(embed, who, minute)
	calls := s.calls.Count(minute, key.PK+kind, most/storedParts)
	exceeded := calls.Exceeded || calls.Own > most
	if calls.Due > 0 && !exceeded {
		w := table.AddAtMost(key, kind, calls.Due, most)
		w.Item.Expires = begun.Add(2 * time.Minute)
		err := s.Table.Transact(table.Alone(ctx), w)
		if exceeded = table.IsConditionError(err); err != nil && !exceeded {
			return err
		}
	}
	if !exceeded {
		return nil
	}
	s.calls.Exceed(minute, key.PK+kind)
	e := fault.New(fault.RateLimited, "Too many messages at once. Try again in a minute.")
	e.RetryAfter = begun.Add(time.Minute).Sub(now)
	return e
}

// network is what one visitor has of addresses: one of version 4, 64 bits of version 6. "" for what is no address.
func network(address string) string {
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
