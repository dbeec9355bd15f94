package agents

import "frontdesk/shared/agent"

// A template is what a new agent of an industry begins with.
type template struct {
	tone       agent.Tone
	conversion agent.ConversionMode

	booking, leads, shop bool // features
	// Capabilities. All agents may quote prices that they know unless silentOnPrices, and share links that they know.
	recommend, orders, silentOnPrices, smallTalk bool

	english texts
}

// texts are the part of a template that is in a language. Those that an industry leaves empty are the common ones.
type texts struct {
	services                        []string
	hours                           string
	greeting, fallback, handoff     string
	callToAction, questions         string // for sales
	instructions, restricted        string
	handoffKeywords, urgentKeywords string
	// faqs are questions that people of the industry hear. The business answers them: an FAQ without an answer is not
	// used.
	faqs []string
}

// Texts of all industries.
const (
	commonGreeting   = "Hello! How can I help you?"
	commonFallback   = "I am not sure about that. Could you put it another way, or shall I pass your question on to a colleague?"
	commonHandoff    = "I am bringing in a colleague. Please stay with us: the answer will come here."
	commonOutOfHours = "We are closed right now. Leave your question and we will answer when we are back."
	commonGoodbye    = "Thank you for writing to us. Have a nice day!"
	commonOptOut     = "stop, unsubscribe"
)

// apply gives an agent what the template has. The texts are for agents that speak English: in another language the
// model's own are better.
func (t template) apply(a *agent.Agent) {
	a.Tone, a.ConversionMode = t.tone, t.conversion
	a.BookingEnabled, a.LeadCaptureEnabled, a.EcommerceEnabled = t.booking, t.leads, t.shop
	a.CapabilityQuotePrices = !t.silentOnPrices
	a.CapabilityRecommendProducts = t.recommend
	a.CapabilityTakeOrders = t.orders
	a.CapabilityShareLinks = true
	a.CapabilitySmallTalk = t.smallTalk
	if a.Language != agent.English {
		return
	}
	e := t.english
	a.AvailableServices = append(a.AvailableServices, e.services...)
	a.AssumedServices = len(e.services) > 0
	a.BusinessHours, a.AssumedHours = e.hours, e.hours != ""
	a.GreetingMessage = either(e.greeting, commonGreeting)
	a.FallbackMessage = either(e.fallback, commonFallback)
	a.HandoffMessage = either(e.handoff, commonHandoff)
	a.OutOfHoursMessage = commonOutOfHours
	a.GoodbyeMessage = commonGoodbye
	a.CallToAction, a.AssumedCallToAction = e.callToAction, e.callToAction != ""
	a.QualifyingQuestions, a.AssumedQuestions = e.questions, e.questions != ""
	a.Instructions, a.RestrictedTopics = e.instructions, e.restricted
	a.HandoffKeywords, a.UrgentKeywords, a.OptOutKeywords = e.handoffKeywords, e.urgentKeywords, commonOptOut
	for _, question := range e.faqs {
		a.FAQs = append(a.FAQs, agent.FAQ{Question: question})
	}
}

func either(text, common string) string {
	if text != "" {
		return text
	}
	return common
}

