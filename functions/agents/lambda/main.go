// Command lambda runs the agents endpoints on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/agents"
	"frontdesk/shared/ai"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &agents.Service{
		Table:        table,
		Now:          time.Now,
		IDs:          id.NewSource(time.Now),
		DefaultModel: ai.ModelName(os.Getenv("DEFAULT_MODEL")),
	})
}
