package agents

import (
	"time"
	_ "time/tzdata" // Lambda's machines have no time zones

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
)

// fields are the writable fields beside the name. Texts that are too long are cut, by their tags.
type fields struct {
	Industry opt.Value[agent.Industry] `json:"industry" doc:"Kind of business. On creation its template is applied first." example:"restaurant"`
	Tone     opt.Value[agent.Tone]     `json:"tone" example:"friendly"`
	Language opt.Value[agent.Language] `json:"language" doc:"BCP 47 primary tag." example:"en"`

	BusinessName        opt.Value[string]   `json:"business_name" check:"cut=200" example:"Acme"`
	BusinessDescription opt.Value[string]   `json:"business_description" check:"cut=4000" example:"We repair bicycles while you wait."`
	AvailableServices   opt.Value[[]string] `json:"available_services" check:"items=200,cut=200" doc:"What the business offers, one service each, with its price or duration where you like." example:"[\"Repairs\"]"`
	BusinessHours       opt.Value[string]   `json:"business_hours" check:"cut=500" example:"Monday to Friday 9:00-18:00"`
	Timezone            opt.Value[string]   `json:"timezone" check:"trim,max=64" doc:"Name of a time zone in the IANA database; empty is UTC." example:"Europe/Madrid"`
	BusinessAddress     opt.Value[string]   `json:"business_address" check:"cut=300" example:"1 Main Street, Springfield"`
	PhoneNumber         opt.Value[string]   `json:"phone_number" check:"trim,format=e164" doc:"E.164, or empty." example:"+14155550123"`
	BusinessEmail       opt.Value[string]   `json:"business_email" check:"trim,format=email" doc:"An e-mail address, or empty." example:"hello@acme.example"`
	WebsiteURL          opt.Value[string]   `json:"website_url" check:"cut=500" example:"https://acme.example"`

	PersonaName        opt.Value[string] `json:"persona_name" check:"cut=100" doc:"The name that the agent goes by." example:"Mia"`
	PersonaDescription opt.Value[string] `json:"persona_description" check:"cut=1000" doc:"For language models; the built-in engine makes nothing of it." example:"You have worked at the front desk for years."`

	GreetingMessage   opt.Value[string] `json:"greeting_message" check:"cut=500" doc:"The reply to a greeting." example:"Hello!"`
	FallbackMessage   opt.Value[string] `json:"fallback_message" check:"cut=500" doc:"The reply when the agent does not know." example:"I am not sure about that."`
	HandoffMessage    opt.Value[string] `json:"handoff_message" check:"cut=500" doc:"The reply when a person takes over." example:"A colleague will answer you here."`
	OutOfHoursMessage opt.Value[string] `json:"out_of_hours_message" check:"cut=500" example:"We are closed and will answer tomorrow."`
	GoodbyeMessage    opt.Value[string] `json:"goodbye_message" check:"cut=500" example:"Thank you, goodbye."`

	BookingEnabled     opt.Value[bool] `json:"booking_enabled" doc:"It arranges appointments." example:"true"`
	LeadCaptureEnabled opt.Value[bool] `json:"lead_capture_enabled" doc:"It asks for contact details." example:"true"`
	EcommerceEnabled   opt.Value[bool] `json:"ecommerce_enabled" doc:"It helps with the online shop: the built-in engine shows whoever wants to buy a product the website_url." example:"false"`
	HandoffEnabled     opt.Value[bool] `json:"handoff_enabled" doc:"It brings in a person." example:"true"`
	MemoryEnabled      opt.Value[bool] `json:"memory_enabled" doc:"Its replies draw on the earlier messages of the conversation." example:"true"`

	CapabilityQuotePrices       opt.Value[bool] `json:"capability_quote_prices" doc:"It quotes prices that it knows. Otherwise it answers questions for prices by your own FAQs and quick answers alone." example:"true"`
	CapabilityRecommendProducts opt.Value[bool] `json:"capability_recommend_products" doc:"It recommends products and services." example:"true"`
	CapabilityTakeOrders        opt.Value[bool] `json:"capability_take_orders" doc:"It takes orders." example:"false"`
	CapabilityShareLinks        opt.Value[bool] `json:"capability_share_links" doc:"It shares addresses of web pages that it knows." example:"true"`
	CapabilitySmallTalk         opt.Value[bool] `json:"capability_small_talk" doc:"It makes small talk." example:"true"`

	ConversionMode      opt.Value[agent.ConversionMode] `json:"conversion_mode" doc:"What it tries to bring a conversation to: to contact details, an appointment or a sale." example:"booking"`
	CallToAction        opt.Value[string]               `json:"call_to_action" check:"cut=300" doc:"What it invites people to. The built-in engine says it once in a conversation, in these words, to whom it has helped, unless conversion_mode is none." example:"Book a table"`
	CurrentOffers       opt.Value[string]               `json:"current_offers" check:"cut=1000" example:"Lunch menu at 12 euros."`
	QualifyingQuestions opt.Value[string]               `json:"qualifying_questions" check:"cut=1000" doc:"What is worth finding out. The built-in engine asks it of a contact who has said who it is, where conversion_mode is lead_capture, and keeps the answer as the contact's fact needs." example:"How many people? Which day?"`

	AIEnabled            opt.Value[bool]         `json:"ai_enabled" doc:"It replies by itself; otherwise messages are only kept." example:"true"`
	AIModel              opt.Value[ai.ModelName] `json:"ai_model" doc:"What answers: builtin, the default, needs no outside service and costs nothing; bedrock: with one of the names is a model of Amazon Bedrock; openai: with any name is a model of the service with that interface that the operator set up. Whether a service is set up shows in chat, which answers server_error without it." example:"builtin"`
	AIDailyBudgetUSD     opt.Value[float64]      `json:"ai_daily_budget_usd" check:"null,range=0..10000" doc:"What the language model may cost in a day of UTC, in dollars of its list price; null leaves it to the plan. When it is spent the built-in engine answers." example:"5"`
	AIFallback           opt.Value[bool]         `json:"ai_fallback" doc:"Whether the built-in engine answers where the language model fails. Default false: the request is answered 502 then." example:"true"`
	MaxResponseLength    opt.Value[int]          `json:"max_response_length" check:"range=50..4000" doc:"In characters." example:"1000"`
	ResponseDelaySeconds opt.Value[int]          `json:"response_delay_seconds" check:"range=0..10" doc:"How long the chat box seems to write before it shows a reply. The chat endpoint answers at once and tells it as delay_seconds." example:"0"`
	ChannelPauseSeconds  opt.Value[int]          `json:"channel_pause_seconds" check:"range=0..30" doc:"How long it waits on WhatsApp, SMS, Instagram and Messenger whether a person goes on writing, so that quick messages are answered together. 0 answers each at once. Default 2." example:"2"`

	RetentionDays opt.Value[int] `json:"retention_days" check:"null,range=1..3650" doc:"After how many days without a message its conversations are deleted, with their messages, notes, files and unanswered questions, within a day of that. Contacts, appointments and the counts of analytics stay. It holds for conversations that are there already, too. Null, the default, keeps them." example:"90"`

	Instructions     opt.Value[string]      `json:"instructions" check:"cut=8000" doc:"How it is to behave, in your words. For language models; the built-in engine follows its settings alone." example:"Offer the terrace first."`
	RestrictedTopics opt.Value[string]      `json:"restricted_topics" check:"cut=1000" doc:"What it stays away from." example:"Politics"`
	FAQs             opt.Value[[]agent.FAQ] `json:"faqs" check:"items=200" doc:"Questions with their answers, at most 350 KB in all."`

	HandoffKeywords opt.Value[string] `json:"handoff_keywords" check:"cut=500" doc:"Words and phrases with commas between. A message that has one is handed over to a person." example:"complaint, manager"`
	UrgentKeywords  opt.Value[string] `json:"urgent_keywords" check:"cut=500" doc:"Words and phrases with commas between. A message that has one makes its conversation urgent." example:"emergency"`
	OptOutKeywords  opt.Value[string] `json:"opt_out_keywords" check:"cut=500" doc:"Words and phrases with commas between. A message that is one of them opts its writer out." example:"stop, unsubscribe"`

	agent.BrandingIn
}

