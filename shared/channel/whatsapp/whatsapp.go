// Package whatsapp is the WhatsApp channel, over the Cloud API of Meta's Graph API.
package whatsapp

import (
	"context"
	"net/url"
	"strings"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
)

// MaxText is how many characters the text of a message may have.
const MaxText = 4096

// Bounds of what the API takes beside the text.
const (
	maxInteractive = 1024 // characters of the text above buttons
	maxButtons     = 3
	maxButton      = 20 // characters of a button
	maxRows        = 10 // of a list
	maxRow         = 24 // characters of a row's title
	maxValue       = 200
	maxID          = 512 // bytes of a message's id, several times what they have
)

// A Provider is the channel. It is safe for concurrent use.
type Provider struct{ graph *graph.Client }

// New returns the channel over the Graph API at an address, Meta's own where it is "".
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

// path is where the connection's number is found, or something below it.
func path(c channel.Connection, below string) string {
	return url.PathEscape(c.Text(channel.PhoneNumberID)) + below
}

// Send implements channel.Provider.
func (p *Provider) Send(ctx context.Context, c channel.Connection, m channel.Message) (channel.Receipt, error) {
	var accepted struct {
		Contacts []struct {
			ID string `json:"wa_id"`
		} `json:"contacts"`
		Messages []struct {
			ID string `json:"id"`
		} `json:"messages"`
	}
	if err := p.graph.Call(ctx, path(c, "/messages"), c.Secret(channel.AccessToken), requestOf(m), &accepted); err != nil {
		return channel.Receipt{}, err
	}
	if len(accepted.Messages) == 0 || accepted.Messages[0].ID == "" || len(accepted.Messages[0].ID) > maxID {
		return channel.Receipt{}, p.graph.NotUnderstood()
	}
	receipt := channel.Receipt{ID: accepted.Messages[0].ID}
	if len(accepted.Contacts) > 0 && isDigits(accepted.Contacts[0].ID) && "+"+accepted.Contacts[0].ID != m.To {
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

// Check implements channel.Provider: it asks for the number and for the apps that its account's webhooks go to.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	token := c.Secret(channel.AccessToken)
	var number struct {
		Number  string `json:"display_phone_number"`
		Name    string `json:"verified_name"`
		Webhook struct {
			Application string `json:"application"`
			Phone       string `json:"phone_number"`
			Account     string `json:"whatsapp_business_account"`
		} `json:"webhook_configuration"`
	}
	fields := "?fields=display_phone_number,verified_name,webhook_configuration"
	if err := p.graph.Call(ctx, path(c, fields), token, nil, &number); err != nil {
		return []channel.Finding{{Name: "credentials", Detail: channel.DetailOf(err)}}
	}
	who := channel.Words(number.Name + " (" + number.Number + ")")
	findings := []channel.Finding{{Name: "credentials", OK: true, Detail: "WhatsApp knows the number as " + who + "."}}
	webhook := channel.Finding{Name: "webhook", OK: true, Detail: "Meta posts messages to " + c.URL + "."}
	configured := []string{number.Webhook.Phone, number.Webhook.Account, number.Webhook.Application}
	if !called(configured, c.URL) {
		webhook.OK = false
		webhook.Detail = "Meta does not post messages to " + c.URL + ". Set it as the callback URL of the app, and subscribe to the field messages."
	}
	return append(append(findings, webhook), inbound(c)...)
}

// called reports whether the address that Meta calls, the most specific that is set, is ours.
func called(configured []string, address string) bool {
	for _, set := range configured {
		if set != "" {
			return set == address
		}
	}
	return false
}

// inbound says which of the settings are missing that receiving needs.
func inbound(c channel.Connection) []channel.Finding {
	var missing []string
	for _, s := range []channel.Setting{channel.AppSecret, channel.VerifyToken} {
		if c.Secret(s) == "" {
			missing = append(missing, string(s))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return []channel.Finding{{Name: "settings", Detail: "No messages are received without " + strings.Join(missing, " and ") + "."}}
}

// ListTemplates implements channel.Templater. The templates belong to the account of the number.
func (p *Provider) ListTemplates(ctx context.Context, c channel.Connection) ([]channel.TemplateInfo, error) {
	token := c.Secret(channel.AccessToken)
	var number struct {
		Account struct {
			ID string `json:"id"`
		} `json:"whatsapp_business_account"`
	}
	if err := p.graph.Call(ctx, path(c, "?fields=whatsapp_business_account"), token, nil, &number); err != nil {
		return nil, err
	}
	if !isDigits(number.Account.ID) {
		return nil, p.graph.NotUnderstood()
	}
	var found struct {
		Data []struct {
			channel.TemplateInfo
			Components []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"components"`
		} `json:"data"`
	}
	list := number.Account.ID + "/message_templates?fields=name,language,status,category,components&limit=200"
	if err := p.graph.Call(ctx, list, token, nil, &found); err != nil {
		return nil, err
	}
	templates := make([]channel.TemplateInfo, 0, len(found.Data))
	for _, t := range found.Data {
		for _, component := range t.Components {
			if strings.EqualFold(component.Type, "body") {
				t.Body = component.Text
			}
		}
		templates = append(templates, t.TemplateInfo)
	}
	return templates, nil
}

// Fetch implements channel.Fetcher: an address of the file is asked for first, which is good for five minutes.
func (p *Provider) Fetch(ctx context.Context, c channel.Connection, a channel.Attachment, maxBytes int64) (channel.File, error) {
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
