package assistant

import (
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/assistant/skill/appointments"
	"frontdesk/shared/assistant/skill/complaint"
	"frontdesk/shared/assistant/skill/contact"
	"frontdesk/shared/assistant/skill/emergency"
	"frontdesk/shared/assistant/skill/funnels"
	"frontdesk/shared/assistant/skill/handover"
	"frontdesk/shared/assistant/skill/hours"
	"frontdesk/shared/assistant/skill/identity"
	"frontdesk/shared/assistant/skill/knowledge"
	"frontdesk/shared/assistant/skill/leads"
	"frontdesk/shared/assistant/skill/offers"
	"frontdesk/shared/assistant/skill/optout"
	"frontdesk/shared/assistant/skill/orders"
	"frontdesk/shared/assistant/skill/products"
	"frontdesk/shared/assistant/skill/quickanswers"
	"frontdesk/shared/assistant/skill/repeat"
	"frontdesk/shared/assistant/skill/restricted"
	"frontdesk/shared/assistant/skill/services"
	"frontdesk/shared/assistant/skill/smalltalk"
	"frontdesk/shared/assistant/skill/unreadable"
)

// skills lists everything that an assistant can do. The order matters only between equal probabilities.
var skills = [...]skill.Skill{
	optout.Skill{},
	unreadable.Skill{},
	handover.Skill{},
	funnels.Skill{},
	appointments.Skill{},
	quickanswers.Skill{},
	leads.Skill{},
	emergency.Skill{},
	complaint.Skill{},
	identity.Skill{},
	repeat.Skill{},
	restricted.Skill{},
	orders.Skill{},
	products.Skill{},
	services.Skill{},
	offers.Skill{},
	hours.Skill{},
	contact.Skill{},
	smalltalk.Skill{},
	knowledge.Skill{},
}
