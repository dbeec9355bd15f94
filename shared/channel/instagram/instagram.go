// Package instagram is the Instagram channel, for accounts that are connected by their Facebook page or by
// Instagram Login.
package instagram

import (
	"context"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
	"frontdesk/shared/secret"
)

// maxText is how many bytes of UTF-8 a text may have.
const maxText = 1000

// The values of the setting login.
const (
	byPage      = "page"
	byInstagram = "instagram"
)

// A Provider is the channel. It is safe for concurrent use.
type Provider struct{ page, direct *graph.Client }

// New returns the channel over Meta's APIs at two addresses, Meta's own where they are "": for accounts that
// are connected by their page, and for those by Instagram Login.
func New(pageAddress, directAddress string) *Provider {
	if pageAddress == "" {
		pageAddress = graph.Origin
	}
	if directAddress == "" {
		directAddress = graph.InstagramOrigin
	}
	return &Provider{graph.New("Instagram", pageAddress), graph.New("Instagram", directAddress)}
}

// Info implements channel.Provider.
func (p *Provider) Info() channel.Info {
	return channel.Info{
		Type: channel.Instagram,
		Fields: append([]channel.Field{
			{
				Setting: channel.PageID, Required: true, Read: channel.ReadID, Example: "17841400000000000",
				Doc: "Meta's id of the account, as webhooks bring it.",
			},
			{
				Setting: channel.Login, Read: readLogin, Example: byPage,
				Doc: "How the account is connected: page, the default, by its Facebook page; " +
					"instagram, by Instagram Login.",
			},
		}, graph.Fields()...),
		OnPlatform: true, Window: graph.ServiceWindow, HumanWindow: graph.HumanWindow,
		Text: channel.Limit{Max: maxText, Bytes: true}, Choices: graph.MaxReplies, Idle: 24 * time.Hour,
		MaxBody: graph.MaxBody,
	}
}

func readLogin(s string) (string, string) {
	if s != byPage && s != byInstagram {
		return "", "must be page or instagram"
	}
	return s, ""
}

// reach is the client for a connection, and the path of its account there: a page's token says itself whose
// page it is.
func (p *Provider) reach(c channel.Connection) (*graph.Client, string) {
	if c.Text(channel.Login) == byInstagram {
		return p.direct, graph.Escape(c.Text(channel.PageID))
	}
	return p.page, "me"
}

// Verify implements channel.Provider.
func (p *Provider) Verify(c channel.Connection, r channel.Request) error { return graph.Verify(c, r) }

// Handshake implements channel.Handshaker.
func (p *Provider) Handshake(c channel.Connection, r channel.Request) (string, error) {
	return graph.Handshake(c, r)
}

// Parse implements channel.Provider.
func (p *Provider) Parse(c channel.Connection, r channel.Request) ([]channel.Update, error) {
	return graph.ParseMessaging("instagram", c.Text(channel.PageID), r.Body)
}

// Send implements channel.Provider.
func (p *Provider) Send(
	ctx context.Context, c channel.Connection, m channel.Message,
) (channel.Receipt, error) {
	client, path := p.reach(c)
	return client.SendMessage(ctx, c, path, m, false)
}

// Mark implements channel.Marker.
func (p *Provider) Mark(ctx context.Context, c channel.Connection, to, _ string) error {
	client, path := p.reach(c)
	return client.MarkSeen(ctx, c, path, to)
}

// Fetch implements channel.Fetcher.
func (p *Provider) Fetch(
	ctx context.Context, _ channel.Connection, a channel.Attachment, maxBytes int64,
) (channel.File, error) {
	return p.page.Fetch(ctx, a, maxBytes)
}

// Check implements channel.Provider.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	client, path := p.reach(c)
	token := c.Secret(channel.AccessToken)
	var account struct {
		UserID graph.ID `json:"user_id"`
		Name   string   `json:"username"`
	}
	if c.Text(channel.Login) != byInstagram {
		var page struct {
			Account struct {
				ID graph.ID `json:"id"`
			} `json:"instagram_business_account"`
		}
		if err := client.Call(ctx, "me?fields=instagram_business_account", token, nil, &page); err != nil {
			return []channel.Finding{channel.CredentialsFinding(err)}
		}
		account.UserID = page.Account.ID
	} else if err := client.Call(ctx, "me?fields=user_id,username", token, nil, &account); err != nil {
		return []channel.Finding{channel.CredentialsFinding(err)}
	}
	findings := []channel.Finding{
		{Name: channel.CredentialsCheck, OK: true, Detail: "Instagram accepts the access token."},
	}
	if id := string(account.UserID); id != c.Text(channel.PageID) {
		findings = append(findings, channel.Finding{
			Name: "account", Detail: "The access token is of the account " + channel.Words(id) + ", not of " +
				c.Text(channel.PageID) + ".",
		})
	}
	findings = append(findings, client.CheckSubscription(ctx, c, path))
	return append(findings, graph.CheckSettings(c)...)
}

// dueAfter is the age at which a token of Instagram Login is exchanged, of the 60 days that it lives.
const dueAfter = 30 * 24 * time.Hour

// Refresh implements channel.Refresher: the token of Instagram Login ends after 60 days, that of a page does
// not.
func (p *Provider) Refresh(
	ctx context.Context, c channel.Connection, age time.Duration,
) (map[channel.Setting]secret.Plain, error) {
	if c.Text(channel.Login) != byInstagram || age < dueAfter {
		return nil, nil
	}
	var fresh struct {
		Token string `json:"access_token"`
	}
	token := c.Secret(channel.AccessToken)
	const path = "refresh_access_token?grant_type=ig_refresh_token"
	if err := p.direct.CallRoot(ctx, path, token, &fresh); err != nil {
		return nil, err
	}
	if fresh.Token == "" {
		return nil, p.direct.NotUnderstood()
	}
	return map[channel.Setting]secret.Plain{channel.AccessToken: secret.Plain(fresh.Token)}, nil
}
