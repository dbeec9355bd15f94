package playbook

// A Funnel is a series of steps that an agent leads a contact through.
type Funnel struct {
	Row
	Name           string `json:"name" example:"Bicycle finder"`
	Description    string `json:"description" example:"Finds out what kind of bicycle somebody needs."`
	TriggerKeyword string `json:"trigger_keyword" doc:"A message with this word or phrase begins the funnel. Empty where none does." example:"find my bike"`
	IsActive       bool   `json:"is_active" doc:"Whether contacts are led through it." example:"true"`
}

func (*Funnel) kind() Kind { return Funnels }

// A StepType is what a step of a funnel does.
type StepType string

// The types of steps.
const (
	MessageStep  StepType = "message"  // says the content
	QuestionStep StepType = "question" // says the content, and waits for the answer
	DelayStep    StepType = "delay"    // only waits
	HandoffStep  StepType = "handoff"  // says the content, and hands the conversation over to a person
)

// Values implements api.Enum.
func (StepType) Values() []string {
	return []string{string(MessageStep), string(QuestionStep), string(DelayStep), string(HandoffStep)}
}

// MaxOrder is the greatest order of a step. Steps appended after it have the same order and come later by id.
const MaxOrder = 1_000_000

// A FunnelStep is one step of a funnel.
type FunnelStep struct {
	Row
	FunnelID       int64    `json:"funnel_id" example:"219482113060001"`
	Order          int      `json:"order" doc:"Steps come in this order; those of one order as they were made." example:"1"`
	StepType       StepType `json:"step_type" doc:"message says the content; question says it and waits for the answer, and offers the numbered lines at its end to choose from; delay only waits; handoff says it and hands the conversation to a person." example:"question"`
	Content        string   `json:"content" example:"What will you use it for?"`
	SaveResponseTo string   `json:"save_response_to" doc:"The name under which the answer to a question is kept. Empty where it is not." example:"purpose"`
	DelaySeconds   int      `json:"delay_seconds" doc:"How long to wait before the step." example:"0"`
	// Reached is not stored in the step: it is a number of the funnel's item.
	Reached int64 `json:"reached" doc:"How often a contact came to the step, since it was made." example:"12"`
}
