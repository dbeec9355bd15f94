// Package graph has what the channels of Meta share: the client of the Graph API, the signatures of webhooks
// and the settings.
package graph

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
)

const (
	// Origin is the address of Meta's Graph API.
	Origin = "https://graph.facebook.com"
	// InstagramOrigin is the address of the API for accounts connected by Instagram Login.
	InstagramOrigin = "https://graph.instagram.com"

	// version is the Graph API version that the channels use. Meta serves it until February 2028.
	version = "v24.0"
	// callTime limits a call, so that a request that waits for it ends within the 29 s of API Gateway.
	callTime = 8 * time.Second
	// maxAnswer is how many bytes of a response are read.
	maxAnswer = 256 << 10
	// MaxBody is the size limit of Meta's posts in bytes.
	MaxBody = 3 << 20
)

// A Client calls the Graph API. It is safe for concurrent use.
type Client struct {
	name    string // of the channel, for errors
	address string
	web     *egress.Client
	timeout time.Duration
}

// New returns a client for the channel of that name, such as WhatsApp. The address may have a private host
// and use http, since the operator configures it.
func New(name, address string) *Client {
	config := egress.Config{}
	if u, err := url.Parse(address); err == nil && address != Origin && address != InstagramOrigin {
		config.AllowHosts = u.Host
	}
	return &Client{name, strings.TrimRight(address, "/") + "/", egress.New(config), callTime}
}

// Call sends a request with the token to a path of the versioned API, such as "123/messages", and decodes the
// response into out. Without a body it is a GET. The error is a *channel.Error; its class is channel.Unclear
// if a request with a body got no response of the API.
func (c *Client) Call(ctx context.Context, path string, token secret.Plain, body, out any) error {
	return c.call(ctx, c.address+version+"/"+path, token, body, out)
}

// CallRoot is Call for a path without a version.
func (c *Client) CallRoot(ctx context.Context, path string, token secret.Plain, out any) error {
	return c.call(ctx, c.address+path, token, nil, out)
}

func (c *Client) call(ctx context.Context, address string, token secret.Plain, body, out any) error {
	call := egress.Call{
		Method: http.MethodGet, URL: address,
		Header:  http.Header{"Authorization": {"Bearer " + string(token)}},
		Timeout: c.timeout, MaxBody: maxAnswer,
	}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return &channel.Error{Class: channel.Rejected, Detail: "The message cannot be written as JSON.",
				Cause: err}
		}
		call.Method, call.Body = http.MethodPost, text
		call.Header["Content-Type"] = []string{"application/json"}
	}
	answer, err := c.web.Do(ctx, call)
	if err != nil {
		return channel.NoAnswer(c.name, err, body != nil)
	}
	if answer.Status/100 != 2 {
		return c.failure(answer, token, body != nil)
	}
	if err := json.Unmarshal(answer.Body, out); err != nil {
		return channel.NotUnderstood(c.name, answer.Status, body != nil)
	}
	return nil
}

// NotUnderstood returns the error of a response that lacks a required part.
func (c *Client) NotUnderstood() error { return channel.NotUnderstood(c.name, http.StatusOK, true) }

// Get downloads a file from an address in a response. Only Meta's own hosts and the client's get the token;
// "" sends none. The error is a *channel.Error.
func (c *Client) Get(ctx context.Context, address string, token secret.Plain,
	maxBytes int64) (egress.Answer, error) {
	call := egress.Call{Method: http.MethodGet, URL: address, Header: http.Header{},
		Timeout: 20 * time.Second, MaxBody: maxBytes}
	u, err := url.Parse(address)
	if err == nil && token != "" &&
		(metaHost(u.Hostname()) && u.Scheme == "https" || strings.HasPrefix(address, c.address)) {
		call.Header.Set("Authorization", "Bearer "+string(token))
	}
	answer, err := c.web.Do(ctx, call)
	switch {
	case err != nil:
		return answer, channel.NoAnswer(c.name, err, false)
	case answer.Status/100 != 2:
		return answer, &channel.Error{Class: channel.Rejected, Status: answer.Status,
			Detail: c.name + " no longer has the file."}
	case answer.Cut:
		return answer, &channel.Error{Class: channel.Rejected, Status: answer.Status,
			Detail: "The file is too large."}
	}
	return answer, nil
}

// metaHost reports whether Meta serves files from a host.
func metaHost(host string) bool {
	host = strings.ToLower(host)
	for _, domain := range []string{"facebook.com", "fbsbx.com", "fbcdn.net", "instagram.com",
		"cdninstagram.com", "whatsapp.net"} {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return false
}

// Fields returns the settings that all channels of Meta have.
func Fields() []channel.Field {
	return []channel.Field{
		{
			Setting: channel.AccessToken, Required: true, Secret: true, Read: channel.ReadSecret,
			Example: "EAAG0bXk",
			Doc:     "What Meta's API is called with.",
		},
		{
			Setting: channel.AppSecret, Secret: true, Read: channel.ReadSecret,
			Example: "7d6f5e4c3b2a19081716151413121110",
			Doc:     "What Meta signs its calls with. Without it no messages are taken.",
		},
		{
			Setting: channel.VerifyToken, Secret: true, Read: channel.ReadSecret,
			Example: "a word of your own",
			Doc:     "What Meta shows when it verifies the address of this service.",
		},
	}
}

// CheckSettings reports which settings for receiving are missing.
func CheckSettings(conn channel.Connection) []channel.Finding {
	var missing []string
	for _, s := range []channel.Setting{channel.AppSecret, channel.VerifyToken} {
		if conn.Secret(s) == "" {
			missing = append(missing, string(s))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return []channel.Finding{{Name: "settings", Detail: "No messages are received without " +
		strings.Join(missing, " and ") + "."}}
}

// Verify checks X-Hub-Signature-256 with the app secret.
func Verify(c channel.Connection, r channel.Request) error {
	signature, ok := strings.CutPrefix(r.Header.Get("X-Hub-Signature-256"), "sha256=")
	given, err := hex.DecodeString(signature)
	app := c.Secret(channel.AppSecret)
	if !ok || err != nil || app == "" {
		return channel.ErrForbidden
	}
	mac := hmac.New(sha256.New, []byte(app))
	mac.Write(r.Body)
	if !hmac.Equal(mac.Sum(nil), given) {
		return channel.ErrForbidden
	}
	return nil
}

// maxChallenge is the size limit of a challenge in bytes; Meta's have about twenty.
const maxChallenge = 1 << 10

// Handshake answers Meta's verification request.
func Handshake(c channel.Connection, r channel.Request) (string, error) {
	query, err := url.ParseQuery(r.RawQuery)
	token := c.Secret(channel.VerifyToken)
	shown, challenge := query.Get("hub.verify_token"), query.Get("hub.challenge")
	if err != nil || token == "" || query.Get("hub.mode") != "subscribe" || challenge == "" ||
		len(challenge) > maxChallenge ||
		!hmac.Equal([]byte(shown), []byte(token)) {
		return "", channel.ErrForbidden
	}
	return challenge, nil
}
