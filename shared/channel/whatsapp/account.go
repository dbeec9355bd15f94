package whatsapp

import (
	"context"
	"net/url"
	"strings"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
	"frontdesk/shared/secret"
)

// A number is the API's description of a phone number.
type number struct {
	Display string `json:"display_phone_number"`
	Name    string `json:"verified_name"`
	Webhook struct {
		Application string `json:"application"`
		Phone       string `json:"phone_number"`
		Account     string `json:"whatsapp_business_account"`
	} `json:"webhook_configuration"`
	Health struct {
		CanSend  string   `json:"can_send_message"`
		Entities []entity `json:"entities"`
	} `json:"health_status"`
}

// An entity is a part of what sending takes: the number, its account, the business, the app.
type entity struct {
	Type    string   `json:"entity_type"`
	ID      graph.ID `json:"id"`
	CanSend string   `json:"can_send_message"`
	Errors  []struct {
		Description string `json:"error_description"`
		Solution    string `json:"possible_solution"`
	} `json:"errors"`
}

// account returns the id of the number's WhatsApp account, or "" if the API does not say.
func (n *number) account() string {
	for _, e := range n.Health.Entities {
		if e.Type == "WABA" && isDigits(string(e.ID)) {
			return string(e.ID)
		}
	}
	return ""
}

// Check implements channel.Provider: it asks for the number, and for the apps that its account's webhooks go
// to.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	token := c.Secret(channel.AccessToken)
	var n number
	const fields = "?fields=display_phone_number,verified_name,webhook_configuration,health_status"
	if err := p.graph.Call(ctx, path(c, fields), token, nil, &n); err != nil {
		return []channel.Finding{channel.CredentialsFinding(err)}
	}
	who := channel.CleanText(n.Name + " (" + n.Display + ")")
	findings := []channel.Finding{
		{Name: channel.CredentialsCheck, OK: true, Detail: "WhatsApp knows the number as " + who + "."},
		n.sending(token), n.webhook(c.URL),
	}
	if account := n.account(); account != "" {
		findings = append(findings, p.subscription(ctx, account, token))
	}
	return append(findings, graph.CheckSettings(c)...)
}

// sending reports whether the number may send, with Meta's explanation if it may not.
func (n *number) sending(token secret.Plain) channel.Finding {
	f := channel.Finding{Name: "sending", OK: true, Detail: "The number may send messages."}
	if n.Health.CanSend == "" || n.Health.CanSend == "AVAILABLE" {
		return f
	}
	f.OK, f.Detail = false, "Meta restricts what the number may send."
	for _, e := range n.Health.Entities {
		for _, reason := range e.Errors {
			f.Detail += " " + channel.CleanText(reason.Description+" "+reason.Solution, token)
		}
	}
	return f
}

// webhook reports whether Meta calls an address: the most specific configured one applies.
func (n *number) webhook(address string) channel.Finding {
	for _, set := range []string{n.Webhook.Phone, n.Webhook.Account, n.Webhook.Application} {
		if set == address {
			return channel.Finding{Name: "webhook", OK: true, Detail: "Meta posts messages to " + address +
				"."}
		}
		if set != "" {
			break
		}
	}
	return channel.Finding{Name: "webhook", Detail: "Meta does not post messages to " + address +
		". Set it as the callback URL under WhatsApp, Configuration, and subscribe to the field messages."}
}

// subscription reports whether an app receives the account's webhooks.
func (p *Provider) subscription(ctx context.Context, account string, token secret.Plain) channel.Finding {
	var apps struct {
		Data []struct{} `json:"data"`
	}
	f := channel.Finding{Name: "subscription"}
	err := p.graph.Call(ctx, account+"/subscribed_apps", token, nil, &apps)
	switch {
	case err != nil:
		f.Detail = channel.DetailOf(err)
	case len(apps.Data) == 0:
		f.Detail = "The WhatsApp account is not subscribed to an app. Add the number to the app under " +
			"WhatsApp, API Setup."
	default:
		f.OK, f.Detail = true, "The WhatsApp account is subscribed to an app."
	}
	return f
}

const (
	// maxTemplates is the limit of templates listed.
	maxTemplates = 1000
	// templatesAtOnce is how many templates one call requests.
	templatesAtOnce = "200"
)

// ListTemplates implements channel.Templater. The templates belong to the account of the number.
func (p *Provider) ListTemplates(ctx context.Context, c channel.Connection) ([]channel.TemplateInfo, error) {
	token := c.Secret(channel.AccessToken)
	var n number
	if err := p.graph.Call(ctx, path(c, "?fields=health_status"), token, nil, &n); err != nil {
		return nil, err
	}
	account := n.account()
	if account == "" {
		return nil, &channel.Error{Class: channel.Rejected,
			Detail: "WhatsApp does not say which account the number is of. The access token needs " +
				"whatsapp_business_management."}
	}
	list := account + "/message_templates?fields=name,language,status,category,components&limit=" +
		templatesAtOnce
	templates, after := []channel.TemplateInfo{}, ""
	for {
		var page templatePage
		if err := p.graph.Call(ctx, list+after, token, nil, &page); err != nil {
			return nil, err
		}
		templates = append(templates, page.templates()...)
		cursor := page.Paging.Cursors.After
		if page.Paging.Next == "" || cursor == "" || len(templates) >= maxTemplates {
			return templates[:min(len(templates), maxTemplates)], nil
		}
		after = "&after=" + url.QueryEscape(cursor)
	}
}

// A templatePage is a page of an account's templates.
type templatePage struct {
	Data []struct {
		channel.TemplateInfo
		Components []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"components"`
	} `json:"data"`
	Paging struct {
		Cursors struct {
			After string `json:"after"`
		} `json:"cursors"`
		Next string `json:"next"`
	} `json:"paging"`
}

func (p *templatePage) templates() []channel.TemplateInfo {
	var all []channel.TemplateInfo
	for _, t := range p.Data {
		for _, component := range t.Components {
			if strings.EqualFold(component.Type, "body") {
				t.Body = component.Text
			}
		}
		all = append(all, t.TemplateInfo)
	}
	return all
}
