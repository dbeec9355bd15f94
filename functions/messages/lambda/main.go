// Command lambda runs the endpoints of messages on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/messages"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/courier"
	"frontdesk/shared/id"
	"frontdesk/shared/whatsapp"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &messages.Service{Table: table, Courier: &courier.Courier{
		Table: table, Now: time.Now, IDs: id.NewSource(time.Now), Secrets: secrets.Keys(),
		WhatsApp: whatsapp.New(os.Getenv("META_GRAPH_URL")), Log: cloud.Log(),
	}})
}
