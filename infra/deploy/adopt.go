package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// adoptionTime is how long the table may take for each change that prepares it.
const adoptionTime = 10 * time.Minute

// An adoption prepares a table that the stack does not create itself: a restored one, which DynamoDB creates
// without stream, expiry and protection, or one that a deleted stack left.
type adoption struct {
	client *dynamodb.Client
	table  string
	view   types.StreamViewType // of the template's own table
}

// prepare adds the settings of the template's table that the table lacks, and returns the ARN of its stream.
// It returns an error if the table is not one of Frontdesk's.
func (a *adoption) prepare(ctx context.Context) (stream string, err error) {
	described, err := a.describe(ctx)
	if err != nil {
		return "", err
	}
	if !isFrontdesk(described) {
		return "", fmt.Errorf("table %s has other keys or indexes than Frontdesk's", a.table)
	}
	if s := described.StreamSpecification; s == nil || !aws.ToBool(s.StreamEnabled) {
		enable := &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: a.view}
		if err := a.update(ctx, &dynamodb.UpdateTableInput{StreamSpecification: enable}); err != nil {
			return "", err
		}
	}
	if !aws.ToBool(described.DeletionProtectionEnabled) {
		protect := &dynamodb.UpdateTableInput{DeletionProtectionEnabled: aws.Bool(true)}
		if err := a.update(ctx, protect); err != nil {
			return "", err
		}
	}
	if err := a.expire(ctx); err != nil {
		return "", err
	}
	if _, err := a.client.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
		TableName: &a.table,
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true),
		},
	}); err != nil {
		return "", err
	}
	if described, err = a.describe(ctx); err != nil {
		return "", err
	}
	return aws.ToString(described.LatestStreamArn), nil
}

// isFrontdesk reports whether a table has the keys and indexes that the template's own has.
func isFrontdesk(t *types.TableDescription) bool {
	keys := func(schema []types.KeySchemaElement) string {
		var all []string
		for _, k := range schema {
			all = append(all, aws.ToString(k.AttributeName))
		}
		return fmt.Sprint(all)
	}
	if keys(t.KeySchema) != "[pk sk]" {
		return false
	}
	var indexes []string
	for _, index := range t.GlobalSecondaryIndexes {
		indexes = append(indexes, aws.ToString(index.IndexName)+keys(index.KeySchema))
	}
	slices.Sort(indexes)
	return slices.Equal(indexes, []string{
		"gsi1[g1pk g1sk]", "gsi2[g2pk g2sk]", "gsi3[g3pk g3sk]", "gsi4[g4pk g4sk]",
	})
}

// update makes one change and waits until the table is active again; DynamoDB takes one at a time.
func (a *adoption) update(ctx context.Context, change *dynamodb.UpdateTableInput) error {
	change.TableName = &a.table
	if _, err := a.client.UpdateTable(ctx, change); err != nil {
		return err
	}
	active := dynamodb.NewTableExistsWaiter(a.client)
	return active.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &a.table}, adoptionTime)
}

// expire makes DynamoDB delete expired items.
func (a *adoption) expire(ctx context.Context) error {
	found, err := a.client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &a.table})
	if err != nil {
		return err
	}
	if d := found.TimeToLiveDescription; d != nil && (d.TimeToLiveStatus == types.TimeToLiveStatusEnabled ||
		d.TimeToLiveStatus == types.TimeToLiveStatusEnabling) {
		return nil
	}
	_, err = a.client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: &a.table,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("expires"), Enabled: aws.Bool(true),
		},
	})
	return err
}

func (a *adoption) describe(ctx context.Context) (*types.TableDescription, error) {
	found, err := a.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &a.table})
	if err != nil {
		return nil, fmt.Errorf("table %s: %s", a.table, brief(err))
	}
	return found.Table, nil
}
