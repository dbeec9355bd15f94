// Package instagram implements the Instagram channel, for accounts connected by their Facebook page or by
// Instagram Login.
package instagram

import (
	"context"
	"net/url"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
	"frontdesk/shared/channel/internal/messaging"
	"frontdesk/shared/secret"
)

// maxText is the length limit of a text in bytes.
const maxText = 1000

// Values of the setting login.
const (
	byPage      = "page"
	byInstagram = "instagram"
)

// A Provider implements the channel. It is safe for concurrent use.
type Provider struct {
	messaging.Base
	direct *graph.Client // for accounts that are connected by Instagram Login
}

// New returns the channel over Meta's APIs at two addresses, Meta's own for "": for accounts that are
// connected by their page, and for those by Instagram Login.
func New(pageAddress, directAddress string) *Provider {
	if pageAddress == "" {
		pageAddress = graph.Origin
	}
	if directAddress == "" {
		directAddress = graph.InstagramOrigin
	}
	page, direct := graph.New("Instagram", pageAddress), graph.New("Instagram", directAddress)
	return &Provider{messaging.Base{
		Type: channel.Instagram, Object: "instagram", MaxText: maxText,
		Fields: []channel.Field{
			{
				Setting: channel.PageID, Required: true, Read: channel.ReadID, Example: "17841400000000000",
				Doc: "Meta's id of the account, as webhooks bring it.",
			},
			{
				Setting: channel.Login, Read: readLogin, Example: byPage,
				Doc: "How the account is connected: page, the default, by its Facebook page; " +
					"instagram, by Instagram Login.",
			},
		},
		Reach: func(c channel.Connection) (*graph.Client, string) {
			if c.Text(channel.Login) == byInstagram {
				return direct, url.PathEscape(c.Text(channel.PageID))
			}
			return page, "me" // the page's token says whose page it is
		},
	}, direct}
}

func readLogin(s string) (string, string) {
	if s != byPage && s != byInstagram {
		return "", "must be page or instagram"
	}
	return s, ""
}

// Check implements channel.Provider.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	client, _ := p.Reach(c)
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
			Name: "account",
			Detail: "The access token is of the account " + channel.CleanText(id) + ", not of " +
				c.Text(channel.PageID) + ".",
		})
	}
	return append(findings, p.CheckReceiving(ctx, c)...)
}

// dueAfter is the age at which a token of Instagram Login is exchanged; it expires after 60 days.
const dueAfter = 30 * 24 * time.Hour

// Refresh implements channel.Refresher. A token of Instagram Login expires after 60 days; that of a page does
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
