package auth

import (
	"fmt"
	"strings"
)

// A Plan is what a workspace pays for.
type Plan struct {
	Name              string
	APIAccess         bool  // may use the REST API
	Agents            int64 // how many agents it may have
	Replies           int64 // AI replies in a period; 0 is no limit
	RequestsPerMinute int64 // of one API key
	Analytics         bool  // enterprise analytics
}

// plans are all there are, the cheapest first.
var plans = []Plan{
	{Name: "widget", Agents: 1, Replies: 65},
	{Name: "free", APIAccess: true, Agents: 1, Replies: 65, RequestsPerMinute: 120},
	{Name: "starter", APIAccess: true, Agents: 3, Replies: 1_000, RequestsPerMinute: 300},
	{Name: "pro", APIAccess: true, Agents: 25, Replies: 10_000, RequestsPerMinute: 1_200},
	{Name: "enterprise", APIAccess: true, Agents: 1_000, RequestsPerMinute: 12_000, Analytics: true},
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
