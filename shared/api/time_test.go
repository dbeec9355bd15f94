package api_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
)

type timesIn struct {
	Day   string `query:"day" check:"format=day"`
	Since string `query:"since" check:"format=since"`
	Until string `query:"until" check:"format=until"`
}

type times struct {
	Day   string `json:"day"`
	Since string `json:"since"`
	Until string `json:"until"`
}

// TestDatesAndTimes reads the ends of periods: a date is the whole of its day in UTC.
func TestDatesAndTimes(t *testing.T) {
	router := &api.Router{Auth: open{}, Log: slog.New(slog.DiscardHandler)}
	api.Handle(router, "GET /times/", api.Doc{Summary: "Read times"},
		func(_ context.Context, in timesIn) (times, error) {
			return times(in), nil
		})
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	c := &apitest.Client{Base: server.URL + api.Prefix + "/", Key: "k"}
	for text, want := range map[string]times{
		"2026-03-02":                {"2026-03-02", "2026-03-02T00:00:00Z", "2026-03-02T23:59:59.999999999Z"},
		"9999-12-31":                {"9999-12-31", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999999999Z"},
		"2026-03-02T09:30:00":       {"2026-03-02", "2026-03-02T09:30:00Z", "2026-03-02T09:30:00Z"},
		"2026-03-02t09:30:00.25z":   {"2026-03-02", "2026-03-02T09:30:00.25Z", "2026-03-02T09:30:00.25Z"},
		"2026-03-02T23:30:00-05:00": {"2026-03-03", "2026-03-03T04:30:00Z", "2026-03-03T04:30:00Z"},
		// the plus sign of an address
		"2026-03-02T23:30:00 05:30": {"2026-03-02", "2026-03-02T18:00:00Z", "2026-03-02T18:00:00Z"},
	} {
		text := url.QueryEscape(text)
		a := c.Want(t, 200, "GET", "times/?day="+text+"&since="+text+"&until="+text, nil)
		if diff := cmp.Diff(want, times{a.Text("day"), a.Text("since"), a.Text("until")}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"today", "2026-02-30", "2026-03-02T09:30", "2026-3-2", "0000-01-01",
		"10000-01-01", "9999-12-31T23:59:59-01:00"} {
		for _, name := range []string{"day", "since", "until"} {
			c.WantError(t, 400, "validation_error", name, "GET", "times/?"+name+"="+text, nil)
		}
	}
}
