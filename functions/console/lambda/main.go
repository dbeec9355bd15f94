// Command lambda serves the dashboard on AWS Lambda. It reads and writes no data.
package main

import (
	"frontdesk/functions/console"
	"frontdesk/shared/api"
	"frontdesk/shared/cloud"
)

func main() {
	cloud.Serve(&api.Router{Log: cloud.Log(), Front: cloud.Front}, &console.Service{})
}
