package agent

import (
	"fmt"
	"html"

	"frontdesk/shared/language"
	"frontdesk/shared/opt"
)

// Branding is how the chat box looks and what it says before anyone has written. Texts may be empty.
type Branding struct {
	BrandName      string `json:"brand_name"`
	LogoURL        string `json:"logo_url"`
	AvatarURL      string `json:"avatar_url"`
	ButtonText     string `json:"button_text"`
	Tagline        string `json:"tagline"`
	WelcomeMessage string `json:"welcome_message"`
	PrimaryColor   string `json:"primary_color"`
	SecondaryColor string `json:"secondary_color"`

	Position Position `json:"position"`
}

// A Position is the lower corner of a page that the chat box is in.
type Position string

// The positions.
const (
	Right Position = "right"
	Left  Position = "left"
)

// Values lists the positions.
func (Position) Values() []string { return []string{string(Right), string(Left)} }

// DefaultBranding returns the branding of a new agent: blue on white, at the right, with a welcome in the
// agent's language.
func DefaultBranding(l Language) Branding {
	says := language.Of(string(l)).Widget()
	return Branding{
		ButtonText: says.Button, WelcomeMessage: says.Welcome,
		PrimaryColor: "#2563eb", SecondaryColor: "#ffffff", Position: Right,
	}
}

// In returns the branding in another language: the texts that are still those of a new agent are its.
func (b Branding) In(spoken, agents Language) Branding {
	says, before := DefaultBranding(spoken), DefaultBranding(agents)
	if b.ButtonText == before.ButtonText {
		b.ButtonText = says.ButtonText
	}
	if b.WelcomeMessage == before.WelcomeMessage {
		b.WelcomeMessage = says.WelcomeMessage
	}
	return b
}

// A BrandingIn is the branding fields of a body.
type BrandingIn struct {
	BrandName      opt.Value[string] `json:"brand_name" check:"cut=100" doc:"The name on the chat box; empty for the name of the business." example:"Acme"`
	LogoURL        opt.Value[string] `json:"logo_url" check:"cut=500,format=url" example:"https://acme.example/logo.png"`
	AvatarURL      opt.Value[string] `json:"avatar_url" check:"cut=500,format=url" example:"https://acme.example/mia.png"`
	ButtonText     opt.Value[string] `json:"button_text" check:"cut=50" example:"Chat with us"`
	Tagline        opt.Value[string] `json:"tagline" check:"cut=150" example:"We reply at once"`
	WelcomeMessage opt.Value[string] `json:"welcome_message" check:"cut=500" example:"Hello! How can we help you?"`
	PrimaryColor   opt.Value[string] `json:"primary_color" check:"trim,filled,format=color" example:"#2563eb"`
	SecondaryColor opt.Value[string] `json:"secondary_color" check:"trim,filled,format=color" example:"#ffffff"`

	Position opt.Value[Position] `json:"position" doc:"The lower corner of the page that the chat box is in." example:"right"`
}

// Apply puts what was sent into the branding.
func (in *BrandingIn) Apply(b *Branding) {
	in.BrandName.To(&b.BrandName)
	in.LogoURL.To(&b.LogoURL)
	in.AvatarURL.To(&b.AvatarURL)
	in.ButtonText.To(&b.ButtonText)
	in.Tagline.To(&b.Tagline)
	in.WelcomeMessage.To(&b.WelcomeMessage)
	in.PrimaryColor.To(&b.PrimaryColor)
	in.SecondaryColor.To(&b.SecondaryColor)
	in.Position.To(&b.Position)
}

