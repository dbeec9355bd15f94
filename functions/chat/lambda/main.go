// Command lambda runs the chat endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/chat"
	"frontdesk/shared/assistant"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/models"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
)

func main() {
	table := store.Table()
	cloud.Serve(cloud.Router(table), &chat.Service{Table: table, Assistant: &assistant.Assistant{
		Table:  table,
		Models: models.Models(),
		Now:    time.Now,
		IDs:    id.NewSource(time.Now),
	}})
}
