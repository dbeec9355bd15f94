// Package fault is the error type of the domain. A fault describes a mistake or refused request of a caller
// in a form that the REST API shows unchanged; every other error is internal and is not shown. Package api
// maps faults to HTTP.
package fault

import (
	"fmt"
	"time"
)

// A Code is the machine-readable kind of a fault, the "error" of an error body.
type Code string

// The codes, as the API documents them.
const (
	BadRequest             Code = "bad_request"
	ValidationError        Code = "validation_error"
	AuthenticationRequired Code = "authentication_required"
	InvalidAPIKey          Code = "invalid_api_key"
	APIKeyExpired          Code = "api_key_expired"
	QuotaExceeded          Code = "ai_quota_exceeded"
	Forbidden              Code = "forbidden"
	PlanLimit              Code = "plan_limit"
	ContactOptedOut        Code = "contact_opted_out"
	NotFoundCode           Code = "not_found"
	PayloadTooLarge        Code = "payload_too_large"
	Unprocessable          Code = "unprocessable"
	RateLimited            Code = "rate_limited"
	NotImplemented         Code = "not_implemented"
	ServerError            Code = "server_error"
	InternalError          Code = "internal_error"
	Unavailable            Code = "unavailable"
)

// An Error is a fault with its public description.
type Error struct {
	Code   Code
	Detail string         // for people; never holds what only the service may know
	Field  string         // the field at fault, "" if no single one is
	Extra  map[string]any // more keys of the error body, with plain values; may be nil
	// RetryAfter is how long the caller should wait before the next try; 0 where waiting is no help.
	RetryAfter time.Duration
	Err        error // the cause, for the log alone; may be nil
}

// Error returns code, detail and cause, for logs.
func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Detail
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause, nil if there is none.
func (e *Error) Unwrap() error { return e.Err }

// New returns a fault of a code. The text after it is the detail.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// NotFound returns the fault of what does not exist or is not the caller's.
func NotFound() *Error { return New(NotFoundCode, "The resource does not exist.") }

// Invalid returns the fault of a field whose value breaks a rule.
func Invalid(field, format string, args ...any) *Error {
	e := New(ValidationError, format, args...)
	e.Field = field
	return e
}
