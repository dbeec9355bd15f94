// Package sqs implements queues with Amazon SQS.
package sqs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// A Queue is a standard queue of SQS. The limit of deliveries is part of the queue's configuration. Each
// request counts in the Meter of its context. A Queue is safe for concurrent use.
type Queue struct {
	client *sqs.Client
	url    *string
	pause  time.Duration // before failed entries of a batch are sent again; doubles each time
}

// New returns the queue at a URL. It makes no request.
func New(client *sqs.Client, queueURL string) *Queue {
	return &Queue{client: client, url: &queueURL, pause: 50 * time.Millisecond}
}

// Send implements [queue.Sender]. Besides the client's retries of whole requests, a single message that SQS
// fails on is tried four times.
func (q *Queue) Send(ctx context.Context, messages ...queue.Outgoing) error {
	if err := queue.Check(messages...); err != nil {
		return err
	}
	for _, part := range parts(messages) {
		entries := make([]types.SendMessageBatchRequestEntry, len(part))
		for i, m := range part {
			entries[i] = types.SendMessageBatchRequestEntry{
				Id:           aws.String(strconv.Itoa(i)),
				MessageBody:  aws.String(m.Body),
				DelaySeconds: queue.WholeSeconds(m.Delay),
			}
			if m.Group != "" {
				entries[i].MessageGroupId = aws.String(m.Group) // turns on fair queues
			}
		}
		err := inBatch(ctx, q.pause, entries,
			func(entries []types.SendMessageBatchRequestEntry) ([]types.BatchResultErrorEntry, error) {
				table.Count(ctx, 0, 0)
				out, err := q.client.SendMessageBatch(ctx,
					&sqs.SendMessageBatchInput{QueueUrl: q.url, Entries: entries})
				if err != nil {
					return nil, err
				}
				return out.Failed, nil
			})
		if err != nil {
			return fmt.Errorf("queue: send: %w", err)
		}
	}
	return nil
}

// Receive implements [queue.Queue].
func (q *Queue) Receive(ctx context.Context, max int, visibility, wait time.Duration) ([]queue.Message,
	error) {
	table.Count(ctx, 0, 0)
	out, err := q.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl:            q.url,
		MaxNumberOfMessages: int32(min(max, queue.MaxReceive)),
		VisibilityTimeout:   queue.WholeSeconds(visibility),
		WaitTimeSeconds:     queue.WholeSeconds(min(wait, queue.MaxWait)),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{
			types.MessageSystemAttributeNameApproximateReceiveCount,
			types.MessageSystemAttributeNameSentTimestamp,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("queue: receive: %w", err)
	}
	messages := make([]queue.Message, len(out.Messages))
	for i, m := range out.Messages {
		if messages[i], err = received(m); err != nil {
			return nil, fmt.Errorf("queue: receive: %w", err)
		}
	}
	return messages, nil
}

// received converts a message of SQS.
func received(m types.Message) (queue.Message, error) {
	const counted = string(types.MessageSystemAttributeNameApproximateReceiveCount)
	receives, err := strconv.Atoi(m.Attributes[counted])
	if err != nil {
		return queue.Message{}, fmt.Errorf("count of receives: %w", err)
	}
	sent, err := strconv.ParseInt(m.Attributes[string(types.MessageSystemAttributeNameSentTimestamp)], 10, 64)
	if err != nil {
		return queue.Message{}, fmt.Errorf("time of sending: %w", err)
	}
	return queue.Message{
		ID:       aws.ToString(m.MessageId),
		Receipt:  aws.ToString(m.ReceiptHandle),
		Body:     aws.ToString(m.Body),
		Receives: receives,
		Sent:     time.UnixMilli(sent),
	}, nil
}

// Delete implements [queue.Queue].
func (q *Queue) Delete(ctx context.Context, receipts ...string) error {
	for len(receipts) > 0 {
		n := min(len(receipts), maxEntries)
		entries := make([]types.DeleteMessageBatchRequestEntry, n)
		for i, receipt := range receipts[:n] {
			entries[i] = types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)),
				ReceiptHandle: aws.String(receipt)}
		}
		receipts = receipts[n:]
		err := inBatch(ctx, q.pause, entries,
			func(entries []types.DeleteMessageBatchRequestEntry) ([]types.BatchResultErrorEntry, error) {
				table.Count(ctx, 0, 0)
				out, err := q.client.DeleteMessageBatch(ctx,
					&sqs.DeleteMessageBatchInput{QueueUrl: q.url, Entries: entries})
				if err != nil {
					return nil, err
				}
				return slices.DeleteFunc(out.Failed, func(f types.BatchResultErrorEntry) bool {
					return isOver(aws.ToString(f.Code))
				}), nil
			})
		if err != nil {
			return fmt.Errorf("queue: delete: %w", err)
		}
	}
	return nil
}

// Release implements [queue.Queue].
func (q *Queue) Release(ctx context.Context, receipt string, delay time.Duration) error {
	table.Count(ctx, 0, 0)
	_, err := q.client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
		QueueUrl:          q.url,
		ReceiptHandle:     &receipt,
		VisibilityTimeout: queue.WholeSeconds(delay),
	})
	var refused smithy.APIError
	if errors.As(err, &refused) && isOver(refused.ErrorCode()) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("queue: release: %w", err)
	}
	return nil
}

// isOver reports whether an error code says that the receipt is stale or the message gone. SQS then reports
// an invalid parameter value, ElasticMQ an invalid receipt handle.
func isOver(code string) bool {
	switch code {
	case "MessageNotInflight", "InvalidParameterValue", "ReceiptHandleIsInvalid":
		return true
	}
	return false
}
