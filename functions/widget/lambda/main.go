// Command lambda runs the widget endpoints on AWS Lambda.
package main

import (
	"time"

	"frontdesk/functions/widget"
	"frontdesk/shared/cloud"
)

func main() {
	table := cloud.Table()
	router := cloud.Router(table)
	(&widget.Service{Table: table, Now: time.Now}).Routes(router)
	cloud.Serve(router)
}
