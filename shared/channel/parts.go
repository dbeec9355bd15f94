package channel

import (
	"context"
	"errors"
	"fmt"
)

// Deliver sends a message of any length: one whose text is above the channel's limit in several parts, one
// after the other, since platforms do not keep the order of those that are sent at once. Choices go with the
// last part. The receipt is that of the last part, with the segments of all.
//
// The error is an *Error. One that would be worth another attempt is Rejected where parts before it were
// accepted, since the contact would get those again; Detail says how many were sent.
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

// partly is the error of a message of which only the first parts were sent.
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
