// Package widget implements the chat box of an agent: the endpoints with which a business configures it,
// those that visitors call, and the script that shows it on a page.
package widget

import (
	"context"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
	"frontdesk/shared/rate"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Service implements the widget endpoints. It is safe for concurrent use and must not be copied.
type Service struct {
	Table     table.Table
	Now       func() time.Time
	Assistant *assistant.Assistant
	Secrets   *secret.Keys // seal identity secrets

	calls rate.Counter
}

func (s *Service) agents() *agent.Store { return &agent.Store{Table: s.Table, Now: s.Now} }

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /agents/{agent_id}/widget/", api.Doc{Summary: "Read an agent's widget"}, s.read)
	api.Handle(r, "PATCH /agents/{agent_id}/widget/", api.Doc{
		Summary:     "Change an agent's widget",
		Description: "Changes what is sent and nothing else.",
		Errors:      []fault.Code{fault.PlanLimit},
	}, s.update)
	api.Handle(r, "POST /agents/{agent_id}/widget/rotate-key/", api.Doc{
		ID:          "rotateWidgetKey",
		Summary:     "Give a widget a new embed key",
		Description: "The old key stops working at once, and every snippet with it.",
	}, s.rotateKey)
	api.Handle(r, "POST /agents/{agent_id}/widget/identity-secret/", api.Doc{
		ID:      "createIdentitySecret",
		Summary: "Give a widget a new identity secret",
		Sealed:  true, Admin: true,
		Description: "With it the business's server signs who a visitor is, so that the visitor's session " +
			"joins their contact. The old secret ends at once.",
	}, s.makeSecret)
	s.publicRoutes(r)
	s.scriptRoutes(r)
}

type widgetIn struct {
	AgentID int64 `path:"agent_id"`
}

func (s *Service) read(ctx context.Context, in widgetIn) (agent.Widget, error) {
	a, err := s.agents().LoadSummary(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID)
	return a.Widget(api.PublicURL(ctx), api.PublicBaseURL(ctx), api.EdgeURL(ctx)), err
}

type updateIn struct {
	widgetIn
	Enabled        opt.Value[bool]     `json:"enabled" doc:"Whether the chat box is there." example:"true"`
	AllowedDomains opt.Value[[]string] `json:"allowed_domains" check:"items=20,max=253,filled,format=domain" doc:"The websites that the chat box may run on, with their subdomains; empty, the default, for any. Of an address its host name is taken. It keeps the box off other sites; a program that is no browser can state any site." example:"[\"acme.example\"]"`
	agent.BrandingIn
	agent.BoxIn
}

func (s *Service) update(ctx context.Context, in updateIn) (agent.Widget, error) {
	caller := auth.CallerOf(ctx)
	a, err := s.agents().UpdateSummary(ctx, caller.Account.ID, in.AgentID,
		func(a *agent.Summary) ([]table.Write, error) {
			// Only switching the label off needs the plan: after a downgrade a widget that is off already may
			// still be changed.
			if in.PoweredBy.Set && !in.PoweredBy.Value && a.Box().PoweredBy && !caller.Plan.Unbranded {
				return nil, fault.New(fault.PlanLimit,
					"On the plan %s the chat box says whose product it is.",
					caller.Plan.Name)
			}
			in.Enabled.To(&a.WidgetEnabled)
			in.AllowedDomains.To(&a.AllowedDomains)
			in.BrandingIn.Apply(&a.Branding)
			in.BoxIn.Apply(a)
			return nil, nil
		})
	return a.Widget(api.PublicURL(ctx), api.PublicBaseURL(ctx), api.EdgeURL(ctx)), err
}

// rotateKey replaces the embed key. The old key and the new one change in one transaction, so one of them
// always works.
func (s *Service) rotateKey(ctx context.Context, in widgetIn) (agent.Widget, error) {
	a, err := s.agents().RotateKey(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID)
	return a.Widget(api.PublicURL(ctx), api.PublicBaseURL(ctx), api.EdgeURL(ctx)), err
}
