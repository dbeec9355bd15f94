package agents

import (
	"context"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/api"
)

// An AgentSummary is the short form of an agent, as lists show it.
type AgentSummary struct {
	ID             int64                `json:"id" example:"219482112000001"`
	Name           string               `json:"name" example:"Mia"`
	BusinessName   string               `json:"business_name" example:"Acme"`
	PhoneNumber    string               `json:"phone_number" example:"+14155550123"`
	Status         agent.Status         `json:"status" example:"active"`
	TrainingStatus agent.TrainingStatus `json:"training_status" example:"ready"`
	AIEnabled      bool                 `json:"ai_enabled" example:"true"`
	Language       agent.Language       `json:"language" example:"en"`
	Industry       agent.Industry       `json:"industry" example:"restaurant"`
	Tone           agent.Tone           `json:"tone" example:"friendly"`
	KnowledgeCount int64                `json:"knowledge_count" doc:"Number of knowledge documents." example:"3"`
	Widget         agent.Widget         `json:"widget"`
	CreatedAt      time.Time            `json:"created_at"`
	UpdatedAt      time.Time            `json:"updated_at"`
}

// An Agent is the full form of an agent. The groups are read-only: their writable fields have the same names
// at the top level of a body.
type Agent struct {
	AgentSummary
	Business     Business        `json:"business"`
	Persona      Persona         `json:"persona"`
	Messages     Messages        `json:"messages"`
	Features     Features        `json:"features"`
	Capabilities Capabilities    `json:"capabilities"`
	Sales        Sales           `json:"sales"`
	AI           AI              `json:"ai"`
	Training     Training        `json:"training"`
	Keywords     Keywords        `json:"keywords"`
	Warnings     []agent.Warning `json:"warnings" doc:"What the agent cannot use of what you wrote; empty where it can use all."`
	OpeningTimes []OpeningTime   `json:"opening_times" doc:"How business_hours is understood, from Monday on, without what it says of single dates. Empty where nothing is stated or nothing can be read."`
	// RetentionDays belongs to no group: it is about what is stored, not about what the agent says.
	RetentionDays *int `json:"retention_days" doc:"After how many days without a message its conversations are deleted; null keeps them." example:"90"`
}

// Business is the agent's facts about the business.
type Business struct {
	BusinessName        string         `json:"business_name" example:"Acme"`
	BusinessDescription string         `json:"business_description" example:"We repair bicycles while you wait."`
	Industry            agent.Industry `json:"industry" example:"restaurant"`
	AvailableServices   []string       `json:"available_services" example:"[\"Repairs\"]"`
	BusinessHours       string         `json:"business_hours" example:"Monday to Friday 9:00-18:00"`
	Timezone            string         `json:"timezone" example:"Europe/Madrid"`
	BusinessAddress     string         `json:"business_address" example:"1 Main Street, Springfield"`
	PhoneNumber         string         `json:"phone_number" example:"+14155550123"`
	BusinessEmail       string         `json:"business_email" example:"hello@acme.example"`
	WebsiteURL          string         `json:"website_url" example:"https://acme.example"`
	Assumed             []string       `json:"assumed" doc:"Which of these fields the industry's template assumes. The agent tells nobody about them until you have sent them." example:"[\"available_services\"]"`
}

// Persona is the agent's name, manner and language.
type Persona struct {
	PersonaName        string         `json:"persona_name" example:"Mia"`
	PersonaDescription string         `json:"persona_description" example:"You have worked at the front desk for years."`
	Tone               agent.Tone     `json:"tone" example:"friendly"`
	Language           agent.Language `json:"language" example:"en"`
}

// Messages are the fixed replies that the business wrote.
type Messages struct {
	GreetingMessage   string `json:"greeting_message" example:"Hello!"`
	FallbackMessage   string `json:"fallback_message" example:"I am not sure about that."`
	HandoffMessage    string `json:"handoff_message" example:"A colleague will answer you here."`
	OutOfHoursMessage string `json:"out_of_hours_message" example:"We are closed and will answer tomorrow."`
	GoodbyeMessage    string `json:"goodbye_message" example:"Thank you, goodbye."`
}

// Features are the parts of the service that the agent uses.
type Features struct {
	BookingEnabled     bool `json:"booking_enabled" example:"true"`
	LeadCaptureEnabled bool `json:"lead_capture_enabled" example:"true"`
	EcommerceEnabled   bool `json:"ecommerce_enabled" example:"false"`
	HandoffEnabled     bool `json:"handoff_enabled" example:"true"`
	MemoryEnabled      bool `json:"memory_enabled" example:"true"`
}

// Capabilities are what the agent may do in a conversation.
type Capabilities struct {
	CapabilityQuotePrices       bool `json:"capability_quote_prices" example:"true"`
	CapabilityRecommendProducts bool `json:"capability_recommend_products" example:"true"`
	CapabilityTakeOrders        bool `json:"capability_take_orders" example:"false"`
	CapabilityShareLinks        bool `json:"capability_share_links" example:"true"`
	CapabilitySmallTalk         bool `json:"capability_small_talk" example:"true"`
}

// Sales is the goal that the agent leads conversations to.
type Sales struct {
	ConversionMode      agent.ConversionMode `json:"conversion_mode" example:"booking"`
	CallToAction        string               `json:"call_to_action" example:"Book a table"`
	CurrentOffers       string               `json:"current_offers" example:"Lunch menu at 12 euros."`
	QualifyingQuestions string               `json:"qualifying_questions" example:"How many people? Which day?"`
	Assumed             []string             `json:"assumed" doc:"Which of these fields the industry's template assumes. The built-in engine does not use them until you have sent them." example:"[\"call_to_action\"]"`
}

