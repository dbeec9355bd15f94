// Command lambda runs deliver on AWS Lambda, behind its queues.
package main

import (
	"os"
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/deliver"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/egress"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/webhook"
)

func main() {
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	service := &deliver.Service{
		Table:   store.Table(),
		Now:     time.Now,
		Secrets: secrets.Keys(),
		Web:     egress.New(egress.Config{AllowHosts: os.Getenv("WEBHOOK_ALLOW_HOSTS")}),
		Log:     cloud.Log(),
		Second:  sqs.New(client, cloud.Env("SECOND_QUEUE_URL")),
		Third:   sqs.New(client, cloud.Env("THIRD_QUEUE_URL")),
		Timeout: webhook.Timeout,
	}
	cloud.Work(service, service.Handle)
}
