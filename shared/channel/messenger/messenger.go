// Package messenger implements the Messenger channel of a Facebook page.
package messenger

import (
	"context"
	"net/url"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
	"frontdesk/shared/channel/internal/messaging"
)

// maxText is how many bytes a text may have. Meta says 2,000 characters and counts some of them as several.
const maxText = 2000

// A Provider implements the channel. It is safe for concurrent use.
type Provider struct{ messaging.Base }

// New returns the channel with the Graph API at an address; "" means Meta's.
func New(address string) *Provider {
	if address == "" {
		address = graph.Origin
	}
	client := graph.New("Messenger", address)
	return &Provider{messaging.Base{
		Type: channel.Messenger, Object: "page", MaxText: maxText, EchoesRef: true,
		Fields: []channel.Field{{
			Setting: channel.PageID, Required: true, Read: channel.ReadID, Example: "102290129340398",
			Doc: "Meta's id of the page.",
		}},
		Reach: func(c channel.Connection) (*graph.Client, string) {
			return client, url.PathEscape(c.Text(channel.PageID))
		},
	}}
}

// Check implements channel.Provider.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	var page struct {
		Name string `json:"name"`
	}
	client, path := p.Reach(c)
	if err := client.Call(ctx, path+"?fields=name", c.Secret(channel.AccessToken), nil, &page); err != nil {
		return []channel.Finding{channel.CredentialsFinding(err)}
	}
	return append([]channel.Finding{{
		Name: channel.CredentialsCheck, OK: true,
		Detail: "Messenger knows the page " + channel.CleanText(page.Name) + ".",
	}}, p.CheckReceiving(ctx, c)...)
}
