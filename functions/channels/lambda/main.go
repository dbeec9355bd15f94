// Command lambda runs the endpoints of channels and the store on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/channels"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &channels.Service{
		Table: table, Now: time.Now, IDs: id.NewSource(time.Now), Secrets: secrets.Keys(),
		Channels: registry.New(registry.FromEnvironment(os.Getenv)),
	})
}
