package emulator_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/emulator"
)

// TestElasticMQQueues starts one with queues and expects them with what was asked for, at once.
func TestElasticMQQueues(t *testing.T) {
	emulator.ElasticMQ().Endpoint(t) // fails or skips the test where none can run
	server, err := emulator.ElasticMQ(
		emulator.Queue{Name: "work", Delay: 4 * time.Second, Visibility: time.Minute, MaxReceives: 3,
			DeadLetters: "work-dead"},
		emulator.Queue{Name: "work-dead"},
	).Start(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	client := sqs.New(sqs.Options{
		Region: "us-east-1", BaseEndpoint: &server.Address, HTTPClient: http.DefaultClient,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	})
	got := map[string]map[string]string{}
	for _, name := range []string{"work", "work-dead"} {
		queue, err := client.GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: &name})
		if err != nil {
			t.Fatal(err)
		}
		out, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
			QueueUrl: queue.QueueUrl,
			AttributeNames: []types.QueueAttributeName{
				types.QueueAttributeNameVisibilityTimeout, types.QueueAttributeNameDelaySeconds,
				types.QueueAttributeNameRedrivePolicy,
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		got[name] = out.Attributes
	}
	want := map[string]map[string]string{
		"work": {
			"VisibilityTimeout": "60", "DelaySeconds": "4",
			"RedrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:elasticmq:000000000000:work-dead","maxReceiveCount":3}`,
		},
		"work-dead": {"VisibilityTimeout": "30", "DelaySeconds": "0"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
}
