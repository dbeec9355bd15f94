package auth

import (
	"fmt"
	"strings"

	"frontdesk/shared/table"
)

// A Plan is what a workspace pays for.
type Plan struct {
	Name              string
	APIAccess         bool  // may use the REST API
	Agents            int64 // how many agents it may have
	Replies           int64 // AI replies in a period; 0 is no limit
	RequestsPerMinute int64 // of one API key
	Analytics         bool  // enterprise analytics

	DeliveriesAtOnce    int // attempts to deliver to webhooks that may be under way at a time
	DeliveriesPerMinute int // of them begun in a minute
}

// ReceiverDeliveriesAtOnce is how many attempts to one webhook may be under way at a time.
const ReceiverDeliveriesAtOnce = 20

// plans are all there are, the cheapest first.
var plans = []Plan{
	{Name: "widget", Agents: 1, Replies: 65, DeliveriesAtOnce: 10, DeliveriesPerMinute: 600},
	{Name: "free", APIAccess: true, Agents: 1, Replies: 65, RequestsPerMinute: 120,
		DeliveriesAtOnce: 10, DeliveriesPerMinute: 600},
	{Name: "starter", APIAccess: true, Agents: 3, Replies: 1_000, RequestsPerMinute: 300,
		DeliveriesAtOnce: 20, DeliveriesPerMinute: 3_000},
	{Name: "pro", APIAccess: true, Agents: 25, Replies: 10_000, RequestsPerMinute: 1_200,
		DeliveriesAtOnce: 40, DeliveriesPerMinute: 12_000},
	{Name: "enterprise", APIAccess: true, Agents: 1_000, RequestsPerMinute: 12_000, Analytics: true,
		DeliveriesAtOnce: 75, DeliveriesPerMinute: 240_000},
}

// PlanOf returns the plan of the workspace that an item holds; the cheapest where it holds none that is
// known.
func PlanOf(account table.Item) Plan {
	a, err := ReadAccount(account)
	if err != nil {
		return plans[0]
	}
	plan, err := PlanNamed(a.Plan)
	if err != nil {
		return plans[0]
	}
	return plan
}

// PlanNamed returns the plan of that name. The error lists the names there are.
func PlanNamed(name string) (Plan, error) {
	var names []string
	for _, p := range plans {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Plan{}, fmt.Errorf("no plan is called %q: there are %s", name, strings.Join(names, ", "))
}
