package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"testing"

	"frontdesk/shared/api"
	"frontdesk/shared/table"
)

// TestStoreFailures has a table fail. Callers are told to come again, and nothing of the cause.
func TestStoreFailures(t *testing.T) {
	for _, test := range []struct {
		err        error
		status     int
		retryAfter string
		body       string
	}{
		{table.ErrUnavailable, 503, "60",
			`{"detail":"The service cannot store anything now. Try again later.","error":"server_error"}`},
		{table.ErrBusy, 503, "1",
			`{"detail":"The service is busy. Try again in a moment.","error":"unavailable"}`},
		{fmt.Errorf("disk"), 500, "", `{"detail":"An internal error occurred.","error":"internal_error"}`},
	} {
		r := &api.Router{Log: slog.New(slog.DiscardHandler)}
		api.Handle(r, "GET /", api.Doc{Public: true}, func(context.Context, api.None) (api.None, error) {
			return api.None{}, fmt.Errorf("storing: %w: database or disk is full", test.err)
		})
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest("GET", api.Prefix+"/", nil))
		if w.Code != test.status || w.Header().Get("Retry-After") != test.retryAfter ||
			w.Body.String() != test.body {
			t.Errorf("%v: %d, Retry-After %q, %s", test.err, w.Code, w.Header().Get("Retry-After"), w.Body)
		}
	}
}
