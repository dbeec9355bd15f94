package playbook

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) journeyStages(r *api.Router) {
	c := newCollection[playbook.JourneyStage, itemIn](s, playbook.JourneyStages, "item_id", "a journey stage",
		"journey stages")
	c.handleRows(r)
	handleUpsert[upsertStage](r, c,
		"Where a stage has that `stage_key` it is changed, and answered with 200: what is not sent of "+
			"it stays. Else it is new, and answered with 201. At most 1000 to an agent.",
		func(row playbook.JourneyStage, created bool) UpsertedStage {
			return UpsertedStage{row, api.Created(created)}
		})
	handleUpdate[updateStage](r, c, "A `stage_key` that another stage has is refused.")
}

// UpsertedStage is a journey stage that was created or changed.
type UpsertedStage struct {
	playbook.JourneyStage
	api.Upserted
}

type stageFields struct {
	Name         opt.Value[string] `json:"name" check:"cut=100" example:"Decision"`
	Instructions opt.Value[string] `json:"instructions" check:"cut=8000" doc:"How the agent behaves in it. For language models." example:"Compare two models at most."`
	Order        opt.Value[int]    `json:"order" check:"range=0..1000000" doc:"Its place on the way. Default 0." example:"3"`
}

func (in stageFields) apply(stage *playbook.JourneyStage) {
	in.Name.To(&stage.Name)
	in.Instructions.To(&stage.Instructions)
	in.Order.To(&stage.Order)
}

type upsertStage struct {
	agentIn
	StageKey string `json:"stage_key" check:"trim,required,format=key" doc:"What guidance knows the stage by: letters, digits, and the signs _ . -" example:"decision"`
	stageFields
}

func (in upsertStage) key() string { return in.StageKey }

func (in upsertStage) apply(_ context.Context, _ *Service, stage *playbook.JourneyStage) error {
	stage.StageKey = in.StageKey
	in.stageFields.apply(stage)
	return nil
}

type updateStage struct {
	itemIn
	StageKey opt.Value[string] `json:"stage_key" check:"trim,filled,format=key" example:"decision"`
	stageFields
}

func (in updateStage) apply(_ context.Context, _ *Service, stage *playbook.JourneyStage) error {
	in.StageKey.To(&stage.StageKey)
	in.stageFields.apply(stage)
	return nil
}
