// Command lambda runs inbox on AWS Lambda, behind its queue.
package main

import (
	"os"
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	inboxworker "frontdesk/functions/inbox"
	"frontdesk/shared/assistant"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/models"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/message"
	"frontdesk/shared/queue/sqs"
)

func main() {
	log, table, ids, keys := cloud.Log(), store.Table(), id.NewSource(time.Now), secrets.Keys()
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	channels := registry.New(registry.FromEnvironment(os.Getenv))
	service := &inboxworker.Service{
		Table: table, Now: time.Now, IDs: ids, Secrets: keys, Channels: channels,
		Inbox:     &inbox.Store{Table: table, Now: time.Now, IDs: ids},
		Assistant: &assistant.Assistant{Table: table, Models: models.Models(), Now: time.Now, IDs: ids},
		Sender: &message.Sender{
			Store:   message.Store{Table: table, Now: time.Now, IDs: ids, Channels: channels},
			Secrets: keys, Log: log,
		},
		Queue:    sqs.New(client, cloud.Env("INBOX_QUEUE_URL")),
		Outbound: sqs.New(client, cloud.Env("JOBS_QUEUE_URL")),
		Log:      log,
	}
	cloud.Work(service, service.Handle)
}