// A Widget is the chat box as the API shows it.
type Widget struct {
	Enabled        bool     `json:"enabled" example:"true"`
	EmbedKey       string   `json:"embed_key" doc:"Public key that names the agent on the public widget endpoints." example:"mfrggzdfmztwq2lknnwg23tpob"`
	BrandName      string   `json:"brand_name" example:"Acme"`
	LogoURL        string   `json:"logo_url" example:"https://acme.example/logo.png"`
	AvatarURL      string   `json:"avatar_url" example:"https://acme.example/mia.png"`
	ButtonText     string   `json:"button_text" example:"Chat with us"`
	Tagline        string   `json:"tagline" example:"We reply at once"`
	WelcomeMessage string   `json:"welcome_message" example:"Hello! How can we help you?"`
	PrimaryColor   string   `json:"primary_color" check:"format=color" example:"#2563eb"`
	SecondaryColor string   `json:"secondary_color" check:"format=color" example:"#ffffff"`
	Position       Position `json:"position" example:"right"`
	AllowedDomains []string `json:"allowed_domains" doc:"The websites that the chat box may run on, with their subdomains; empty for any." example:"[\"acme.example\"]"`
	Box
	ScriptURL    string          `json:"script_url" check:"format=url" doc:"Address of the widget's script." example:"https://api.example.com/widget/widget.js"`
	LoaderURL    string          `json:"loader_url" check:"format=url" doc:"Address of a script that loads the widget of this agent whatever its key." example:"https://api.example.com/widget/loader/219482112000001.js"`
	EmbedSnippet string          `json:"embed_snippet" doc:"The tag to put on the website." example:"<script src=\"https://api.example.com/widget/widget.js\" data-agent=\"mfrggzdfmztwq2lknnwg23tpob\" data-color=\"#2563eb\" defer></script>"`
	Endpoints    WidgetEndpoints `json:"endpoints"`
}

// WidgetEndpoints are the addresses of the public widget endpoints of one embed key.
type WidgetEndpoints struct {
	Config  string `json:"config" check:"format=url" example:"https://api.example.com/api/v1/widget/mfrggzdfmztwq2lknnwg23tpob/config/"`
	Send    string `json:"send" check:"format=url" example:"https://api.example.com/api/v1/widget/mfrggzdfmztwq2lknnwg23tpob/send/"`
	History string `json:"history" check:"format=url" example:"https://api.example.com/api/v1/widget/mfrggzdfmztwq2lknnwg23tpob/history/"`
}

// Widget returns the agent's chat box. The site is the address of the service without a slash at the end, the
// base that of the API with one, both as visitors reach them. Edge is the address of a cache before the
// service, without a slash at the end, or "": pages load the script from there, and the script how the box
// looks; what visitors say goes to the base.
func (s *Summary) Widget(site, base, edge string) Widget {
	direct := ""
	if edge != "" {
		site, direct = edge, fmt.Sprintf(` data-api="%s"`, html.EscapeString(base))
	}
	site += "/widget"
	script := site + "/widget.js"
	public := base + "widget/" + s.EmbedKey
	b := s.Branding
	return Widget{
		Enabled:        s.WidgetEnabled,
		EmbedKey:       s.EmbedKey,
		BrandName:      b.BrandName,
		LogoURL:        b.LogoURL,
		AvatarURL:      b.AvatarURL,
		ButtonText:     b.ButtonText,
		Tagline:        b.Tagline,
		WelcomeMessage: b.WelcomeMessage,
		PrimaryColor:   b.PrimaryColor,
		SecondaryColor: b.SecondaryColor,
		Position:       b.Position,
		AllowedDomains: append([]string{}, s.AllowedDomains...),
		Box:            s.Box(),
		ScriptURL:      script,
		LoaderURL:      fmt.Sprintf("%s/loader/%d.js", site, s.ID),
		EmbedSnippet: fmt.Sprintf(`<script src="%s" data-agent="%s" data-color="%s"%s defer></script>`,
			html.EscapeString(script), html.EscapeString(s.EmbedKey), html.EscapeString(b.PrimaryColor),
			direct),
		Endpoints: WidgetEndpoints{Config: public + "/config/", Send: public + "/send/", History: public +
			"/history/"},
	}
}
