package sqs_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"frontdesk/infra/emulator"
	"frontdesk/shared/queue"
	"frontdesk/shared/queue/queuetest"
	"frontdesk/shared/queue/sqs"
)

func TestQueue(t *testing.T) {
	client := newClient(t, nil)
	queuetest.Run(t, func(t *testing.T, o queuetest.Options) (q, dead queue.Queue) {
		attributes := map[string]string{}
		if o.Delay > 0 {
			attributes["DelaySeconds"] = seconds(o.Delay)
		}
		if o.Visibility > 0 {
			attributes["VisibilityTimeout"] = seconds(o.Visibility)
		}
		if o.MaxReceives > 0 {
			deadURL := newQueue(t, client, nil)
			attributes["RedrivePolicy"] = fmt.Sprintf(`{"deadLetterTargetArn": %q, "maxReceiveCount": %d}`,
				arn(t, client, deadURL), o.MaxReceives)
			dead = sqs.New(client, deadURL)
		}
		return sqs.New(client, newQueue(t, client, attributes)), dead
	})
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) }

// newClient returns a client of the emulator. Its requests go through transport where one is given.
func newClient(t *testing.T, transport awssqs.HTTPClient) *awssqs.Client {
	return awssqs.New(awssqs.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(emulator.ElasticMQ().Endpoint(t)),
		Credentials:  aws.CredentialsProviderFunc(credentials),
		HTTPClient:   transport,
	})
}

// newQueue makes a queue with a name of its own and returns its address.
func newQueue(t *testing.T, client *awssqs.Client, attributes map[string]string) string {
	t.Helper()
	out, err := client.CreateQueue(t.Context(), &awssqs.CreateQueueInput{
		QueueName: aws.String("test-" + rand.Text()), Attributes: attributes,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.DeleteQueue(context.Background(), &awssqs.DeleteQueueInput{QueueUrl: out.QueueUrl})
	})
	return *out.QueueUrl
}

func arn(t *testing.T, client *awssqs.Client, url string) string {
	t.Helper()
	out, err := client.GetQueueAttributes(t.Context(), &awssqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Attributes["QueueArn"]
}

// credentials are any: the emulator takes all.
func credentials(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
}
