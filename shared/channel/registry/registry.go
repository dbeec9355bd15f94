// Package registry has the providers of all channels. To add a channel, write a package beside these and a
// line here.
package registry

import (
	"cmp"
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/api"
	"frontdesk/shared/channel/email"
	"frontdesk/shared/channel/instagram"
	"frontdesk/shared/channel/messenger"
	"frontdesk/shared/channel/sms"
	"frontdesk/shared/channel/webchat"
	"frontdesk/shared/channel/whatsapp"
)

// Addresses are the addresses of the platforms' APIs; "" means the platform's own.
type Addresses struct {
	Graph          string // META_GRAPH_URL
	InstagramGraph string // INSTAGRAM_GRAPH_URL
	Twilio         string // TWILIO_API_URL
	SMTP           string // SMTP_URL; "" sends e-mail by SES
	// SES configures SES; the zero Config means that it is not used.
	SES aws.Config
}

// FromEnvironment reads the addresses from environment variables.
func FromEnvironment(get func(string) string) Addresses {
	return Addresses{
		Graph: get("META_GRAPH_URL"), InstagramGraph: get("INSTAGRAM_GRAPH_URL"),
		Twilio: get("TWILIO_API_URL"),
		SES:    sesFrom(get), SMTP: get("SMTP_URL"),
	}
}

// sesFrom returns the configuration of SES: the region and credentials in the environment, which Lambda sets.
// An emulator needs neither.
func sesFrom(get func(string) string) aws.Config {
	credentials := aws.Credentials{
		AccessKeyID: get("AWS_ACCESS_KEY_ID"), SecretAccessKey: get("AWS_SECRET_ACCESS_KEY"),
		SessionToken: get("AWS_SESSION_TOKEN"), Source: "environment",
	}
	config := aws.Config{Region: cmp.Or(get("AWS_REGION"), get("AWS_DEFAULT_REGION"))}
	if address := get("AWS_ENDPOINT_URL_SESV2"); address != "" {
		config.BaseEndpoint = &address
		config.Region = cmp.Or(config.Region, "us-east-1")
		if !credentials.HasKeys() {
			credentials.AccessKeyID, credentials.SecretAccessKey = "local", "local"
		}
	}
	if config.Region == "" || !credentials.HasKeys() {
		return aws.Config{}
	}
	config.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return credentials, nil
	})
	return config
}

// New returns the registry of all channels, in display order.
func New(a Addresses) *channel.Registry {
	return channel.NewRegistry(
		whatsapp.New(a.Graph),
		email.New(email.Config{SMTP: a.SMTP, SES: a.SES}),
		sms.New(a.Twilio),
		instagram.New(a.Graph, a.InstagramGraph),
		messenger.New(a.Graph),
		webchat.New(),
		api.New(),
	)
}
