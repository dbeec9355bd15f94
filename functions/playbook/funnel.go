package playbook

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) funnels(r *api.Router) {
	c := newCollection[playbook.Funnel, funnelIn](s, playbook.Funnels, "funnel_id", "a funnel", "funnels")
	c.delete = s.stepStore().DeleteFunnel
	c.handleRows(r)
	handleCreate[createFunnel](r, c, "At most 1000 to an agent. Its steps are added one by one. Contacts "+
		"are led through it who write its trigger_keyword: "+
		"messages come in one reply up to the next question, and the contact's answer leads on. Another "+
		"question meanwhile is answered, and the "+
		"funnel's put again. A contact leaves it who wants to (\"never mind\"), opts out, gets a person or "+
		"turns to an appointment, and when the "+
		"conversation is resolved, a question has awaited its answer for a day, or the step or the funnel "+
		"is no more.")
	handleUpdate[updateFunnel](r, c, "")
}

// funnelIn identifies a funnel.
type funnelIn struct {
	agentIn
	FunnelID int64 `path:"funnel_id"`
}

func (in funnelIn) item() (agent, id int64) { return in.AgentID, in.FunnelID }

type funnelFields struct {
	Description    opt.Value[string] `json:"description" check:"cut=2000" example:"Finds out what kind of bicycle somebody needs."`
	TriggerKeyword opt.Value[string] `json:"trigger_keyword" check:"cut=100" doc:"A message with this word or phrase begins the funnel." example:"find my bike"`
	IsActive       opt.Value[bool]   `json:"is_active" doc:"Whether contacts are led through it. Default true." example:"true"`
}

func (in funnelFields) apply(f *playbook.Funnel) {
	in.Description.To(&f.Description)
	in.TriggerKeyword.To(&f.TriggerKeyword)
	in.IsActive.To(&f.IsActive)
}

type createFunnel struct {
	agentIn
	Name string `json:"name" check:"required,cut=200" example:"Bicycle finder"`
	funnelFields
}

func (in createFunnel) apply(_ context.Context, _ *Service, f *playbook.Funnel) error {
	f.Name, f.IsActive = in.Name, true
	in.funnelFields.apply(f)
	return nil
}

type updateFunnel struct {
	funnelIn
	Name opt.Value[string] `json:"name" check:"cut=200,filled" example:"Bicycle finder"`
	funnelFields
}

func (in updateFunnel) apply(_ context.Context, _ *Service, f *playbook.Funnel) error {
	in.Name.To(&f.Name)
	in.funnelFields.apply(f)
	return nil
}
