// Command lambda runs jobs on AWS Lambda, behind its queue.
package main

import (
	"os"
	"time"

	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/functions/jobs"
	"frontdesk/functions/jobs/crawl"
	"frontdesk/functions/jobs/funnels"
	"frontdesk/functions/jobs/outbound"
	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/queue/sqs"
)

// staleness is how old an eventually consistent read of DynamoDB may be. AWS states no bound; the lag is
// mostly some milliseconds.
const staleness = 2 * time.Second

// budget is how long purges and crawls work on one message, of the 60 seconds that the function has.
const budget = 40 * time.Second

func main() {
	log, table, ids := cloud.Log(), store.Table(), id.NewSource(time.Now)
	queue := sqs.New(awssqs.NewFromConfig(cloud.Config("SQS")), cloud.Env("JOBS_QUEUE_URL"))
	channels := registry.New(registry.FromEnvironment(os.Getenv))
	service := &jobs.Service{
		Purge: &purge.Service{
			Table: table, Queue: queue, Log: log, Now: time.Now, IDs: ids,
			Staleness: staleness, Budget: budget,
		},
		Outbound: &outbound.Service{
			Sender: &message.Sender{
				Store:   message.Store{Table: table, Now: time.Now, IDs: ids, Channels: channels},
				Secrets: secrets.Keys(), Log: log,
			},
			Queue: queue,
		},
		Funnels: &funnels.Service{
			Table: table, Now: time.Now, IDs: ids, Channels: channels, Queue: queue,
		},
		Crawl: &crawl.Service{
			Table: table, Now: time.Now, IDs: ids, Queue: queue, Budget: budget,
			Web: egress.New(egress.Config{AllowHosts: os.Getenv("WEBHOOK_ALLOW_HOSTS")}),
		},
		Log: log,
	}
	cloud.Work(service, service.Handle)
}
