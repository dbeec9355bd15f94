// Command lambda runs the crawling of websites on AWS Lambda, behind its queue.
package main

import (
	"os"
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/crawl"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/queue/sqs"
)

func main() {
	service := &crawl.Service{
		Table:  store.Table(),
		Now:    time.Now,
		IDs:    id.NewSource(time.Now),
		Web:    egress.New(egress.Config{AllowHosts: os.Getenv("WEBHOOK_ALLOW_HOSTS")}),
		Queue:  sqs.New(awssqs.NewFromConfig(cloud.Config("SQS")), cloud.Env("CRAWL_QUEUE_URL")),
		Budget: 40 * time.Second, // of the 60 that the function has
		Log:    cloud.Log(),
	}
	cloud.Work(service, service.Handle)
}
