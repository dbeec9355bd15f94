// Package whatsapp sends messages over WhatsApp, by the Cloud API of Meta's Graph API.
package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
)

// MaxText is how many characters the text of a message may have.
const MaxText = 4096

// Origin is the address of Meta's own Graph API.
const Origin = "https://graph.facebook.com"

const (
	// apiVersion is the version of the Graph API that the messages here are written for. Meta serves a version for two
	// years at least.
	apiVersion = "v24.0"
	// callTime bounds a call. It leaves a request that waits for it enough of the 29 s that API Gateway allows.
	callTime = 8 * time.Second
	// maxAnswer is how many bytes of an answer are read. Those of the API have some hundred.
	maxAnswer = 64 << 10
	// maxID is how many bytes the id of a message may have, several times what they have.
	maxID = 512
)

// A Client calls the API. It is safe for concurrent use.
type Client struct {
	address string // what numbers are found below
	web     *egress.Client
	timeout time.Duration
}

// New returns a client of the Graph API at an address, of Meta's own where it is "". The host of an address that is given
// may be private and may be called by plain http: whoever runs the service names it.
func New(address string) *Client {
	config := egress.Config{}
	if address == "" {
		address = Origin
	} else if u, err := url.Parse(address); err == nil {
		config.AllowHosts = u.Host
	}
	return &Client{strings.TrimRight(address, "/") + "/" + apiVersion + "/", egress.New(config), callTime}
}

// A Number is a phone number of a business, and what it takes to send from it.
type Number struct {
	ID    string // Meta's
	Token secret.Plain
}

// A Message is one to send: a template or a text.
type Message struct {
	To       string // E.164
	Text     string // at most MaxText characters
	Template *Template
}

// A Template is a message that Meta has approved beforehand, with the values of the placeholders in its body.
type Template struct {
	Name     string
	Language string // such as en_US
	Params   []string
}

// What the API takes. Its words are in the reference of /{phone_number_id}/messages.
type (
	request struct {
		Product   string       `json:"messaging_product"`
		Recipient string       `json:"recipient_type"`
		To        string       `json:"to"`
		Type      string       `json:"type"`
		Text      *textBody    `json:"text,omitempty"`
		Template  *templateRef `json:"template,omitempty"`
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
)

func (m Message) request() request {
	r := request{Product: "whatsapp", Recipient: "individual", To: m.To}
	if m.Template == nil {
		r.Type, r.Text = "text", &textBody{m.Text}
		return r
	}
	r.Type, r.Template = "template", &templateRef{Name: m.Template.Name, Language: language{m.Template.Language}}
	if len(m.Template.Params) > 0 {
		body := component{Type: "body"}
		for _, p := range m.Template.Params {
			body.Parameters = append(body.Parameters, parameter{"text", p})
		}
		r.Template.Components = []component{body}
	}
	return r
}

// Send hands a message to WhatsApp and returns the id that it got there. That is all that is known then: whether it
// arrives is told later, at the address that the business named to Meta. The error is an *Error. Where it is Unclear
// the message may have been taken all the same, when only the answer got lost.
func (c *Client) Send(ctx context.Context, from Number, m Message) (id string, err error) {
	body, err := json.Marshal(m.request())
	if err != nil {
		return "", &Error{Detail: "The message cannot be written as JSON.", cause: err}
	}
	answer, err := c.web.Do(ctx, egress.Call{
		Method: http.MethodPost,
		URL:    c.address + url.PathEscape(from.ID) + "/messages",
		Header: http.Header{
			"Authorization": {"Bearer " + string(from.Token)},
			"Content-Type":  {"application/json"},
		},
		Body: body, Timeout: c.timeout, MaxBody: maxAnswer,
	})
	if err != nil {
		return "", noAnswer(err)
	}
	if answer.Status/100 != 2 {
		return "", failure(answer, from.Token)
	}
	var accepted struct {
		Messages []struct {
			ID string `json:"id"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(answer.Body, &accepted); err != nil {
		return "", &Error{Status: answer.Status, Transient: true, Unclear: true, Detail: notUnderstood + mayBeSent, cause: err}
	}
	if len(accepted.Messages) == 0 || accepted.Messages[0].ID == "" || len(accepted.Messages[0].ID) > maxID {
		return "", &Error{Status: answer.Status, Transient: true, Unclear: true, Detail: notUnderstood + mayBeSent}
	}
	return accepted.Messages[0].ID, nil
}

const (
	// notUnderstood is the Detail of an Error where the answer is not one of the Graph API: something else stood in between.
	notUnderstood = "WhatsApp gave an answer that is not understood."
	// mayBeSent follows in the Detail of an Error that is Unclear.
	mayBeSent = " It may have taken the message all the same."
)

// noAnswer is the error of a call that had none. Where a connection was made the message may have come through it.
func noAnswer(cause error) *Error {
	e := &Error{Transient: true, Detail: "WhatsApp could not be reached.", cause: cause}
	var broken *egress.Error
	if errors.As(cause, &broken) {
		switch broken.Reason {
		case egress.TimedOut, egress.Canceled, egress.Broken:
			e.Unclear, e.Detail = true, "WhatsApp did not answer."+mayBeSent
		}
	}
	return e
}
