// Command lambda runs the endpoints of inbound on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/inbound"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &inbound.Service{
		Table: table, Secrets: secrets.Keys(), Channels: registry.New(registry.FromEnvironment(os.Getenv)),
		Inbox:     &inbox.Store{Table: table, Now: time.Now, IDs: id.NewSource(time.Now)},
		PublicURL: os.Getenv("PUBLIC_URL"),
	})
}
