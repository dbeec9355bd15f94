package channel

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
)

// A Class says how to treat an error of a platform.
type Class string

// The classes.
const (
	Transient Class = "transient" // not sent; the same message may be accepted within the hour
	// Unclear: it may have been sent, since there was no response or none from the platform's API.
	Unclear      Class = "unclear"
	Rejected     Class = "rejected"      // not sent, and a retry will not help
	WindowClosed Class = "window_closed" // not sent: the contact did not write recently enough
	OptedOut     Class = "opted_out"     // not sent: the contact wants no messages
	Reconnect    Class = "reconnect"     // not sent: the platform does not accept the credentials
)

// An Error is why a platform did not do what was asked. Neither its texts nor its cause contain a credential.
type Error struct {
	Class  Class `json:"class"`
	Status int   `json:"status,omitempty"` // of the HTTP response; 0 without one
	Code   int   `json:"code,omitempty"`   // the platform's error code; 0 if there is none
	// Detail is for the sender of the message, in whole sentences, with the platform's own text if there is
	// any.
	Detail string `json:"detail"`
	// Cause is the underlying error, for logs; nil if the platform answered.
	Cause error `json:"-"`
}

// Error implements error. Its text is for logs.
func (e *Error) Error() string {
	text := fmt.Sprintf("channel: %s, status %d, code %d: %s", e.Class, e.Status, e.Code, e.Detail)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Retry reports whether another attempt to send the same message may succeed.
func (e *Error) Retry() bool { return e.Class == Transient || e.Class == Unclear }

// maxWords is how many characters of a platform's text are passed on.
const maxWords = 500

// CleanText returns a platform's text as it may be shown: on one line, cut to 500 characters, without the
// secrets.
func CleanText(text string, secrets ...secret.Plain) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, string(s), fmt.Sprint(s))
		}
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) > maxWords {
		text = string([]rune(text)[:maxWords])
	}
	return text
}

// mayBeSent follows in the Detail of an error that is Unclear.
const mayBeSent = " It may have taken the message all the same."

// NoAnswer returns the error of a call without a response. If a message was sent over an established
// connection, the platform may have accepted it.
func NoAnswer(platform string, cause error, sending bool) *Error {
	e := &Error{Class: Transient, Detail: platform + " could not be reached.", Cause: cause}
	var broken *egress.Error
	if errors.As(cause, &broken) {
		switch broken.Reason {
		case egress.TimedOut, egress.Canceled, egress.Broken:
			e.Detail = platform + " did not answer."
			if sending {
				e.Class, e.Detail = Unclear, e.Detail+mayBeSent
			}
		}
	}
	return e
}

// NotUnderstood returns the error of a response that is not from the platform's API, for example from a
// proxy. If a message was sent, the platform may have accepted it, unless the status says that the request
// was refused.
func NotUnderstood(platform string, status int, sending bool) *Error {
	e := &Error{Class: Transient, Status: status,
		Detail: platform + " gave an answer that is not understood."}
	switch {
	case status == http.StatusUnauthorized:
		e.Class, e.Detail = Reconnect, platform+" does not accept the channel's credentials."
	case status == http.StatusTooManyRequests:
	case status/100 == 4 && status != http.StatusRequestTimeout:
		e.Class = Rejected
	case sending:
		e.Class, e.Detail = Unclear, e.Detail+mayBeSent
	}
	return e
}

// DetailOf returns the Detail of an *Error, for findings of a check, and a general text for other errors.
func DetailOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Detail
	}
	return "The check could not be made."
}
