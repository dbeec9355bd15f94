// Package agent is the assistants: what a business says about itself and how its assistant is to behave, as
// it is stored, and the prompt that is written from it.
//
// An agent is kept in four items. The summary is what lists, the widget and every turn of a chat need, a few
// kilobytes, in the partition of its workspace; the other three, the details, are in the agent's own
// partition. A change puts the summary always, on the condition that it is the version that was read, and so
// changes follow one another.
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

// ErrNotFound says that there is no such agent in the workspace. It is the API's own not_found, so a handler
// may return it as it is.
var ErrNotFound error = fault.NotFound()

// An Agent is all of an assistant. The names of the fields are those of the API.
type Agent struct {
	Summary
	Profile
	FAQs []FAQ
	// Prompt tells a language model who it is and how to behave. It is written anew with every change of what
	// it is made of.
	Prompt string
}

// A Summary is the part of an agent that is needed most. Texts may be empty but for Name and EmbedKey.
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
	AIFallback           bool         `json:"ai_fallback"`         // the built-in engine answers where the model fails
	MaxResponseLength    int          `json:"max_response_length"` // characters
	ResponseDelaySeconds int          `json:"response_delay_seconds"`
	// ChannelPauseSeconds is how long the agent waits after a message on a channel whether another follows,
	// to answer them together. It does not hold for e-mail and the web chat.
	ChannelPauseSeconds int `json:"channel_pause_seconds"`
	// AIDailyBudget is what the agent's language model may cost in a day, in millionths of a dollar; nil
	// leaves it to the plan.
	AIDailyBudget *int64 `json:"ai_daily_budget,omitempty"`

	// RetentionDays is after how many days without a message the agent's conversations are deleted; 0 keeps
	// them.
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
	// OwnBox is how the chat box behaves; nil where it does as DefaultBox says.
	OwnBox *Box `json:"own_box,omitempty"`

	// FAQModel is the version of the stored model of the agent's FAQs; 0 where there is none. See Learn.
	FAQModel int64 `json:"faq_model,omitempty"`
	// FAQOverflow tells that the FAQs had more phrasings than a model takes when the agent was last trained.
	FAQOverflow bool `json:"faq_overflow,omitempty"`

	// KnowledgeCount is how many knowledge documents the agent has. It is a number of the item and no part of
	// the document, since documents come and go beside changes of the agent; see CountDocuments.
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

	// What an industry's template assumes and the business has not said itself. It is shown to the business
	// and told to nobody else.
	AssumedHours        bool `json:"assumed_hours,omitempty"`
	AssumedServices     bool `json:"assumed_services,omitempty"`
	AssumedCallToAction bool `json:"assumed_call_to_action,omitempty"`
	AssumedQuestions    bool `json:"assumed_questions,omitempty"` // the qualifying ones
}

// KnownHours are the opening hours that the business has stated, "" when it has not.
func (p *Profile) KnownHours() string {
	if p.AssumedHours {
		return ""
	}
	return p.BusinessHours
}

// KnownServices are the services that the business has stated.
func (p *Profile) KnownServices() []string {
	if p.AssumedServices {
		return nil
	}
	return p.AvailableServices
}

// An FAQ is a question that the business expects. Without an answer it is a blank that the business has yet
// to fill in, and nothing that a visitor may be told.
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

// Keys are the items of an agent, for Read.
func Keys(account, agent int64) []table.Key {
	return append([]table.Key{Key(account, agent)}, DetailKeys(account, agent)...)
}

// DetailKeys are the items of an agent beside its summary, for ReadDetails. They change only together with
// the summary's version.
func DetailKeys(account, agent int64) []table.Key {
	return []table.Key{
		DetailKey(account, agent, profilePart),
		DetailKey(account, agent, faqsPart),
		DetailKey(account, agent, promptPart),
	}
}

// Read is the agent that the items of Keys hold. Other items among them do no harm. ErrNotFound where the
// summary is missing, whatever else is there; a detail that is missing is empty.
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

// ReadDetails takes in what the items of DetailKeys hold. Other items among them do no harm; one that is
// missing is empty.
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

// ReadSummary is the summary that the item under Key holds.
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

// CountDocuments adds n, which may be negative, to the number of an agent's knowledge documents. It fails
// where there is no such agent.
func CountDocuments(account, agent, n int64) table.Write {
	return table.Add(Key(account, agent), documents, n).Existing()
}

// maxFAQs is how many bytes all FAQs may have as JSON: their item is bounded by table.MaxItemSize.
const maxFAQs = 350 << 10

// details are the items of the agent beside its summary.
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

// item is the summary's item, as a later version of the one that was read.
func (s *Summary) item(version int64) (table.Item, error) {
	doc, err := wire.Marshal(s)
	return table.Item{Key: Key(s.AccountID, s.ID), Doc: doc, Version: version}, err
}
