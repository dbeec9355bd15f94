package agent

// A Warning is something of what the business wrote that its agent cannot use.
type Warning struct {
	Code   WarningCode `json:"code" example:"hours_unread"`
	Field  string      `json:"field" doc:"The field that it is about; knowledge for the agent's documents." example:"business_hours"`
	Detail string      `json:"detail" doc:"What follows from it and what to do, for a person to read." example:"Parts of the opening hours cannot be read."`
	Values []string    `json:"values" doc:"The parts of the field that it is about, as they were written; empty where it is all of it." example:"[\"Saturdays by arrangement\"]"`
}

// A WarningCode names what cannot be used.
type WarningCode string

// The codes of warnings.
const (
	HoursUnread            WarningCode = "hours_unread"
	ServiceWithoutDuration WarningCode = "service_without_duration"
	DocumentWithoutText    WarningCode = "document_without_text"
	PhrasingsUntrained     WarningCode = "phrasings_untrained"
)

// Values lists the codes.
func (WarningCode) Values() []string {
	return []string{
		string(HoursUnread), string(ServiceWithoutDuration), string(DocumentWithoutText),
		string(PhrasingsUntrained),
	}
}
