package channel

import (
	"context"
	"errors"
	"fmt"
)

// Deliver sends a message of any length. A text above the channel's limit is sent in several parts, one after
// another, since platforms do not keep the order of concurrent messages. Choices go with the last part. The
// receipt is that of the last part, with the segments of all.
//
// The error is an *Error. A retryable error after the first part becomes Rejected, since a retry would repeat
// earlier parts; Detail says how many were sent.
func Deliver(ctx context.Context, p Provider, c Connection, m Message) (Receipt, error) {
	limit := p.Info().Text
	if m.Template != nil || limit.Fits(m.Text) {
		return p.Send(ctx, c, m)
	}
	message, _, ours := ReadRef(m.Ref)
	parts := Split(limit, m.Text)
	var all Receipt
	for i, text := range parts {
		part := m
		part.Text = text
		if ours {
			part.Ref = NewRef(message, i)
		}
		if i < len(parts)-1 {
			part.Choices = nil
		}
		receipt, err := p.Send(ctx, c, part)
		if err != nil {
			return Receipt{}, partly(err, i, len(parts))
		}
		receipt.Segments += all.Segments
		all = receipt
	}
	return all, nil
}

// partly returns the error of a message of which only the first parts were sent.
func partly(err error, sent, of int) error {
	var e *Error
	if sent == 0 || !errors.As(err, &e) {
		return err
	}
	after := *e
	after.Detail = fmt.Sprintf("Only %d of the %d parts of the message were sent. %s", sent, of, e.Detail)
	if e.Retry() {
		after.Class = Rejected
	}
	return &after
}
