// Command lambda runs the upload of knowledge on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/upload"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	reader "frontdesk/shared/upload"
)

func main() {
	reader.ServeIsolated()
	table := store.Table()
	cloud.Serve(cloud.Router(table), &upload.Service{
		Table: table,
		Now:   time.Now,
		IDs:   id.NewSource(time.Now),
		Read:  reader.Isolated,
	})
}
