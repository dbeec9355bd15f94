package whatsapp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
)

// An Error says why a message was not accepted.
type Error struct {
	// Transient tells that the same message may be accepted later: WhatsApp could not be reached, is out of order, or has
	// had too many messages of this number for the moment. Otherwise it is rejected for good.
	Transient bool
	// Unclear tells that WhatsApp may have taken the message all the same: no answer came, or none of the Graph API.
	Unclear bool
	Status  int // of the HTTP answer; 0 where none came
	Code    int // Meta's; 0 where the answer names none
	// Detail is for whoever sent the message, in whole sentences. It has Meta's own words where there are some, and no
	// credential.
	Detail string
	cause  error
}

// Unwrap returns the cause, nil where there is none.
func (e *Error) Unwrap() error { return e.cause }

// Error is for logs.
func (e *Error) Error() string {
	text := fmt.Sprintf("whatsapp: status %d, code %d", e.Status, e.Code)
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// The codes of the Cloud API, and of the Graph API below it, that pass by themselves within the hour. The documentation
// advises to go by codes: the HTTP status of some has changed over time. What is told to be a matter of the number's
// quality (131048, 131049) or of policy (368) takes days, and is a rejection.
var transientCodes = [...]int{
	1,      // unknown error of the API
	2,      // temporarily out of order
	4,      // too many calls of the app
	80007,  // too many calls of the business account
	130429, // too many messages of the number
	131000, // something went wrong
	131016, // service unavailable
	131056, // too many messages to this recipient
	131057, // the account is in maintenance mode
	133004, // server temporarily unavailable
}

// codeToken says that something is wrong with the access token, and mostly quotes it.
const codeToken = 190

// maxDetail is how many characters of Meta's words are passed on.
const maxDetail = 500

// failure reads an answer that is no success.
func failure(answer egress.Answer, token secret.Plain) *Error {
	var body struct {
		Error *struct {
			Message   string `json:"message"`
			Code      int    `json:"code"`
			Transient bool   `json:"is_transient"`
			Data      struct {
				Details string `json:"details"`
			} `json:"error_data"`
		} `json:"error"`
	}
	e := &Error{Status: answer.Status}
	// Whatever answers in the place of the API, such as a proxy, is no reason to give a message up, unless it says
	// that the request is at fault.
	e.Transient = e.Status/100 != 4 || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
	if err := json.Unmarshal(answer.Body, &body); err != nil || body.Error == nil {
		e.Detail = notUnderstood
		if e.Unclear = e.Transient && e.Status != http.StatusTooManyRequests; e.Unclear {
			e.Detail += mayBeSent
		}
		return e
	}
	e.Code = body.Error.Code
	for _, code := range transientCodes {
		e.Transient = e.Transient || e.Code == code
	}
	e.Transient = e.Transient || body.Error.Transient
	if e.Code == codeToken || e.Status == http.StatusUnauthorized {
		e.Detail = "WhatsApp does not accept the channel's access token."
		return e
	}
	e.Detail = "WhatsApp answered: " + readable(body.Error.Message+" "+body.Error.Data.Details, token)
	return e
}

// readable is a text of Meta's as it may be passed on.
func readable(text string, token secret.Plain) string {
	if token != "" {
		text = strings.ReplaceAll(text, string(token), fmt.Sprint(token))
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) > maxDetail {
		text = string([]rune(text)[:maxDetail])
	}
	return text
}
