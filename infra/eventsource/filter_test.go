package eventsource

import (
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
)

const outboxPattern = `{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"outbox/"}]}}}}`

func record(eventName, pk string) events.DynamoDBEventRecord {
	return events.DynamoDBEventRecord{EventName: eventName, Change: events.DynamoDBStreamRecord{
		Keys:           map[string]events.DynamoDBAttributeValue{"pk": events.NewStringAttribute(pk)},
		SequenceNumber: pk,
	}}
}

func TestFilterOfRecords(t *testing.T) {
	for _, tt := range []struct {
		name     string
		patterns []string
		record   events.DynamoDBEventRecord
		want     bool
	}{
		{"no pattern", nil, record("REMOVE", "agent/1"), true},
		{"matches", []string{outboxPattern}, record("INSERT", "outbox/1"), true},
		{"other event", []string{outboxPattern}, record("MODIFY", "outbox/1"), false},
		{"other key", []string{outboxPattern}, record("INSERT", "agent/outbox/1"), false},
		{"no key", []string{outboxPattern}, events.DynamoDBEventRecord{EventName: "INSERT"}, false},
		{"one of several values", []string{`{"eventName":["INSERT","MODIFY"]}`}, record("MODIFY", "x"), true},
		{"one of several patterns", []string{outboxPattern, `{"eventName":["REMOVE"]}`}, record("REMOVE", "x"), true},
		{"none of several patterns", []string{outboxPattern, `{"eventName":["REMOVE"]}`}, record("MODIFY", "x"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			filter, err := ParseFilter(tt.patterns...)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := filter.Match(tt.record); err != nil || got != tt.want {
				t.Errorf("Match = %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestFilterOfValues(t *testing.T) {
	type object = map[string]any
	for _, tt := range []struct {
		pattern string
		value   any
		want    bool
	}{
		{`["x"]`, "x", true},
		{`["x"]`, "xy", false},
		{`[{"prefix":"x"}]`, "xy", true},
		{`[{"prefix":"x"}]`, "yx", false},
		{`[{"prefix":""}]`, "anything", true},
		{`[{"prefix":""}]`, 1, false},
		{`[{"prefix":""}]`, nil, false},
		{`[1]`, 1, true},
		{`[1.0]`, 1, true},
		{`[1]`, "1", false},
		{`[true]`, true, true},
		{`[true]`, false, false},
		{`[null]`, nil, true},
		{`[null]`, "", false},
		{`["x"]`, []string{"w", "x"}, true},
		{`["x"]`, []string{"w"}, false},
		{`["x"]`, object{"x": "x"}, false},
		{`{"a":["x"]}`, object{"a": "x", "b": 1}, true},
		{`{"a":["x"],"b":[2]}`, object{"a": "x", "b": 1}, false},
		{`{"a":["x"]}`, "x", false},
		{`{"a":[null]}`, object{}, false},
	} {
		filter, err := ParseFilter(`{"v":` + tt.pattern + `}`)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := filter.Match(object{"v": tt.value}); err != nil || got != tt.want {
			t.Errorf("%s on %v = %v, %v, want %v", tt.pattern, tt.value, got, err, tt.want)
		}
	}
}

func TestParseFilterRefuses(t *testing.T) {
	for _, tt := range []struct{ pattern, want string }{
		{`{`, "unexpected end"},
		{`["x"]`, "array"},
		{`{}`, "empty"},
		{`{"a":{}}`, "empty"},
		{`{"a":[]}`, "empty"},
		{`{"a":"x"}`, "neither an object nor an array"},
		{`{"a":[["x"]]}`, "array"},
		{`{"a":[{"suffix":"x"}]}`, "not known here"},
		{`{"a":[{"prefix":1}]}`, "not known here"},
		{`{"a":[{"prefix":"x","suffix":"y"}]}`, "not known here"},
	} {
		_, err := ParseFilter(outboxPattern, tt.pattern)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.pattern) {
			t.Errorf("ParseFilter(%s) = %v, want an error with the pattern and %q", tt.pattern, err, tt.want)
		}
	}
}
