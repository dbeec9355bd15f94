// Package email implements the e-mail channel. Mail is sent by SES, or by an SMTP server if one is
// configured, and received as posts of inbound services.
package email

import (
	"context"
	"net/mail"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"

	"frontdesk/shared/channel"
)

const (
	// maxBody is the size limit of an inbound service's post in bytes.
	maxBody = 6 << 20
	// maxText is the limit of a mail's text in characters.
	maxText = 100_000
	// minInboundSecret is the least length of the password of posts in characters.
	minInboundSecret = 16
	// idle is how long after its last message a conversation continues by its thread.
	idle = 30 * 24 * time.Hour
)

// Config configures how mail is sent.
type Config struct {
	// SMTP is the address of a server, smtp://user:password@host:port or smtps://…; "" sends by SES.
	SMTP string
	// SES configures SES: its region, credentials, and the address of an emulator.
	SES aws.Config
}

// A Provider implements the channel. It is safe for concurrent use.
type Provider struct {
	out transport
	// unavailable is why nothing can be sent, or "".
	unavailable string
	now         func() time.Time
}

// A transport sends a composed mail.
type transport interface {
	// send returns the transport's id of the mail; "" if that is its Message-ID. The error is a
	// *channel.Error.
	send(ctx context.Context, e envelope) (id string, err error)
	// check tests whether mail from an address would be accepted.
	check(ctx context.Context, from string) []channel.Finding
}

// An envelope is a mail with what the transport needs.
type envelope struct {
	from, to string // bare addresses
	bounces  string // where reports go that it could not be delivered; "" where from may get them
	ref      string // channel.Message.Ref
	data     []byte
}

// New returns the channel. If neither transport is configured, agents can connect and receive, but sending
// fails.
func New(config Config) *Provider {
	p := &Provider{now: time.Now}
	switch {
	case config.SMTP != "":
		server, problem := parseSMTP(config.SMTP)
		if problem != "" {
			p.unavailable = problem
			break
		}
		p.out = server
	case config.SES.Region != "" && config.SES.Credentials != nil:
		p.out = newSES(config.SES)
	default:
		p.unavailable = "This service sends no e-mail: neither SES nor SMTP_URL is set up."
	}
	return p
}

// Unavailable implements channel.Conditional.
func (p *Provider) Unavailable() string { return p.unavailable }

// Info implements channel.Provider.
func (p *Provider) Info() channel.Info {
	return channel.Info{
		Type: channel.Email,
		Fields: []channel.Field{
			{
				Setting: channel.From, Required: true, Read: channel.ReadAddress,
				Example: "hello@acme.example",
				Doc:     "The address that messages come from. The name beside it is that of the business.",
			},
			{
				Setting: channel.InboundAddress, Read: channel.ReadAddress, Example: "desk@in.acme.example",
				Doc: "The address at which the inbound service takes messages. Replies are sent there.",
			},
			{
				Setting: channel.InboundSecret, Secret: true, Read: readInboundSecret,
				Example: "0123456789abcdef",
				Doc:     "The password of posts that bring messages, at least 16 characters.",
			},
			{
				Setting: channel.SigningKey, Secret: true, Read: channel.ReadSecret,
				Example: "0123456789abcdef", Doc: "What Mailgun signs its posts with.",
			},
		},
		OnPlatform: true, Text: channel.Limit{Max: maxText}, Idle: idle, MaxBody: maxBody, Threads: true,
	}
}

func readInboundSecret(s string) (string, string) {
	if utf8.RuneCountInString(s) < minInboundSecret {
		return "", "must have at least 16 characters"
	}
	return channel.ReadSecret(s)
}

// domain returns the part of an address after the last @, in lower case.
func domain(address string) string {
	return strings.ToLower(address[strings.LastIndexByte(address, '@')+1:])
}

// Send implements channel.Provider.
func (p *Provider) Send(
	ctx context.Context, c channel.Connection, m channel.Message,
) (channel.Receipt, error) {
	if p.out == nil {
		return channel.Receipt{}, &channel.Error{Class: channel.Rejected, Detail: p.unavailable}
	}
	from, to := mail.Address{Name: oneLine(m.FromName), Address: c.Text(channel.From)},
		channel.MailAddress(m.To)
	if from.Address == "" || !deliverable(to) {
		return channel.Receipt{}, &channel.Error{
			Class: channel.Rejected, Detail: "The message has no valid e-mail address to go to.",
		}
	}
	data, messageID := compose(c, from, to, m, p.now())
	e := envelope{from: from.Address, to: to, bounces: bounceAddress(c, m), ref: m.Ref, data: data}
	id, err := p.out.send(ctx, e)
	if err != nil {
		return channel.Receipt{}, err
	}
	if id == "" {
		id = messageID
	}
	return channel.Receipt{ID: id}, nil
}

// deliverable reports whether mail can be sent to an address: it has a host, and no special meaning to mail
// servers.
func deliverable(address string) bool {
	a, err := mail.ParseAddress(address)
	return err == nil && a.Address == address && !strings.ContainsAny(address, "\r\n<>") &&
		domain(address) != ""
}

// Check implements channel.Provider.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	findings := []channel.Finding{{Name: channel.CredentialsCheck, Detail: p.unavailable}}
	if p.out != nil {
		findings = p.out.check(ctx, c.Text(channel.From))
	}
	receiving := channel.Finding{
		Name: "receiving", OK: true,
		Detail: "Have the inbound service post to " + address(c) +
			", with any user and inbound_secret as the password.",
	}
	switch {
	case c.Text(channel.InboundAddress) == "":
		receiving.OK = false
		receiving.Detail = "Set inbound_address, so that replies come here and not to " +
			c.Text(channel.From) + "."
	case c.Secret(channel.InboundSecret) == "":
		receiving.OK = false
		receiving.Detail = "Set inbound_secret, so that the inbound service can post messages and " +
			"replies find their conversation."
	}
	return append(findings, receiving)
}

// address returns the URL that inbound services post to.
func address(c channel.Connection) string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return c.URL
	}
	u.User = nil
	return u.String()
}
