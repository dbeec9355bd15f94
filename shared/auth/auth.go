// Package auth says who makes a request and whether the plan allows it: API keys, workspaces, plans and their limits.
package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/logline"
	"frontdesk/shared/table"
)

// A Caller is who makes a request.
type Caller struct {
	Account Account
	Plan    Plan
	Key     Key
	Rate    Rate
}

// A Rate is where a caller stands in the current minute.
type Rate struct {
	Limit, Remaining int64
	ResetsAt         time.Time
}

type callerKey struct{}

// CallerOf returns who makes the request that ctx belongs to. It panics where nobody was authenticated, which is a
// mistake in the routes.
func CallerOf(ctx context.Context) Caller { return ctx.Value(callerKey{}).(Caller) }

// Keys authenticates requests by their API key. It is the Authenticator of package api.
type Keys struct {
	Table table.Table
	Now   func() time.Time
}

// Authenticate finds the key, checks age, revocation and plan, and counts the request, all by one update of the key's
// item: the item comes back as it is after the count.
func (k *Keys) Authenticate(ctx context.Context, authorization string) (context.Context, http.Header, error) {
	header := http.Header{}
	text, ok := bearer(authorization)
	if !ok {
		header.Set("WWW-Authenticate", "Bearer")
		return nil, header, fault.New(fault.AuthenticationRequired, "The header Authorization: Bearer <API key> is required.")
	}
	now := k.Now()
	minute := now.Unix() / 60
	item, err := k.Table.Update(ctx, countRequest(APIKey(text), minute))
	if errors.Is(err, table.ErrNotFound) {
		header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		return nil, header, fault.New(fault.InvalidAPIKey, "The API key is not known.")
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := readRecord(item.Doc)
	if err != nil {
		return nil, nil, err
	}
	logline.Add(ctx, slog.Int64("account", r.Account.ID), slog.Int64("api_key", r.Key.ID))
	switch {
	case item.Numbers[revoked] > 0:
		header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		return nil, header, fault.New(fault.InvalidAPIKey, "The API key has been revoked.")
	case !now.Before(r.Key.ExpiresAt()):
		header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		return nil, header, fault.New(fault.APIKeyExpired, "The API key is older than 90 days. Issue a new one.")
	}
	plan, err := PlanNamed(r.Account.Plan)
	if err != nil {
		return nil, nil, fmt.Errorf("auth: account %d: %w", r.Account.ID, err)
	}
	if !plan.APIAccess {
		return nil, nil, fault.New(fault.Forbidden, "The plan %s does not include API access.", plan.Name)
	}
	if err := k.sweep(ctx, item, minute); err != nil {
		return nil, nil, err
	}
	used := item.Numbers[windowName(minute)]
	rate := Rate{plan.RequestsPerMinute, max(0, plan.RequestsPerMinute-used), time.Unix((minute+1)*60, 0).UTC()}
	header.Set("X-RateLimit-Limit", strconv.FormatInt(rate.Limit, 10))
	header.Set("X-RateLimit-Remaining", strconv.FormatInt(rate.Remaining, 10))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(rate.ResetsAt.Unix(), 10))
	if used > rate.Limit {
		wait := max(1, int64(math.Ceil(rate.ResetsAt.Sub(now).Seconds())))
		header.Set("Retry-After", strconv.FormatInt(wait, 10))
		return nil, header, fault.New(fault.RateLimited, "More than %d requests in this minute. Try again in %d seconds.", rate.Limit, wait)
	}
	return context.WithValue(ctx, callerKey{}, Caller{r.Account, plan, r.Key, rate}), header, nil
}

// Account returns the id of the workspace that CallerOf(ctx) belongs to.
func (*Keys) Account(ctx context.Context) int64 { return CallerOf(ctx).Account.ID }

// bearer takes the key's text out of an Authorization header.
func bearer(authorization string) (string, bool) {
	scheme, text, ok := strings.Cut(authorization, " ")
	text = strings.TrimSpace(text)
	return text, ok && strings.EqualFold(scheme, "Bearer") && text != "" && !strings.ContainsAny(text, " \t,")
}

// Requests are counted by the minute of the clock, each minute in a number of its own: an update cannot ask whether a
// number is of this minute, but it can add to one and remove others. Those of idle minutes longer ago than pastWindows
// stay behind until there are strayWindows of them; then one more update sweeps them away.
const (
	pastWindows  = 10
	strayWindows = 20
	windowPrefix = "w"
)

func windowName(minute int64) string { return windowPrefix + strconv.FormatInt(minute, 10) }

// countRequest adds to the number of this minute and removes those of the minutes before.
func countRequest(key table.Key, minute int64) table.Update {
	u := table.Update{Key: key, Add: map[string]int64{windowName(minute): 1}}
	for past := minute - pastWindows; past < minute; past++ {
		u.Remove = append(u.Remove, windowName(past))
	}
	return u
}

// sweep removes the numbers of minutes long past once there are many.
func (k *Keys) sweep(ctx context.Context, item table.Item, minute int64) error {
	var stray []string
	for name := range item.Numbers {
		if strings.HasPrefix(name, windowPrefix) && name != windowName(minute) {
			stray = append(stray, name)
		}
	}
	if len(stray) < strayWindows {
		return nil
	}
	_, err := k.Table.Update(ctx, table.Update{Key: item.Key, Remove: stray})
	return err
}
