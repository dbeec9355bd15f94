package agents

import (
	"cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/language"
)

// A template is the settings of a new agent of an industry. Its texts come from package language.
type template struct {
	tone       agent.Tone
	conversion agent.ConversionMode

	booking, leads, shop bool // features
	// Capabilities. Every agent may share links that it knows, and quote prices unless silentOnPrices.
	recommend, orders, silentOnPrices, smallTalk bool
}

// apply sets the template's settings and its language's texts for the industry. A language without such texts
// leaves them empty: a language model's own words are better than another language's.
func (t template) apply(a *agent.Agent, industry agent.Industry) {
	a.Tone, a.ConversionMode = t.tone, t.conversion
	a.BookingEnabled, a.LeadCaptureEnabled, a.EcommerceEnabled = t.booking, t.leads, t.shop
	a.CapabilityQuotePrices = !t.silentOnPrices
	a.CapabilityRecommendProducts = t.recommend
	a.CapabilityTakeOrders = t.orders
	a.CapabilityShareLinks = true
	a.CapabilitySmallTalk = t.smallTalk
	tongue := language.Of(string(a.Language))
	own, common := tongue.Industry(string(industry)), tongue.Industry("common")
	a.AvailableServices = append(a.AvailableServices, own.Services...)
	a.AssumedServices = len(own.Services) > 0
	a.BusinessHours, a.AssumedHours = own.Hours, own.Hours != ""
	a.GreetingMessage = cmp.Or(own.Greeting, common.Greeting)
	a.FallbackMessage = cmp.Or(own.Fallback, common.Fallback)
	a.HandoffMessage = cmp.Or(own.Handoff, common.Handoff)
	a.OutOfHoursMessage = cmp.Or(own.OutOfHours, common.OutOfHours)
	a.GoodbyeMessage = cmp.Or(own.Goodbye, common.Goodbye)
	a.CallToAction, a.AssumedCallToAction = own.CallToAction, own.CallToAction != ""
	a.QualifyingQuestions, a.AssumedQuestions = own.Questions, own.Questions != ""
	a.Instructions, a.RestrictedTopics = own.Instructions, own.Restricted
	a.HandoffKeywords, a.UrgentKeywords = own.HandoffKeywords, own.UrgentKeywords
	a.OptOutKeywords = cmp.Or(own.OptOutKeywords, common.OptOutKeywords)
	for _, question := range own.Faqs {
		a.FAQs = append(a.FAQs, agent.FAQ{Question: question})
	}
}

// templates are the industries that have a template of their own.
var templates = [...]struct {
	industry agent.Industry
	template
}{
	{agent.Restaurant, template{
		tone: agent.Friendly, conversion: agent.ConvertBooking,
		booking: true, recommend: true, orders: true, smallTalk: true,
	}},
	{agent.Retail, template{
		tone: agent.Friendly, conversion: agent.ConvertSale,
		leads: true, shop: true, recommend: true, orders: true, smallTalk: true,
	}},
	{agent.RealEstate, template{
		tone: agent.Professional, conversion: agent.ConvertLead,
		booking: true, leads: true, recommend: true,
	}},
	{agent.Healthcare, template{tone: agent.Empathetic, conversion: agent.ConvertBooking, booking: true}},
	{agent.Beauty, template{
		tone: agent.Friendly, conversion: agent.ConvertBooking,
		booking: true, leads: true, recommend: true, smallTalk: true,
	}},
	{agent.Fitness, template{
		tone: agent.Enthusiastic, conversion: agent.ConvertLead,
		booking: true, leads: true, recommend: true, smallTalk: true,
	}},
	{agent.Legal, template{
		tone: agent.Formal, conversion: agent.ConvertLead,
		booking: true, leads: true, silentOnPrices: true,
	}},
	{agent.Education, template{
		tone: agent.Friendly, conversion: agent.ConvertLead,
		booking: true, leads: true, recommend: true,
	}},
	{agent.Hospitality, template{
		tone: agent.Professional, conversion: agent.ConvertBooking,
		booking: true, leads: true, recommend: true, smallTalk: true,
	}},
	{agent.Automotive, template{
		tone: agent.Professional, conversion: agent.ConvertBooking,
		booking: true, leads: true, recommend: true,
	}},
	{agent.HomeServices, template{
		tone: agent.Friendly, conversion: agent.ConvertLead,
		booking: true, leads: true,
	}},
	{agent.Finance, template{
		tone: agent.Professional, conversion: agent.ConvertLead,
		booking: true, leads: true, silentOnPrices: true,
	}},
	{agent.Travel, template{
		tone: agent.Enthusiastic, conversion: agent.ConvertSale,
		booking: true, leads: true, recommend: true, smallTalk: true,
	}},
	{agent.Technology, template{
		tone: agent.Professional, conversion: agent.ConvertLead,
		booking: true, leads: true, recommend: true,
	}},
}

// templateOf returns the template of an industry. General, and industries without one, get neutral settings.
func templateOf(industry agent.Industry) template {
	for _, t := range templates {
		if t.industry == industry {
			return t.template
		}
	}
	return template{
		tone: agent.Friendly, conversion: agent.ConvertNothing,
		leads: true, recommend: true, smallTalk: true,
	}
}
