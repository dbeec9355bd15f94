// Package auth says who makes a request and whether the plan allows it: API keys, workspaces, plans and their
// limits.
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
	"frontdesk/shared/rate"
	"frontdesk/shared/table"
)

// A Caller is who makes a request: whoever has an API key, or a member who is signed in.
type Caller struct {
	Account Account
	Plan    Plan
	Key     Key // the zero Key where a member calls
	Rate    Rate
	Member  Member  // the zero Member where an API key was sent
	Session Session // the member's session
}

// SignedIn reports whether the caller is a member in a session.
func (c Caller) SignedIn() bool { return c.Session.ID != 0 }

// Role is what the caller may do. An API key may do what an admin may.
func (c Caller) Role() Role {
	if c.SignedIn() {
		return c.Member.Role
	}
	return Admin
}

// Actor is the caller as the audit log names it.
func (c Caller) Actor() Actor {
	if c.SignedIn() {
		return Actor{ActorMember, c.Member.ID, c.Member.Name}
	}
	return Actor{ActorAPIKey, c.Key.ID, c.Key.Name}
}

// A Rate is where a caller stands in the current minute.
type Rate struct {
	Limit, Remaining int64
	ResetsAt         time.Time
}

type callerKey struct{}

// CallerOf returns who makes the request that ctx belongs to. It panics where nobody was authenticated, which
// is a mistake in the routes.
func CallerOf(ctx context.Context) Caller { return ctx.Value(callerKey{}).(Caller) }

// Keys authenticates requests by their API key or by the cookie of a session. It is the Authenticator of
// package api. One serves all requests of a process, so that it counts them exactly.
type Keys struct {
	Table table.Table
	Now   func() time.Time

	calls rate.Counter
}

// A Call is a request that asks to be served, with what has to be known of the endpoint.
type Call struct {
	*http.Request
	Base    string // address of the service as the caller sees it, without a slash at the end
	Address string // the caller's IP address
	Path    string // as called, without the API's prefix
	Action  string // what the endpoint does, in words
	Admin   bool   // the endpoint is not for members of the role agent
	// Unaudited is for what says itself who changed it, or does not matter to an audit.
	Unaudited bool
}

// Account returns the id of the workspace that CallerOf(ctx) belongs to.
func (*Keys) Account(ctx context.Context) int64 { return CallerOf(ctx).Account.ID }

// Authenticate finds the key or the session, checks age, revocation, plan and role, and counts the request,
// all in one trip.
func (k *Keys) Authenticate(call Call) (context.Context, http.Header, error) {
	authorization := call.Header.Get("Authorization")
	if authorization == "" {
		if text := SessionText(call.Request, call.Base); text != "" {
			return k.session(call, text)
		}
	}
	return k.key(call, authorization)
}

// admit is the context of a request that may be served. What changes something is noted in the audit log, in
// the transaction of the change: every change by a member, but those that say themselves who made them, and
// by an API key those that are for administrators.
func (k *Keys) admit(call Call, c Caller) context.Context {
	ctx := context.WithValue(call.Context(), callerKey{}, c)
	reads := call.Method == http.MethodGet || call.Method == http.MethodHead
	if reads || call.Unaudited || !c.SignedIn() && !call.Admin {
		return ctx
	}
	write, err := auditOf(call, c.Actor(), k.Now()).Write(c.Account.ID)
	if err != nil {
		panic(err) // an entry holds plain values only
	}
	ctx, _ = table.WithCompanion(ctx, write)
	return ctx
}

// key authenticates a request by the API key in its Authorization header.
func (k *Keys) key(call Call, authorization string) (context.Context, http.Header, error) {
	ctx, header := call.Context(), http.Header{}
	text, ok := bearer(authorization)
	if !ok {
		header.Set("WWW-Authenticate", "Bearer")
		return nil, header, fault.New(fault.AuthenticationRequired,
			"The header Authorization: Bearer <API key> is required.")
	}
	now := k.Now()
	item, used, err := k.count(ctx, APIKey(text), now, false)
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
		return nil, header, fault.New(fault.APIKeyExpired,
			"The API key is older than 90 days. Issue a new one.")
	}
	if r.Key.endsSoon(now) {
		header.Set(ExpiryHeader, r.Key.ExpiresAt().UTC().Format(time.RFC3339))
	}
	plan, err := PlanNamed(r.Account.Plan)
	if err != nil {
		return nil, nil, fmt.Errorf("auth: account %d: %w", r.Account.ID, err)
	}
	if !plan.APIAccess {
		return nil, nil, fault.New(fault.Forbidden, "The plan %s does not include API access.", plan.Name)
	}
	limit, err := rateOf(used, now, plan.RequestsPerMinute, header)
	if err != nil {
		return nil, header, err
	}
	return k.admit(call, Caller{Account: r.Account, Plan: plan, Key: r.Key, Rate: limit}), header, nil
}

