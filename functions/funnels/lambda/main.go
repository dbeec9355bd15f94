// Command lambda runs funnels on AWS Lambda, behind its queue.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/funnels"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/queue/sqs"
)

func main() {
	service := &funnels.Service{
		Table: store.Table(),
		Now:   time.Now,
		IDs:   id.NewSource(time.Now),
		Queue: sqs.New(awssqs.NewFromConfig(cloud.Config("SQS")), os.Getenv("FUNNELS_QUEUE_URL")),
		Log:   cloud.Log(),
	}
	lambda.Start(service.Handle)
}
