package effects

import (
	"encoding/json"
	"slices"
	"strings"
)

// effects has a case for each field, or more where it has effects of several kinds.
var effects = slices.Concat(agentEffects, widgetEffects, playbookEffects)

// unsaid are an agent's canned messages left to the engine.
var unsaid = object{"greeting_message": "", "fallback_message": "", "handoff_message": "",
	"out_of_hours_message": "", "goodbye_message": ""}

// selling is an agent's playbook with two products.
var selling = map[string][]object{"products/": {
	{"name": "City bicycle", "price": 499.9, "currency": "EUR", "description": "Seven gears and lights."},
	{"name": "Mountain bicycle", "price": 1299, "currency": "EUR"},
}}

// and is a body with more.
func and(body object, more object) object {
	all := object{}
	for _, part := range []object{body, more} {
		for name, value := range part {
			all[name] = value
		}
	}
	return all
}

var agentEffects = []effect{
	{field: "name", to: "Bo", says: []string{"Who are you?"}, loses: "I am Ada", gets: "I am Bo",
		untold: "You are Ada", told: "You are Bo"},
	{field: "industry", to: "real_estate", says: []string{"Hello"}, told: "Industry: real estate"},
	{field: "tone", from: "friendly", to: "formal", agent: unsaid, says: []string{"Hello"},
		loses: "Hi there!", gets: "How may I help you?", untold: "Be friendly", told: "Be formal"},
	{field: "language", from: "en", to: "de", agent: unsaid, says: []string{"Hallo"}, gets: "Wie kann ich",
		told: "BCP 47 tag de"},

	{field: "business_name", to: "Acme", agent: unsaid, says: []string{"Hello"}, gets: "welcome to Acme",
		told: "the assistant of Acme"},
	{field: "business_description", to: "We repair bicycles while you wait.",
		says: []string{"Do you repair bicycles?"}, gets: "while you wait",
		told: "Description: We repair bicycles while you wait."},
	{field: "available_services", to: []string{"Punctures 10 EUR", "Tuning"},
		says: []string{"What services do you offer?"}, gets: "Punctures 10 EUR", told: "- Punctures 10 EUR"},
	{field: "available_services", to: []string{"Tuning", "Wheel building"},
		agent: object{"booking_enabled": true}, says: []string{"I would like an appointment"},
		gets: "Wheel building"},
	{field: "business_hours", from: "Monday to Friday 9:00-11:00", to: "Monday to Friday 9:00-18:00",
		says: []string{"Are you open right now?"}, loses: "We are closed", gets: "we are open",
		told: "Opening hours: Monday to Friday 9:00-18:00"},
	{field: "timezone", from: "UTC", to: "Asia/Tokyo",
		agent: object{"business_hours": "Monday to Friday 9:00-18:00"},
		says:  []string{"Are you open right now?"}, loses: "we are open", gets: "We are closed",
		told: "Time zone: Asia/Tokyo"},
	{field: "business_address", to: "1 Main Street", says: []string{"What is your address?"},
		gets: "1 Main Street", told: "Address: 1 Main Street"},
	{field: "phone_number", to: "+14155550123", says: []string{"What is your phone number?"},
		gets: "+14155550123", told: "Phone: +14155550123"},
	{field: "business_email", to: "hello@acme.example", says: []string{"What is your email?"},
		gets: "hello@acme.example", told: "E-mail: hello@acme.example"},
	{field: "website_url", to: "https://acme.example", says: []string{"Do you have a website?"},
		gets: "https://acme.example", told: "Website: https://acme.example"},

	{field: "persona_name", to: "Mia", says: []string{"Who are you?"}, loses: "I am Ada", gets: "I am Mia",
		told: "You are Mia"},
	{field: "persona_description", to: "You have worked here for years.", says: []string{"Hello"},
		told: "You have worked here for years."},

	{field: "greeting_message", to: "Ahoy!", says: []string{"Hello"}, gets: "Ahoy!", told: `"Ahoy!"`},
	{field: "fallback_message", to: "No idea.", says: []string{"Do you rent out tandems?"}, gets: "No idea.",
		told: `"No idea."`},
	{field: "handoff_message", to: "Bo is on the way.", agent: object{"handoff_enabled": true},
		says: []string{"I want to speak to a human"}, gets: "Bo is on the way.", told: `"Bo is on the way."`},
	{field: "out_of_hours_message", to: "Back on Monday.",
		agent: object{"handoff_enabled": true, "business_hours": "Monday to Friday 9:00-11:00"},
		says:  []string{"I want to speak to a human"}, gets: "Back on Monday."},
	{field: "goodbye_message", to: "So long!", says: []string{"Goodbye"}, gets: "So long!",
		told: `"So long!"`},

	{field: "booking_enabled", from: false, to: true,
		agent: object{"business_hours": "Monday to Friday 9:00-18:00"},
		says:  []string{"I would like an appointment on Monday at 10"},
		gets:  `"action":"respond","intent":"booking"`, untold: "You may not arrange appointments"},
	{field: "lead_capture_enabled", from: false, to: true, agent: object{"handoff_enabled": true},
		says: []string{"I want to speak to a human"}, gets: "May I have a name",
		untold: "You may not ask for contact details"},
	{field: "lead_capture_enabled", from: false, to: true,
		says: []string{"My e-mail address is ada@example.com"}, look: "contacts/{contact}/",
		gets: "ada@example.com"},
	{field: "ecommerce_enabled", from: false, to: true, agent: object{"website_url": "https://acme.example"},
		with: selling, says: []string{"I'd like to order the city bicycle"}, gets: "https://acme.example",
		untold: "You may not help with the online shop"},
	{field: "handoff_enabled", from: false, to: true, says: []string{"I want to speak to a human"},
		gets: `"action":"handoff"`, untold: "You may not bring in a person"},
	{field: "memory_enabled", from: false, to: true, with: map[string][]object{"knowledge/": {
		{"title": "Pool", "content": "The pool is warm on Saturdays. The pool is cold on Sundays."},
		{"title": "Bar", "content": "The bar is crowded on Saturdays. The bar is quiet on Sundays."},
	}}, says: []string{"How is the bar on Saturdays?", "And on Sundays?"},
		gets: `"reply":"The bar is quiet on Sundays."`, told: `{"message":"How is the bar on Saturdays?"}`},

	{field: "capability_quote_prices", from: false, to: true, with: selling,
		says: []string{"How much is the city bicycle?"}, gets: "€499.90", untold: "You may not quote prices"},
	{field: "capability_quote_prices", from: true, to: false,
		agent: object{"business_description": "A repair costs 20 euros."},
		says:  []string{"How much is a repair?"}, loses: "20 euros"},
	{field: "capability_recommend_products", from: false, to: true, with: selling,
		says: []string{"Do you sell bicycles?"}, gets: "Mountain bicycle", untold: "You may not recommend"},
	{field: "capability_take_orders", from: false, to: true, with: selling,
		says: []string{"I'd like to order the city bicycle"}, gets: `"intent":"order"`,
		untold: "You may not take orders"},
	{field: "capability_share_links", from: false, to: true,
		agent: object{"website_url": "https://acme.example"}, says: []string{"Do you have a website?"},
		gets: "https://acme.example", untold: "You may not share"},
	{field: "capability_small_talk", from: false, to: true, agent: unsaid, says: []string{"Thank you!"},
		gets: "Anything else?", untold: "You may not make small talk"},

	{field: "conversion_mode", from: "none", to: "lead_capture",
		agent: object{"lead_capture_enabled": true,
			"business_description": "We repair bicycles. We are in Springfield."},
		says: []string{"Do you repair bicycles?", "Where are you?"}, gets: "May I have a name",
		told: "ask for a name"},
	{field: "conversion_mode", from: "none", to: "booking",
		agent: object{"call_to_action": "Book a repair",
			"business_description": "We repair bicycles. We are in Springfield."},
		says: []string{"Do you repair bicycles?", "Are you in Springfield?"}, gets: "Book a repair",
		told: "offer to find them an appointment"},
	{field: "conversion_mode", from: "none", to: "sales",
		agent: object{"call_to_action": "Visit the shop",
			"business_description": "We repair bicycles. We are in Springfield."},
		says: []string{"Do you repair bicycles?", "Are you in Springfield?"}, gets: "Visit the shop",
		told: "bring them closer"},
	{field: "call_to_action", to: "Book a repair",
		agent: object{"conversion_mode": "booking",
			"business_description": "We repair bicycles. We are in Springfield."},
		says: []string{"Do you repair bicycles?", "Are you in Springfield?"}, gets: "Book a repair",
		told: "What to invite people to: Book a repair"},
	{field: "current_offers", to: "Lamps are half price in March.", says: []string{"Do you have any offers?"},
		gets: "Lamps are half price", told: "Current offers: Lamps are half price in March."},
	{field: "qualifying_questions", to: "Which kind of bicycle?",
		agent: object{"conversion_mode": "lead_capture", "lead_capture_enabled": true,
			"handoff_enabled": true}, says: []string{"My e-mail address is ada@example.com"},
		gets: "I have noted that. Which kind of bicycle?"},
	{field: "qualifying_questions", to: "Which kind of bicycle?", says: []string{"Hello"},
		told: "Worth finding out: Which kind of bicycle?"},
	{field: "qualifying_questions", to: "Which kind of bicycle?",
		agent: object{"conversion_mode": "lead_capture", "lead_capture_enabled": true},
		says:  []string{"My e-mail address is ada@example.com", "One for the mountains"},
		look:  "contacts/{contact}/", gets: `"needs":"One for the mountains"`},

	{field: "ai_enabled", from: false, to: true, says: []string{"Hello"},
		loses: `"action":"ai_disabled"`},
	{field: "ai_model", to: "openai:any", says: []string{"Hello"}, gets: "The model has replied."},
	{field: "ai_fallback", from: false, to: true, agent: object{"ai_model": "openai:" + outOfOrder},
		says: []string{"Hello"}, refused: 502, gets: `"intent":"greeting"`, loses: `"server_error"`},
	{field: "ai_daily_budget_usd", from: 1, to: 0, agent: object{"ai_model": "openai:gpt-4o"},
		says: []string{"Hello"}, loses: "The model has replied."},
	{field: "max_response_length", from: 500, to: 50,
		agent: object{"faqs": []object{{"question": "Are dogs welcome?",
			"answer": "Dogs are welcome in the garden, on the terrace and in the bar, but not in the " +
				"kitchen."}}},
		says: []string{"Are dogs welcome?"}, loses: "kitchen", told: "A reply has at most 50 characters"},
	{field: "response_delay_seconds", from: 0, to: 3, says: []string{"Hello"}, gets: `"delay_seconds":3`},

	{field: "instructions", to: "Offer the terrace first.", says: []string{"Hello"},
		told: "Offer the terrace first."},
	{field: "restricted_topics", from: "", to: "Politics, dogs",
		agent: object{"business_description": "Dogs are welcome."}, says: []string{"Are dogs welcome?"},
		gets: `"action":"fallback"`, told: "Politics, dogs"},
	{field: "faqs.question", from: object{"question": "Is there a sauna?", "answer": "Behind the house."},
		to:   object{"question": "Do you have parking?", "answer": "Behind the house."},
		says: []string{"Where can I find parking?"}, gets: "Behind the house.", told: "Do you have parking?"},
	{field: "faqs.answer", from: object{"question": "Do you have parking?"},
		to:   object{"question": "Do you have parking?", "answer": "Behind the house."},
		says: []string{"Do you have parking?"}, gets: "Behind the house.", told: "Behind the house."},

	{field: "handoff_keywords", from: "", to: "refund, manager", agent: object{"handoff_enabled": true},
		says: []string{"I would like a refund"}, gets: `"action":"handoff"`},
	{field: "urgent_keywords", from: "", to: "wedding, funeral", says: []string{"It is for a funeral"},
		look: "conversations/{conversation}/", loses: `"priority":"normal"`, gets: `"priority":"urgent"`},
	{field: "opt_out_keywords", from: "", to: "enough, stop", says: []string{"Stop"},
		look: "contacts/{contact}/", loses: `"opted_in":true`, gets: `"opted_in":false`},
}

