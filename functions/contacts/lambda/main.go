// Command lambda runs the contacts endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/contacts"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &contacts.Service{Table: table, Now: time.Now,
		IDs: id.NewSource(time.Now)})
}
