// Package agent stores the assistants of businesses: what a business says about itself, how its assistant is
// to behave, and the prompt that is written from both.
//
// An agent is stored in four items. The summary, a few kilobytes in the partition of its workspace, has what
// lists, the widget and every turn of a chat need. The other three, the details, are in the agent's own
// partition. Every change writes the summary on the condition that its version is the one that was read, so
// concurrent changes are serialized.
package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// ErrNotFound reports that the workspace has no such agent. It is the not_found error of the API, so handlers
// return it unchanged.
var ErrNotFound error = fault.NotFound()

// An Agent is all of an assistant. The names of the fields are those of the API.
type Agent struct {
	Summary
	Profile
	FAQs []FAQ
	// Prompt is the system prompt for a language model. Every change of a field that is in it rewrites it.
	Prompt string
}

// A Summary has the fields of an agent that most requests need. Texts may be empty except Name and EmbedKey.
type Summary struct {
	AccountID      int64          `json:"account_id"`
	ID             int64          `json:"id"`
	Name           string         `json:"name"`
	Status         Status         `json:"status"`
	TrainingStatus TrainingStatus `json:"training_status"`
	TrainedAt      *time.Time     `json:"trained_at"` // nil before the first training
	CreatedAt      time.Time      `json:"created_at"`
	UpdatedAt      time.Time      `json:"updated_at"`

	BusinessName string   `json:"business_name"`
	PhoneNumber  string   `json:"phone_number"` // E.164
	Timezone     string   `json:"timezone"`     // a name of the IANA database
	Industry     Industry `json:"industry"`

	PersonaName string   `json:"persona_name"`
	Tone        Tone     `json:"tone"`
	Language    Language `json:"language"`

	GreetingMessage   string `json:"greeting_message"`
	FallbackMessage   string `json:"fallback_message"` // when it does not know
	HandoffMessage    string `json:"handoff_message"`  // when a person takes over
	OutOfHoursMessage string `json:"out_of_hours_message"`
	GoodbyeMessage    string `json:"goodbye_message"`

	BookingEnabled     bool `json:"booking_enabled"`
	LeadCaptureEnabled bool `json:"lead_capture_enabled"`
	EcommerceEnabled   bool `json:"ecommerce_enabled"`
	HandoffEnabled     bool `json:"handoff_enabled"`
	MemoryEnabled      bool `json:"memory_enabled"`

	CapabilityQuotePrices       bool `json:"capability_quote_prices"`
	CapabilityRecommendProducts bool `json:"capability_recommend_products"`
	CapabilityTakeOrders        bool `json:"capability_take_orders"`
	CapabilityShareLinks        bool `json:"capability_share_links"`
	CapabilitySmallTalk         bool `json:"capability_small_talk"`

	ConversionMode ConversionMode `json:"conversion_mode"`

	AIEnabled            bool         `json:"ai_enabled"`
	AIModel              ai.ModelName `json:"ai_model"`
	AIFallback           bool         `json:"ai_fallback"`         // the built-in engine answers if the model fails
	MaxResponseLength    int          `json:"max_response_length"` // characters
	ResponseDelaySeconds int          `json:"response_delay_seconds"`
	// ChannelPauseSeconds is how long the agent waits after a message on a channel whether another follows,
	// to answer them together. It does not hold for e-mail and the web chat.
	ChannelPauseSeconds int `json:"channel_pause_seconds"`
	// AIDailyBudget is what the agent's language model may cost in a day, in millionths of a dollar; nil for
	// the plan's budget.
	AIDailyBudget *int64 `json:"ai_daily_budget,omitempty"`

	// RetentionDays is after how many days without a message the agent's conversations are deleted; 0 for
	// never.
	RetentionDays int `json:"retention_days,omitempty"`

	// Words and phrases with commas between.
	HandoffKeywords string `json:"handoff_keywords"`
	UrgentKeywords  string `json:"urgent_keywords"`
	OptOutKeywords  string `json:"opt_out_keywords"`

	WidgetEnabled bool `json:"widget_enabled"`
	// AllowedDomains are the host names of the websites that the widget may run on; empty for any.
	AllowedDomains []string `json:"allowed_domains,omitempty"`
	EmbedKey       string   `json:"embed_key"`
	Branding       Branding `json:"branding"`
	// OwnBox is the behaviour of the chat box if it differs from DefaultBox, otherwise nil.
	OwnBox *Box `json:"own_box,omitempty"`

	// FAQModel is the version of the stored model of the agent's FAQs; 0 if there is none. See Learn.
	FAQModel int64 `json:"faq_model,omitempty"`
	// FAQOverflow is set if the FAQs had more phrasings than a model takes when the agent was last trained.
	FAQOverflow bool `json:"faq_overflow,omitempty"`

	// KnowledgeCount is how many knowledge documents the agent has. It is an attribute of the item and not in
	// its JSON document, since documents are created and deleted concurrently with changes of the agent; see
	// CountDocuments.
	KnowledgeCount int64 `json:"-"`
	// EmptyDocuments is how many of them hold no text.
	EmptyDocuments int64 `json:"-"`
	// Subscriptions are those of the agent's actions, which numbers of the item count; see package playbook.
	Subscriptions event.Subscriptions `json:"-"`
}

