// Package schema creates the table of package dynamo, for tests and emulators. A deployed stack creates it by
// template.yaml; a test compares the two.
package schema

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// createTime is how long Create waits for a new table.
const createTime = time.Minute

// Create creates a table and waits until it is ready.
func Create(ctx context.Context, client *dynamodb.Client, name string) error {
	if _, err := client.CreateTable(ctx, Table(name)); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	ready := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay = 100 * time.Millisecond
	})
	if err := ready.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, createTime); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	if _, err := client.UpdateTimeToLive(ctx, TimeToLive(name)); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return nil
}

// Table returns the request that creates a table.
func Table(name string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   keySchema(table.Primary),
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled:  aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
		AttributeDefinitions: attributes(table.Primary),
	}
	for _, index := range layout.Indexes {
		projection := types.ProjectionTypeAll
		if index.Narrow() {
			projection = types.ProjectionTypeKeysOnly
		}
		in.AttributeDefinitions = append(in.AttributeDefinitions, attributes(index)...)
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(layout.IndexName(index)),
			KeySchema:  keySchema(index),
			Projection: &types.Projection{ProjectionType: projection},
		})
	}
	return in
}

// TimeToLive returns the request that lets DynamoDB remove expired items.
func TimeToLive(name string) *dynamodb.UpdateTimeToLiveInput {
	return &dynamodb.UpdateTimeToLiveInput{
		TableName: &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(layout.Expires),
			Enabled:       aws.Bool(true),
		},
	}
}

// keySchema returns the key schema of the table or of an index.
func keySchema(index table.Index) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: aws.String(layout.IndexPK(index)), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(layout.IndexSK(index)), KeyType: types.KeyTypeRange},
	}
}

// attributes returns the definitions of the attributes in keySchema.
func attributes(index table.Index) []types.AttributeDefinition {
	return []types.AttributeDefinition{
		{AttributeName: aws.String(layout.IndexPK(index)), AttributeType: types.ScalarAttributeTypeS},
		{AttributeName: aws.String(layout.IndexSK(index)), AttributeType: types.ScalarAttributeTypeS},
	}
}
