package llm

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Failure is the reason why a service did not answer. Except for the name of the error, its text has
// nothing that was sent to or received from the service, since messages of services quote keys and prompts.
type Failure struct {
	Service string        // "" where the failure is none of the service's
	Status  int           // of HTTP; 0 where the failure is not an answer
	Code    string        // the service's or our name for it; may be empty
	Passing bool          // it may not happen again
	After   time.Duration // how long the service wants to be left alone
	Cause   error         // what it comes from in whose text no secret may stand; may be nil
}

// Error returns the failure for logs. It contains no secret.
func (f *Failure) Error() string {
	parts := make([]string, 0, 4)
	if f.Service != "" {
		parts = append(parts, f.Service)
	}
	if f.Status != 0 {
		parts = append(parts, fmt.Sprintf("status %d", f.Status))
	}
	if code := safeCode(f.Code); code != "" {
		parts = append(parts, code)
	}
	if f.Cause != nil {
		parts = append(parts, f.Cause.Error())
	}
	return "llm: " + strings.Join(parts, ": ")
}

// Unwrap returns the cause, or nil.
func (f *Failure) Unwrap() error { return f.Cause }

// safeCode returns s if it looks like the name of an error, and "" otherwise.
func safeCode(s string) string {
	if len(s) > 64 || strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' ||
			r == '-' || r == '.')
	}) {
		return ""
	}
	return s
}

// broken returns the failure for an error of a connection or of its content. It leaves out the address,
// which may contain a password.
func broken(service string, err error) *Failure {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return &Failure{Service: service, Code: "connection", Passing: true, Cause: err}
}
