package eventsource

import (
	"context"
	"encoding/json"
	"log/slog"

	"frontdesk/shared/queue"
)

// A failure is the record that a mapping's destination gets of changes that were given up: those parts of
// Lambda's record that are known here.
type failure struct {
	Version        string         `json:"version"`
	RequestContext requestContext `json:"requestContext"`
	Batch          batchInfo      `json:"DDBStreamBatchInfo"`
}

type requestContext struct {
	Condition   string `json:"condition"`
	InvokeCount int    `json:"approximateInvokeCount"`
}

type batchInfo struct {
	StreamARN           string `json:"streamArn"`
	StartSequenceNumber string `json:"startSequenceNumber"`
	EndSequenceNumber   string `json:"endSequenceNumber"`
	BatchSize           int    `json:"batchSize"`
}

// giveUp sends the failure to the destination and reports whether that succeeded; otherwise the batch is
// retried.
func (s *Stream) giveUp(ctx context.Context, batch []change, attempts int) bool {
	info := batchInfo{
		StreamARN:           s.ARN,
		StartSequenceNumber: batch[0].record.Change.SequenceNumber,
		EndSequenceNumber:   batch[len(batch)-1].record.Change.SequenceNumber,
		BatchSize:           len(batch),
	}
	if s.OnFailure != nil {
		body, err := json.Marshal(failure{"1.0", requestContext{"RetryAttemptsExhausted", attempts}, info})
		if err == nil {
			err = s.OnFailure.Send(context.WithoutCancel(ctx), queue.Outgoing{Body: string(body)})
		}
		if err != nil {
			s.Log.LogAttrs(ctx, slog.LevelError, "destination of failures not told",
				slog.String("stream", s.ARN), slog.String("error", err.Error()))
			return false
		}
	}
	s.Log.LogAttrs(ctx, slog.LevelError, "batch given up",
		slog.String("stream", s.ARN), slog.Int("changes", len(batch)), slog.Int("attempts", attempts),
		slog.String("from", info.StartSequenceNumber), slog.String("to", info.EndSequenceNumber))
	return true
}
