package account

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/rate"
	"frontdesk/shared/table"
)

// attemptsPerMinute is how often one network may try to sign in. Many members may share an address, as in an
// office.
const attemptsPerMinute = 120

// attempt checks a call without a session or key. It refuses pages of other origins first, then calls above
// attemptsPerMinute. The returned context carries the request's Idempotency-Key, so refused calls store
// nothing.
func (s *Service) attempt(ctx context.Context) (context.Context, error) {
	if err := auth.SameOrigin(api.RequestOf(ctx)); err != nil {
		return ctx, err
	}
	address := rate.Network(api.CallerAddress(ctx))
	if err := s.attempts.Take(ctx, s.Table, s.Now(), rate.Limit{
		Most: attemptsPerMinute, Number: "attempts",
		Detail: "Too many attempts to sign in. Try again in a minute.",
		Key:    func(minute int64) table.Key { return auth.AttemptsKey(address, minute) },
	}); err != nil {
		return ctx, err
	}
	return api.Once(ctx)
}
