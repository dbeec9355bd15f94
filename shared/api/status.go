package api

import (
	"maps"
	"net/http"

	"frontdesk/shared/fault"
)

// statusOf returns the HTTP status of a fault's code, 500 for unknown ones.
func statusOf(code fault.Code) int {
	switch code {
	case fault.BadRequest, fault.ValidationError:
		return http.StatusBadRequest
	case fault.AuthenticationRequired, fault.InvalidAPIKey, fault.APIKeyExpired:
		return http.StatusUnauthorized
	case fault.QuotaExceeded:
		return http.StatusPaymentRequired
	case fault.Forbidden, fault.PlanLimit, fault.ContactOptedOut:
		return http.StatusForbidden
	case fault.NotFoundCode:
		return http.StatusNotFound
	case fault.PayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.Unprocessable:
		return http.StatusUnprocessableEntity
	case fault.RateLimited:
		return http.StatusTooManyRequests
	case fault.NotImplemented:
		return http.StatusNotImplemented
	case fault.ServerError:
		return http.StatusBadGateway
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// errorBody returns the JSON body of an error: error, detail, field if any, and Extra.
func errorBody(e *fault.Error) map[string]any {
	body := map[string]any{"error": e.Code, "detail": e.Detail}
	if e.Field != "" {
		body["field"] = e.Field
	}
	maps.Copy(body, e.Extra)
	return body
}
