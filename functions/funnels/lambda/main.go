// Command lambda runs funnels on AWS Lambda, behind its queue.
package main

import (
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/funnels"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/queue/sqs"
)

func main() {
	service := &funnels.Service{
		Table:    store.Table(),
		Now:      time.Now,
		IDs:      id.NewSource(time.Now),
		Queue:    sqs.New(awssqs.NewFromConfig(cloud.Config("SQS")), cloud.Env("FUNNELS_QUEUE_URL")),
		Channels: registry.New(registry.Addresses{}),
		Log:      cloud.Log(),
	}
	cloud.Work(service, service.Handle)
}
