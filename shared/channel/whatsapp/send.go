package whatsapp

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/channel"
	"frontdesk/shared/text"
)

// Types of the API's requests, in the terms of the reference of /{phone_number_id}/messages.
type (
	request struct {
		Product       string       `json:"messaging_product"`
		RecipientType string       `json:"recipient_type"`
		To            string       `json:"to,omitempty"`
		Recipient     string       `json:"recipient,omitempty"`
		Type          string       `json:"type"`
		Text          *textBody    `json:"text,omitempty"`
		Template      *templateRef `json:"template,omitempty"`
		Interactive   *interactive `json:"interactive,omitempty"`
		Ref           string       `json:"biz_opaque_callback_data,omitempty"`
	}
	textBody struct {
		Body string `json:"body"`
	}
	templateRef struct {
		Name       string      `json:"name"`
		Language   language    `json:"language"`
		Components []component `json:"components,omitempty"`
	}
	language struct {
		Code string `json:"code"`
	}
	component struct {
		Type       string      `json:"type"`
		Parameters []parameter `json:"parameters"`
	}
	parameter struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	interactive struct {
		Type   string   `json:"type"`
		Body   textOf   `json:"body"`
		Action actionOf `json:"action"`
	}
	textOf struct {
		Text string `json:"text"`
	}
	actionOf struct {
		Buttons  []button  `json:"buttons,omitempty"`
		Button   string    `json:"button,omitempty"`
		Sections []section `json:"sections,omitempty"`
	}
	button struct {
		Type  string `json:"type"`
		Reply row    `json:"reply"`
	}
	section struct {
		Rows []row `json:"rows"`
	}
	row struct {
		ID          string `json:"id"`
		Title       string `json:"title"`
		Description string `json:"description,omitempty"`
	}
)

// requestOf converts a message to a request of the API. An address that is not a phone number is Meta's id of
// a user.
func requestOf(m channel.Message) request {
	r := request{Product: "whatsapp", RecipientType: "individual", Type: "text", Ref: m.Ref}
	if strings.HasPrefix(m.To, "+") {
		r.To = m.To
	} else {
		r.Recipient = m.To
	}
	if m.Template != nil {
		r.Type, r.Template = "template", templateOf(*m.Template)
		return r
	}
	if r.Interactive = choicesOf(m); r.Interactive != nil {
		r.Type = "interactive"
		return r
	}
	r.Text = &textBody{m.Text}
	return r
}

func templateOf(t channel.Template) *templateRef {
	ref := &templateRef{Name: t.Name, Language: language{t.Language}}
	if len(t.Params) > 0 {
		body := component{Type: "body"}
		for _, p := range t.Params {
			body.Parameters = append(body.Parameters, parameter{"text", p})
		}
		ref.Components = []component{body}
	}
	return ref
}

// choicesOf returns the message with its choices as buttons, or as a list if they are many or long. It
// returns nil without choices, or if the API's limits exclude one of them: the text is complete without them.
func choicesOf(m channel.Message) *interactive {
	n := len(m.Choices)
	if n == 0 || n > maxRows || m.Text == "" || utf8.RuneCountInString(m.Text) > maxInteractive {
		return nil
	}
	seen := map[string]bool{}
	short := n <= maxButtons
	for _, c := range m.Choices {
		if c.Value == "" || len(c.Value) > maxValue || seen[c.Value] {
			return nil
		}
		seen[c.Value] = true
		short = short && utf8.RuneCountInString(c.Label) <= maxButton
	}
	if short {
		return buttonsOf(m)
	}
	return listOf(m)
}

// buttonsOf returns the message with its choices as buttons, which must fit.
func buttonsOf(m channel.Message) *interactive {
	i := &interactive{Type: "button", Body: textOf{m.Text}}
	for n, label := range channel.Labels(m.Choices, maxButton) {
		i.Action.Buttons = append(i.Action.Buttons,
			button{"reply", row{ID: m.Choices[n].Value, Title: label}})
	}
	if i.Action.Buttons == nil {
		return nil
	}
	return i
}

// listOf returns the message with its choices as a list. A shortened row has its full label below.
func listOf(m channel.Message) *interactive {
	var rows []row
	for n, label := range channel.Labels(m.Choices, maxRow) {
		r := row{ID: m.Choices[n].Value, Title: label}
		if full := m.Choices[n].Label; full != label {
			r.Description = text.Truncate(full, maxDescription)
		}
		rows = append(rows, r)
	}
	if rows == nil {
		return nil
	}
	return &interactive{
		Type: "list", Body: textOf{m.Text}, Action: actionOf{Button: "···", Sections: []section{{rows}}},
	}
}
