// Command lambda runs the knowledge endpoints on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/knowledge"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &knowledge.Service{
		Table: table,
		Now:   time.Now,
		IDs:   id.NewSource(time.Now),
		Web:   egress.New(egress.Config{AllowHosts: os.Getenv("WEBHOOK_ALLOW_HOSTS")}),
	})
}