// A Profile is the longer part of what a business says about itself.
type Profile struct {
	BusinessDescription string   `json:"business_description"`
	BusinessHours       string   `json:"business_hours"`
	BusinessAddress     string   `json:"business_address"`
	BusinessEmail       string   `json:"business_email"`
	WebsiteURL          string   `json:"website_url"`
	AvailableServices   []string `json:"available_services"`

	PersonaDescription string `json:"persona_description"`
	Instructions       string `json:"instructions"`
	RestrictedTopics   string `json:"restricted_topics"`

	CallToAction        string `json:"call_to_action"`
	CurrentOffers       string `json:"current_offers"`
	QualifyingQuestions string `json:"qualifying_questions"`

	// Set for fields that the template of the industry filled and the business has not edited. The business
	// sees them as assumptions; visitors never see their values.
	AssumedHours        bool `json:"assumed_hours,omitempty"`
	AssumedServices     bool `json:"assumed_services,omitempty"`
	AssumedCallToAction bool `json:"assumed_call_to_action,omitempty"`
	AssumedQuestions    bool `json:"assumed_questions,omitempty"` // the qualifying ones
}

// KnownHours returns the opening hours that the business has stated, "" if it has not.
func (p *Profile) KnownHours() string {
	if p.AssumedHours {
		return ""
	}
	return p.BusinessHours
}

// KnownServices returns the services that the business has stated.
func (p *Profile) KnownServices() []string {
	if p.AssumedServices {
		return nil
	}
	return p.AvailableServices
}

// An FAQ is a question that the business expects, with its answer. Without an answer it is a gap for the
// business to fill, and visitors do not see it.
type FAQ struct {
	Question string `json:"question" check:"required,cut=300" example:"Do you have parking?"`
	Answer   string `json:"answer" check:"cut=2000" doc:"While it is empty the entry is not used." example:"Yes, behind the house."`
}

// Answered reports whether the entry may be used.
func (f FAQ) Answered() bool { return f.Answer != "" }

// CanActivate reports whether the agent is trained and knows something to talk about: a description of the
// business, an answered FAQ or a knowledge document.
func (a *Agent) CanActivate() bool {
	if a.TrainingStatus != Ready {
		return false
	}
	for _, f := range a.FAQs {
		if f.Answered() {
			return true
		}
	}
	return a.BusinessDescription != "" || a.KnowledgeCount > 0
}

// The details of an agent.
const (
	profilePart = "profile"
	faqsPart    = "faqs"
	promptPart  = "prompt"
)

// Keys returns the keys of the items of an agent, for Read.
func Keys(account, agent int64) []table.Key {
	return append([]table.Key{Key(account, agent)}, DetailKeys(account, agent)...)
}

// DetailKeys returns the keys of the details, for ReadDetails. They change only together with the summary's
// version.
func DetailKeys(account, agent int64) []table.Key {
	return []table.Key{
		DetailKey(account, agent, profilePart),
		DetailKey(account, agent, faqsPart),
		DetailKey(account, agent, promptPart),
	}
}

// Read decodes an agent from the items of Keys and ignores others. It returns ErrNotFound if the summary is
// missing; a missing detail is empty.
func Read(items map[table.Key]table.Item, account, agent int64) (Agent, error) {
	item, ok := items[Key(account, agent)]
	if !ok {
		return Agent{}, ErrNotFound
	}
	summary, err := ReadSummary(item)
	if err != nil {
		return Agent{}, err
	}
	a := Agent{Summary: summary}
	err = a.ReadDetails(items, account, agent)
	return a, err
}

// ReadDetails decodes the items of DetailKeys and ignores others. A missing one is empty.
func (a *Agent) ReadDetails(items map[table.Key]table.Item, account, agent int64) error {
	for part, to := range map[string]any{profilePart: &a.Profile, faqsPart: &a.FAQs, promptPart: &a.Prompt} {
		item, ok := items[DetailKey(account, agent, part)]
		if !ok {
			continue
		}
		if err := json.Unmarshal(item.Doc, to); err != nil {
			return fmt.Errorf("agent: %s of %d: %w", part, agent, err)
		}
	}
	return nil
}

// documents is the name of the number that counts knowledge documents.
const documents = "documents"

// ReadSummary decodes the item under Key.
func ReadSummary(item table.Item) (Summary, error) {
	var s Summary
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Summary{}, fmt.Errorf("agent: summary %s: %w", item.SK, err)
	}
	s.KnowledgeCount, s.Subscriptions = item.Numbers[documents], event.SubscriptionsOf(item.Numbers)
	s.EmptyDocuments = item.Numbers[EmptyDocuments]
	return s, nil
}

// EmptyDocuments is the number of an agent's item that counts its documents without text. It changes in the
// transactions that change documents.
const EmptyDocuments = "documents_without_text"

// CountDocuments returns the write that adds n, which may be negative, to the number of an agent's documents.
// Its condition fails if there is no such agent.
func CountDocuments(account, agent, n int64) table.Write {
	return table.Add(Key(account, agent), documents, n).Existing()
}

// maxFAQs is how many bytes all FAQs may have as JSON: their item is bounded by table.MaxItemSize.
const maxFAQs = 350 << 10

// details returns the items of the details.
func (a *Agent) details() ([]table.Item, error) {
	var items []table.Item
	for _, part := range []struct {
		name  string
		value any
	}{{profilePart, a.Profile}, {faqsPart, a.FAQs}, {promptPart, a.Prompt}} {
		doc, err := wire.Marshal(part.value)
		if err != nil {
			return nil, err
		}
		if part.name == faqsPart && len(doc) > maxFAQs {
			return nil, fault.Invalid("faqs", "The field faqs may have %d bytes in all, not %d.", maxFAQs,
				len(doc))
		}
		items = append(items, table.Item{Key: DetailKey(a.AccountID, a.ID, part.name), Doc: doc})
	}
	return items, nil
}

// item returns the summary's item. version is that of the item it was read from.
func (s *Summary) item(version int64) (table.Item, error) {
	doc, err := wire.Marshal(s)
	return table.Item{Key: Key(s.AccountID, s.ID), Doc: doc, Version: version}, err
}
