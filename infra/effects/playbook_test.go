package effects

import "slices"

var playbookEffects = slices.Concat(productEffects, quickAnswerEffects, procedureEffects, guidanceEffects,
	roleEffects, stageEffects, funnelEffects, actionEffects)

var (
	bicycle  = object{"name": "City bicycle", "price": 499.9, "currency": "EUR"}
	whether  = []string{"Do you have the city bicycle?"}
	howMuch  = []string{"How much is the city bicycle?"}
	products = "products/"
)

var productEffects = []effect{
	{path: products, field: "name", row: bicycle, from: "Town bike", to: "City bicycle", says: howMuch,
		gets: "City bicycle: €499.90", told: `"title":"City bicycle"`},
	{path: products, field: "description", row: bicycle, to: "Seven gears and lights.", says: whether,
		gets: "Seven gears and lights.", told: "Seven gears and lights."},
	{path: products, field: "price", row: bicycle, from: 499.9, to: 449, says: howMuch, loses: "€499.90",
		gets: "€449.00", untold: "€499.90", told: "€449.00"},
	{path: products, field: "currency", row: bicycle, from: "EUR", to: "USD", says: howMuch, loses: "€499.90",
		gets: "$499.90", untold: "€499.90", told: "$499.90"},
	{path: products, field: "image_url", row: bicycle, to: "https://acme.example/city.jpg", says: whether,
		gets: "https://acme.example/city.jpg", told: "https://acme.example/city.jpg"},
	{path: products, field: "url", row: bicycle, to: "https://acme.example/city", says: whether,
		gets: `"url":"https://acme.example/city"`, told: "https://acme.example/city"},
	{path: products, field: "sku", row: bicycle, to: "CB-7", says: []string{"Is CB-7 in stock?"},
		gets: "City bicycle: €499.90", told: `"title":"City bicycle"`},
	{path: products, field: "is_active", row: bicycle, from: true, to: false, says: howMuch, loses: "€499.90",
		untold: "€499.90"},
}

var quickAnswer = object{"shortcut": "/wifi", "title": "Do you have wifi?",
	"content": "The password is on the till."}

var quickAnswerEffects = []effect{
	{path: "quick-answers/", field: "shortcut", row: quickAnswer, to: "/net", says: []string{"/net"},
		gets: "The password is on the till."},
	{path: "quick-answers/", field: "title", row: quickAnswer, to: "Can I charge my phone?",
		says: []string{"Can I charge my phone?"}, gets: "The password is on the till.",
		untold: "Do you have wifi?", told: `"questions":["Can I charge my phone?"]`},
	{path: "quick-answers/", field: "content", row: quickAnswer, to: "Ask at the till.",
		says: []string{"Do you have wifi?"}, gets: "Ask at the till.", told: "Ask at the till."},
}

var (
	returns = object{"name": "Returns", "triggers": []string{"money back"},
		"instructions": "Ask for the number."}
	moneyBack = []string{"I want my money back"}
)

var procedureEffects = []effect{
	{path: "procedures/", field: "name", row: returns, to: "Refunds", says: moneyBack,
		told: "## Procedure: Refunds"},
	{path: "procedures/", field: "triggers", row: returns, from: []string{"sauna"},
		to: []string{"money back"}, says: moneyBack, told: "## Procedure: Returns"},
	{path: "procedures/", field: "criteria", row: returns, to: "It is whole.", says: moneyBack,
		told: "It applies when: It is whole."},
	{path: "procedures/", field: "allowed_actions", row: returns, to: []string{"Another"},
		with: map[string][]object{"actions/": {{
			"name": "Tag", "action_type": "add_tag", "trigger_on": "message_received",
			"config": object{"tag": "returns"},
		}}}, says: moneyBack, look: "contacts/{contact}/", loses: `"tags":["returns"]`},
	{path: "procedures/", field: "instructions", row: returns, to: "Ask for the reason.", says: moneyBack,
		untold: "Ask for the number.", told: "Ask for the reason."},
}

