// Package playbook is what a business prepares for an agent's work: products, funnels with their steps, quick
// answers, procedures, guidance, actions, roles and journey stages, as they are stored.
//
// Each of them is a row of an agent. The rows of one kind lie in one partition under their ids, so that a
// list is never stale and all of them are read by one query. How many there are is a number of the agent's
// summary, which changes in the same transaction: whoever reads the summary knows which kinds an agent has at
// all. Where a kind has a key of its own, such as a role's role_key, a copy of the row lies under it, which
// keeps the key to one row.
package playbook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/table"
)

// A Kind is a kind of rows. It is also the name of the number that counts them in the agent's summary, and
// the part of their paths in the API.
type Kind string

// The kinds of rows that an agent has. The steps of a funnel are rows of that funnel.
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

// Kinds lists them.
func Kinds() []Kind { return slices.Clone(kinds[:]) }

// Limits of how much an agent may have.
const (
	MaxRows = 1000 // of one kind
	// MaxSteps is how many steps a funnel may have: one transaction takes a funnel away with all of them.
	MaxSteps = table.MaxTransact - 2
)

// Partitions are those that hold the rows of an agent, in an order in which they can be deleted: nothing is
// left that something else leads to.
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

// A Row is what every row has.
type Row struct {
	ID        int64     `json:"id" example:"219482113060864"`
	AgentID   int64     `json:"agent_id" example:"219482113000001"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at" doc:"When something of it was last changed."`
}

func (r *Row) row() *Row { return r }

// RowOf is met by a pointer to each type of this package that embeds Row.
type RowOf[T any] interface {
	*T
	row() *Row
	kind() Kind
}

// keyed is met by rows that have a key of their own.
type keyed interface {
	// key returns the name of the field that is the key, and its value.
	key() (field, value string)
}

// Read is the row that an item holds.
func Read[T any](item table.Item) (T, error) {
	var row T
	if err := json.Unmarshal(item.Doc, &row); err != nil {
		return row, fmt.Errorf("playbook: %s %s: %w", item.PK, item.SK, err)
	}
	return row, nil
}
