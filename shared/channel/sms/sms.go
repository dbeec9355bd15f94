// Package sms implements the SMS channel with Twilio's API.
package sms

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf16"

	"frontdesk/shared/channel"
	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
)

const (
	// Origin is the address of Twilio's API.
	Origin = "https://api.twilio.com"
	// maxText is the limit of a message's characters at Twilio, which divides it into segments.
	maxText = 1600
	// maxBody is the size limit of Twilio's posts in bytes.
	maxBody = 64 << 10
	// callTime limits a call, so that a request that waits for it ends within the 29 s of API Gateway.
	callTime = 8 * time.Second
	// maxAnswer is how many bytes of a response are read.
	maxAnswer = 64 << 10
	// name is the platform's name in errors.
	name = "Twilio"
)

// A Provider implements the channel. It is safe for concurrent use.
type Provider struct {
	address string
	web     *egress.Client
}

// New returns the channel with Twilio's API at an address; "" means Twilio's.
func New(address string) *Provider {
	config := egress.Config{}
	if address == "" {
		address = Origin
	} else if u, err := url.Parse(address); err == nil {
		config.AllowHosts = u.Host
	}
	return &Provider{strings.TrimRight(address, "/"), egress.New(config)}
}

// Info implements channel.Provider.
func (p *Provider) Info() channel.Info {
	return channel.Info{
		Type: channel.SMS,
		Fields: []channel.Field{
			{
				Setting: channel.AccountSID, Required: true, Read: readSID("AC", "an account"),
				Example: "AC0123456789abcdef0123456789abcdef", Doc: "Twilio's SID of the account.",
			},
			{
				Setting: channel.AuthToken, Required: true, Secret: true, Read: channel.ReadSecret,
				Example: "0123456789abcdef",
				Doc: "What Twilio's API is called with and what Twilio signs its calls with. " +
					"A subaccount has its own.",
			},
			{
				Setting: channel.From, Read: channel.ReadPhone, Example: "+14155550199",
				Doc: "The number that messages come from, in E.164.",
			},
			{
				Setting: channel.MessagingServiceSID, Read: readSID("MG", "a messaging service"),
				Example: "MG0123456789abcdef0123456789abcdef",
				Doc:     "Twilio's SID of the messaging service that sends, in place of a number.",
			},
		},
		OneOf:      []channel.Setting{channel.From, channel.MessagingServiceSID},
		OnPlatform: true, Text: channel.Limit{Max: maxText}, Idle: 24 * time.Hour, MaxBody: maxBody,
	}
}

// readSID validates an id of Twilio, which becomes part of a path. Ids of other objects, which are easily
// confused with it, have other prefixes.
func readSID(prefix, of string) func(string) (string, string) {
	return func(s string) (string, string) {
		rest, ok := strings.CutPrefix(s, prefix)
		letters := "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		if !ok || rest == "" || len(s) > 64 || strings.Trim(rest, letters) != "" {
			return "", "must be the SID of " + of + ", which begins with " + prefix
		}
		return s, ""
	}
}

// Acknowledge implements channel.Acknowledger: an empty TwiML document, so that Twilio itself says nothing.
func (p *Provider) Acknowledge() (contentType, body string) {
	return "text/xml", `<?xml version="1.0" encoding="UTF-8"?><Response/>`
}

// call calls the API below the connection's account and decodes the response into out. A nil form makes a GET
// request.
func (p *Provider) call(
	ctx context.Context, c channel.Connection, path string, form url.Values, out any,
) error {
	account, token := c.Text(channel.AccountSID), c.Secret(channel.AuthToken)
	credentials := base64.StdEncoding.EncodeToString([]byte(account + ":" + string(token)))
	call := egress.Call{
		Method: http.MethodGet, URL: p.address + "/2010-04-01/Accounts/" + url.PathEscape(account) + path,
		Header:  http.Header{"Authorization": {"Basic " + credentials}},
		Timeout: callTime, MaxBody: maxAnswer,
	}
	if form != nil {
		call.Method, call.Body = http.MethodPost, []byte(form.Encode())
		call.Header["Content-Type"] = []string{"application/x-www-form-urlencoded"}
	}
	answer, err := p.web.Do(ctx, call)
	if err != nil {
		return channel.NoAnswer(name, err, form != nil)
	}
	if answer.Status/100 != 2 {
		return failure(answer, token, form != nil)
	}
	if err := json.Unmarshal(answer.Body, out); err != nil {
		return channel.NotUnderstood(name, answer.Status, form != nil)
	}
	return nil
}

// Send implements channel.Provider. Twilio knows no key that would make a send safe to repeat; what it calls
// with the message's statuses carries our reference.
func (p *Provider) Send(
	ctx context.Context, c channel.Connection, m channel.Message,
) (channel.Receipt, error) {
	form := url.Values{"To": {m.To}, "Body": {m.Text}}
	if service := c.Text(channel.MessagingServiceSID); service != "" {
		form.Set("MessagingServiceSid", service)
	} else {
		form.Set("From", c.Text(channel.From))
	}
	if p.canCall(c.URL) {
		form.Set("StatusCallback", c.URL+"?"+refParameter+"="+url.QueryEscape(m.Ref))
	}
	var accepted struct {
		SID string `json:"sid"`
	}
	if err := p.call(ctx, c, "/Messages.json", form, &accepted); err != nil {
		return channel.Receipt{}, err
	}
	if accepted.SID == "" || len(accepted.SID) > 64 {
		return channel.Receipt{}, channel.NotUnderstood(name, http.StatusCreated, true)
	}
	return channel.Receipt{ID: accepted.SID, Segments: Segments(m.Text)}, nil
}

