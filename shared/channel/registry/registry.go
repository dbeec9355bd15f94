// Package registry has the providers of all channels. A further channel is a package beside these and a line
// here.
package registry

import (
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/api"
	"frontdesk/shared/channel/instagram"
	"frontdesk/shared/channel/messenger"
	"frontdesk/shared/channel/sms"
	"frontdesk/shared/channel/webchat"
	"frontdesk/shared/channel/whatsapp"
)

// Addresses are where the platforms are called; those that are "" are the platforms' own.
type Addresses struct {
	Graph          string // META_GRAPH_URL
	InstagramGraph string // INSTAGRAM_GRAPH_URL
	Twilio         string // TWILIO_API_URL
	SES            string // AWS_ENDPOINT_URL_SESV2
	SMTP           string // SMTP_URL; e-mail goes out by SES where it is ""
}

// FromEnvironment reads the addresses from variables of the environment.
func FromEnvironment(get func(string) string) Addresses {
	return Addresses{
		Graph: get("META_GRAPH_URL"), InstagramGraph: get("INSTAGRAM_GRAPH_URL"),
		Twilio: get("TWILIO_API_URL"),
		SES:    get("AWS_ENDPOINT_URL_SESV2"), SMTP: get("SMTP_URL"),
	}
}

// New returns the registry of all channels, in the order in which they are listed.
func New(a Addresses) *channel.Registry {
	return channel.NewRegistry(
		whatsapp.New(a.Graph),
		email{},
		sms.New(a.Twilio),
		instagram.New(a.Graph, a.InstagramGraph),
		messenger.New(a.Graph),
		webchat.New(),
		api.New(),
	)
}
