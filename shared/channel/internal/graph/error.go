package graph

import (
	"encoding/json"
	"net/http"

	"frontdesk/shared/channel"
	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
)

// The codes that pass by themselves within the hour. Meta advises to go by codes: the HTTP status of some has
// changed over time. What is a matter of a number's quality (131048, 131049) or of policy (368) takes days,
// and is a rejection.
var transientCodes = map[int]bool{
	1:      true, // unknown error of the API
	2:      true, // temporarily out of order
	4:      true, // too many calls of the app
	17:     true, // too many calls of the user
	32:     true, // too many calls of the page
	613:    true, // too many calls of this kind
	80002:  true, // too many calls of the Instagram account
	80006:  true, // too many calls of the page's Messenger
	80007:  true, // too many calls of the business account
	130429: true, // too many messages of the number
	131000: true, // something went wrong
	131016: true, // service unavailable
	131056: true, // too many messages to this recipient
	131057: true, // the account is in maintenance mode
	133004: true, // server temporarily unavailable
}

// Codes and subcodes that need distinction.
const (
	codeWindow          = 131047  // more than 24 hours since the contact's last message
	codePermission      = 10      // a permission is missing, or with one of the next two the window is closed
	subcodeWindow       = 2018278 // of a page
	subcodeWindowDirect = 2534022 // of an Instagram account
	// the access token is wrong, has expired or was revoked; its message may quote it
	codeToken = 190
)

// classOf returns the class of an error of the API. status is 0 in a webhook.
func classOf(status, code, subcode int, transient bool) channel.Class {
	switch {
	case code == codeWindow, code == codePermission &&
		(subcode == subcodeWindow || subcode == subcodeWindowDirect):
		return channel.WindowClosed
	case transientCodes[code], transient:
		return channel.Transient
	case code == codeToken, status == http.StatusUnauthorized, code == 3, code == codePermission,
		code >= 200 && code <= 299,
		code == 131005:
		return channel.Reconnect
	case status == 0: // of a webhook: Meta has given up
		return channel.Rejected
	case status/100 != 4, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		return channel.Transient
	}
	return channel.Rejected
}

// A Failure is an error of the Graph API, in responses and in webhooks.
type Failure struct {
	Message   string `json:"message"`
	Title     string `json:"title"`
	Code      int    `json:"code"`
	Subcode   int    `json:"error_subcode"`
	Transient bool   `json:"is_transient"`
	Data      struct {
		Details string `json:"details"`
	} `json:"error_data"`
}

// Error converts the failure to an error of the channel with that name.
func (f Failure) Error(name string, status int, token secret.Plain) *channel.Error {
	e := &channel.Error{Class: classOf(status, f.Code, f.Subcode, f.Transient), Status: status, Code: f.Code}
	if f.Code == codeToken || status == http.StatusUnauthorized {
		e.Detail = name + " does not accept the channel's access token."
		return e
	}
	words := f.Message
	if words == "" {
		words = f.Title
	}
	e.Detail = name + " answered: " + channel.CleanText(words+" "+f.Data.Details, token)
	return e
}

// failure reads an unsuccessful response. A response that is not from the API, such as a proxy's, is
// retryable unless it says that the request is at fault.
func (c *Client) failure(answer egress.Answer, token secret.Plain, sending bool) error {
	var body struct {
		Error *Failure `json:"error"`
	}
	if err := json.Unmarshal(answer.Body, &body); err != nil || body.Error == nil {
		return channel.NotUnderstood(c.name, answer.Status, sending)
	}
	return body.Error.Error(c.name, answer.Status, token)
}
