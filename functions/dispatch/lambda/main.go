// Command lambda runs dispatch on AWS Lambda, behind the table's stream.
package main

import (
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/dispatch"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/queue/sqs"
)

func main() {
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	service := &dispatch.Service{
		Table:       store.Table(),
		Now:         time.Now,
		IDs:         id.NewSource(time.Now),
		Deliveries:  sqs.New(client, cloud.Env("DELIVERIES_QUEUE_URL")),
		Jobs:        sqs.New(client, cloud.Env("JOBS_QUEUE_URL")),
		Inbox:       sqs.New(client, cloud.Env("INBOX_QUEUE_URL")),
		DeadLetters: sqs.New(client, cloud.Env("DEAD_LETTERS_QUEUE_URL")),
		Channels:    registry.New(registry.Addresses{}),
		Log:         cloud.Log(),
	}
	cloud.Work(service, service.Handle)
}
