// Package playbook implements the REST endpoints for what a business prepares for an agent: products,
// funnels with steps, quick answers, procedures, guidance, actions, roles and journey stages. They share
// their implementation (collection.go); each kind has its own file with its fields and rules.
package playbook

import (
	"context"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Service implements the playbook endpoints. It is safe for concurrent use.
type Service struct {
	Table   table.Table
	Now     func() time.Time
	IDs     *id.Source
	Secrets *secret.Keys   // seal the secrets of actions
	Web     *egress.Client // checks which addresses actions may call
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	s.products(r)
	s.funnels(r)
	s.steps(r)
	s.quickAnswers(r)
	s.procedures(r)
	s.guidance(r)
	s.actions(r)
	s.roles(r)
	s.journeyStages(r)
}

// agentIn identifies the collection of an agent.
type agentIn struct {
	AgentID int64 `path:"agent_id"`
}

func (in agentIn) agent() int64 { return in.AgentID }

// itemIn identifies a row.
type itemIn struct {
	agentIn
	ItemID int64 `path:"item_id"`
}

func (in itemIn) item() (agent, id int64) { return in.AgentID, in.ItemID }

func accountOf(ctx context.Context) int64 { return auth.CallerOf(ctx).Account.ID }