// The branding of the chat box is an agent's and a widget's.
func branding(path string) []effect {
	const config = "widget/{embed}/config/"
	all := []effect{
		{field: "brand_name", to: "Wheels", gets: `"brand_name":"Wheels"`},
		{field: "logo_url", to: "https://acme.example/logo.png",
			gets: `"logo_url":"https://acme.example/logo.png"`},
		{field: "avatar_url", to: "https://acme.example/ada.png",
			gets: `"avatar_url":"https://acme.example/ada.png"`},
		{field: "button_text", to: "Ask us", gets: `"button_text":"Ask us"`},
		{field: "tagline", to: "We reply at once", gets: `"tagline":"We reply at once"`},
		{field: "welcome_message", to: "Ahoy!", gets: `"welcome_message":"Ahoy!"`},
		{field: "primary_color", to: "#123456", gets: `"primary_color":"#123456"`},
		{field: "secondary_color", to: "#abcdef", gets: `"secondary_color":"#abcdef"`},
		{field: "position", to: "left", gets: `"position":"left"`},
	}
	for i := range all {
		all[i].path, all[i].look = path, config
	}
	return all
}

var widgetEffects = slices.Concat(branding(""), branding("widget/"), []effect{
	{path: "widget/", field: "enabled", from: true, to: false, look: "widget/{embed}/config/",
		loses: `"button_text"`, gets: `"error":"forbidden"`},
	{path: "widget/", field: "allowed_domains", to: []string{"acme.example"}, look: "widget/{embed}/config/",
		origin: "https://other.example", loses: `"button_text"`, gets: `"error":"forbidden"`},
}, box())

// box are the settings of the chat box that it reads from its configuration.
func box() []effect {
	var all []effect
	for field, change := range map[string][2]any{
		"size": {"standard", "large"}, "offset_side": {20, 0}, "offset_bottom": {20, 90},
		"powered_by": {true, false}, "show_team": {true, false}, "ask_rating": {true, false},
		"accept_files": {false, true}, "sound": {false, true}, "form_name": {"off", "required"},
		"form_email": {"off", "optional"},
		"form_phone": {"off", "required"}, "show_sources": {"none", "all"},
	} {
		shown := func(value any) string {
			text, _ := json.Marshal(object{field: value}) // never fails
			return strings.Trim(string(text), "{}") + ","
		}
		all = append(all, effect{path: "widget/", field: field, from: change[0], to: change[1],
			look: "widget/{embed}/config/", loses: shown(change[0]), gets: shown(change[1])})
	}
	return all
}
