package email

import (
	"context"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/channeltest"
	"frontdesk/shared/secret"
)

const password = "a-password-of-posts"

// connection is that of a shop.
var connection = channel.Connection{
	AccountID: 7, AgentID: 8, URL: "https://desk.example/api/v1/inbound/8/email/",
	Texts: map[channel.Setting]string{
		channel.From: "hello@acme.example", channel.InboundAddress: "desk@acme.example",
	},
	Secrets: map[channel.Setting]secret.Plain{channel.InboundSecret: password},
}

func bySES(address string) *Provider {
	config := aws.Config{Region: "eu-west-1", Credentials: aws.CredentialsProviderFunc(
		func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: password}, nil
		})}
	if address != "" {
		config.BaseEndpoint = &address
	}
	return New(Config{SES: config})
}

func signedIn(r *channel.Request) {
	req := http.Request{Header: r.Header}
	req.SetBasicAuth("anybody", password)
}

// TestProvider runs the suite of all providers.
func TestProvider(t *testing.T) {
	const batch = `{"From":"ada@example.com","FromFull":{"Email":"ada@example.com","Name":"Ada"},` +
		`"MessageID":"73e6d360","Subject":"Hours","TextBody":"Open?",` +
		`"Headers":[{"Name":"X-A","Value":"b"}],` +
		`"Attachments":[{"Name":"a.txt","Content":"aGk=","ContentType":"text/plain"}]}`
	channeltest.Run(t, channeltest.Subject{
		New:        func(address string) channel.Provider { return bySES(address) },
		Connection: connection, Credential: channel.InboundSecret, Sign: signedIn, Password: true,
		To: "ada@example.com", Batch: batch, IDs: []string{"<73e6d360@inbound.postmarkapp.com>"},
		Unknown: []string{
			`{"From":"no address at all","TextBody":"x"}`,
			"From: MAILER-DAEMON@example.com\r\nContent-Type: multipart/report; " +
				"report-type=delivery-status; " +
				"boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nStatus: " +
				"5.1.1\r\n--b--\r\n",
		},
		Refusals: []channeltest.Refusal{
			channeltest.Refuse("too many mails", 429,
				`{"__type":"TooManyRequestsException","message":"Slow down"}`,
				channel.Transient),
			channeltest.Refuse("the day's limit", 400, `{"__type":"LimitExceededException","message":"x"}`,
				channel.Transient),
			channeltest.Refuse("rejected", 400, `{"__type":"MessageRejected","message":"not verified: %s"}`,
				channel.Rejected),
			channeltest.Refuse("not verified", 400, `{"__type":"MailFromDomainNotVerifiedException"}`,
				channel.Reconnect),
			channeltest.Refuse("no right to send", 403, `{"__type":"AccessDeniedException","Message":"%s"}`,
				channel.Reconnect),
		},
	})
}
