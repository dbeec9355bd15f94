package product

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"frontdesk/infra/emulator"
	"frontdesk/infra/eventsource"
	"frontdesk/infra/lambda"
	"frontdesk/shared/queue"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/secret"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/dynamo/schema"
	"frontdesk/shared/table/dynamo/streams"
)

// TestShuffledBuiltDeliveries is TestShuffledDeliveries over the workers as they are built for Lambda, with
// DynamoDB Local and its Streams, and ElasticMQ.
func TestShuffledBuiltDeliveries(t *testing.T) {
	testShuffle(t, newBuiltShuffle(t), 2)
}

func newBuiltShuffle(t *testing.T) *shuffle {
	t.Helper()
	tables, queues := emulator.DynamoDB().Endpoint(t), elasticMQ(t)
	queueURL := queues + "/000000000000/ShuffledDeliveries"
	config := func(endpoint string) aws.Config {
		return aws.Config{Region: "us-east-1",
			Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
			BaseEndpoint: &endpoint}
	}
	client := dynamodb.NewFromConfig(config(tables),
		func(o *dynamodb.Options) { o.DisableValidateResponseChecksum = true })
	name := fmt.Sprint("shuffle-", time.Now().UnixNano())
	if err := schema.Create(t.Context(), client, name); err != nil {
		t.Fatal(err)
	}
	key := secret.NewKey()
	function := func(group string) eventsource.Function {
		f, err := lambda.New(lambda.Config{Name: group, Bootstrap: build(t, group), Timeout: 20 * time.Second,
			Env: map[string]string{
				"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
				"TABLE_NAME":                name,
				"AWS_ENDPOINT_URL_DYNAMODB": tables, "AWS_ENDPOINT_URL_SQS": queues, "SECRETS_KEY": key,
				"WEBHOOK_ALLOW_HOSTS":    "127.0.0.1",
				"DELIVERIES_QUEUE_URL":   queueURL,
				"JOBS_QUEUE_URL":         queueURL,
				"INBOX_QUEUE_URL":        queueURL,
				"DEAD_LETTERS_QUEUE_URL": queueURL,
			}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		return f.Invoke
	}
	s := &shuffle{dispatch: function("dispatch"), deliver: function("deliver")}
	s.begin(t, struct {
		*dynamo.Table
		*streams.Feed
	}{dynamo.New(client, name, s.clock), streams.New(dynamodbstreams.NewFromConfig(config(tables)), name)},
		key)
	raw := awssqs.NewFromConfig(config(queues))
	source := sqs.New(raw, queueURL)
	// waiting reports whether messages are still to come: deliveries beyond their budget wait on the queue.
	waiting := func() bool {
		delayed := types.QueueAttributeNameApproximateNumberOfMessagesDelayed
		found, err := raw.GetQueueAttributes(t.Context(), &awssqs.GetQueueAttributesInput{
			QueueUrl: &queueURL, AttributeNames: []types.QueueAttributeName{delayed},
		})
		if err != nil {
			t.Fatal(err)
		}
		return found.Attributes[string(delayed)] != "0"
	}
	s.arrived = func(t *testing.T) (all []queue.Message) {
		for {
			some, err := source.Receive(t.Context(), queue.MaxReceive, time.Minute, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(some) == 0 && len(all) == 0 && waiting() {
				time.Sleep(200 * time.Millisecond)
				continue
			}
			if len(some) == 0 {
				return all
			}
			all = append(all, some...)
			for _, m := range some {
				if err := source.Delete(t.Context(), m.Receipt); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return s
}
