// Command lambda runs outbound on AWS Lambda, behind its queue.
package main

import (
	"os"
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/outbound"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/queue/sqs"
)

func main() {
	log := cloud.Log()
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	service := &outbound.Service{
		Sender: &message.Sender{
			Store: message.Store{
				Table: store.Table(), Now: time.Now, IDs: id.NewSource(time.Now),
				Channels: registry.New(registry.FromEnvironment(os.Getenv)),
			},
			Secrets: secrets.Keys(), Log: log,
		},
		Queue: sqs.New(client, cloud.Env("OUTBOUND_QUEUE_URL")),
		Log:   log,
	}
	cloud.Work(service, service.Handle)
}
