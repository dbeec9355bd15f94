// Command lambda runs the openapi endpoints on AWS Lambda.
package main

import (
	"frontdesk/functions/openapi"
	"frontdesk/shared/api"
	"frontdesk/shared/cloud"
)

func main() {
	cloud.Serve(&api.Router{Log: cloud.Log(), Front: cloud.Front}, &openapi.Service{})
}
