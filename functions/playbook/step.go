package playbook

import (
	"context"
	"net/http"

	"frontdesk/shared/api"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) stepStore() playbook.StepStore {
	return playbook.StepStore{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

// steps registers the endpoints for the steps of funnels. They differ from collections: steps are ordered,
// listed all at once, and not read one by one.
func (s *Service) steps(r *api.Router) {
	const path = "/agents/{agent_id}/funnels/{funnel_id}/steps/"
	api.Handle(r, "GET "+path, api.Doc{
		Summary:     "List the steps of a funnel",
		Description: "All at once, by their `order`; those of one order as they were made.",
	}, s.listSteps)
	api.Handle(r, "POST "+path, api.Doc{
		Summary: "Add a step to a funnel",
		Description: "Without an `order` it comes behind all others. With one, the others keep theirs: two " +
			"steps may have the same. " +
			"At most 98 to a funnel. What is answered to a question with the save_response_to name, email, " +
			"phone, budget or location is put " +
			"into that field of the contact where it can be, and other answers are kept among the " +
			"contact's facts. What comes after a wait is a message " +
			"of its own, in the conversation's history and over WhatsApp sent to the contact, but for " +
			"contacts who have opted out, or over " +
			"WhatsApp have not written for 24 hours: the funnel ends for them. So it does when the agent " +
			"is paused by then.",
		Status: http.StatusCreated,
	}, s.createStep)
	api.Handle(r, "PUT "+path, api.Doc{
		ID:      "reorderFunnelSteps",
		Summary: "Bring the steps of a funnel into an order",
		Description: "Afterwards the `order` of the steps runs from 1 without a gap. `order` names every " +
			"step once; where somebody added or deleted one meanwhile, it is refused.",
	}, s.reorderSteps)
	api.Handle(r, "PATCH "+path+"{item_id}/", api.Doc{
		Summary: "Change a step", Description: "What is not sent stays.",
	}, s.updateStep)
	api.Handle(r, "DELETE "+path+"{item_id}/", api.Doc{
		Summary: "Delete a step", Description: "The others keep their `order`.", Status: http.StatusNoContent,
	}, s.deleteStep)
}

type stepFields struct {
	Order          opt.Value[int]               `json:"order" check:"range=0..1000000" example:"1"`
	StepType       opt.Value[playbook.StepType] `json:"step_type" doc:"Default message." example:"question"`
	Content        opt.Value[string]            `json:"content" check:"cut=4000" example:"What will you use it for?"`
	SaveResponseTo opt.Value[string]            `json:"save_response_to" check:"trim,format=ident" doc:"The name under which the answer to a question is kept, or empty." example:"purpose"`
	DelaySeconds   opt.Value[int]               `json:"delay_seconds" check:"range=0..86400" doc:"How long to wait before the step. At most a day, for so long may one write freely to a contact on WhatsApp. Default 0." example:"0"`
}

func (in stepFields) apply(step *playbook.FunnelStep) error {
	in.Order.To(&step.Order)
	in.StepType.To(&step.StepType)
	in.Content.To(&step.Content)
	in.SaveResponseTo.To(&step.SaveResponseTo)
	in.DelaySeconds.To(&step.DelaySeconds)
	return nil
}

func (s *Service) listSteps(ctx context.Context, in funnelIn) (api.List[playbook.FunnelStep], error) {
	steps, err := s.stepStore().List(ctx, accountOf(ctx), in.AgentID, in.FunnelID)
	return api.List[playbook.FunnelStep]{Count: int64(len(steps)), Results: steps}, err
}

type reorderSteps struct {
	funnelIn
	Order []int64 `json:"order" check:"required,items=98" doc:"The ids of all steps of the funnel." example:"[219482113060865,219482113060864]"`
}

// reorderSteps numbers the steps in the given order. The store refuses a list that is not exactly the
// funnel's steps.
func (s *Service) reorderSteps(ctx context.Context, in reorderSteps) (api.List[playbook.FunnelStep], error) {
	steps, err := s.stepStore().Reorder(ctx, accountOf(ctx), in.AgentID, in.FunnelID, in.Order)
	return api.List[playbook.FunnelStep]{Count: int64(len(steps)), Results: steps}, err
}

type createStep struct {
	funnelIn
	stepFields
}

func (s *Service) createStep(ctx context.Context, in createStep) (playbook.FunnelStep, error) {
	return s.stepStore().Create(ctx, accountOf(ctx), in.AgentID, in.FunnelID,
		func(step *playbook.FunnelStep) error {
			step.StepType = playbook.MessageStep
			return in.apply(step)
		})
}

// stepIn identifies a step.
type stepIn struct {
	funnelIn
	ItemID int64 `path:"item_id"`
}

type updateStep struct {
	stepIn
	stepFields
}

func (s *Service) updateStep(ctx context.Context, in updateStep) (playbook.FunnelStep, error) {
	return s.stepStore().Update(ctx, accountOf(ctx), in.AgentID, in.FunnelID, in.ItemID, in.apply)
}

func (s *Service) deleteStep(ctx context.Context, in stepIn) (api.None, error) {
	return api.None{}, s.stepStore().Delete(ctx, accountOf(ctx), in.AgentID, in.FunnelID, in.ItemID)
}
