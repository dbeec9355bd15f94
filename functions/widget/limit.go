package widget

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/rate"
	"frontdesk/shared/table"
)

// Limits of a minute. Many visitors may share an address, as in an office.
const (
	sessionWrites = 20  // calls that store something, of one session; reports of typing are counted apart
	addressWrites = 120 // calls that store something, of one address; the same
	addressReads  = 600 // other calls, of one address
)

// Attributes that count calls.
const (
	writes = "writes"
	typing = "typing" // reports of typing, which have the limits of writes
	reads  = "reads"
)

// count counts a call to a widget and refuses it above a limit of this clock minute. session is "" for a
// call that begins one. It takes at most one round trip, and usually none.
func (s *Service) count(ctx context.Context, embed, session, kind string) error {
	most := int64(addressWrites)
	if kind == reads {
		most = addressReads
	}
	address := rate.Network(api.CallerAddress(ctx))
	return table.Parallel(ctx, func(ctx context.Context) error {
		return s.countCaller(ctx, embed, address, kind, most)
	}, func(ctx context.Context) error {
		if session == "" || kind == reads {
			return nil
		}
		return s.countCaller(ctx, embed, session, kind, sessionWrites)
	})
}

// countCaller counts a call of one address or session.
func (s *Service) countCaller(ctx context.Context, embed, who, kind string, most int64) error {
	return s.calls.Take(ctx, s.Table, s.Now(), rate.Limit{
		Most: most, Number: kind, Detail: "Too many messages at once. Try again in a minute.",
		Key: func(minute int64) table.Key { return visitorKey(embed, who, minute) },
	})
}
