// Package messenger is the Messenger channel of a Facebook page.
package messenger

import (
	"context"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
)

// maxText is how many bytes a text may have. Meta says 2,000 characters and counts some of them as several.
const maxText = 2000

// A Provider is the channel. It is safe for concurrent use.
type Provider struct{ graph *graph.Client }

// New returns the channel over the Graph API at an address, Meta's own where it is "".
func New(address string) *Provider {
	if address == "" {
		address = graph.Origin
	}
	return &Provider{graph.New("Messenger", address)}
}

// Info implements channel.Provider.
func (p *Provider) Info() channel.Info {
	return channel.Info{
		Type: channel.Messenger,
		Fields: append([]channel.Field{{
			Setting: channel.PageID, Required: true, Read: channel.ReadID, Example: "102290129340398",
			Doc: "Meta's id of the page.",
		}}, graph.Fields()...),
		OnPlatform: true, Window: graph.ServiceWindow, HumanWindow: graph.HumanWindow,
		Text: channel.Limit{Max: maxText, Bytes: true}, Choices: graph.MaxReplies, Idle: 24 * time.Hour,
		MaxBody: graph.MaxBody,
	}
}

// Verify implements channel.Provider.
func (p *Provider) Verify(c channel.Connection, r channel.Request) error { return graph.Verify(c, r) }

// Handshake implements channel.Handshaker.
func (p *Provider) Handshake(c channel.Connection, r channel.Request) (string, error) {
	return graph.Handshake(c, r)
}

// Parse implements channel.Provider.
func (p *Provider) Parse(c channel.Connection, r channel.Request) ([]channel.Update, error) {
	return graph.ParseMessaging("page", c.Text(channel.PageID), r.Body)
}

// Send implements channel.Provider.
func (p *Provider) Send(
	ctx context.Context, c channel.Connection, m channel.Message,
) (channel.Receipt, error) {
	return p.graph.SendMessage(ctx, c, path(c), m, true)
}

// Mark implements channel.Marker.
func (p *Provider) Mark(ctx context.Context, c channel.Connection, to, _ string) error {
	return p.graph.MarkSeen(ctx, c, path(c), to)
}

// Fetch implements channel.Fetcher.
func (p *Provider) Fetch(
	ctx context.Context, _ channel.Connection, a channel.Attachment, maxBytes int64,
) (channel.File, error) {
	return p.graph.Fetch(ctx, a, maxBytes)
}

// Check implements channel.Provider.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	var page struct {
		Name string `json:"name"`
	}
	token := c.Secret(channel.AccessToken)
	if err := p.graph.Call(ctx, path(c)+"?fields=name", token, nil, &page); err != nil {
		return []channel.Finding{channel.CredentialsFinding(err)}
	}
	return append([]channel.Finding{
		{
			Name: channel.CredentialsCheck, OK: true,
			Detail: "Messenger knows the page " + channel.Words(page.Name) + ".",
		},
		p.graph.CheckSubscription(ctx, c, path(c)),
	}, graph.CheckSettings(c)...)
}

func path(c channel.Connection) string { return graph.Escape(c.Text(channel.PageID)) }
