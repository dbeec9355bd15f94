package eventsource

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseRate(t *testing.T) {
	for expression, want := range map[string]time.Duration{
		"rate(1 minute)":          time.Minute,
		"rate(5 minutes)":         5 * time.Minute,
		"rate(1 hour)":            time.Hour,
		"rate(12 hours)":          12 * time.Hour,
		"rate(1 day)":             24 * time.Hour,
		"rate(7 days)":            7 * 24 * time.Hour,
		"rate(1 minutes)":         0,
		"rate(5 minute)":          0,
		"rate(0 minutes)":         0,
		"rate(-1 minutes)":        0,
		"rate(1.5 hours)":         0,
		"rate(5 seconds)":         0,
		"rate(5)":                 0,
		"rate(5 minutes":          0,
		"rate(5  minutes)":        0,
		"5 minutes":               0,
		"":                        0,
		"cron(0 12 * * ? *)":      0,
		"at(2030-01-01T00:00:00)": 0,
	} {
		got, err := ParseRate(expression)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("ParseRate(%q) = %v, %v, want %v", expression, got, err, want)
		}
	}
}

func TestSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const offset = 90 * time.Minute // of the service's clock
		var mu sync.Mutex
		var got []events.CloudWatchEvent
		var at []time.Time
		now := func() time.Time { return time.Now().Add(offset) }
		s := &Schedule{
			Expression: "rate(1 hour)",
			Function: func(ctx context.Context, payload []byte) ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				var event events.CloudWatchEvent
				if err := json.Unmarshal(payload, &event); err != nil {
					t.Error(err)
				}
				got = append(got, event)
				at = append(at, now().UTC())
				return nil, errors.New("a failure does not end it")
			},
			ARN: "arn:aws:events:eu-west-1:123456789012:rule/hourly",
			Now: now,
			Log: testLog(t),
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		// The bubble's clock begins at midnight.
		day := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
		want := []events.CloudWatchEvent{}
		for _, hour := range []time.Duration{1, 2, 3} { // the first had passed
			want = append(want, events.CloudWatchEvent{
				Version: "0", DetailType: "Scheduled Event", Source: "aws.events", Region: "eu-west-1",
				Time: day.Add(hour * time.Hour), Resources: []string{s.ARN}, Detail: json.RawMessage(`{}`),
			})
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(events.CloudWatchEvent{}, "ID")); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]time.Time{day.Add(offset), day.Add(2 * time.Hour), day.Add(3 * time.Hour)},
			at); diff != "" {
			t.Errorf("times of the calls (-want +got):\n%s", diff)
		}
		if got[0].ID == "" || got[0].ID == got[1].ID {
			t.Errorf("ids %q and %q, want two", got[0].ID, got[1].ID)
		}
	})
}

// TestScheduleOverlaps has calls that take longer than the time between turns.
func TestScheduleOverlaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		started, ended := 0, 0
		s := &Schedule{
			Expression: "rate(1 minute)",
			Function: func(ctx context.Context, _ []byte) ([]byte, error) {
				mu.Lock()
				started++
				mu.Unlock()
				time.Sleep(90 * time.Second)
				mu.Lock()
				ended++
				mu.Unlock()
				return nil, ctx.Err()
			},
			Now: time.Now,
			Log: testLog(t),
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute+time.Second)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if started != 4 || ended != 4 {
			t.Errorf("%d calls began and %d ended before Run returned, want 4", started, ended)
		}
	})
}

func TestScheduleRefusesCron(t *testing.T) {
	s := &Schedule{Expression: "cron(0 12 * * ? *)", Now: time.Now, Log: testLog(t)}
	if err := s.Run(t.Context()); err == nil {
		t.Error("Run gave no error")
	}
}
