package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"frontdesk/infra/local"
	"frontdesk/infra/stack"
	"frontdesk/infra/workspace"
	"frontdesk/shared/api"
	"frontdesk/shared/cloud/secrets"
	cloudstore "frontdesk/shared/cloud/store"
	"frontdesk/shared/queue"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// samLocal is the name of the stack that `make sam-local` runs on this machine. Where it is found is in the
// environment, as the functions have it.
const samLocal = "sam-local"

// A store is the store of a stack or of this machine.
type store struct {
	table table.Table
	// scan reads the whole table, or what of it begins with a prefix. It is nil for the stack sam-local.
	scan workspace.Scan
	keys *secret.Keys // that secrets are sealed with
	// setKeys replaces the text of the keys.
	setKeys func(ctx context.Context, text string) error
	now     func() time.Time
	// queue opens a queue by the name that it has in template.yaml.
	queue func(ctx context.Context, name string) (queue.Queue, error)
	close func()
}

// open opens the store of a stack, or of this machine if stackName is "".
func open(ctx context.Context, stackName string) (*store, error) {
	switch stackName {
	case "":
		return openLocal()
	case samLocal:
		return &store{table: cloudstore.Table(), keys: secrets.Keys(), now: time.Now, close: func() {}}, nil
	}
	settings, err := settingsOf(ctx, stackName)
	if err != nil {
		return nil, err
	}
	name, err := output(ctx, settings, stackName, "TableName")
	if err != nil {
		return nil, err
	}
	client := dynamodb.NewFromConfig(settings)
	return &store{
		table: dynamo.New(client, name, time.Now), scan: scanner(client, name), now: time.Now,
		close: func() {},
		keys: &secret.Keys{Read: func(ctx context.Context) (string, error) {
			return readSecretsKey(ctx, ssm.NewFromConfig(settings), stackName)
		}},
		setKeys: func(ctx context.Context, text string) error {
			return replaceSecretsKey(ctx, ssm.NewFromConfig(settings), stackName, text)
		},
		queue: func(ctx context.Context, name string) (queue.Queue, error) {
			address, err := resource(ctx, settings, stackName, name)
			return sqs.New(awssqs.NewFromConfig(settings), address), err
		},
	}, nil
}

func openLocal() (*store, error) {
	now, err := local.Clock(os.Getenv("CLOCK_OFFSET"))
	if err != nil {
		return nil, err
	}
	files, err := local.OpenStore(cmp.Or(os.Getenv("DATA_DIR"), local.DataDir), now)
	if err != nil {
		return nil, err
	}
	return &store{
		table: files.Table, scan: files.Table.Scan, now: now, close: files.Close,
		keys: &secret.Keys{Read: files.SecretsKey}, setKeys: files.SetSecretsKey,
		queue: func(_ context.Context, name string) (queue.Queue, error) {
			return files.Queues.Queue(queuedb.Config{Name: name}), nil
		},
	}, nil
}

// Queues of template.yaml: dispatch's dead letters, and the lanes that the inbox looks at.
const (
	deadLetters = "DispatchDeadLetters"
	inboxQueue  = "InboxQueue"
)

// scanSegments is how many parts of a table are read at the same time.
const scanSegments = 4

// scanner returns a Scan of a table's items whose partition key begins with a prefix. It reads the whole
// table.
func scanner(client *dynamodb.Client, name string) workspace.Scan {
	return func(ctx context.Context, prefix string, each func(table.Item) error) error {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		var one sync.Mutex
		var wg sync.WaitGroup
		for segment := range int32(scanSegments) {
			request := &dynamodb.ScanInput{
				TableName: &name, Segment: &segment, TotalSegments: aws.Int32(scanSegments),
			}
			if prefix != "" {
				request.FilterExpression = aws.String("begins_with(pk, :prefix)")
				request.ExpressionAttributeValues = map[string]types.AttributeValue{
					":prefix": &types.AttributeValueMemberS{Value: prefix},
				}
			}
			wg.Go(func() {
				if err := scanSegment(ctx, client, request, &one, each); err != nil {
					cancel(err)
				}
			})
		}
		wg.Wait()
		return context.Cause(ctx)
	}
}

// scanSegment calls each with the items of one segment, while it holds the lock.
func scanSegment(
	ctx context.Context, client *dynamodb.Client, request *dynamodb.ScanInput, one *sync.Mutex,
	each func(table.Item) error,
) error {
	pages := dynamodb.NewScanPaginator(client, request)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		one.Lock()
		for _, attributes := range page.Items {
			var item table.Item
			if item, err = dynamo.Unmarshal(attributes); err != nil {
				break
			}
			if !item.Expires.IsZero() && !time.Now().Before(item.Expires) {
				continue
			}
			if err = each(item); err != nil {
				break
			}
		}
		one.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// resource returns the physical name of a resource of a stack in AWS. For a queue it is the address.
func resource(ctx context.Context, settings aws.Config, stackName, logical string) (string, error) {
	found, err := cloudformation.NewFromConfig(settings).DescribeStackResource(ctx,
		&cloudformation.DescribeStackResourceInput{StackName: &stackName, LogicalResourceId: &logical})
	if err != nil {
		return "", fmt.Errorf("stack %s: %w", stackName, err)
	}
	return aws.ToString(found.StackResourceDetail.PhysicalResourceId), nil
}

// settingsOf returns the operator's AWS configuration for a stack, in its region.
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

// site returns the address of a stack's dashboard, without a slash at the end. PUBLIC_URL overrides it if the
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
	standing, err := stack.Describe(ctx, settings, stackName)
	if err != nil {
		return "", err
	}
	value, ok := standing.Outputs[key]
	if !ok {
		return "", fmt.Errorf("stack %s has no output %s", stackName, key)
	}
	return value, nil
}
