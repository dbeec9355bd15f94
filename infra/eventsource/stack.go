package eventsource

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"frontdesk/infra/template"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// A Stack is what the event sources of a template read from.
type Stack struct {
	Queue      func(name string) queue.Queue // by the logical name
	Feed       table.Feed
	Checkpoint func(group string) Checkpoint // of the function in that folder, in the Feed
	Now        func() time.Time
	Log        *slog.Logger
}

// A Source calls a function until its context ends.
type Source interface{ Run(context.Context) error }

// Sources returns the event sources of a function, from its events in the template; nil if it has none.
func (s Stack) Sources(f template.Function, call Function) ([]Source, error) {
	var all []Source
	for _, e := range f.Queues {
		all = append(all, &Queue{
			Source: s.Queue(e.Queue), Function: call, ARN: "arn:aws:sqs:local:000000000000:" + e.Queue,
			BatchSize: e.BatchSize, Concurrency: e.Concurrency, PartialFailures: e.PartialFailures,
			Log: s.Log,
		})
	}
	for _, e := range f.Streams {
		filter, err := ParseFilter(e.Filters...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		stream := &Stream{
			Source: s.Feed, Convert: dynamo.Event, Function: call, Checkpoint: s.Checkpoint(f.Group),
			ARN: "arn:aws:dynamodb:local:000000000000:table/Table/stream/local", Filter: filter,
			BatchSize: e.BatchSize, PartialFailures: e.PartialFailures, Bisect: e.Bisect,
			Attempts: e.Retries + 1, Log: s.Log,
		}
		if e.OnFailure != "" {
			stream.OnFailure = s.Queue(e.OnFailure)
		}
		all = append(all, stream)
	}
	for _, e := range f.Schedules {
		all = append(all, &Schedule{
			Expression: e.Expression, Input: e.Input, Function: call,
			ARN: "arn:aws:events:local:000000000000:rule/" + e.Name, Now: s.Now, Log: s.Log,
		})
	}
	return all, nil
}