// apply sets the fields that were sent, except industry and language: on creation these choose the template
// that the agent begins with.
func (in *fields) apply(a *agent.Agent) error {
	if err := in.valid(); err != nil {
		return err
	}
	in.applyBusiness(a)
	in.applyManner(a)
	in.applyConversion(a)
	in.applyAI(a)
	if in.RetentionDays.Set {
		a.RetentionDays = in.RetentionDays.Value // 0 for null
	}
	in.BrandingIn.Apply(&a.Branding)
	return nil
}

// applyBusiness sets the facts about the business. A field that was sent is no longer assumed.
func (in *fields) applyBusiness(a *agent.Agent) {
	in.BusinessName.To(&a.BusinessName)
	in.BusinessDescription.To(&a.BusinessDescription)
	in.AvailableServices.To(&a.AvailableServices)
	a.AssumedServices = a.AssumedServices && !in.AvailableServices.Set
	in.BusinessHours.To(&a.BusinessHours)
	a.AssumedHours = a.AssumedHours && !in.BusinessHours.Set
	in.Timezone.To(&a.Timezone)
	in.BusinessAddress.To(&a.BusinessAddress)
	in.PhoneNumber.To(&a.PhoneNumber)
	in.BusinessEmail.To(&a.BusinessEmail)
	in.WebsiteURL.To(&a.WebsiteURL)
}

