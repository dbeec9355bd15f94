package dynamo_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"frontdesk/infra/emulator"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/dynamo/schema"
	"frontdesk/shared/table/dynamo/streams"
	"frontdesk/shared/table/tabletest"
)

func TestTable(t *testing.T) {
	endpoint := emulator.DynamoDB().Endpoint(t)
	client := newClient(endpoint)
	streamsClient := dynamodbstreams.New(dynamodbstreams.Options{
		Region: region, BaseEndpoint: &endpoint, Credentials: anyone,
	})
	tabletest.Run(t, func(t *testing.T, now func() time.Time) tabletest.Harness {
		name := newTable(t, client)
		return tabletest.Harness{
			Table:      dynamo.New(client, name, now),
			Feed:       streams.New(streamsClient, name),
			RoughUnits: true,
		}
	})
}

// DynamoDB Local takes any region and any key.
const region = "us-east-1"

var anyone = credentials.NewStaticCredentialsProvider("key", "secret", "")

// newClient returns a client of DynamoDB Local.
func newClient(endpoint string, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: region, BaseEndpoint: &endpoint, Credentials: anyone, DisableValidateResponseChecksum: true,
	}, options...)
}

// newTable makes a table for the time of the test and returns its name.
func newTable(t *testing.T, client *dynamodb.Client) string {
	t.Helper()
	name := fmt.Sprintf("test-%d", time.Now().UnixNano())
	if err := schema.Create(t.Context(), client, name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The test's context has ended by now.
		if _, err := client.DeleteTable(context.Background(),
			&dynamodb.DeleteTableInput{TableName: &name}); err != nil {
			t.Error(err)
		}
	})
	return name
}
