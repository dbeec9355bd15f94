// Command lambda runs the endpoints of messages on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/messages"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &messages.Service{Table: table, Sender: &message.Sender{
		Store: message.Store{
			Table: table, Now: time.Now, IDs: id.NewSource(time.Now),
			Channels: registry.New(registry.FromEnvironment(os.Getenv)),
		},
		Secrets: secrets.Keys(), Log: cloud.Log(),
	}})
}
