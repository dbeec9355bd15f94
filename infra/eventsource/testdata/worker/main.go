// Command worker is a function for queues and streams, for the tests of package eventsource. It fails on
// messages whose body, and items whose partition key, ends in "poison".
package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
)

type batch struct {
	Records []json.RawMessage
}

type failure struct {
	ItemIdentifier string `json:"itemIdentifier"`
}

type response struct {
	BatchItemFailures []failure `json:"batchItemFailures"`
}

func handle(_ context.Context, b batch) (response, error) {
	var r response
	for _, text := range b.Records {
		var message events.SQSMessage
		if err := json.Unmarshal(text, &message); err != nil {
			return r, err
		}
		name, id := message.Body, message.MessageId
		if message.EventSource == "aws:dynamodb" {
			var change events.DynamoDBEventRecord
			if err := json.Unmarshal(text, &change); err != nil {
				return r, err
			}
			name, id = change.Change.Keys["pk"].String(), change.Change.SequenceNumber
		}
		if strings.HasSuffix(name, "poison") {
			r.BatchItemFailures = append(r.BatchItemFailures, failure{id})
		}
	}
	return r, nil
}

func main() { lambda.Start(handle) }
