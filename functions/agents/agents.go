// Package agents implements the REST endpoints for agents.
package agents

import (
	"context"
	"errors"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// Service implements the agent endpoints. It is safe for concurrent use.
type Service struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
	// DefaultModel answers for new agents that name no model. "" means ai.Builtin.
	DefaultModel ai.ModelName
}

func (s *Service) agents() *agent.Store { return &agent.Store{Table: s.Table, Now: s.Now, IDs: s.IDs} }

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /agents/", api.Doc{
		Summary:     "List the agents",
		Description: "The newest first.",
	}, s.list)
	api.Handle(r, "POST /agents/", api.Doc{
		Summary: "Create an agent",
		Description: "The template of the `industry` is applied first; what is sent goes over it. Its " +
			"texts are in English, so an agent of another `language` gets the template's settings alone. " +
			"The opening hours and services of a template are typical ones, named in `business.assumed`, " +
			"and the agent tells nobody about them until you send your own; its `faqs` are questions for " +
			"you to answer.\n\n" +
			"All fields are at the top level of the body. The grouped objects of an answer, such as " +
			"`business`, are unknown keys here and are ignored: each of their fields that can be written " +
			"has the same name at the top level.",
		Status: 201,
		Errors: []fault.Code{fault.PlanLimit},
	}, s.create)
	api.Handle(r, "GET /agents/{agent_id}/", api.Doc{Summary: "Read an agent"}, s.read)
	api.Handle(r, "PATCH /agents/{agent_id}/", api.Doc{
		Summary: "Change an agent",
		Description: "Changes what is sent and nothing else; another `industry` does not bring its " +
			"template. All fields are at the top level of the body, as in the creation of an agent. The " +
			"system prompt follows every change of what it is made of. A language model that the plan " +
			"does not have answers `plan_limit`.",
		Errors: []fault.Code{fault.PlanLimit},
	}, s.update)
	api.Handle(r, "DELETE /agents/{agent_id}/", api.Doc{
		Summary:     "Delete an agent",
		Description: "Everything below it goes along and cannot be read afterwards.",
		Status:      204,
	}, s.delete)
	api.Handle(r, "POST /agents/{agent_id}/train/", api.Doc{
		ID:      "trainAgent",
		Summary: "Train an agent",
		Description: "Writes the system prompt anew and learns how the questions of the agent's FAQs are " +
			"put. What changes afterwards is answered all the same. Possible in every state.",
	}, s.train)
	api.Handle(r, "POST /agents/{agent_id}/activate/", api.Doc{
		ID:          "activateAgent",
		Summary:     "Activate an agent",
		Description: "Possible in every state.",
	}, s.activate)
	api.Handle(r, "POST /agents/{agent_id}/pause/", api.Doc{
		ID:          "pauseAgent",
		Summary:     "Pause an agent",
		Description: "A paused agent does not reply. Possible in every state.",
	}, s.pause)
}

type agentIn struct {
	AgentID int64 `path:"agent_id"`
}

func (s *Service) list(ctx context.Context, in api.PageIn) (api.List[AgentSummary], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in, api.Listing[AgentSummary]{
		Query: table.Query{PK: agent.ListPartition(account), Prefix: agent.ListPrefix, Descending: true},
		Count: func(ctx context.Context) (int64, error) { return s.agents().Count(ctx, account) },
		Item: func(item table.Item) (AgentSummary, error) {
			a, err := agent.ReadSummary(item)
			return summaryOf(ctx, &a), err
		},
	})
}

type createIn struct {
	Name string `json:"name" check:"required,trim,max=100" example:"Mia"`
	fields
}

// create makes an agent of its template and the fields that were sent. The store checks the plan's number of
// agents in the transaction that adds the agent.
func (s *Service) create(ctx context.Context, in createIn) (Agent, error) {
	caller := auth.CallerOf(ctx)
	a := s.newAgent(in.Name, in.Industry.Or(agent.General), in.Language.Or(agent.English))
	if err := in.apply(&a); err != nil {
		return Agent{}, err
	}
	if err := in.checkModel(caller.Plan); err != nil {
		return Agent{}, err
	}
	// The plan may lack the operator's default model. Only a model that the caller asked for is refused.
	if !in.AIModel.Set && !hasModel(caller.Plan, a.AIModel) {
		a.AIModel = ai.Builtin
	}
	a, err := s.agents().Create(ctx, caller.Account.ID, a, caller.Plan.Agents)
	if errors.Is(err, agent.ErrLimit) {
		return Agent{}, fault.New(fault.PlanLimit, "The plan %s has an agent limit of %d, and it is reached.",
			caller.Plan.Name, caller.Plan.Agents)
	}
	return agentOf(ctx, &a, limitsOf(caller.Plan, &a, 0)), err
}

