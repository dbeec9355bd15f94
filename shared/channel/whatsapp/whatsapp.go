// Package whatsapp implements the WhatsApp channel with the Cloud API, part of Meta's Graph API.
package whatsapp

import (
	"context"
	"net/url"
	"strings"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
)

// MaxText is the limit of a message's text in characters.
const MaxText = 4096

// Limits of the API beside the text.
const (
	maxInteractive = 1024 // characters of the text above buttons
	maxButtons     = 3
	maxButton      = 20  // characters of a button
	maxRows        = 10  // of a list
	maxRow         = 24  // characters of a row's title
	maxDescription = 72  // characters below it
	maxValue       = 200 // bytes of what a button brings back
	maxID          = 512 // bytes of a message's id, several times what they have
)

// A Provider implements the channel. It is safe for concurrent use.
type Provider struct{ graph *graph.Client }

// New returns the channel with the Graph API at an address; "" means Meta's.
func New(address string) *Provider {
	if address == "" {
		address = graph.Origin
	}
	return &Provider{graph.New("WhatsApp", address)}
}

// Info implements channel.Provider.
func (p *Provider) Info() channel.Info {
	return channel.Info{
		Type: channel.WhatsApp,
		Fields: append([]channel.Field{{
			Setting: channel.PhoneNumberID, Required: true, Read: channel.ReadID, Example: "106540352242922",
			Doc: "Meta's id of the number.",
		}}, graph.Fields()...),
		OnPlatform: true, Window: 24 * time.Hour, HumanWindow: 24 * time.Hour, Templates: true,
		Text: channel.Limit{Max: MaxText}, Choices: maxRows, Idle: 24 * time.Hour, MaxBody: graph.MaxBody,
	}
}

// Verify implements channel.Provider.
func (p *Provider) Verify(c channel.Connection, r channel.Request) error { return graph.Verify(c, r) }

// Handshake implements channel.Handshaker.
func (p *Provider) Handshake(c channel.Connection, r channel.Request) (string, error) {
	return graph.Handshake(c, r)
}

// path returns the path of the connection's number, or of something below it.
func path(c channel.Connection, below string) string {
	return url.PathEscape(c.Text(channel.PhoneNumberID)) + below
}

// Send implements channel.Provider.
func (p *Provider) Send(ctx context.Context, c channel.Connection,
	m channel.Message) (channel.Receipt, error) {
	var accepted struct {
		Contacts []struct {
			ID string `json:"wa_id"`
		} `json:"contacts"`
		Messages []struct {
			ID string `json:"id"`
		} `json:"messages"`
	}
	if err := p.graph.Call(ctx, path(c, "/messages"), c.Secret(channel.AccessToken), requestOf(m),
		&accepted); err != nil {
		return channel.Receipt{}, err
	}
	if len(accepted.Messages) == 0 || accepted.Messages[0].ID == "" || len(accepted.Messages[0].ID) > maxID {
		return channel.Receipt{}, p.graph.NotUnderstood()
	}
	receipt := channel.Receipt{ID: accepted.Messages[0].ID}
	if len(accepted.Contacts) > 0 && isDigits(accepted.Contacts[0].ID) &&
		"+"+accepted.Contacts[0].ID != m.To {
		receipt.Address = "+" + accepted.Contacts[0].ID
	}
	return receipt, nil
}

// Mark implements channel.Marker.
func (p *Provider) Mark(ctx context.Context, c channel.Connection, _, messageID string) error {
	body := map[string]any{
		"messaging_product": "whatsapp", "status": "read", "message_id": messageID,
		"typing_indicator": map[string]string{"type": "text"},
	}
	var ignored struct{}
	return p.graph.Call(ctx, path(c, "/messages"), c.Secret(channel.AccessToken), body, &ignored)
}

// Fetch implements channel.Fetcher: an address of the file is asked for first, which is good for five
// minutes.
func (p *Provider) Fetch(ctx context.Context, c channel.Connection, a channel.Attachment,
	maxBytes int64) (channel.File, error) {
	token := c.Secret(channel.AccessToken)
	var media struct {
		URL         string `json:"url"`
		ContentType string `json:"mime_type"`
	}
	lookup := url.PathEscape(a.ID) + "?phone_number_id=" + url.QueryEscape(c.Text(channel.PhoneNumberID))
	if err := p.graph.Call(ctx, lookup, token, nil, &media); err != nil {
		return channel.File{}, err
	}
	answer, err := p.graph.Get(ctx, media.URL, token, maxBytes)
	return channel.File{ContentType: media.ContentType, Name: a.Name, Content: answer.Body}, err
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
