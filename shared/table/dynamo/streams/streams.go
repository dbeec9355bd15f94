// Package streams implements table.Feed with DynamoDB Streams. In Lambda an event source mapping reads the
// stream; this package is for tests and for local stand-ins of the mapping.
package streams

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// Feed implements table.Feed with the stream of one table. A call of Changes takes at least four requests. It
// is safe for concurrent use.
type Feed struct {
	client *dynamodbstreams.Client
	table  string

	mu  sync.Mutex
	arn string // of the stream, once it is known
}

var _ table.Feed = (*Feed)(nil)

// New returns the Feed of the table's stream.
func New(client *dynamodbstreams.Client, table string) *Feed {
	return &Feed{client: client, table: table}
}

// A place maps the id of each shard to the sequence number of the last record read. A position is a place as
// JSON.
type place map[string]string

// Changes implements table.Feed. The changes of a key are in order, those of different keys need not be.
func (f *Feed) Changes(ctx context.Context, after string, limit int) ([]table.Change, error) {
	at := place{}
	if after != "" {
		if err := json.Unmarshal([]byte(after), &at); err != nil {
			return nil, fmt.Errorf("streams: %q is no position of the feed", after)
		}
	}
	shards, err := f.shards(ctx)
	if err != nil {
		return nil, err
	}
	at.keepOnly(shards)
	var changes []table.Change
	open := map[string]bool{} // shards that may still get records
	for _, shard := range parentsFirst(shards) {
		id, parent := aws.ToString(shard.ShardId), aws.ToString(shard.ParentShardId)
		if open[parent] {
			open[id] = true // a shard's records follow those of its parent
			continue
		}
		more, isOpen, err := f.read(ctx, id, at, limit-len(changes))
		if err != nil {
			return nil, err
		}
		open[id] = isOpen
		changes = append(changes, more...)
		if len(changes) >= limit {
			break
		}
	}
	return changes, nil
}

// keepOnly removes the shards that the stream no longer has.
func (p place) keepOnly(shards []streamtypes.Shard) {
	known := map[string]bool{}
	for _, shard := range shards {
		known[aws.ToString(shard.ShardId)] = true
	}
	for id := range p {
		if !known[id] {
			delete(p, id)
		}
	}
}

// shards returns the shards of the stream in DynamoDB's order.
func (f *Feed) shards(ctx context.Context) ([]streamtypes.Shard, error) {
	arn, err := f.stream(ctx)
	if err != nil {
		return nil, err
	}
	var shards []streamtypes.Shard
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: &arn}
	for {
		out, err := f.client.DescribeStream(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("streams: %w", err)
		}
		shards = append(shards, out.StreamDescription.Shards...)
		in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId
		if in.ExclusiveStartShardId == nil {
			return shards, nil
		}
	}
}

// stream returns the ARN of the table's stream.
func (f *Feed) stream(ctx context.Context) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.arn != "" {
		return f.arn, nil
	}
	out, err := f.client.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: &f.table})
	if err != nil {
		return "", fmt.Errorf("streams: %w", err)
	}
	if len(out.Streams) == 0 {
		return "", fmt.Errorf("streams: table %s has no stream", f.table)
	}
	f.arn = aws.ToString(out.Streams[len(out.Streams)-1].StreamArn)
	return f.arn, nil
}

// parentsFirst sorts the shards so that each follows its parent.
func parentsFirst(shards []streamtypes.Shard) []streamtypes.Shard {
	byID := map[string]streamtypes.Shard{}
	for _, shard := range shards {
		byID[aws.ToString(shard.ShardId)] = shard
	}
	var ordered []streamtypes.Shard
	var visit func(id string)
	visit = func(id string) {
		shard, waiting := byID[id]
		if !waiting {
			return
		}
		delete(byID, id)
		visit(aws.ToString(shard.ParentShardId))
		ordered = append(ordered, shard)
	}
	for _, shard := range shards {
		visit(aws.ToString(shard.ShardId))
	}
	return ordered
}

// read returns up to limit changes of a shard after the place, which it advances, and whether the shard may
// have more.
func (f *Feed) read(ctx context.Context, shard string, at place, limit int) (changes []table.Change,
	open bool, err error) {
	iterator, err := f.iterator(ctx, shard, at[shard])
	if err != nil {
		return nil, false, err
	}
	for iterator != nil && len(changes) < limit {
		out, err := f.client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{
			ShardIterator: iterator,
			Limit:         aws.Int32(int32(min(limit-len(changes), maxRecords))),
		})
		if err != nil {
			return nil, false, fmt.Errorf("streams: %w", err)
		}
		for _, record := range out.Records {
			at[shard] = aws.ToString(record.Dynamodb.SequenceNumber)
			change, err := convert(record.Dynamodb, at)
			if err != nil {
				return nil, false, err
			}
			changes = append(changes, change)
		}
		iterator = out.NextShardIterator
		if len(out.Records) == 0 {
			break
		}
	}
	return changes, iterator != nil, nil
}

// maxRecords is the limit of records of one GetRecords.
const maxRecords = 1000

// iterator returns a shard iterator after the sequence number, or at the oldest record if it is "" or the
// stream no longer has it.
func (f *Feed) iterator(ctx context.Context, shard, sequence string) (*string, error) {
	in := &dynamodbstreams.GetShardIteratorInput{StreamArn: &f.arn, ShardId: &shard}
	if sequence == "" {
		in.ShardIteratorType = streamtypes.ShardIteratorTypeTrimHorizon
	} else {
		in.ShardIteratorType = streamtypes.ShardIteratorTypeAfterSequenceNumber
		in.SequenceNumber = &sequence
	}
	out, err := f.client.GetShardIterator(ctx, in)
	if trimmed := (*streamtypes.TrimmedDataAccessException)(nil); errors.As(err, &trimmed) && sequence != "" {
		return f.iterator(ctx, shard, "")
	}
	if err != nil {
		return nil, fmt.Errorf("streams: %w", err)
	}
	return out.ShardIterator, nil
}

// convert converts a record to a change, whose position is the place.
func convert(record *streamtypes.StreamRecord, at place) (table.Change, error) {
	position, err := json.Marshal(at)
	if err != nil {
		return table.Change{}, fmt.Errorf("streams: %w", err)
	}
	change := table.Change{Position: string(position)}
	if change.Old, err = image(record.OldImage); err != nil {
		return table.Change{}, err
	}
	if change.New, err = image(record.NewImage); err != nil {
		return table.Change{}, err
	}
	return change, nil
}

// image returns the item of an image, or nil if the record has none.
func image(attributes map[string]streamtypes.AttributeValue) (*table.Item, error) {
	if len(attributes) == 0 {
		return nil, nil
	}
	converted := make(map[string]types.AttributeValue, len(attributes))
	for name, value := range attributes {
		switch value := value.(type) {
		case *streamtypes.AttributeValueMemberS:
			converted[name] = &types.AttributeValueMemberS{Value: value.Value}
		case *streamtypes.AttributeValueMemberN:
			converted[name] = &types.AttributeValueMemberN{Value: value.Value}
		case *streamtypes.AttributeValueMemberB:
			converted[name] = &types.AttributeValueMemberB{Value: value.Value}
		}
	}
	item, err := dynamo.Unmarshal(converted)
	if err != nil {
		return nil, err
	}
	return &item, nil
}
