package playbook

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) guidance(r *api.Router) {
	c := newCollection[playbook.Guidance, itemIn](s, playbook.Guidances, "item_id", "a piece of guidance",
		"pieces of guidance")
	c.handleRows(r)
	handleCreate[createGuidance](r, c,
		"At most 1000 pieces to an agent. The roles and stages that it names need not exist yet.")
	handleUpdate[updateGuidance](r, c, "")
}

type guidanceFields struct {
	Category opt.Value[string]   `json:"category" check:"cut=100" doc:"What it is about, in your words." example:"Tone"`
	Priority opt.Value[int]      `json:"priority" check:"range=0..1000" doc:"The greater comes first where two contradict each other. Default 0." example:"10"`
	Roles    opt.Value[[]string] `json:"roles" check:"items=50,filled,format=key" doc:"The role_key of each role that it applies to. Empty is all of them." example:"[\"sales\"]"`
	Stages   opt.Value[[]string] `json:"stages" check:"items=50,filled,format=key" doc:"The stage_key of each journey stage that it applies to. Empty is all of them." example:"[\"decision\"]"`
}

func (in guidanceFields) apply(g *playbook.Guidance) {
	in.Category.To(&g.Category)
	in.Priority.To(&g.Priority)
	in.Roles.To(&g.Roles)
	in.Stages.To(&g.Stages)
}

type createGuidance struct {
	agentIn
	Title   string `json:"title" check:"required,cut=200" example:"Discounts"`
	Content string `json:"content" check:"required,cut=4000" example:"Never promise a discount. Offer the newsletter instead."`
	guidanceFields
}

func (in createGuidance) apply(_ context.Context, _ *Service, g *playbook.Guidance) error {
	g.Title, g.Content, g.Roles, g.Stages = in.Title, in.Content, []string{}, []string{}
	in.guidanceFields.apply(g)
	return nil
}

type updateGuidance struct {
	itemIn
	Title   opt.Value[string] `json:"title" check:"cut=200,filled" example:"Discounts"`
	Content opt.Value[string] `json:"content" check:"cut=4000,filled" example:"Never promise a discount."`
	guidanceFields
}

func (in updateGuidance) apply(_ context.Context, _ *Service, g *playbook.Guidance) error {
	in.Title.To(&g.Title)
	in.Content.To(&g.Content)
	in.guidanceFields.apply(g)
	return nil
}
