// Command lambda runs the playbook endpoints on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/playbook"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &playbook.Service{
		Table:   table,
		Now:     time.Now,
		IDs:     id.NewSource(time.Now),
		Secrets: secrets.Keys(),
		Web:     egress.New(egress.Config{AllowHosts: os.Getenv("WEBHOOK_ALLOW_HOSTS")}),
	})
}
