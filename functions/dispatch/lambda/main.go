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
		Purge:       sqs.New(client, cloud.Env("PURGE_QUEUE_URL")),
		Deliveries:  sqs.New(client, cloud.Env("DELIVERIES_QUEUE_URL")),
		Outbound:    sqs.New(client, cloud.Env("OUTBOUND_QUEUE_URL")),
		Funnels:     sqs.New(client, cloud.Env("FUNNELS_QUEUE_URL")),
		Crawl:       sqs.New(client, cloud.Env("CRAWL_QUEUE_URL")),
		Inbox:       sqs.New(client, cloud.Env("INBOX_QUEUE_URL")),
		DeadLetters: sqs.New(client, cloud.Env("DEAD_LETTERS_QUEUE_URL")),
		Channels:    registry.New(registry.Addresses{}),
		Log:         cloud.Log(),
	}
	cloud.Work(service, service.Handle)
}
