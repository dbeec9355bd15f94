package agent

import "frontdesk/shared/text"

// A Status says whether an agent is at work.
type Status string

// The statuses.
const (
	Draft  Status = "draft" // as it was made; it answers, so that it can be tried
	Active Status = "active"
	Paused Status = "paused" // it does not answer
)

// Values lists the statuses.
func (Status) Values() []string { return []string{string(Draft), string(Active), string(Paused)} }

// A TrainingStatus says whether an agent has been trained. Later changes do not reset it, since they rewrite
// the prompt themselves.
type TrainingStatus string

// The training statuses.
const (
	Untrained TrainingStatus = "untrained"
	Ready     TrainingStatus = "ready"
)

// Values lists the training statuses.
func (TrainingStatus) Values() []string { return []string{string(Untrained), string(Ready)} }

// An Industry is the kind of business that the agent speaks for.
type Industry string

// The industries.
const (
	General      Industry = "general"
	Restaurant   Industry = "restaurant"
	Retail       Industry = "retail"
	RealEstate   Industry = "real_estate"
	Healthcare   Industry = "healthcare"
	Beauty       Industry = "beauty"
	Fitness      Industry = "fitness"
	Legal        Industry = "legal"
	Education    Industry = "education"
	Hospitality  Industry = "hospitality"
	Automotive   Industry = "automotive"
	HomeServices Industry = "home_services"
	Finance      Industry = "finance"
	Travel       Industry = "travel"
	Technology   Industry = "technology"
)

// Values lists the industries.
func (Industry) Values() []string {
	return []string{
		string(General), string(Restaurant), string(Retail), string(RealEstate), string(Healthcare),
		string(Beauty), string(Fitness), string(Legal), string(Education), string(Hospitality),
		string(Automotive), string(HomeServices), string(Finance), string(Travel), string(Technology),
	}
}

// A Tone is how an agent talks.
type Tone string

// The tones.
const (
	Friendly     Tone = "friendly"
	Professional Tone = "professional"
	Casual       Tone = "casual"
	Formal       Tone = "formal"
	Enthusiastic Tone = "enthusiastic"
	Empathetic   Tone = "empathetic"
)

// Values lists the tones.
func (Tone) Values() []string {
	return []string{
		string(Friendly), string(Professional), string(Casual), string(Formal), string(Enthusiastic),
		string(Empathetic),
	}
}

// A Language is a supported language, as a BCP 47 primary tag.
type Language string

// English is the default language.
const English Language = "en"

// Values lists the languages.
func (Language) Values() []string { return text.Languages() }

// A ConversionMode is the goal of an agent's conversations.
type ConversionMode string

// The conversion modes.
const (
	ConvertNothing ConversionMode = "none"
	ConvertLead    ConversionMode = "lead_capture"
	ConvertBooking ConversionMode = "booking"
	ConvertSale    ConversionMode = "sales"
)

// Values lists the conversion modes.
func (ConversionMode) Values() []string {
	return []string{string(ConvertNothing), string(ConvertLead), string(ConvertBooking), string(ConvertSale)}
}
