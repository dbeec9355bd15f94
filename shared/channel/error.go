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

// A Class says how an error of a platform is to be taken.
type Class string

// The classes.
const (
	Transient Class = "transient" // not sent; the same message may be accepted within the hour
	// it may have been sent: no answer came, or none that is the platform's
	Unclear      Class = "unclear"
	Rejected     Class = "rejected"      // not sent, and it never will be
	WindowClosed Class = "window_closed" // not sent: the contact did not write recently enough
	OptedOut     Class = "opted_out"     // not sent: the contact wants no messages
	Reconnect    Class = "reconnect"     // not sent: the platform does not accept the credentials
)

// An Error says why a platform did not do what was asked. Neither its texts nor its cause hold a credential.
type Error struct {
	Class  Class `json:"class"`
	Status int   `json:"status,omitempty"` // of the HTTP answer; 0 where none came
	Code   int   `json:"code,omitempty"`   // the platform's; 0 where it names none
	// Detail is for whoever sent the message, in whole sentences, with the platform's own words where there
	// are some.
	Detail string `json:"detail"`
	// Cause is what lies behind it, for logs; nil where the platform answered.
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

// Retry reports whether the same message is worth another attempt.
func (e *Error) Retry() bool { return e.Class == Transient || e.Class == Unclear }

// maxWords is how many characters of a platform's words are passed on.
const maxWords = 500

// Words is a text of a platform's as it may be shown: on one line, cut to 500 characters, and without the
// secrets.
func Words(text string, secrets ...secret.Plain) string {
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

// NoAnswer is the error of a call that had no answer. Where a message was being sent over a connection that
// was made, the platform may have taken it.
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

// NotUnderstood is the error of an answer that is not one of the platform's API: something else stood in
// between. Where a message was being sent the platform may have taken it, unless the status says that the
// request was refused.
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

// DetailOf is the Detail of an *Error, for findings of a check; of another error only that there is one.
func DetailOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Detail
	}
	return "The check could not be made."
}
