package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"frontdesk/infra/local"
)

// restoreTime is how long a restoration may take. DynamoDB needs some twenty minutes for a small table.
const restoreTime = 24 * time.Hour

// restore makes a new table of what the table of a stack held at a moment of the last 35 days, and waits
// until it is there. The stack goes on with the table that it has until it is deployed with the new one.
func restore(ctx context.Context, o options, out *json.Encoder) error {
	if o.stack == "" || o.stack == samLocal {
		return fmt.Errorf("name a deployed stack with -stack; on this machine put a copy of %s back",
			local.DataDir)
	}
	at, err := restoreMoment(o.at, time.Now())
	if err != nil {
		return err
	}
	settings, err := settingsOf(ctx, o.stack)
	if err != nil {
		return err
	}
	from, err := output(ctx, settings, o.stack, "TableName")
	if err != nil {
		return err
	}
	request := &dynamodb.RestoreTableToPointInTimeInput{SourceTableName: &from}
	named := at
	if at.IsZero() {
		request.UseLatestRestorableTime, named = aws.Bool(true), time.Now()
	} else {
		request.RestoreDateTime = &at
	}
	// The name tells what is in the table and when it was made, so that no two restorations have one name.
	to := fmt.Sprintf("%s-%s-%d", o.stack, named.UTC().Format("20060102T150405Z"), time.Now().Unix())
	request.TargetTableName = &to
	client := dynamodb.NewFromConfig(settings)
	if _, err := client.RestoreTableToPointInTime(ctx, request); err != nil {
		return fmt.Errorf("restoring: %w", err)
	}
	fmt.Fprintf(os.Stderr,
		"Restoring to the table %s, which takes some twenty minutes and goes on without this command\n", to)
	there := dynamodb.NewTableExistsWaiter(client)
	if err := there.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &to}, restoreTime); err != nil {
		return fmt.Errorf("restoring to %s: %w", to, err)
	}
	line := struct {
		From  string     `json:"from"`
		Table string     `json:"table"`
		At    *time.Time `json:"at,omitempty"` // absent for the latest moment
	}{From: from, Table: to}
	if !at.IsZero() {
		line.At = &at
	}
	return out.Encode(line)
}

// restoreMoment reads the moment to restore; the zero time is the latest that is possible.
func restoreMoment(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("-at: %q is no time such as %s", text,
			now.UTC().Truncate(time.Minute).Format(time.RFC3339))
	}
	if at.After(now) {
		return at, errors.New("-at: that moment is still to come")
	}
	return at, nil
}