// canCall reports whether Twilio can post statuses to an address. Twilio refuses messages whose callback is a
// local address; an emulator accepts them.
func (p *Provider) canCall(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate())
	return p.address != Origin || !local
}

// Check implements channel.Provider: it asks for the account, and for where Twilio posts what the number
// receives.
func (p *Provider) Check(ctx context.Context, c channel.Connection) []channel.Finding {
	var account struct {
		Name   string `json:"friendly_name"`
		Status string `json:"status"`
		Type   string `json:"type"`
	}
	if err := p.call(ctx, c, ".json", nil, &account); err != nil {
		return []channel.Finding{channel.CredentialsFinding(err)}
	}
	findings := []channel.Finding{{
		Name: channel.CredentialsCheck, OK: account.Status == "active",
		Detail: "Twilio knows the account " + channel.CleanText(account.Name) + ". Its status is " +
			channel.CleanText(account.Status) + ".",
	}}
	if account.Type == "Trial" {
		findings = append(findings, channel.Finding{
			Name:   "account",
			Detail: "The account is a trial. It sends only to numbers that were verified at Twilio.",
		})
	}
	if c.Text(channel.From) == "" {
		return append(findings, channel.Finding{
			Name: "webhook", OK: true,
			Detail: "Enter " + c.URL + " at the messaging service as the address of incoming messages.",
		})
	}
	return append(findings, p.checkNumber(ctx, c)...)
}

// checkNumber tests whether the account has the number, and where Twilio posts what it receives.
func (p *Provider) checkNumber(ctx context.Context, c channel.Connection) []channel.Finding {
	number := c.Text(channel.From)
	var found struct {
		Numbers []struct {
			URL string `json:"sms_url"`
		} `json:"incoming_phone_numbers"`
	}
	path := "/IncomingPhoneNumbers.json?PhoneNumber=" + url.QueryEscape(number)
	if err := p.call(ctx, c, path, nil, &found); err != nil {
		return []channel.Finding{{Name: "number", Detail: channel.DetailOf(err)}}
	}
	if len(found.Numbers) == 0 {
		return []channel.Finding{{Name: "number", Detail: "The account has no number " + number + "."}}
	}
	address, _, _ := strings.Cut(found.Numbers[0].URL, "#")
	webhook := channel.Finding{
		Name: "webhook", OK: address == c.URL, Detail: "Twilio posts messages to " + c.URL + ".",
	}
	if !webhook.OK {
		webhook.Detail = "Twilio does not post messages to " + c.URL +
			". Enter it at the number, under \"A message comes in\"."
	}
	known := channel.Finding{Name: "number", OK: true, Detail: "The account has the number " + number + "."}
	return []channel.Finding{known, webhook}
}

// The classes of those codes of Twilio that the HTTP status does not determine.
var classes = map[int]channel.Class{
	20003: channel.Reconnect, // the credentials are wrong
	20404: channel.Reconnect, // there is no such account
	20005: channel.Reconnect, // the account is not active
	20429: channel.Transient, // too many requests
	30001: channel.Transient, // the queue is full
	30022: channel.Transient, // the rate of the campaign is exceeded
	21610: channel.OptedOut,  // the contact has sent STOP
}

// failure converts a response that is not a success.
func failure(answer egress.Answer, token secret.Plain, sending bool) error {
	var body struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(answer.Body, &body); err != nil || body.Code == 0 {
		return channel.NotUnderstood(name, answer.Status, sending)
	}
	e := &channel.Error{
		Class:  cmp.Or(classes[body.Code], channel.NotUnderstood(name, answer.Status, sending).Class),
		Status: answer.Status, Code: body.Code,
		Detail: name + " answered: " + channel.CleanText(body.Message, token),
	}
	if e.Class == channel.Reconnect && answer.Status == http.StatusUnauthorized {
		e.Detail = name + " does not accept the channel's credentials."
	}
	return e
}

// Segments returns the number of segments that a text is billed as: up to 160 characters of the GSM alphabet
// in one or 153 in each of several, or 70 and 67 if it has other characters.
func Segments(text string) int {
	units, most, each := gsmUnits(text), 160, 153
	if units < 0 {
		units, most, each = len(utf16.Encode([]rune(text))), 70, 67
	}
	if units <= most {
		return 1
	}
	return (units + each - 1) / each
}

// gsmUnits returns the number of septets of a text in the GSM alphabet, or -1 if it has other characters.
func gsmUnits(text string) int {
	units := 0
	for _, r := range text {
		switch {
		case strings.ContainsRune(gsmBasic, r):
			units++
		case strings.ContainsRune(gsmExtended, r):
			units += 2
		default:
			return -1
		}
	}
	return units
}

// The alphabet of GSM 03.38, and its characters that take two septets.
const (
	gsmBasic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
		"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtended = "^{}\\[~]|€\f"
)
