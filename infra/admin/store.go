package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/infra/local"
	"frontdesk/infra/stack"
	"frontdesk/shared/api"
	"frontdesk/shared/cloud/store"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// samLocal is the name of the stack that `make sam-local` runs on this machine. Where it is found is in the
// environment, as the functions have it.
const samLocal = "sam-local"

// open opens the store of a stack, or of this machine where the stack has no name.
func open(ctx context.Context, stackName string, now func() time.Time) (table.Table, func(), error) {
	switch stackName {
	case "":
		store, err := local.OpenStore(cmp.Or(os.Getenv("DATA_DIR"), local.DataDir), now)
		if err != nil {
			return nil, nil, err
		}
		return store.Table, store.Close, nil
	case samLocal:
		return store.Table(), func() {}, nil
	}
	settings, err := settingsOf(ctx, stackName)
	if err != nil {
		return nil, nil, err
	}
	name, err := output(ctx, settings, stackName, "TableName")
	if err != nil {
		return nil, nil, err
	}
	return dynamo.New(dynamodb.NewFromConfig(settings), name, time.Now), func() {}, nil
}

// openOutbox opens the outbox of a stack, or of this machine where the stack has no name.
func openOutbox(ctx context.Context, stackName string) (*outbox, error) {
	switch stackName {
	case "":
		now, err := local.Clock(os.Getenv("CLOCK_OFFSET"))
		if err != nil {
			return nil, err
		}
		store, err := local.OpenStore(cmp.Or(os.Getenv("DATA_DIR"), local.DataDir), now)
		if err != nil {
			return nil, err
		}
		dead := store.Queues.Queue(queuedb.Config{Name: deadLetters})
		lanes := store.Queues.Queue(queuedb.Config{Name: inboxQueue})
		return &outbox{store.Table, dead, lanes, store.Table.Scan, now, store.Close}, nil
	case samLocal:
		return nil, errors.New("the stack on this machine is gone with its process: nothing is replayed there")
	}
	settings, err := settingsOf(ctx, stackName)
	if err != nil {
		return nil, err
	}
	name, err := output(ctx, settings, stackName, "TableName")
	if err != nil {
		return nil, err
	}
	address, err := resource(ctx, settings, stackName, deadLetters)
	if err != nil {
		return nil, err
	}
	lanes, err := resource(ctx, settings, stackName, inboxQueue)
	if err != nil {
		return nil, err
	}
	client, queues := dynamodb.NewFromConfig(settings), awssqs.NewFromConfig(settings)
	return &outbox{
		table: dynamo.New(client, name, time.Now),
		dead:  sqs.New(queues, address), inbox: sqs.New(queues, lanes),
		scan: scanner(client, name), now: time.Now, close: func() {},
	}, nil
}

// Queues of template.yaml: dispatch's dead letters, and the lanes that the inbox looks at.
const (
	deadLetters = "DispatchDeadLetters"
	inboxQueue  = "InboxQueue"
)

// scanner returns what reads the items of a table whose partition key begins with a prefix. It reads the
// whole table for them.
func scanner(client *dynamodb.Client, name string) func(
	context.Context, string, func(table.Item) error) error {
	return func(ctx context.Context, prefix string, each func(table.Item) error) error {
		pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{
			TableName: &name, FilterExpression: aws.String("begins_with(pk, :prefix)"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":prefix": &types.AttributeValueMemberS{Value: prefix},
			},
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return err
			}
			for _, attributes := range page.Items {
				item, err := dynamo.Unmarshal(attributes)
				if err != nil {
					return err
				}
				if err := each(item); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// resource returns the name by which AWS knows a resource of a stack; of a queue it is the address.
func resource(ctx context.Context, settings aws.Config, stackName, logical string) (string, error) {
	found, err := cloudformation.NewFromConfig(settings).DescribeStackResource(ctx,
		&cloudformation.DescribeStackResourceInput{StackName: &stackName, LogicalResourceId: &logical})
	if err != nil {
		return "", fmt.Errorf("stack %s: %w", stackName, err)
	}
	return aws.ToString(found.StackResourceDetail.PhysicalResourceId), nil
}

// settingsOf returns the operator's AWS configuration for a stack: in the region that it was deployed to from
// this checkout, where the environment names no other.
func settingsOf(ctx context.Context, name string) (aws.Config, error) {
	memory, err := stack.Read(".")
	if err != nil {
		return aws.Config{}, err
	}
	var options []func(*config.LoadOptions) error
	if region := memory.Region(name); region != "" {
		options = append(options, config.WithRegion(region))
	}
	return config.LoadDefaultConfig(ctx, options...)
}

// site is the address that a stack's dashboard is served at, without a slash at the end. PUBLIC_URL says it where the
// service is reached by another address than its own.
func site(ctx context.Context, name string) (string, error) {
	if public := os.Getenv("PUBLIC_URL"); public != "" {
		return strings.TrimSuffix(public, "/"), nil
	}
	switch name {
	case "":
		return "http://localhost:" + cmp.Or(os.Getenv("PORT"), "3000"), nil
	case samLocal:
		return "http://localhost:" + cmp.Or(os.Getenv("PORT"), "3001"), nil
	}
	settings, err := settingsOf(ctx, name)
	if err != nil {
		return "", err
	}
	address, err := output(ctx, settings, name, "ApiUrl")
	return strings.TrimSuffix(address, api.Prefix+"/"), err
}

// output returns an output of a stack, such as the name of the table that it uses.
func output(ctx context.Context, settings aws.Config, stackName, key string) (string, error) {
	found, err := cloudformation.NewFromConfig(settings).DescribeStacks(ctx,
		&cloudformation.DescribeStacksInput{StackName: &stackName})
	if err != nil {
		return "", fmt.Errorf("stack %s: %w", stackName, err)
	}
	for _, s := range found.Stacks {
		for _, output := range s.Outputs {
			if aws.ToString(output.OutputKey) == key {
				return aws.ToString(output.OutputValue), nil
			}
		}
	}
	return "", fmt.Errorf("stack %s has no output %s", stackName, key)
}
