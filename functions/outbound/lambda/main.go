// Command lambda runs outbound on AWS Lambda, behind its queue.
package main

import (
	"os"
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/outbound"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/courier"
	"frontdesk/shared/id"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/whatsapp"
)

func main() {
	log := cloud.Log()
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	service := &outbound.Service{
		Courier: &courier.Courier{
			Table: store.Table(), Now: time.Now, IDs: id.NewSource(time.Now), Secrets: secrets.Keys(),
			WhatsApp: whatsapp.New(os.Getenv("META_GRAPH_URL")), Log: log,
		},
		Queue: sqs.New(client, cloud.Env("OUTBOUND_QUEUE_URL")),
		Log:   log,
	}
	cloud.Work(service, service.Handle)
}
