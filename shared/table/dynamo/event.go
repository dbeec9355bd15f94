package dynamo

import (
	"fmt"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
)

// Changes converts the event that an event source mapping of the table's stream passes to a Lambda function.
// Each Position is a sequence number, which the function returns for a record that it could not process.
func Changes(event events.DynamoDBEvent) ([]table.Change, error) {
	changes := make([]table.Change, len(event.Records))
	for i, record := range event.Records {
		var err error
		changes[i].Position = record.Change.SequenceNumber
		if changes[i].Old, err = image(record.Change.OldImage); err != nil {
			return nil, fmt.Errorf("record %s: %w", record.EventID, err)
		}
		if changes[i].New, err = image(record.Change.NewImage); err != nil {
			return nil, fmt.Errorf("record %s: %w", record.EventID, err)
		}
	}
	return changes, nil
}

// image returns the item of an image, or nil if the record has none.
func image(attributes map[string]events.DynamoDBAttributeValue) (*table.Item, error) {
	if len(attributes) == 0 {
		return nil, nil
	}
	converted := make(map[string]types.AttributeValue, len(attributes))
	for name, value := range attributes {
		switch value.DataType() {
		case events.DataTypeString:
			converted[name] = text(value.String())
		case events.DataTypeNumber:
			converted[name] = &types.AttributeValueMemberN{Value: value.Number()}
		case events.DataTypeBinary:
			converted[name] = &types.AttributeValueMemberB{Value: value.Binary()}
		}
	}
	item, err := Unmarshal(converted)
	if err != nil {
		return nil, err
	}
	return &item, nil
}

// Event returns the event that Lambda would pass for the changes. It is for local stand-ins of the event
// source mapping.
func Event(changes []table.Change) events.DynamoDBEvent {
	event := events.DynamoDBEvent{Records: make([]events.DynamoDBEventRecord, len(changes))}
	for i, change := range changes {
		record := &event.Records[i]
		*record = events.DynamoDBEventRecord{
			EventID:      change.Position,
			EventName:    EventName(change),
			EventSource:  "aws:dynamodb",
			EventVersion: "1.1",
			Change: events.DynamoDBStreamRecord{
				SequenceNumber: change.Position,
				StreamViewType: string(events.DynamoDBStreamViewTypeNewAndOldImages),
				OldImage:       eventImage(change.Old),
				NewImage:       eventImage(change.New),
			},
		}
		key := table.Key{}
		if change.New != nil {
			key = change.New.Key
		} else if change.Old != nil {
			key = change.Old.Key
		}
		record.Change.Keys = eventAttributes(marshalKey(key))
	}
	return event
}

// EventName returns the stream's name of a change: INSERT, MODIFY or REMOVE.
func EventName(c table.Change) string {
	switch {
	case c.Old == nil:
		return string(events.DynamoDBOperationTypeInsert)
	case c.New == nil:
		return string(events.DynamoDBOperationTypeRemove)
	}
	return string(events.DynamoDBOperationTypeModify)
}

// eventImage returns the image of an item, or nil for none.
func eventImage(item *table.Item) map[string]events.DynamoDBAttributeValue {
	if item == nil {
		return nil
	}
	return eventAttributes(Marshal(*item))
}

// eventAttributes converts attributes to those of events.
func eventAttributes(attributes map[string]types.AttributeValue) map[string]events.DynamoDBAttributeValue {
	converted := make(map[string]events.DynamoDBAttributeValue, len(attributes))
	for name, value := range attributes {
		switch value := value.(type) {
		case *types.AttributeValueMemberS:
			converted[name] = events.NewStringAttribute(value.Value)
		case *types.AttributeValueMemberN:
			converted[name] = events.NewNumberAttribute(value.Value)
		case *types.AttributeValueMemberB:
			converted[name] = events.NewBinaryAttribute(value.Value)
		}
	}
	return converted
}
