package llm

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Failure is why a service did not answer. Its text holds nothing that the service was sent or that it
// wrote but the name of the error: messages of services quote keys and prompts.
type Failure struct {
	Service string        // "" where the failure is none of the service's
	Status  int           // of HTTP; 0 where the failure is not an answer
	Code    string        // the service's or our name for it; may be empty
	Passing bool          // it may not happen again
	After   time.Duration // how long the service wants to be left alone
	Cause   error         // what it comes from in whose text no secret may stand; may be nil
}

// Error returns what is known of the failure, for logs. It holds no secret.
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

// Unwrap returns the cause, nil where there is none.
func (f *Failure) Unwrap() error { return f.Cause }

// safeCode is a name of an error, or "" for what does not look like one.
func safeCode(s string) string {
	if len(s) > 64 || strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' ||
			r == '-' || r == '.')
	}) {
		return ""
	}
	return s
}

// broken is the failure of a connection, or of what came over it. The address called is not in it: it may
// hold a password.
func broken(service string, err error) *Failure {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return &Failure{Service: service, Code: "connection", Passing: true, Cause: err}
}
