package eventsource

import (
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/infra/template"
	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
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
		{"one of several patterns", []string{outboxPattern, `{"eventName":["REMOVE"]}`},
			record("REMOVE", "x"), true},
		{"none of several patterns", []string{outboxPattern, `{"eventName":["REMOVE"]}`},
			record("MODIFY", "x"), false},
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

// TestMayPass compares what the filter tells from a change alone with what it does with the whole record.
func TestMayPass(t *testing.T) {
	item := func(pk, doc string) *table.Item {
		return &table.Item{Key: table.Key{PK: pk, SK: "s"}, Doc: []byte(doc), Version: 1}
	}
	var changes []table.Change
	for _, pk := range []string{"outbox/1", "agent/1"} {
		changes = append(changes, table.Change{New: item(pk, "a")},
			table.Change{Old: item(pk, "a"), New: item(pk, "b")},
			table.Change{Old: item(pk, "b")})
	}
	for _, tt := range []struct {
		patterns []string
		exact    bool // the filter asks for nothing but name and key
		want     int  // how many changes may pass
	}{
		{nil, true, 6},
		{[]string{outboxPattern}, true, 1},
		{[]string{`{"eventName":["REMOVE"]}`, outboxPattern}, true, 3},
		{[]string{`{"dynamodb":{"Keys":{"sk":{"S":["s"]}}}}`}, true, 6},
		{[]string{`{"dynamodb":{"Keys":{"sk":{"S":["other"]}}}}`}, true, 0},
		{[]string{`{"eventName":["MODIFY"],"dynamodb":{"NewImage":{"doc":{"S":["b"]}}}}`}, false, 2},
		{[]string{`{"eventSource":["elsewhere"]}`}, false, 6},
	} {
		filter, err := ParseFilter(tt.patterns...)
		if err != nil {
			t.Fatal(err)
		}
		may := 0
		for _, c := range changes {
			passes, err := filter.Match(dynamo.Event([]table.Change{c}).Records[0])
			if err != nil {
				t.Fatal(err)
			}
			mayPass := filter.MayPass(c)
			if mayPass {
				may++
			}
			if passes && !mayPass || tt.exact && passes != mayPass {
				t.Errorf("%s: %+v may pass: %v, passes: %v", tt.patterns, c, mayPass, passes)
			}
		}
		if may != tt.want {
			t.Errorf("%s: %d changes may pass, want %d", tt.patterns, may, tt.want)
		}
	}
}

// TestStreamFilter reads the filter of the product's own template.
func TestStreamFilter(t *testing.T) {
	stack, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	filter, err := StreamFilter(stack)
	if err != nil {
		t.Fatal(err)
	}
	published := table.Change{New: &table.Item{Key: event.Key(1, 2)}}
	other := table.Change{New: &table.Item{Key: agent.Key(1, 2)}}
	if !filter.MayPass(published) || filter.MayPass(other) ||
		filter.MayPass(table.Change{Old: published.New}) {
		t.Error("the filter does not tell new events of the outbox from other changes")
	}
	lane := func(sk string) table.Change {
		return table.Change{New: &table.Item{Key: table.Key{PK: "lane/1/2/whatsapp/US.3", SK: sk}}}
	}
	if update := lane("update/4"); !filter.MayPass(update) || filter.MayPass(lane("lock")) ||
		filter.MayPass(table.Change{Old: update.New}) {
		t.Error("the filter does not tell new updates of lanes from other changes")
	}
	stack.Functions = append(stack.Functions, template.Function{Streams: []template.StreamEvent{{}}})
	if filter, err = StreamFilter(stack); err != nil || !filter.MayPass(other) {
		t.Errorf("a stream without a filter is not given everything: %v", err)
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
		if err == nil || !strings.Contains(err.Error(), tt.want) ||
			!strings.Contains(err.Error(), tt.pattern) {
			t.Errorf("ParseFilter(%s) = %v, want an error with the pattern and %q", tt.pattern, err, tt.want)
		}
	}
}