// templateOf is the template of an industry. That of General knows nothing of the business.
func templateOf(industry agent.Industry) template {
	switch industry {
	case agent.Restaurant:
		return template{
			tone: agent.Friendly, conversion: agent.ConvertBooking,
			booking: true, recommend: true, orders: true, smallTalk: true,
			english: texts{
				services:        []string{"Table reservations", "Takeaway", "Private events"},
				hours:           "Tuesday to Sunday 12:00-15:00 and 19:00-23:00, closed on Monday",
				greeting:        "Hello! Would you like to book a table, or do you have a question about the menu?",
				callToAction:    "Book a table",
				questions:       "For which day and time? For how many people? Are there allergies or a special occasion?",
				instructions:    "About allergens and ingredients say only what you were told. When in doubt, ask the person to speak to the staff before ordering.",
				handoffKeywords: "complaint, allergic reaction, large group, private event",
				urgentKeywords:  "allergic reaction, running late, food poisoning",
				faqs: []string{
					"Do you take reservations, and for how many people?",
					"Do you have vegetarian, vegan or gluten-free dishes?",
					"Can you cater for allergies?",
					"Is there a menu for children?",
					"Do you have tables outside?",
					"Do you deliver or offer takeaway?",
					"Where can I park?",
					"Are dogs welcome?",
				},
			},
		}
	case agent.Retail:
		return template{
			tone: agent.Friendly, conversion: agent.ConvertSale,
			leads: true, shop: true, recommend: true, orders: true, smallTalk: true,
			english: texts{
				services:        []string{"Sales advice", "Delivery", "Returns and exchanges"},
				hours:           "Monday to Saturday 10:00-20:00, closed on Sunday",
				greeting:        "Hello! Are you looking for something in particular?",
				callToAction:    "Order online or visit the shop",
				questions:       "What is it for? Which size or version? Is there a budget?",
				instructions:    "Say that something is in stock only when you were told so.",
				handoffKeywords: "complaint, refund, damaged, wrong item",
				urgentKeywords:  "wrong address, cancel my order",
				faqs: []string{
					"How long does delivery take, and what does it cost?",
					"How can I return or exchange an item?",
					"How long does a refund take?",
					"Which ways of payment do you accept?",
					"Where is my order?",
					"Can I collect my order in the shop?",
					"Do you offer a guarantee?",
				},
			},
		}
	case agent.RealEstate:
		return template{
			tone: agent.Professional, conversion: agent.ConvertLead,
			booking: true, leads: true, recommend: true,
			english: texts{
				services:        []string{"Sales", "Rentals", "Valuations", "Viewings"},
				hours:           "Monday to Friday 9:30-18:30, Saturday 10:00-14:00",
				greeting:        "Hello! Are you looking to buy, rent or sell?",
				callToAction:    "Arrange a viewing or a valuation",
				questions:       "Buy, rent or sell? Which area? How many rooms? Which budget? By when?",
				instructions:    "Do not promise that a property is still available: offer to check. Treat everyone alike, and do not describe neighbourhoods by the people who live there.",
				restricted:      "Legal and tax advice",
				handoffKeywords: "make an offer, contract, deposit",
				urgentKeywords:  "no heating, water leak, locked out",
				faqs: []string{
					"How do I arrange a viewing?",
					"What are your fees?",
					"Which papers do I need to rent?",
					"How much is the deposit?",
					"How do you value my property?",
					"Are pets allowed in the rentals?",
					"Which areas do you cover?",
				},
			},
		}
	case agent.Healthcare:
		return template{
			tone: agent.Empathetic, conversion: agent.ConvertBooking,
			booking: true,
			english: texts{
				services:        []string{"Consultations", "Follow-up visits"},
				hours:           "Monday to Friday 8:30-18:00",
				greeting:        "Hello! I can help with appointments and questions about the practice. In an emergency, please call the emergency number.",
				handoff:         "I am bringing in a colleague from the practice. In an emergency, please call the emergency number instead of waiting here.",
				callToAction:    "Book an appointment",
				questions:       "Is it the first visit? What is the visit about, in a few words? Which days suit?",
				instructions:    "You are not a doctor: give no diagnosis, no advice on treatment or medicines, and no reading of results. To anyone who describes an emergency say first that they should call the emergency number. Ask for no more about a person's health than an appointment needs.",
				restricted:      "Diagnoses, treatment, doses of medicines, results of tests",
				handoffKeywords: "prescription, test results, complaint",
				urgentKeywords:  "emergency, chest pain, cannot breathe, bleeding, severe pain, suicide",
				faqs: []string{
					"Are you taking new patients?",
					"Which insurance do you accept?",
					"What should I bring to my first visit?",
					"How do I cancel or move an appointment?",
					"How do I get a repeat prescription?",
					"Do you offer visits by video?",
					"What do I do outside your opening hours?",
				},
			},
		}
	case agent.Beauty:
		return template{
			tone: agent.Friendly, conversion: agent.ConvertBooking,
			booking: true, leads: true, recommend: true, smallTalk: true,
			english: texts{
				services:        []string{"Haircut", "Colouring", "Manicure", "Facial treatment"},
				hours:           "Tuesday to Saturday 10:00-19:00",
				greeting:        "Hello! Which treatment may I book for you?",
				callToAction:    "Book an appointment",
				questions:       "Which treatment? Which day and time? With anyone in particular?",
				instructions:    "For skin complaints, allergies and pregnancy ask the person to speak to the staff before booking.",
				handoffKeywords: "complaint, allergic reaction, refund",
				urgentKeywords:  "allergic reaction, running late",
				faqs: []string{
					"How do I cancel or move an appointment?",
					"Do I need an appointment, or can I walk in?",
					"Do I need a patch test before colouring?",
					"Which products do you use?",
					"Do you sell gift vouchers?",
					"Which ways of payment do you accept?",
				},
			},
		}
	case agent.Fitness:
		return template{
			tone: agent.Enthusiastic, conversion: agent.ConvertLead,
			booking: true, leads: true, recommend: true, smallTalk: true,
			english: texts{
				services:        []string{"Memberships", "Group classes", "Personal training", "Trial session"},
				hours:           "Monday to Friday 6:30-22:00, Saturday and Sunday 9:00-20:00",
				greeting:        "Hello! Ready to move? Ask me about classes, memberships or a trial session.",
				callToAction:    "Book a trial session",
				questions:       "What is the goal? Any experience? Which times of the day suit?",
				instructions:    "Give no medical advice: people with injuries or illnesses should ask their doctor first.",
				restricted:      "Medical advice, diets for illnesses",
				handoffKeywords: "cancel my membership, injury, complaint",
				urgentKeywords:  "injury, accident",
				faqs: []string{
					"What does a membership cost, and what is included?",
					"Can I try it before I join?",
					"How do I cancel or freeze my membership?",
					"Which classes are there, and when?",
					"Are there showers and lockers?",
					"Is there an age limit?",
				},
			},
		}
	case agent.Legal:
		return template{
			tone: agent.Formal, conversion: agent.ConvertLead,
			booking: true, leads: true, silentOnPrices: true,
			english: texts{
				services:        []string{"First consultation"},
				hours:           "Monday to Friday 9:00-18:00",
				greeting:        "Good day. How may we help you?",
				callToAction:    "Arrange a first consultation",
				questions:       "Which field of law does it concern? Is there a deadline or a hearing? Who is the other party?",
				instructions:    "Give no legal advice and do not judge the prospects of a case. Say that writing here does not make the firm the person's lawyer. Ask for no more details than the firm needs to call back.",
				restricted:      "Legal advice, prospects of a case, other clients",
				handoffKeywords: "summons, lawsuit, existing case",
				urgentKeywords:  "arrested, court tomorrow, deadline today, served with papers",
				faqs: []string{
					"Which fields of law do you practise?",
					"What does a first consultation cost?",
					"How are your fees worked out?",
					"What should I bring to the first meeting?",
					"Do you meet clients by video?",
					"Is what I write here confidential?",
				},
			},
		}
	case agent.Education:
		return template{
			tone: agent.Friendly, conversion: agent.ConvertLead,
			booking: true, leads: true, recommend: true,
			english: texts{
				services:        []string{"Courses", "Enrolment advice"},
				hours:           "Monday to Friday 9:00-19:00",
				greeting:        "Hello! Are you interested in a course, or already studying with us?",
				callToAction:    "Ask for a place or an information meeting",
				questions:       "Which course? Which level? For whom? When to start?",
				instructions:    "Do not discuss a student's marks or data with anyone here.",
				restricted:      "Marks and data of students",
				handoffKeywords: "complaint, certificate, my marks",
				urgentKeywords:  "exam today, child not collected",
				faqs: []string{
					"Which courses do you offer, and when do they start?",
					"How much do the courses cost?",
					"How do I enrol?",
					"Do I need to know anything beforehand?",
					"Do I get a certificate?",
					"Can I pay in instalments?",
					"Are there lessons online?",
				},
			},
		}
	case agent.Hospitality:
		return template{
			tone: agent.Professional, conversion: agent.ConvertBooking,
			booking: true, leads: true, recommend: true, smallTalk: true,
			english: texts{
				services:        []string{"Rooms", "Breakfast"},
				hours:           "Reception: every day 7:00-23:00",
				greeting:        "Welcome! Are you planning a stay, or are you already with us?",
				callToAction:    "Book a room",
				questions:       "Arrival and departure? How many guests? Which kind of room?",
				instructions:    "Confirm no room and no rate that you were not given. Tell nobody whether somebody is a guest, or in which room.",
				restricted:      "Who stays here",
				handoffKeywords: "complaint, refund, group booking, wedding",
				urgentKeywords:  "locked out, arriving tonight, fire, medical help",
				faqs: []string{
					"When are check-in and check-out?",
					"Is breakfast included?",
					"How can I cancel or change a booking?",
					"Is there parking?",
					"Are pets allowed?",
					"How do I get to you from the airport or the station?",
					"Can I leave my luggage?",
				},
			},
		}
	case agent.Automotive:
		return template{
			tone: agent.Professional, conversion: agent.ConvertBooking,
			booking: true, leads: true, recommend: true,
			english: texts{
				services:        []string{"Inspection and service", "Repairs", "Tyres", "Test drives"},
				hours:           "Monday to Friday 8:00-18:00, Saturday 9:00-13:00",
				greeting:        "Hello! Is it about a service, a repair or a new vehicle?",
				callToAction:    "Book a visit to the workshop or a test drive",
				questions:       "Which make, model and year? Which mileage? What is the fault, or what are you looking for?",
				instructions:    "Quote no price for a repair before the workshop has seen the vehicle. When a fault makes driving unsafe, advise against driving on.",
				handoffKeywords: "complaint, warranty claim, accident",
				urgentKeywords:  "broken down, accident, brakes not working",
				faqs: []string{
					"How long does a service take, and what does it cost?",
					"Which makes do you work on?",
					"Do you lend a car during the repair?",
					"Do you offer a guarantee on repairs?",
					"Do you take cars in part exchange?",
					"Do you offer financing?",
				},
			},
		}
	case agent.HomeServices:
		return template{
			tone: agent.Friendly, conversion: agent.ConvertLead,
			booking: true, leads: true,
			english: texts{
				services:        []string{"Quotations", "Repairs", "Installation", "Maintenance"},
				hours:           "Monday to Friday 8:00-18:00",
				greeting:        "Hello! What needs doing at your place?",
				callToAction:    "Ask for a visit or a quotation",
				questions:       "What is to be done? Where? How urgent is it? Are there photographs?",
				instructions:    "On gas, fire or live wires tell the person to leave the place and call the emergency number first. Quote no final price before a visit.",
				handoffKeywords: "complaint, insurance, invoice",
				urgentKeywords:  "emergency, gas leak, burst pipe, flooding, no heating, sparks",
				faqs: []string{
					"Which areas do you serve?",
					"What does a visit cost?",
					"How soon can you come?",
					"Do you come at night and at weekends?",
					"Is your work guaranteed?",
					"Are you insured and certified?",
				},
			},
		}
	case agent.Finance:
		return template{
			tone: agent.Professional, conversion: agent.ConvertLead,
			booking: true, leads: true, silentOnPrices: true,
			english: texts{
				services:        []string{"First consultation"},
				hours:           "Monday to Friday 9:00-17:00",
				greeting:        "Hello! How can I help you?",
				callToAction:    "Arrange a consultation",
				questions:       "What is it about? Private or business? By when?",
				instructions:    "Give no advice on investments, credit or tax, and forecast nothing. Never ask for passwords, card numbers or codes, and ask people not to send them.",
				restricted:      "Advice on investments, tax advice, data of accounts",
				handoffKeywords: "complaint, dispute, close my account",
				urgentKeywords:  "fraud, stolen card, lost card, hacked",
				faqs: []string{
					"Which services do you offer?",
					"What does a consultation cost?",
					"Which papers do I need?",
					"How do you charge for your work?",
					"How do you protect my data?",
					"Are you licensed, and by whom?",
				},
			},
		}
	case agent.Travel:
		return template{
			tone: agent.Enthusiastic, conversion: agent.ConvertSale,
			booking: true, leads: true, recommend: true, smallTalk: true,
			english: texts{
				services:        []string{"Package holidays", "Flights and hotels", "Excursions"},
				hours:           "Monday to Friday 9:30-19:00, Saturday 10:00-14:00",
				greeting:        "Hello! Where shall the journey go?",
				callToAction:    "Ask for an offer",
				questions:       "Where to, and when? How many travellers? Which budget? What matters most?",
				instructions:    "For visas, vaccinations and safety refer to the official authorities. Confirm no price and no place that you were not given.",
				handoffKeywords: "complaint, refund, cancel my trip, visa",
				urgentKeywords:  "stranded, missed flight, lost passport, emergency",
				faqs: []string{
					"How do I cancel or change a booking?",
					"Is travel insurance included?",
					"Which papers do I need?",
					"How and when do I pay?",
					"Whom do I call during the journey?",
					"Are there prices for children or groups?",
				},
			},
		}
	case agent.Technology:
		return template{
			tone: agent.Professional, conversion: agent.ConvertLead,
			booking: true, leads: true, recommend: true,
			english: texts{
				services:        []string{"Product demonstrations", "Technical support"},
				hours:           "Monday to Friday 9:00-18:00",
				greeting:        "Hello! Do you have a question about the product, or do you need support?",
				callToAction:    "Book a demonstration",
				questions:       "What should it solve? How large is the team? What is in use today?",
				instructions:    "For faults ask what happened, since when, and for the exact message. Never ask for passwords or keys.",
				handoffKeywords: "bug, refund, cancel my subscription, security",
				urgentKeywords:  "outage, system down, data loss, security breach",
				faqs: []string{
					"What does it cost?",
					"Is there a trial?",
					"What does it work together with?",
					"How do I get support?",
					"Where is my data kept?",
					"How do I cancel?",
				},
			},
		}
	}
	return template{
		tone: agent.Friendly, conversion: agent.ConvertNothing,
		leads: true, recommend: true, smallTalk: true,
		english: texts{
			faqs: []string{
				"What do you offer?",
				"When are you open?",
				"Where are you?",
				"How can I reach you?",
				"What does it cost?",
				"Which ways of payment do you accept?",
			},
		},
	}
}
