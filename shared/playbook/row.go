// Package playbook stores what a business prepares for an agent: products, funnels with steps, quick
// answers, procedures, guidance, actions, roles and journey stages.
//
// Each of them is a row of an agent. The rows of one kind are in one partition by id, so that lists are
// strongly consistent and one query reads all. The agent's summary counts them, in the same transaction, so
// its readers know which kinds an agent has. For a kind with a unique key, such as a role's role_key, a copy
// of the row is stored under that key, which keeps it unique.
package playbook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/table"
)

// A Kind is a kind of rows. It is also the name of their count in the agent's summary, and their path in the
// API.
type Kind string

// The kinds of rows of an agent. Steps are rows of a funnel.
const (
	Products      Kind = "products"
	Funnels       Kind = "funnels"
	QuickAnswers  Kind = "quick-answers"
	Procedures    Kind = "procedures"
	Guidances     Kind = "guidance"
	Actions       Kind = "actions"
	Roles         Kind = "roles"
	JourneyStages Kind = "journey-stages"
)

var kinds = [...]Kind{Products, Funnels, QuickAnswers, Procedures, Guidances, Actions, Roles, JourneyStages}

// Kinds returns all kinds.
func Kinds() []Kind { return slices.Clone(kinds[:]) }

// Limits of an agent's rows.
const (
	MaxRows = 1000 // of one kind
	// MaxSteps is the limit of steps of a funnel: one transaction deletes a funnel with all steps.
	MaxSteps = table.MaxTransact - 2
)

// Partitions returns the partitions of an agent's rows, in an order in which they can be deleted.
func Partitions(account, agent int64) []string {
	var all []string
	for _, kind := range kinds {
		all = append(all, partition(account, agent, kind))
	}
	return append(all,
		StepKey(account, agent, 0, 0).PK,
		CopyKey(account, agent, string(Roles), "").PK,
		CopyKey(account, agent, string(JourneyStages), "").PK,
	)
}

func partition(account, agent int64, kind Kind) string {
	return Key(account, agent, string(kind), 0).PK
}

// A Row is the part that all rows have.
type Row struct {
	ID        int64     `json:"id" example:"219482113060864"`
	AgentID   int64     `json:"agent_id" example:"219482113000001"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at" doc:"When something of it was last changed."`
}

func (r *Row) row() *Row { return r }

// RowOf is implemented by pointers to the types of this package that embed Row.
type RowOf[T any] interface {
	*T
	row() *Row
	kind() Kind
}

// keyed is implemented by rows with a key of their own.
type keyed interface {
	// key returns the name of the key field, and its value.
	key() (field, value string)
}

// Read decodes an item of a row.
func Read[T any](item table.Item) (T, error) {
	var row T
	if err := json.Unmarshal(item.Doc, &row); err != nil {
		return row, fmt.Errorf("playbook: %s %s: %w", item.PK, item.SK, err)
	}
	return row, nil
}
