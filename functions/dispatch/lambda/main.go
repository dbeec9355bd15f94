// Command lambda runs dispatch on AWS Lambda, behind the table's stream.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/dispatch"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/queue/sqs"
)

func main() {
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	service := &dispatch.Service{
		Table:      store.Table(),
		Now:        time.Now,
		IDs:        id.NewSource(time.Now),
		Purge:      sqs.New(client, os.Getenv("PURGE_QUEUE_URL")),
		Deliveries: sqs.New(client, os.Getenv("DELIVERIES_QUEUE_URL")),
		Outbound:   sqs.New(client, os.Getenv("OUTBOUND_QUEUE_URL")),
		Funnels:    sqs.New(client, os.Getenv("FUNNELS_QUEUE_URL")),
		Log:        cloud.Log(),
	}
	lambda.Start(service.Handle)
}
