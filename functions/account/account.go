// Package account implements the REST endpoints of a workspace itself: the caller, sessions, members,
// passkeys, API keys and the audit log.
package account

import (
	"context"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/rate"
	"frontdesk/shared/release"
	"frontdesk/shared/table"
)

// Service implements the account endpoints. It is safe for concurrent use and must not be copied.
type Service struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source

	attempts rate.Counter // limits attempts to sign in, by network
}

func (s *Service) workspaces() *auth.Workspaces {
	return &auth.Workspaces{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /me/", api.Doc{Summary: "Read the caller's workspace, plan and limits"}, s.me)
	s.sessionRoutes(r)
	s.passkeyRoutes(r)
	s.memberRoutes(r)
	s.keyRoutes(r)
}

// Me is the caller's workspace with its plan and limits.
type Me struct {
	Account   Workspace `json:"account"`
	Plan      Plan      `json:"plan"`
	RateLimit RateLimit `json:"rate_limit"`
	APIKey    *APIKey   `json:"api_key" doc:"The key that the request was made with; null in a session."`
	Version   string    `json:"frontdesk_version" doc:"The release of the service." example:"0.1.0"`
}

// A Workspace is a customer's account, which agents, members and keys belong to.
type Workspace struct {
	ID        int64     `json:"id" example:"219482112000001"`
	Name      string    `json:"name" example:"Acme"`
	CreatedAt time.Time `json:"created_at"`
}

// A Plan is what the workspace may use, and how much of it is used.
type Plan struct {
	Name           string    `json:"name" example:"free"`
	AgentLimit     int64     `json:"agent_limit" example:"1"`
	AIRepliesLimit *int64    `json:"ai_replies_limit" doc:"AI replies in a period of 14 days; null is no limit." example:"65"`
	AIRepliesUsed  int64     `json:"ai_replies_used" example:"12"`
	ResetsAt       time.Time `json:"resets_at" doc:"When the next period begins."`
	APIAccess      bool      `json:"api_access" example:"true"`
}

// A RateLimit is the state of the caller's API key or session in the current minute.
type RateLimit struct {
	RequestsPerMinute int64     `json:"requests_per_minute" example:"120"`
	Remaining         int64     `json:"remaining" example:"119"`
	ResetsAt          time.Time `json:"resets_at"`
}

// An APIKey is an API key without its text.
type APIKey struct {
	ID        int64     `json:"id" example:"219482112000002"`
	Name      string    `json:"name" example:"default"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

// me answers the caller's workspace. Authenticate has read all but the counts of AI replies.
func (s *Service) me(ctx context.Context, _ api.None) (Me, error) {
	caller, now := auth.CallerOf(ctx), s.Now()
	account, plan := caller.Account, caller.Plan
	usage, err := s.Table.Query(ctx, account.UsageQuery(now))
	if err != nil {
		return Me{}, err
	}
	me := Me{
		Account: Workspace{account.ID, account.Name, account.CreatedAt},
		Plan: Plan{
			Name: plan.Name, AgentLimit: plan.Agents, AIRepliesUsed: auth.Used(usage.Items...),
			ResetsAt: account.PeriodAt(now).Ends, APIAccess: plan.APIAccess,
		},
		RateLimit: RateLimit{caller.Rate.Limit, caller.Rate.Remaining, caller.Rate.ResetsAt},
		Version:   release.Version,
	}
	if !caller.SignedIn() {
		key := showKey(caller.Key)
		me.APIKey = &key
	}
	if plan.Replies > 0 {
		me.Plan.AIRepliesLimit = &plan.Replies
	}
	return me, nil
}
