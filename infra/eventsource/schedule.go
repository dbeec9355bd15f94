package eventsource

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
)

// A Schedule calls a function again and again. A call that fails is logged and not tried again before the
// next turn; one that takes longer than the time between turns does not hold up the next.
type Schedule struct {
	// Expression is rate(1 minute), rate(5 hours), rate(2 days) and the like. The turns are at the whole
	// multiples of that time since the year 1, so a restart does not shift them. cron() is not known here.
	Expression string
	// Input is what the function is handed, as JSON; "" is an event of EventBridge.
	Input    string
	Function Function
	ARN      string // of the rule, for the events
	Now      func() time.Time
	Log      *slog.Logger
}

// Run calls the function, at first for the latest turn, which may have passed while nothing ran here, until
// ctx ends. It then returns nil. An error means that the expression is not
// understood.
func (s *Schedule) Run(ctx context.Context) error {
	rate, err := ParseRate(s.Expression)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	turn := s.Now().Truncate(rate)
	for {
		due := turn
		wg.Go(func() { s.call(ctx, due) })
		turn = turn.Add(rate)
		sleep(ctx, turn.Sub(s.Now()))
		if ctx.Err() != nil {
			return nil
		}
		// Turns that a sleeping machine missed are left out.
		if latest := s.Now().Truncate(rate); latest.After(turn) {
			turn = latest
		}
	}
}

// call calls the function with the event of a turn.
func (s *Schedule) call(ctx context.Context, turn time.Time) {
	var event any = events.CloudWatchEvent{
		Version:    "0",
		ID:         uuid.NewString(),
		DetailType: "Scheduled Event",
		Source:     "aws.events",
		Time:       turn.UTC(),
		Region:     regionOf(s.ARN),
		Resources:  []string{s.ARN},
		Detail:     json.RawMessage(`{}`),
	}
	if s.Input != "" {
		event = json.RawMessage(s.Input)
	}
	if _, err := s.Function.call(ctx, event); err != nil {
		s.Log.LogAttrs(ctx, slog.LevelError, "scheduled call failed",
			slog.String("rule", s.ARN), slog.String("error", err.Error()))
	}
}

// ParseRate reads the time between two turns out of a rate() expression. As with EventBridge the unit is a
// singular after 1 and a plural after any other number.
func ParseRate(expression string) (time.Duration, error) {
	inner, isRate := strings.CutPrefix(expression, "rate(")
	inner, closed := strings.CutSuffix(inner, ")")
	number, unit, _ := strings.Cut(inner, " ")
	n, err := strconv.ParseUint(number, 10, 16)
	if !isRate || !closed || err != nil || n == 0 {
		return 0, fmt.Errorf("eventsource: schedule %q is not understood: it has to be like rate(5 minutes)",
			expression)
	}
	one, plural := strings.CutSuffix(unit, "s")
	var d time.Duration
	switch one {
	case "minute":
		d = time.Minute
	case "hour":
		d = time.Hour
	case "day":
		d = 24 * time.Hour
	}
	if d == 0 || plural == (n == 1) {
		return 0, fmt.Errorf("eventsource: schedule %q: the unit has to be minute, hour or day after 1, "+
			"else minutes, hours or days", expression)
	}
	return time.Duration(n) * d, nil
}