// rateOf tells by the requests of this minute how many the caller has left, and says so in the header. It
// refuses the request where there are none.
func rateOf(used int64, now time.Time, limit int64, header http.Header) (Rate, error) {
	rate := Rate{limit, max(0, limit-used), now.Truncate(time.Minute).Add(time.Minute).UTC()}
	header.Set("X-RateLimit-Limit", strconv.FormatInt(rate.Limit, 10))
	header.Set("X-RateLimit-Remaining", strconv.FormatInt(rate.Remaining, 10))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(rate.ResetsAt.Unix(), 10))
	if used <= rate.Limit {
		return rate, nil
	}
	wait := max(1, int64(math.Ceil(rate.ResetsAt.Sub(now).Seconds())))
	header.Set("Retry-After", strconv.FormatInt(wait, 10))
	return rate, fault.New(fault.RateLimited,
		"More than %d requests in this minute. Try again in %d seconds.", rate.Limit, wait)
}

// bearer takes the key's text out of an Authorization header.
func bearer(authorization string) (string, bool) {
	scheme, text, ok := strings.Cut(authorization, " ")
	text = strings.TrimSpace(text)
	return text, ok && strings.EqualFold(scheme, "Bearer") && text != "" && !strings.ContainsAny(text, " \t,")
}

// Requests are counted by the minute of the clock, each minute in a number of its own: an update cannot ask
// whether a number is of this minute, but it can add to one and remove others. Those of idle minutes longer
// ago than pastWindows stay behind until there are strayWindows of them; then one more update sweeps them
// away.
const (
	pastWindows  = 10
	strayWindows = 20
	windowPrefix = "w"
)

// storedEvery is how many requests of a minute a process counts before it stores the count. So each process
// may let one less through beyond the limit.
const storedEvery = 5

// count counts a request with a key or in a session, and returns the item with how many requests of this
// minute are known. It takes one trip. With `seen` the first request of a minute that a process has is stored
// too, by which others see that there was one.
func (k *Keys) count(ctx context.Context, key table.Key, now time.Time, seen bool) (item table.Item,
	used int64, err error) {
	minute := now.Unix() / 60
	calls := k.calls.Count(minute, key.PK, storedEvery)
	if seen = seen && calls.Own == 1; calls.Due == 0 && !seen {
		item, err = k.Table.Get(ctx, key)
	} else if item, err = k.Table.Update(ctx, countRequests(key, minute, calls.Due, seen)); err == nil {
		err = k.sweep(ctx, item, minute)
	}
	return item, calls.Own + k.calls.Others(minute, key.PK, item.Numbers[windowName(minute)]), err
}

func windowName(minute int64) string { return windowPrefix + strconv.FormatInt(minute, 10) }

// seenName is the number that says that there was a request in a minute.
func seenName(minute int64) string { return windowName(minute) + "s" }

// countRequests adds to the number of this minute, marks it as seen, and removes the numbers of the minutes
// before.
func countRequests(key table.Key, minute, n int64, seen bool) table.Update {
	u := table.Update{Key: key, Add: map[string]int64{}}
	if n > 0 {
		u.Add[windowName(minute)] = n
	}
	for past := minute - pastWindows; past < minute; past++ {
		u.Remove = append(u.Remove, windowName(past))
		if seen {
			u.Remove = append(u.Remove, seenName(past))
		}
	}
	if seen {
		u.Add[seenName(minute)] = 1
	}
	return u
}

// sweep removes the numbers of minutes long past once there are many.
func (k *Keys) sweep(ctx context.Context, item table.Item, minute int64) error {
	var stray []string
	for name := range item.Numbers {
		if strings.HasPrefix(name, windowPrefix) && name != windowName(minute) && name != seenName(minute) {
			stray = append(stray, name)
		}
	}
	if len(stray) < strayWindows {
		return nil
	}
	_, err := k.Table.Update(ctx, table.Update{Key: item.Key, Remove: stray})
	return err
}
