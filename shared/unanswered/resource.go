package unanswered

import "frontdesk/shared/resource"

// Resource describes an agent's unanswered questions.
func Resource() resource.Resource {
	questions := func(account, agent int64) string { return Key(account, agent, 0).PK }
	return resource.Resource{
		Name: "unanswered questions", Purge: []resource.Purge{resource.Partition(questions)},
	}
}
