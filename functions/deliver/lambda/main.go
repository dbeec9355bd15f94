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
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/webhook"
)

func main() {
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	items := store.Table()
	service := &deliver.Service{
		Table:   items,
		Budget:  &delivery.TableBudget{Table: items, Now: time.Now},
		Now:     time.Now,
		Secrets: secrets.Keys(),
		Web:     egress.New(egress.Config{AllowHosts: os.Getenv("WEBHOOK_ALLOW_HOSTS")}),
		Log:     cloud.Log(),
		Queue:   sqs.New(client, cloud.Env("DELIVERIES_QUEUE_URL")),
		Timeout: webhook.Timeout,
	}
	cloud.Work(service, service.Handle)
}
