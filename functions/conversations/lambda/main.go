// Command lambda runs the conversations endpoints on AWS Lambda.
package main

import (
	"os"
	"time"

	"frontdesk/functions/conversations"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/courier"
	"frontdesk/shared/id"
	"frontdesk/shared/whatsapp"
)

func main() {
	table, ids := store.Table(), id.NewSource(time.Now)
	cloud.Serve(cloud.Router(table), &conversations.Service{Table: table, Now: time.Now, IDs: ids, Courier: &courier.Courier{
		Table: table, Now: time.Now, IDs: ids, Secrets: secrets.Keys(),
		WhatsApp: whatsapp.New(os.Getenv("META_GRAPH_URL")), Log: cloud.Log(),
	}})
}
