// Package store is the table that a function keeps things in on AWS, as its environment names it. It is apart
// from package cloud so that functions which keep nothing do not link DynamoDB.
package store

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"frontdesk/shared/cloud"
	"frontdesk/shared/table/dynamo"
)

// Table returns the table named by TABLE_NAME. It panics if that is not set.
func Table() *dynamo.Table {
	config := cloud.Config("DYNAMODB")
	client := dynamodb.NewFromConfig(config, func(o *dynamodb.Options) {
		// DynamoDB Local's checksums are not those of its answers.
		o.DisableValidateResponseChecksum = config.BaseEndpoint != nil
	})
	return dynamo.New(client, cloud.Env("TABLE_NAME"), time.Now)
}
