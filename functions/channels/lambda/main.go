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
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &channels.Service{
		Table: table, Now: time.Now, Secrets: secrets.Keys(),
		Channels:  registry.New(registry.FromEnvironment(os.Getenv)),
		PublicURL: os.Getenv("PUBLIC_URL"),
	})
}
