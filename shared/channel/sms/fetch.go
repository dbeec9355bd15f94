package sms

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/egress"
)

const (
	// fetchTime limits a call for a file.
	fetchTime = 15 * time.Second
	// maxHops limits the redirects to a file: Twilio's address redirects to its storage.
	maxHops = 3
)

// Fetch implements channel.Fetcher. Credentials are sent to Twilio alone, not to the hosts it redirects to.
func (p *Provider) Fetch(
	ctx context.Context, c channel.Connection, a channel.Attachment, maxBytes int64,
) (channel.File, error) {
	address := a.URL
	for range maxHops {
		call := egress.Call{
			Method: http.MethodGet, URL: address, Header: http.Header{}, Timeout: fetchTime,
			MaxBody: maxBytes,
		}
		if p.isTwilio(address) {
			credentials := c.Text(channel.AccountSID) + ":" + string(c.Secret(channel.AuthToken))
			call.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(credentials)))
		}
		answer, err := p.web.Do(ctx, call)
		switch {
		case err != nil:
			return channel.File{}, channel.NoAnswer(name, err, false)
		case answer.Status/100 == 3:
			if address = next(address, answer.Header.Get("Location")); address == "" {
				return channel.File{}, channel.NotUnderstood(name, answer.Status, false)
			}
			continue
		case answer.Status/100 != 2:
			return channel.File{}, failure(answer, c.Secret(channel.AuthToken), false)
		case answer.Cut:
			return channel.File{}, &channel.Error{Class: channel.Rejected, Detail: "The file is too large."}
		}
		return channel.File{ContentType: a.ContentType, Name: a.Name, Content: answer.Body}, nil
	}
	return channel.File{}, channel.NotUnderstood(name, http.StatusFound, false)
}

// isTwilio reports whether an address is below Twilio's API.
func (p *Provider) isTwilio(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	own := host == "twilio.com" || strings.HasSuffix(host, ".twilio.com")
	return own && u.Scheme == "https" || strings.HasPrefix(address, p.address+"/")
}

// next returns the target of a redirect, or "".
func next(address, location string) string {
	from, err := url.Parse(address)
	if err != nil || location == "" {
		return ""
	}
	to, err := from.Parse(location)
	if err != nil {
		return ""
	}
	return to.String()
}
