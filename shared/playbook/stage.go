package playbook

// A JourneyStage is a stage of the customer journey, from a first question to a purchase and beyond.
type JourneyStage struct {
	Row
	StageKey     string `json:"stage_key" doc:"What guidance knows the stage by." example:"decision"`
	Name         string `json:"name" example:"Decision"`
	Instructions string `json:"instructions" doc:"How the agent behaves in it." example:"Compare two models at most."`
	Order        int    `json:"order" doc:"Its place on the way. Lists are newest first all the same." example:"3"`
}

func (*JourneyStage) kind() Kind { return JourneyStages }

func (s *JourneyStage) key() (string, string) { return "stage_key", s.StageKey }
