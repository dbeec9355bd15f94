// Command lambda runs the endpoints of inbound on AWS Lambda, and takes the mail that SES receives.
package main

import (
	"os"
	"time"

	"frontdesk/functions/inbound"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/object"
	"frontdesk/shared/cloud/secrets"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
)

func main() {
	table := store.Table()
	service := &inbound.Service{
		Table: table, Secrets: secrets.Keys(), Channels: registry.New(registry.FromEnvironment(os.Getenv)),
		Inbox: &inbox.Store{Table: table, Now: time.Now, IDs: id.NewSource(time.Now)},
	}
	mails := &inbound.Mailbox{
		Inbound: service, Get: object.New(os.Getenv("MAIL_BUCKET"), cloud.Config("S3")).Get, Log: cloud.Log(),
	}
	cloud.ServeWithMail(cloud.Router(table), service, mails.Take)
}