var (
	discounts = object{"title": "Discounts", "content": "Promise none."}
	hello     = []string{"Hello"}
)

var guidanceEffects = []effect{
	{path: "guidance/", field: "category", row: discounts, to: "Prices", says: hello,
		told: "## Rule on Prices: Discounts"},
	{path: "guidance/", field: "title", row: discounts, to: "Rebates", says: hello, told: "Rebates"},
	{path: "guidance/", field: "content", row: discounts, to: "Promise little.", says: hello,
		untold: "Promise none.", told: "Promise little."},
	{path: "guidance/", field: "priority", row: discounts, to: 9,
		with: map[string][]object{"guidance/": {{"title": "Manners", "content": "Be kind.", "priority": 5}}},
		says: hello, untold: "Be kind.\n\n## Rule: Discounts", told: "Promise none.\n\n## Rule: Manners"},
	{path: "guidance/", field: "roles", row: discounts, to: []string{"sales"}, says: hello,
		told: "In these roles alone: sales\nPromise none."},
	{path: "guidance/", field: "stages", row: discounts, to: []string{"customer"},
		with: map[string][]object{"journey-stages/": {{"stage_key": "lead"}}}, says: hello,
		untold: "Promise none."},
	{path: "guidance/", field: "stages", row: discounts, to: []string{"decision"},
		with: map[string][]object{"journey-stages/": {{"stage_key": "decision", "instructions": "Compare."}}},
		says: hello, told: "In these stages alone: decision\nPromise none."},
}

var sales = object{"role_key": "sales", "instructions": "Ask about the use."}

var roleEffects = []effect{
	{path: "roles/", field: "role_key", row: sales, to: "advice", says: hello, untold: "## Role: sales",
		told: "## Role: advice"},
	{path: "roles/", field: "name", row: sales, to: "Sales adviser", says: hello,
		told: "## Role: Sales adviser"},
	{path: "roles/", field: "description", row: sales, to: "Somebody asks what to buy.", says: hello,
		told: "You play it when: Somebody asks what to buy."},
	{path: "roles/", field: "instructions", row: sales, to: "Ask about the budget.", says: hello,
		untold: "Ask about the use.", told: "Ask about the budget."},
}

var decision = object{"stage_key": "decision", "instructions": "Compare two models."}

var stageEffects = []effect{
	{path: "journey-stages/", field: "stage_key", row: and(decision, object{"name": "Deciding"}), to: "lead",
		with: map[string][]object{"guidance/": {{"title": "Leads", "content": "Be patient.",
			"stages": []string{"decision"}}}}, says: hello, untold: "Be patient."},
	{path: "journey-stages/", field: "name", row: decision, to: "Deciding", says: hello,
		told: "## Stage of the person: Deciding"},
	{path: "journey-stages/", field: "instructions", row: decision, to: "Name one model.", says: hello,
		untold: "Compare two models.", told: "Name one model."},
	{path: "journey-stages/", field: "order", row: decision, to: 9,
		with: map[string][]object{"journey-stages/": {{"stage_key": "use", "instructions": "Ask how it goes.",
			"order": 5}}},
		says: hello, untold: "Compare two models.\n\n## Stage of the person: use",
		told: "Ask how it goes.\n\n## Stage of the person: decision"},
}

const steps = "funnels/{funnel_id}/steps/"

var (
	finder    = object{"name": "Finder", "trigger_keyword": "find my bike"}
	beginning = []string{"I want to find my bike"}
	first     = map[string][]object{"steps/": {{"content": "Let us see."}}}
	inFinder  = map[string][]object{"funnels/": {finder}}
)

