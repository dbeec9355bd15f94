package account

import (
	"context"
	"errors"
	"net/http"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// sessionRoutes registers the endpoints for signing in and out.
func (s *Service) sessionRoutes(r *api.Router) {
	api.Handle(r, "POST /session/", api.Doc{
		ID:      "signIn",
		Summary: "Sign in by a link",
		Description: "Exchanges the token of a sign-in link, what stands behind `#token=` in it, for a " +
			"session, whose cookie the answer sets. A token works once, for 15 minutes. Pages of other " +
			"origins are refused.\n\nEvery endpoint takes the cookie in place of an API key, from pages of " +
			"the same origin alone, with the rights of the member's role and 600 requests a minute for " +
			"each session, whatever the plan. A session ends 14 days after `GET /session/` was last called " +
			"in it.",
		Status: http.StatusCreated, Public: true,
		Errors: []fault.Code{fault.AuthenticationRequired, fault.Forbidden},
	}, s.signIn)
	api.Handle(r, "GET /session/", api.Doc{
		Summary:     "Read who is signed in",
		Description: "With an API key nobody is: `member` is null, and `role` says what the key may do.",
	}, s.session)
	api.Handle(r, "DELETE /session/", api.Doc{
		ID:      "signOut",
		Summary: "Sign out", Description: "Ends the session of the cookie at once, and removes the cookie. " +
			"Without a session it does nothing.",
		Status: http.StatusNoContent, Public: true, Errors: []fault.Code{fault.Forbidden},
	}, s.signOut)
	api.Handle(r, "GET /sessions/", api.Doc{
		Summary:     "List the sessions in which members are signed in",
		Description: "Oldest first. Members of the role `agent` see their own.",
	}, s.sessions)
	api.Handle(r, "DELETE /sessions/{id}/", api.Doc{
		ID:      "endSession",
		Summary: "End a session", Description: "Members of the role `agent` may end their own.",
		Status: http.StatusNoContent,
	}, s.endSession)
}

type signInIn struct {
	Token string `json:"token" check:"required,max=100" example:"fdl_4jxq2v7m5n3c6k8s1t9w0y2z4a"`
}

// A Session describes the signed-in member, or the rights of an API key.
type Session struct {
	ID        *int64    `json:"id" doc:"Null with an API key." example:"219482112000009"`
	Account   Workspace `json:"account"`
	Plan      string    `json:"plan" example:"free"`
	Role      auth.Role `json:"role" example:"owner"`
	Member    *Member   `json:"member" doc:"Null with an API key."`
	APIAccess bool      `json:"api_access" doc:"Whether the plan allows API keys." example:"true"`
}

// showSession describes a session; session is 0 with an API key.
func showSession(account auth.Account, plan auth.Plan, role auth.Role, member auth.Member,
	session int64) Session {
	shown := Session{
		Account: Workspace{account.ID, account.Name,
			account.CreatedAt}, Plan: plan.Name, Role: role, APIAccess: plan.APIAccess,
	}
	if session != 0 {
		m := showMember(member)
		shown.ID, shown.Member = &session, &m
	}
	return shown
}

// signIn exchanges a link's token for a session. The token is spent in the transaction that begins the
// session.
func (s *Service) signIn(ctx context.Context, in signInIn) (Session, error) {
	req := api.RequestOf(ctx)
	ctx, err := s.attempt(ctx)
	if err != nil {
		return Session{}, err
	}
	signed, err := s.workspaces().SignIn(ctx, in.Token,
		auth.Browser{UserAgent: req.UserAgent(), Address: api.CallerAddress(ctx)})
	if err != nil {
		return Session{}, err
	}
	return begin(ctx, signed)
}

// begin answers with a session that has just begun, and sets its cookie.
func begin(ctx context.Context, signed auth.SignedIn) (Session, error) {
	plan, err := auth.PlanNamed(signed.Account.Plan)
	if err != nil {
		return Session{}, err
	}
	api.AddHeader(ctx, "Set-Cookie", signed.Cookie(api.SiteURL(ctx)))
	return showSession(signed.Account, plan, signed.Member.Role, signed.Member, signed.Session.ID), nil
}

// session returns the caller's session. It also renews the session, whose end moves at most once a day.
func (s *Service) session(ctx context.Context, _ api.None) (Session, error) {
	caller := auth.CallerOf(ctx)
	renewed, err := s.workspaces().Renew(ctx, caller, auth.SessionText(api.RequestOf(ctx), api.SiteURL(ctx)),
		api.SiteURL(ctx))
	if err != nil {
		return Session{}, err
	}
	if renewed != "" {
		api.AddHeader(ctx, "Set-Cookie", renewed)
	}
	return showSession(caller.Account, caller.Plan, caller.Role(), caller.Member, caller.Session.ID), nil
}

// signOut ends the session. It is public, so it checks the origin itself: a page of another site must not
// sign members out.
func (s *Service) signOut(ctx context.Context, _ api.None) (api.None, error) {
	req := api.RequestOf(ctx)
	if err := auth.SameOrigin(req); err != nil {
		return api.None{}, err
	}
	removed, err := s.workspaces().SignOut(ctx, auth.SessionText(req, api.SiteURL(ctx)), api.SiteURL(ctx))
	if err == nil {
		api.AddHeader(ctx, "Set-Cookie", removed)
	}
	return api.None{}, err
}

// A SignedInSession is one browser in which a member is signed in.
type SignedInSession struct {
	ID        int64     `json:"id" example:"219482112000009"`
	MemberID  int64     `json:"member_id" example:"219482112000003"`
	UserAgent string    `json:"user_agent" doc:"What the browser calls itself." example:"Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"`
	Address   string    `json:"address" doc:"The IP address that the member signed in from." example:"203.0.113.24"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at" doc:"When it ends unless it is used before."`
	Current   bool      `json:"current" doc:"Whether the request was made in it." example:"false"`
}

// sessions lists the sessions that the caller may see. Expired ones stay stored for a while and are left out.
func (s *Service) sessions(ctx context.Context, in api.PageIn) (api.List[SignedInSession], error) {
	caller := auth.CallerOf(ctx)
	visible := func(session auth.Session) bool {
		return caller.Role().Administers() || session.MemberID == caller.Member.ID
	}
	return api.Paginate(ctx, s.Table, in, api.Listing[SignedInSession]{
		Query: auth.SessionsQuery(caller.Account.ID),
		Keep: func(item table.Item) (bool, error) {
			session, err := auth.ReadSession(item)
			return visible(session) && s.Now().Before(session.ExpiresAt()), err
		},
		Count: func(ctx context.Context) (int64, error) {
			all, err := s.workspaces().Sessions(ctx, caller.Account.ID)
			n := int64(0)
			for _, session := range all {
				if visible(session) {
					n++
				}
			}
			return n, err
		},
		Item: func(item table.Item) (SignedInSession, error) {
			session, err := auth.ReadSession(item)
			return SignedInSession{
				session.ID, session.MemberID, session.UserAgent, session.Address, session.CreatedAt,
				session.ExpiresAt(),
				session.ID == caller.Session.ID,
			}, err
		},
	})
}

type idIn struct {
	ID int64 `path:"id"`
}

// endSession ends a session. A session that the caller may not see is not found, rather than forbidden.
func (s *Service) endSession(ctx context.Context, in idIn) (api.None, error) {
	caller := auth.CallerOf(ctx)
	if !caller.Role().Administers() {
		item, err := s.Table.Get(ctx, auth.SessionKey(caller.Account.ID, in.ID))
		if err != nil {
			return api.None{}, notFound(err)
		}
		if session, err := auth.ReadSession(item); err != nil || session.MemberID != caller.Member.ID {
			return api.None{}, errors.Join(err, fault.NotFound())
		}
	}
	return api.None{}, notFound(s.workspaces().EndSession(ctx, caller.Account.ID, in.ID))
}

// notFound turns table.ErrNotFound into the API's fault and returns other errors as they are.
func notFound(err error) error {
	if errors.Is(err, table.ErrNotFound) {
		return fault.NotFound()
	}
	return err
}
