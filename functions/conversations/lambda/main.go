// Command lambda runs the conversations endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/conversations"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	router := cloud.Router(table)
	(&conversations.Service{Table: table, Now: time.Now, IDs: id.NewSource(time.Now)}).Routes(router)
	cloud.Serve(router)
}
