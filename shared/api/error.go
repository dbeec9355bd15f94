package api

import (
	"fmt"
	"maps"
	"net/http"
	"time"
)

// A Code is the machine-readable name of an error, the "error" of an error body.
type Code string

// The codes of the API.
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

// Status is the HTTP status that goes with the code.
func (c Code) Status() int {
	switch c {
	case BadRequest, ValidationError:
		return http.StatusBadRequest
	case AuthenticationRequired, InvalidAPIKey, APIKeyExpired:
		return http.StatusUnauthorized
	case QuotaExceeded:
		return http.StatusPaymentRequired
	case Forbidden, PlanLimit, ContactOptedOut:
		return http.StatusForbidden
	case NotFoundCode:
		return http.StatusNotFound
	case PayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case Unprocessable:
		return http.StatusUnprocessableEntity
	case RateLimited:
		return http.StatusTooManyRequests
	case NotImplemented:
		return http.StatusNotImplemented
	case ServerError:
		return http.StatusBadGateway
	case Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// An Error is an answer that is not a success. Handlers return it; the Router writes it as the API's error body.
type Error struct {
	Code   Code
	Detail string         // for people; never holds what only the service may know
	Field  string         // the field at fault, where there is one
	Extra  map[string]any // more keys of the body
	// RetryAfter is how long the caller should wait before the next try; 0 says nothing of it.
	RetryAfter time.Duration
	Err        error // the cause, for the log alone
}

func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Detail
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// body is the error body: error, detail, field where there is one, and what is in Extra.
func (e *Error) body() map[string]any {
	body := map[string]any{"error": e.Code, "detail": e.Detail}
	if e.Field != "" {
		body["field"] = e.Field
	}
	maps.Copy(body, e.Extra)
	return body
}

// Fail returns an error of that code. The text after it is the body's detail.
func Fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// NotFound is the answer for what does not exist or is not the caller's.
func NotFound() *Error { return Fail(NotFoundCode, "The resource does not exist.") }

// Invalid says that the value of a field breaks a rule.
func Invalid(field, format string, args ...any) *Error {
	e := Fail(ValidationError, format, args...)
	e.Field = field
	return e
}
