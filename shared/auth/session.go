package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

const (
	// SessionAge is how long a session lasts after its last renewal.
	SessionAge = 14 * 24 * time.Hour
	// sessionRenewal is the least time between two renewals, so that not every request writes one.
	sessionRenewal = 24 * time.Hour
	// SessionRequestsPerMinute is the rate limit of one session, whatever the plan.
	SessionRequestsPerMinute = 600
)

// A Session is a browser in which a member is signed in, as the workspace's list has it.
type Session struct {
	ID        int64     `json:"id"`
	MemberID  int64     `json:"member_id"`
	CreatedAt time.Time `json:"created_at"`
	// RenewedAt is when the session's expiry was last moved.
	RenewedAt time.Time `json:"renewed_at"`
	UserAgent string    `json:"user_agent,omitempty"`
	Address   string    `json:"address,omitempty"`
	// Hash is the hash of the cookie's value.
	Hash string `json:"hash"`
}

// ExpiresAt returns when the session expires unless it is renewed.
func (s Session) ExpiresAt() time.Time { return s.RenewedAt.Add(SessionAge) }

// signedIn is stored under the hash of a session's cookie. It has all that a request needs to know about its
// caller.
type signedIn struct {
	Session Session `json:"session"`
	Member  Member  `json:"member"`
	Account Account `json:"account"`
}

// ReadSession decodes a session of the workspace's list.
func ReadSession(item table.Item) (Session, error) {
	var s Session
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Session{}, fmt.Errorf("auth: session %s: %w", item.SK, err)
	}
	return s, nil
}

// items returns the two items of a session: the one that requests find by cookie, with its version, and the
// one in the workspace's list.
func (s signedIn) items(version int64) (found, entry table.Item, err error) {
	expires := s.Session.ExpiresAt().Truncate(time.Second)
	doc, err := json.Marshal(s)
	if err != nil {
		return found, entry, err
	}
	found = table.Item{Key: signedInKey(s.Session.Hash), Doc: doc, Expires: expires, Version: version}
	if doc, err = json.Marshal(s.Session); err != nil {
		return found, entry, err
	}
	return found, table.Item{Key: SessionKey(s.Account.ID, s.Session.ID), Doc: doc, Expires: expires}, nil
}

// newSessionText returns the value of a session's cookie: 256 random bits.
func newSessionText() string {
	var random [32]byte
	rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// Names of session cookies. Browsers accept the prefix __Host- only over TLS and only from this host (RFC
// 6265bis); localhost has no TLS.
const (
	cookieName      = "__Host-frontdesk"
	localCookieName = "frontdesk"
)

// isLocal reports whether a base address is on this machine.
func isLocal(base string) bool {
	address, err := url.Parse(base)
	if err != nil {
		return false
	}
	switch address.Hostname() {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// cookie returns the session's cookie at a base address. With an empty text it removes the cookie.
func cookie(base, text string) *http.Cookie {
	c := &http.Cookie{
		Name: cookieName, Value: text, Path: "/", MaxAge: int(SessionAge.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if isLocal(base) {
		c.Name, c.Secure = localCookieName, false
	}
	if text == "" {
		c.MaxAge = -1
	}
	return c
}

// SessionText returns the value of the session cookie in a request, or "".
func SessionText(req *http.Request, base string) string {
	name := cookieName
	if isLocal(base) {
		name = localCookieName
	}
	c, err := req.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// SameOrigin refuses requests that pages of other origins make, whatever their method.
func SameOrigin(req *http.Request) error {
	probe := *req
	probe.Method = http.MethodPost // check reads too
	var protection http.CrossOriginProtection
	if err := protection.Check(&probe); err != nil {
		return fault.New(fault.Forbidden, "A session can be used by pages of the same origin alone.")
	}
	return nil
}

// noForm refuses the content types that a form of another site can send without a CORS preflight.
func noForm(req *http.Request) error {
	if req.ContentLength == 0 {
		return nil
	}
	kind, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded":
		return fault.New(fault.BadRequest, "A request with a session must have the Content-Type "+
			"application/json.")
	}
	return nil
}

// errNotSignedIn is the error for a cookie without a session.
func errNotSignedIn() error {
	return fault.New(fault.AuthenticationRequired, "You are signed out. Open a new sign-in link.")
}

// session authenticates a request by a session cookie. Unlike with an API key, the origin is checked first:
// browsers send cookies by themselves.
func (k *Keys) session(call Call, text string) (context.Context, http.Header, error) {
	ctx, header, now := call.Context(), http.Header{}, k.Now()
	if err := SameOrigin(call.Request); err != nil {
		return nil, nil, err
	}
	if err := noForm(call.Request); err != nil {
		return nil, nil, err
	}
	item, used, err := k.count(ctx, signedInKey(HashAPIKey(text)), now, true)
	if errors.Is(err, table.ErrNotFound) {
		header.Add("Set-Cookie", cookie(call.Base, "").String())
		return nil, header, errNotSignedIn()
	}
	if err != nil {
		return nil, nil, err
	}
	var s signedIn
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return nil, nil, fmt.Errorf("auth: session: %w", err)
	}
	if !now.Before(s.Session.ExpiresAt()) {
		return nil, header, errNotSignedIn()
	}
	plan, err := PlanNamed(s.Account.Plan)
	if err != nil {
		return nil, nil, fmt.Errorf("auth: account %d: %w", s.Account.ID, err)
	}
	rate, err := rateOf(used, now, SessionRequestsPerMinute, header)
	if err != nil {
		return nil, header, err
	}
	if call.Admin && !s.Member.Role.Administers() {
		return nil, header, fault.New(fault.Forbidden, "Your role does not allow this. Ask an "+
			"administrator of the workspace.")
	}
	caller := Caller{Account: s.Account, Plan: plan, Rate: rate, Member: s.Member, Session: s.Session}
	return k.admit(call, caller), header, nil
}

// Renew extends the caller's session if its last renewal is sessionRenewal ago. It returns the value of
// Set-Cookie that extends the cookie too, or "" if there is nothing to do. text is the cookie's value. It
// does nothing if the session has ended or another request renews it.
func (w *Workspaces) Renew(ctx context.Context, c Caller, text, base string) (string, error) {
	now := w.Now().UTC().Truncate(time.Second)
	if !c.SignedIn() || now.Sub(c.Session.RenewedAt) < sessionRenewal {
		return "", nil
	}
	item, err := w.Table.Get(ctx, signedInKey(c.Session.Hash))
	if errors.Is(err, table.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var s signedIn
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return "", fmt.Errorf("auth: session: %w", err)
	}
	s.Session.RenewedAt = now
	found, entry, err := s.items(item.Version)
	if err != nil {
		return "", err
	}
	err = w.Table.Transact(ctx, table.PutIfVersion(found), table.Put(entry))
	if table.IsConditionError(err) {
		return "", nil
	}
	return cookie(base, text).String(), err
}
