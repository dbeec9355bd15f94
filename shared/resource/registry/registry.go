// Package registry lists the resources of all packages. A further resource is a line here.
package registry

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/resource"
	"frontdesk/shared/unanswered"
	"frontdesk/shared/webhook"
)

// All returns the resources in the order in which they are purged. The agent's own items come last, since its
// webhooks are among them, and so is the mark that keeps what is still there unreadable.
func All() []resource.Resource {
	return []resource.Resource{
		knowledge.Resource(),
		unanswered.Resource(),
		contact.Resource(),
		webhook.Resource(),
		playbook.Resource(),
		appointment.Resource(),
		conversation.Resource(),
		counter.Resource(),
		agent.Resource(),
	}
}
