// Command lambda runs the widget endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/widget"
	"frontdesk/shared/assistant"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/models"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table),
		&widget.Service{Table: table, Now: time.Now, Assistant: &assistant.Assistant{
			Table:  table,
			Models: models.Models(),
			Now:    time.Now,
			IDs:    id.NewSource(time.Now),
		}, Secrets: secrets.Keys()})
}