// newAgent returns an agent with its template applied, before any field that was sent.
func (s *Service) newAgent(name string, industry agent.Industry, language agent.Language) agent.Agent {
	a := agent.Agent{
		Summary: agent.Summary{
			Name:                name,
			Status:              agent.Draft,
			TrainingStatus:      agent.Untrained,
			Timezone:            "UTC",
			Industry:            industry,
			Language:            language,
			HandoffEnabled:      true,
			MemoryEnabled:       true,
			AIEnabled:           true,
			AIModel:             s.DefaultModel,
			MaxResponseLength:   1000,
			ChannelPauseSeconds: 2,
			WidgetEnabled:       true,
			Branding:            agent.DefaultBranding(language),
		},
		Profile: agent.Profile{AvailableServices: []string{}},
		FAQs:    []agent.FAQ{},
	}
	if a.AIModel == "" {
		a.AIModel = ai.Builtin
	}
	templateOf(industry).apply(&a, industry)
	return a
}

// read answers an agent with its limits, from one batch read.
func (s *Service) read(ctx context.Context, in agentIn) (Agent, error) {
	account := auth.CallerOf(ctx).Account.ID
	items, err := s.Table.BatchGet(ctx,
		append(agent.Keys(account, in.AgentID), s.limitKeys(account, in.AgentID)...)...)
	if err != nil {
		return Agent{}, err
	}
	a, err := agent.Read(items, account, in.AgentID)
	if err != nil {
		return Agent{}, err
	}
	return s.withLimits(ctx, &a, items)
}

type updateIn struct {
	agentIn
	Name opt.Value[string] `json:"name" check:"trim,max=100" example:"Mia"`
	fields
}

// update changes the fields that were sent, under the agent's version. The edit may run again after a
// conflict.
func (s *Service) update(ctx context.Context, in updateIn) (Agent, error) {
	if in.Name.Set && in.Name.Value == "" {
		return Agent{}, fault.Invalid("name", "The field name may not be empty.")
	}
	caller := auth.CallerOf(ctx)
	if err := in.checkModel(caller.Plan); err != nil {
		return Agent{}, err
	}
	// The items of the last attempt, for withLimits.
	var read map[table.Key]table.Item
	a, err := s.agents().UpdateWith(ctx, caller.Account.ID, in.AgentID,
		s.limitKeys(caller.Account.ID, in.AgentID),
		func(a *agent.Agent, items map[table.Key]table.Item) ([]table.Write, error) {
			read = items
			in.Name.To(&a.Name)
			in.Industry.To(&a.Industry)
			in.Language.To(&a.Language)
			return nil, in.apply(a)
		})
	if err != nil {
		return Agent{}, err
	}
	return s.withLimits(ctx, &a, read)
}

func (s *Service) delete(ctx context.Context, in agentIn) (api.None, error) {
	return api.None{}, s.agents().Delete(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID)
}

// TrainResult is the outcome of a training.
type TrainResult struct {
	ID             int64                `json:"id" example:"219482112000001"`
	TrainingStatus agent.TrainingStatus `json:"training_status" example:"ready"`
	SystemPrompt   string               `json:"system_prompt" example:"You are Mia, the assistant of Acme."`
	CanActivate    bool                 `json:"can_activate" doc:"It is trained and knows something: a description of the business, an answered FAQ or a knowledge document." example:"true"`
}

// train writes the prompt and the model of the FAQs' questions. The questions of documents are read once. The
// quick answers are read again in each attempt, since they are stored apart from the agent.
func (s *Service) train(ctx context.Context, in agentIn) (TrainResult, error) {
	now := s.Now().UTC().Truncate(time.Millisecond)
	account := auth.CallerOf(ctx).Account.ID
	questions, err := knowledge.Questions(ctx, s.Table, account, in.AgentID, faq.MaxExamples)
	if err != nil {
		return TrainResult{}, err
	}
	version := s.IDs.Next()
	a, err := s.agents().UpdateWith(ctx, account, in.AgentID, nil,
		func(a *agent.Agent, read map[table.Key]table.Item) ([]table.Write, error) {
			quick, err := playbook.Questions(ctx, s.Table, account, in.AgentID,
				read[agent.Key(account, in.AgentID)].Numbers)
			if err != nil {
				return nil, err
			}
			a.TrainingStatus, a.TrainedAt = agent.Ready, &now
			return a.Learn(slices.Concat(questions, quick), version)
		})
	return TrainResult{a.ID, a.TrainingStatus, a.Prompt, a.CanActivate()}, err
}

func (s *Service) activate(ctx context.Context, in agentIn) (AgentSummary, error) {
	return s.setStatus(ctx, in.AgentID, agent.Active)
}

func (s *Service) pause(ctx context.Context, in agentIn) (AgentSummary, error) {
	return s.setStatus(ctx, in.AgentID, agent.Paused)
}

func (s *Service) setStatus(ctx context.Context, id int64, status agent.Status) (AgentSummary, error) {
	a, err := s.agents().UpdateSummary(ctx, auth.CallerOf(ctx).Account.ID, id,
		func(a *agent.Summary) ([]table.Write, error) {
			a.Status = status
			return nil, nil
		})
	return summaryOf(ctx, &a), err
}
