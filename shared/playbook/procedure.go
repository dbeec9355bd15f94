package playbook

// A Procedure is how an agent handles one kind of request.
type Procedure struct {
	Row
	Name           string   `json:"name" example:"Returns"`
	Triggers       []string `json:"triggers" doc:"Words and phrases of messages that call for it." example:"[\"return\", \"money back\"]"`
	Criteria       string   `json:"criteria" doc:"When it applies, in the business's words." example:"The order is at most 30 days old."`
	Instructions   string   `json:"instructions" doc:"What to do, step by step." example:"Ask for the order number, then for the reason."`
	AllowedActions []string `json:"allowed_actions" doc:"Names of the agent's actions that may run meanwhile. Empty allows all." example:"[\"Tag as return\"]"`
}

func (*Procedure) kind() Kind { return Procedures }
