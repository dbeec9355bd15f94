// Command lambda runs the appointments endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/appointments"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &appointments.Service{Table: table, Now: time.Now,
		IDs: id.NewSource(time.Now)})
}
