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
)

// Numbers of the items that count calls.
const (
	writes = "writes"
	reads  = "reads"
)

// count counts a call to a widget, and refuses it where there were too many in this minute of the clock. The session is
// "" for one that is only begun. It takes one trip.
func (s *Service) count(ctx context.Context, embed, session, kind string) error {
	now := s.Now()
	minute := now.Truncate(time.Minute)
	most := int64(addressReads)
	if kind == writes {
		most = addressWrites
	}
	counts := []table.Write{table.AddAtMost(visitorKey(embed, network(api.CallerAddress(ctx)), minute.Unix()/60), kind, 1, most)}
	if session != "" && kind == writes {
		counts = append(counts, table.AddAtMost(visitorKey(embed, session, minute.Unix()/60), kind, 1, sessionWrites))
	}
	for i := range counts {
		counts[i].Item.Expires = minute.Add(2 * time.Minute)
	}
	err := s.Table.Transact(table.Alone(ctx), counts...)
	if table.IsConditionError(err) {
		e := fault.New(fault.RateLimited, "Too many messages at once. Try again in a minute.")
		e.RetryAfter = minute.Add(time.Minute).Sub(now)
		return e
	}
	return err
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