// AI is how the agent makes its replies.
type AI struct {
	AIEnabled            bool         `json:"ai_enabled" example:"true"`
	AIModel              ai.ModelName `json:"ai_model" example:"builtin"`
	AIFallback           bool         `json:"ai_fallback" doc:"Whether the built-in engine answers where the language model fails. Default false: the request is answered 502 then." example:"true"`
	MaxResponseLength    int          `json:"max_response_length" doc:"In characters." example:"1000"`
	ResponseDelaySeconds int          `json:"response_delay_seconds" example:"0"`
	ChannelPauseSeconds  int          `json:"channel_pause_seconds" doc:"How long it waits on a channel for more messages, to answer them together." example:"2"`
	Limits
}

// Training is what the agent was taught, and the state of the training.
type Training struct {
	TrainingStatus   agent.TrainingStatus `json:"training_status" example:"ready"`
	TrainedAt        *time.Time           `json:"trained_at" doc:"Null before the first training."`
	CanActivate      bool                 `json:"can_activate" example:"true"`
	SystemPrompt     string               `json:"system_prompt" example:"You are Mia, the assistant of Acme."`
	Instructions     string               `json:"instructions" example:"Offer the terrace first."`
	RestrictedTopics string               `json:"restricted_topics" example:"Politics"`
	FAQs             []agent.FAQ          `json:"faqs"`
}

// Keywords are words and phrases, separated by commas, that trigger something when a message has one.
type Keywords struct {
	HandoffKeywords string `json:"handoff_keywords" example:"complaint, manager"`
	UrgentKeywords  string `json:"urgent_keywords" example:"emergency"`
	OptOutKeywords  string `json:"opt_out_keywords" example:"stop, unsubscribe"`
}

// summaryOf returns an agent as lists show it. It needs the summary alone, so that a page of agents is one
// query.
func summaryOf(ctx context.Context, a *agent.Summary) AgentSummary {
	return AgentSummary{
		ID:             a.ID,
		Name:           a.Name,
		BusinessName:   a.BusinessName,
		PhoneNumber:    a.PhoneNumber,
		Status:         a.Status,
		TrainingStatus: a.TrainingStatus,
		AIEnabled:      a.AIEnabled,
		Language:       a.Language,
		Industry:       a.Industry,
		Tone:           a.Tone,
		KnowledgeCount: a.KnowledgeCount,
		Widget:         a.Widget(api.PublicURL(ctx), api.PublicBaseURL(ctx), api.EdgeURL(ctx)),
		CreatedAt:      a.CreatedAt,
		UpdatedAt:      a.UpdatedAt,
	}
}

// assumedOfSales returns the names of the fields of Sales that come from the template.
func assumedOfSales(a *agent.Agent) []string {
	names := []string{}
	if a.AssumedCallToAction {
		names = append(names, "call_to_action")
	}
	if a.AssumedQuestions {
		names = append(names, "qualifying_questions")
	}
	return names
}

// assumed returns the names of the fields of Business that come from the template.
func assumed(a *agent.Agent) []string {
	names := []string{}
	if a.AssumedServices {
		names = append(names, "available_services")
	}
	if a.AssumedHours {
		names = append(names, "business_hours")
	}
	return names
}

// agentOf returns an agent with all its settings, and what it has used of its limits.
func agentOf(ctx context.Context, a *agent.Agent, l Limits) Agent {
	return Agent{
		AgentSummary: summaryOf(ctx, &a.Summary),
		Business: Business{
			a.BusinessName, a.BusinessDescription, a.Industry, a.AvailableServices, a.BusinessHours,
			a.Timezone, a.BusinessAddress, a.PhoneNumber, a.BusinessEmail, a.WebsiteURL, assumed(a),
		},
		Persona: Persona{a.PersonaName, a.PersonaDescription, a.Tone, a.Language},
		Messages: Messages{a.GreetingMessage, a.FallbackMessage, a.HandoffMessage, a.OutOfHoursMessage,
			a.GoodbyeMessage},
		Features: Features{a.BookingEnabled, a.LeadCaptureEnabled, a.EcommerceEnabled, a.HandoffEnabled,
			a.MemoryEnabled},
		Capabilities: Capabilities{
			a.CapabilityQuotePrices, a.CapabilityRecommendProducts, a.CapabilityTakeOrders,
			a.CapabilityShareLinks, a.CapabilitySmallTalk,
		},
		Sales: Sales{a.ConversionMode, a.CallToAction, a.CurrentOffers, a.QualifyingQuestions,
			assumedOfSales(a)},
		AI: AI{a.AIEnabled, a.AIModel, a.AIFallback, a.MaxResponseLength, a.ResponseDelaySeconds,
			a.ChannelPauseSeconds, l},
		Training: Training{a.TrainingStatus, a.TrainedAt, a.CanActivate(), a.Prompt, a.Instructions,
			a.RestrictedTopics, a.FAQs},
		Keywords:      Keywords{a.HandoffKeywords, a.UrgentKeywords, a.OptOutKeywords},
		Warnings:      warningsOf(a),
		OpeningTimes:  openingTimes(a),
		RetentionDays: retention(a),
	}
}

// retention returns the agent's RetentionDays, or nil if it keeps conversations.
func retention(a *agent.Agent) *int {
	if a.RetentionDays == 0 {
		return nil
	}
	return &a.RetentionDays
}
