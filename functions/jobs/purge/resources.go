package purge

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/attachment"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/resource"
	"frontdesk/shared/unanswered"
	"frontdesk/shared/webhook"
)

// resources returns those of all packages in the order in which they are purged. A new one is a line here.
// The agent's own items come last: its webhooks are among them, and so is the mark that makes what is left
// inaccessible.
func resources() []resource.Resource {
	return []resource.Resource{
		knowledge.Resource(),
		unanswered.Resource(),
		contact.Resource(),
		webhook.Resource(),
		playbook.Resource(),
		appointment.Resource(),
		attachment.Resource(),
		conversation.Resource(),
		counter.Resource(),
		agent.Resource(),
	}
}
