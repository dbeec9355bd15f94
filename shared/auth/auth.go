// Package auth authenticates callers by API key or session, and keeps workspaces, members, plans and limits.
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

// A Caller is an authenticated API key or a signed-in member.
type Caller struct {
	Account Account
	Plan    Plan
	Key     Key // zero if a member calls
	Rate    Rate
	Member  Member  // zero if an API key was sent
	Session Session // the member's session
}

// SignedIn reports whether the caller is a member with a session.
func (c Caller) SignedIn() bool { return c.Session.ID != 0 }

// Role returns the caller's rights. An API key has those of an admin.
func (c Caller) Role() Role {
	if c.SignedIn() {
		return c.Member.Role
	}
	return Admin
}

// Actor returns the caller as the audit log records it.
func (c Caller) Actor() Actor {
	if c.SignedIn() {
		return Actor{ActorMember, c.Member.ID, c.Member.Name}
	}
	return Actor{ActorAPIKey, c.Key.ID, c.Key.Name}
}

// A Rate is the caller's request rate in the current minute.
type Rate struct {
	Limit, Remaining int64
	ResetsAt         time.Time
}

type callerKey struct{}

// CallerOf returns the authenticated caller of the request that ctx belongs to. It panics in public
// endpoints, if there is none.
func CallerOf(ctx context.Context) Caller { return ctx.Value(callerKey{}).(Caller) }

// Keys authenticates requests by API key or session cookie. It implements the Authenticator of package api. A
// process must use a single Keys, which then counts its requests exactly. It is safe for concurrent use.
type Keys struct {
	Table table.Table
	Now   func() time.Time

	calls rate.Counter
}

// A Call is a request to authenticate, with what matters of its endpoint.
type Call struct {
	*http.Request
	Base    string // address of the service as the caller sees it, without a slash at the end
	Address string // the caller's IP address
	Path    string // as called, without the API's prefix
	Action  string // what the endpoint does, for the audit log
	Admin   bool   // not for members with the role agent
	// Unaudited endpoints write no entry of the audit log.
	Unaudited bool
}

// Account implements api.Authenticator.
func (*Keys) Account(ctx context.Context) int64 { return CallerOf(ctx).Account.ID }

// Authenticate implements api.Authenticator. It looks up the key or session, checks expiry, revocation, plan
// and role, and counts the request, usually in one round trip. A request with an Authorization header never
// uses its cookie.
func (k *Keys) Authenticate(call Call) (context.Context, http.Header, error) {
	authorization := call.Header.Get("Authorization")
	if authorization == "" {
		if text := SessionText(call.Request, call.Base); text != "" {
			return k.session(call, text)
		}
	}
	return k.key(call, authorization)
}

// admit returns the context of an allowed request. Changes are recorded in the audit log, in the transaction
// of the change: all changes by members except those of unaudited endpoints, and by API keys those of admin
// endpoints.
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

// key authenticates a request by the API key in its Authorization header (RFC 6750).
func (k *Keys) key(call Call, authorization string) (context.Context, http.Header, error) {
	ctx, header := call.Context(), http.Header{}
	text, ok := bearer(authorization)
	if !ok {
		header.Set("WWW-Authenticate", "Bearer")
		return nil, header, fault.New(fault.AuthenticationRequired,
			"The header Authorization: Bearer <API key> is required.")
	}
	now := k.Now()
	// The count is taken before the checks, in the same round trip: refused requests count too.
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

// rateOf returns the caller's rate, sets the X-RateLimit headers, and refuses the request above the limit.
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

// bearer returns the token of an Authorization header.
func bearer(authorization string) (string, bool) {
	scheme, text, ok := strings.Cut(authorization, " ")
	text = strings.TrimSpace(text)
	return text, ok && strings.EqualFold(scheme, "Bearer") && text != "" && !strings.ContainsAny(text, " \t,")
}

// Requests are counted by clock minute, each minute in its own attribute: an update cannot check whether an
// attribute is of the current minute, but it can add to one and remove others. Attributes older than
// pastWindows minutes stay until there are strayWindows of them; a further update then removes them.
const (
	pastWindows  = 10
	strayWindows = 20
	windowPrefix = "w"
)

// storedEvery is how many requests of a minute a process counts in memory before it stores the count. Each
// further process may so admit up to storedEvery-1 requests above the limit.
const storedEvery = 5

// count counts a request of a key or session. It returns the item, and the number of requests of this minute
// as far as known. It takes one round trip, and a second one when sweep has something to remove. With seen,
// the process's first request of a minute is stored at once, so that other processes know of it.
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

// seenName returns the attribute that records that there was a request in a minute.
func seenName(minute int64) string { return windowName(minute) + "s" }

// countRequests returns the update that adds n to this minute's count and removes those of past minutes.
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

// sweep removes the attributes of past minutes once there are strayWindows of them.
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
