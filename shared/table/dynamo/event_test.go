package dynamo_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

func TestEvent(t *testing.T) {
	full := table.Item{
		Key: table.Key{PK: "p", SK: "é\x00"}, Doc: []byte(`{"a":"<&>"}`), Blob: []byte{0, 255},
		Numbers: map[string]int64{"n": -1 << 63, "m": 1<<63 - 1}, Index1: table.Key{PK: "g", SK: "1"},
		Index2: table.Key{PK: "h", SK: "2"}, Expires: time.Unix(1_900_000_000, 0).UTC(), Version: 7,
	}
	bare := table.Item{Key: full.Key, Version: 1, Index3: table.Key{PK: "i", SK: "3"}}
	changes := []table.Change{
		{Position: "1", New: &full},
		{Position: "2", Old: &full, New: &bare},
		{Position: `{"shard":"3"}`, Old: &bare},
	}
	text, err := json.Marshal(dynamo.Event(changes))
	if err != nil {
		t.Fatal(err)
	}
	var event events.DynamoDBEvent
	if err := json.Unmarshal(text, &event); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, record := range event.Records {
		names = append(names, record.EventName)
		if got := record.Change.Keys["pk"].String(); got != "p" {
			t.Errorf("record %s has the key %q", record.EventID, got)
		}
	}
	if diff := cmp.Diff([]string{"INSERT", "MODIFY", "REMOVE"}, names); diff != "" {
		t.Errorf("event names (-want +got):\n%s", diff)
	}
	got, err := dynamo.Changes(event)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(changes, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestChangesOfAWS reads an event as AWS sends it.
func TestChangesOfAWS(t *testing.T) {
	const text = `{"Records": [{
		"eventID": "c4ca4238a0b923820dcc509a6f75849b", "eventName": "REMOVE", "eventVersion": "1.1",
		"eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
		"userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
		"dynamodb": {
			"ApproximateCreationDateTime": 1479499740,
			"Keys": {"pk": {"S": "a"}, "sk": {"S": "b"}},
			"OldImage": {"pk": {"S": "a"}, "sk": {"S": "b"}, "version": {"N": "2"}, "n_x": {"N": "5"},
				"expires": {"N": "1479499000"}, "blob": {"B": "AAEC"}, "other": {"L": [{"BOOL": true}]}},
			"SequenceNumber": "4421584500000000017450439091", "SizeBytes": 26, "StreamViewType": "NEW_AND_OLD_IMAGES"
		},
		"eventSourceARN": "arn:aws:dynamodb:us-east-1:123456789012:table/t/stream/2024-06-10T19:26:16.525"
	}]}`
	var event events.DynamoDBEvent
	if err := json.Unmarshal([]byte(text), &event); err != nil {
		t.Fatal(err)
	}
	got, err := dynamo.Changes(event)
	if err != nil {
		t.Fatal(err)
	}
	want := []table.Change{{Position: "4421584500000000017450439091", Old: &table.Item{
		Key: table.Key{PK: "a", SK: "b"}, Version: 2, Numbers: map[string]int64{"x": 5},
		Expires: time.Unix(1479499000, 0).UTC(), Blob: []byte{0, 1, 2},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}

	event.Records[0].Change.OldImage["version"] = events.NewNumberAttribute("99999999999999999999")
	if _, err := dynamo.Changes(event); err == nil {
		t.Error("a number out of range is no error")
	}
}
