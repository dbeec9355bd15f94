package account

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/rate"
	"frontdesk/shared/table"
)

// attemptsPerMinute is how often one address may try to sign in. Many members may share an address, as in an
// office.
const attemptsPerMinute = 120

// attempt counts a call by somebody who is not signed in yet, and refuses those of pages of other origins and
// those that are too many in this minute. It returns the context to go on with: from here on the call is
// carried out once for its Idempotency-Key.
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