var funnelEffects = []effect{
	{path: "funnels/", field: "trigger_keyword", row: finder, from: "sauna", to: "find my bike", below: first,
		says: beginning, gets: "Let us see."},
	{path: "funnels/", field: "is_active", row: finder, from: false, to: true, below: first, says: beginning,
		gets: "Let us see."},

	{path: steps, field: "content", row: object{"content": "Let us see."}, to: "Let me think.",
		with: inFinder, says: beginning, loses: "Let us see.", gets: "Let me think."},
	{path: steps, field: "step_type", row: object{"content": "Let us see."}, from: "message", to: "handoff",
		with: inFinder, says: beginning, gets: `"action":"handoff"`},
	{path: steps, field: "order", row: object{"content": "One."}, from: 1, to: 9,
		with: map[string][]object{"funnels/": {finder}, steps: {{"content": "Two.", "order": 5}}},
		says: beginning, loses: `One.\n\nTwo.`, gets: `Two.\n\nOne.`},
	{path: steps, field: "save_response_to", row: object{"content": "What for?", "step_type": "question"},
		to: "purpose", with: inFinder, says: []string{"I want to find my bike", "Commuting"},
		look: "contacts/{contact}/", gets: `"purpose":"Commuting"`},
	{path: steps, field: "delay_seconds", row: object{"content": "Let us see."}, from: 0, to: 60,
		with: inFinder, says: beginning, loses: "Let us see."},
}

var (
	tagging = object{"name": "Tag", "action_type": "add_tag", "trigger_on": "message_received",
		"config": object{"tag": "vip"}}
	greeting = object{"name": "Greet", "action_type": "send_message", "trigger_on": "message_received",
		"config": object{"message": "Welcome!"}}
	twice = []string{"Hello", "Hello"}
)

// when is a condition of an action.
func when(field, operator, value string) object {
	return object{"field": field, "operator": operator, "value": value}
}

const (
	tagged   = "contacts/{contact}/"
	messages = "conversations/{conversation}/messages/"
)

var actionEffects = []effect{
	{path: "actions/", field: "name", row: tagging, to: "Another",
		with: map[string][]object{"procedures/": {{"name": "Greeting", "triggers": []string{"hello"},
			"allowed_actions": []string{"Tag"}}}}, says: hello, look: tagged, loses: `["vip"]`},
	{path: "actions/", field: "action_type", row: tagging, to: "handoff", says: hello, look: tagged,
		loses: `["vip"]`},
	{path: "actions/", field: "trigger_on", row: tagging, from: "handoff", to: "message_received",
		says: hello, look: tagged, gets: `["vip"]`},
	{path: "actions/", field: "config", row: tagging, to: object{"tag": "new"}, says: hello, look: tagged,
		loses: `["vip"]`, gets: `["new"]`},
	{path: "actions/", field: "conditions.field", row: tagging, from: when("intent", "contains", "hello"),
		to: when("message", "contains", "hello"), says: hello, look: tagged, gets: `["vip"]`},
	{path: "actions/", field: "conditions.operator", row: tagging,
		from: when("message", "not_contains", "hello"), to: when("message", "contains", "hello"), says: hello,
		look: tagged, gets: `["vip"]`},
	{path: "actions/", field: "conditions.value", row: tagging, from: when("message", "contains", "sauna"),
		to: when("message", "contains", "hello"), says: hello, look: tagged, gets: `["vip"]`},
	{path: "actions/", field: "cooldown_seconds", row: greeting, to: 60, says: twice, look: messages,
		loses: `"count":6`, gets: `"count":5`},
	{path: "actions/", field: "max_per_contact", row: greeting, to: 1, says: twice, look: messages,
		loses: `"count":6`, gets: `"count":5`},
	{path: "actions/", field: "max_per_day", row: greeting, to: 1, says: twice, look: messages,
		loses: `"count":6`, gets: `"count":5`},
	{path: "actions/", field: "is_active", row: tagging, from: true, to: false, says: hello, look: tagged,
		loses: `["vip"]`},
}
