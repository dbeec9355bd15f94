// Command lambda runs the openapi endpoints on AWS Lambda.
package main

import (
	"frontdesk/functions/openapi"
	"frontdesk/shared/api"
	"frontdesk/shared/cloud"
)

func main() {
	router := &api.Router{Log: cloud.Log(), Front: cloud.Front}
	(&openapi.Service{}).Routes(router)
	cloud.Serve(router)
}
