// Command lambda runs the analytics endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/analytics"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &analytics.Service{Table: table, Now: time.Now})
}
