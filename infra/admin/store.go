package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"frontdesk/infra/local"
	"frontdesk/infra/stack"
	"frontdesk/shared/api"
	"frontdesk/shared/cloud/store"
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
		dir := os.Getenv("DATA_DIR")
		if dir == "" {
			dir = local.DataDir
		}
		store, err := local.OpenStore(dir, now)
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
	found, err := cloudformation.NewFromConfig(settings).DescribeStackResource(ctx,
		&cloudformation.DescribeStackResourceInput{
			StackName: &stackName, LogicalResourceId: aws.String("Table"),
		})
	if err != nil {
		return nil, nil, fmt.Errorf("stack %s: %w", stackName, err)
	}
	name := aws.ToString(found.StackResourceDetail.PhysicalResourceId)
	return dynamo.New(dynamodb.NewFromConfig(settings), name, time.Now), func() {}, nil
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
	found, err := cloudformation.NewFromConfig(settings).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	if err != nil {
		return "", fmt.Errorf("stack %s: %w", name, err)
	}
	for _, s := range found.Stacks {
		for _, output := range s.Outputs {
			if aws.ToString(output.OutputKey) == "ApiUrl" {
				return strings.TrimSuffix(aws.ToString(output.OutputValue), api.Prefix+"/"), nil
			}
		}
	}
	return "", fmt.Errorf("stack %s does not say where its API is", name)
}