// applyManner sets the persona, the fixed messages and the keywords.
func (in *fields) applyManner(a *agent.Agent) {
	in.Tone.To(&a.Tone)
	in.PersonaName.To(&a.PersonaName)
	in.PersonaDescription.To(&a.PersonaDescription)

	in.GreetingMessage.To(&a.GreetingMessage)
	in.FallbackMessage.To(&a.FallbackMessage)
	in.HandoffMessage.To(&a.HandoffMessage)
	in.OutOfHoursMessage.To(&a.OutOfHoursMessage)
	in.GoodbyeMessage.To(&a.GoodbyeMessage)

	in.HandoffKeywords.To(&a.HandoffKeywords)
	in.UrgentKeywords.To(&a.UrgentKeywords)
	in.OptOutKeywords.To(&a.OptOutKeywords)
}

// applyConversion sets features, capabilities and the goal of conversations.
func (in *fields) applyConversion(a *agent.Agent) {
	in.BookingEnabled.To(&a.BookingEnabled)
	in.LeadCaptureEnabled.To(&a.LeadCaptureEnabled)
	in.EcommerceEnabled.To(&a.EcommerceEnabled)
	in.HandoffEnabled.To(&a.HandoffEnabled)
	in.MemoryEnabled.To(&a.MemoryEnabled)

	in.CapabilityQuotePrices.To(&a.CapabilityQuotePrices)
	in.CapabilityRecommendProducts.To(&a.CapabilityRecommendProducts)
	in.CapabilityTakeOrders.To(&a.CapabilityTakeOrders)
	in.CapabilityShareLinks.To(&a.CapabilityShareLinks)
	in.CapabilitySmallTalk.To(&a.CapabilitySmallTalk)

	in.ConversionMode.To(&a.ConversionMode)
	in.CallToAction.To(&a.CallToAction)
	a.AssumedCallToAction = a.AssumedCallToAction && !in.CallToAction.Set
	in.CurrentOffers.To(&a.CurrentOffers)
	in.QualifyingQuestions.To(&a.QualifyingQuestions)
	a.AssumedQuestions = a.AssumedQuestions && !in.QualifyingQuestions.Set
}

// applyAI sets the engine, its limits and what it is instructed with.
func (in *fields) applyAI(a *agent.Agent) {
	in.AIEnabled.To(&a.AIEnabled)
	in.AIModel.To(&a.AIModel)
	in.setBudget(a)
	in.AIFallback.To(&a.AIFallback)
	in.MaxResponseLength.To(&a.MaxResponseLength)
	in.ResponseDelaySeconds.To(&a.ResponseDelaySeconds)
	in.ChannelPauseSeconds.To(&a.ChannelPauseSeconds)

	in.Instructions.To(&a.Instructions)
	in.RestrictedTopics.To(&a.RestrictedTopics)
	in.FAQs.To(&a.FAQs)
}

// valid checks what tags cannot express. It replaces an empty time zone by UTC.
func (in *fields) valid() error {
	for i, service := range in.AvailableServices.Value {
		if service == "" {
			return fault.Invalid("available_services", "Entry %d of the field available_services is empty.",
				i)
		}
	}
	if zone := in.Timezone.Value; in.Timezone.Set {
		if zone == "" {
			in.Timezone.Value = "UTC"
		} else if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
			return fault.Invalid("timezone",
				"The field timezone must be a time zone of the IANA database, such as Europe/Madrid.")
		}
	}
	return nil
}
