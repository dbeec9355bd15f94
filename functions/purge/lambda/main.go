// Command lambda runs purge on AWS Lambda, behind its queue.
package main

import (
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/purge"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/queue/sqs"
)

func main() {
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	service := &purge.Service{
		Table:  store.Table(),
		Queue:  sqs.New(client, cloud.Env("PURGE_QUEUE_URL")),
		Log:    cloud.Log(),
		Now:    time.Now,
		IDs:    id.NewSource(time.Now),
		Budget: 40 * time.Second, // of the 60 that the function has
	}
	cloud.Work(service, service.Handle)
}
