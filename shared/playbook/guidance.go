package playbook

// Guidance is a rule of conduct for an agent.
type Guidance struct {
	Row
	Category string   `json:"category" doc:"What it is about, in the business's words." example:"Tone"`
	Title    string   `json:"title" example:"Discounts"`
	Content  string   `json:"content" example:"Never promise a discount. Offer the newsletter instead."`
	Priority int      `json:"priority" doc:"The greater comes first where two contradict each other." example:"10"`
	Roles    []string `json:"roles" doc:"The role_key of each role that it applies to. Empty is all of them." example:"[\"sales\"]"`
	Stages   []string `json:"stages" doc:"The stage_key of each journey stage that it applies to. Empty is all of them." example:"[\"decision\"]"`
}

func (*Guidance) kind() Kind { return Guidances }
