// Command lambda runs the account endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/account"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table),
		&account.Service{Table: table, Now: time.Now, IDs: id.NewSource(time.Now)})
}
