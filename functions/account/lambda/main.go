// Command lambda runs the account endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/account"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &account.Service{Table: table, Now: time.Now})
}
