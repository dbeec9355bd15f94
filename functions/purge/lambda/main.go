// Command lambda runs purge on AWS Lambda, behind its queue.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/purge"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/queue/sqs"
)

func main() {
	client := awssqs.NewFromConfig(cloud.Config("SQS"))
	service := &purge.Service{
		Table:  store.Table(),
		Queue:  sqs.New(client, os.Getenv("PURGE_QUEUE_URL")),
		Log:    cloud.Log(),
		Budget: 40 * time.Second, // of the 60 that the function has
	}
	lambda.Start(service.Handle)
}
