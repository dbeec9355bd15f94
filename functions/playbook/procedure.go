package playbook

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) procedures(r *api.Router) {
	c := newCollection[playbook.Procedure, itemIn](s, playbook.Procedures, "item_id", "a procedure",
		"procedures")
	c.handleRows(r)
	handleCreate[createProcedure](r, c, "At most 1000 to an agent.")
	handleUpdate[updateProcedure](r, c, "")
}

type procedureFields struct {
	Triggers       opt.Value[[]string] `json:"triggers" check:"items=50,cut=200,filled" doc:"Words and phrases of messages that call for it." example:"[\"return\", \"money back\"]"`
	Criteria       opt.Value[string]   `json:"criteria" check:"cut=2000" doc:"When it applies, in your words." example:"The order is at most 30 days old."`
	Instructions   opt.Value[string]   `json:"instructions" check:"cut=8000" doc:"What to do, step by step. For language models." example:"Ask for the order number, then for the reason."`
	AllowedActions opt.Value[[]string] `json:"allowed_actions" check:"items=50,cut=200,filled" doc:"Names of the agent's actions that may run meanwhile. Empty allows all." example:"[\"Tag as return\"]"`
}

func (in procedureFields) apply(p *playbook.Procedure) {
	in.Triggers.To(&p.Triggers)
	in.Criteria.To(&p.Criteria)
	in.Instructions.To(&p.Instructions)
	in.AllowedActions.To(&p.AllowedActions)
}

type createProcedure struct {
	agentIn
	Name string `json:"name" check:"required,cut=200" example:"Returns"`
	procedureFields
}

func (in createProcedure) apply(_ context.Context, _ *Service, p *playbook.Procedure) error {
	p.Name, p.Triggers, p.AllowedActions = in.Name, []string{}, []string{}
	in.procedureFields.apply(p)
	return nil
}

type updateProcedure struct {
	itemIn
	Name opt.Value[string] `json:"name" check:"cut=200,filled" example:"Returns"`
	procedureFields
}

func (in updateProcedure) apply(_ context.Context, _ *Service, p *playbook.Procedure) error {
	in.Name.To(&p.Name)
	in.procedureFields.apply(p)
	return nil
}
