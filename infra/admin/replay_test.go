package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/dispatch"
	"frontdesk/infra/emulator"
	"frontdesk/infra/local"
	"frontdesk/shared/channel"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/queue"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/dynamo/schema"
)

// published returns an event that was published the given duration ago.
func published(ago time.Duration, conversation int64) event.Event {
	at := time.Now().Add(-ago).UTC().Truncate(time.Millisecond)
	return event.Event{
		ID: id.First(at) + conversation, Kind: event.ConversationResolved, At: at, AccountID: 5, AgentID: 6,
		ConversationID: conversation,
	}
}

// TestReplay replays dead letters of each kind, and expects those that cannot be replayed to stay.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DATA_DIR", dir)
	t.Setenv("STACK", "")
	t.Setenv("CLOCK_OFFSET", "")
	store, err := local.OpenStore(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	// Nothing failed at the time of the second.
	given, other, told := published(30*time.Hour, 1), published(40*time.Hour, 2), published(50*time.Hour, 3)
	recent, aside := published(time.Hour, 4), published(9*24*time.Hour, 5)
	for _, e := range []event.Event{given, other, told, recent} {
		put, err := e.Put()
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Table.Transact(t.Context(), put); err != nil {
			t.Fatal(err)
		}
	}
	before, err := store.Table.Changes(t.Context(), "", 100)
	if err != nil {
		t.Fatal(err)
	}
	batch := func(e event.Event) string {
		at := e.At.Truncate(time.Second).Format(time.RFC3339)
		return fmt.Sprintf(`{"version":"1.0","DDBStreamBatchInfo":{"approximateArrivalOfFirstRecord":%q,`+
			`"approximateArrivalOfLastRecord":%q,"batchSize":1}}`, at, at)
	}
	setAside := func(doc []byte) string {
		body, err := json.Marshal(dispatch.Unreadable{Key: "outbox/5/99", Doc: doc, Error: "unknown kind"})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	put, err := aside.Put()
	if err != nil {
		t.Fatal(err)
	}
	dead := store.Queues.Queue(queuedb.Config{Name: deadLetters})
	for _, body := range []string{
		batch(given), batch(told), batch(told), setAside(put.Item.Doc),
		`{"version":"1.0","DDBStreamBatchInfo":{"batchSize":1}}`, // of the last day
		setAside([]byte("{")), batch(published(20*24*time.Hour, 9)), "what is this?", "[]",
	} {
		if err := dead.Send(t.Context(), queue.Outgoing{Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := admin(t, "replay")
	if err == nil || !strings.Contains(err.Error(), "4 of 9") || len(lines) != 9 {
		t.Errorf("%v, %v", lines, err)
	}
	for i, line := range lines {
		replayed, kept := line["replayed"] == json.Number("1"), line["kept"] != nil
		if replayed != (i < 5) || replayed == kept {
			t.Errorf("letter %d: %v", i, line)
		}
	}
	// Dispatch is told of them again as of events that were just published.
	changes, err := store.Table.Changes(t.Context(), before[len(before)-1].Position, 100)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int64]int{}
	for _, c := range changes {
		e, err := event.Read(*c.New)
		if err != nil || c.Old != nil || !strings.HasPrefix(c.New.PK, event.KeyPrefix) {
			t.Errorf("%+v, %v", c, err)
		}
		got[e.ConversationID]++
	}
	if diff := cmp.Diff(map[int64]int{1: 1, 3: 1, 4: 1, 5: 1}, got); diff != "" {
		t.Error(diff)
	}
	if lines, err := admin(t, "replay"); err == nil || len(lines) != 4 {
		t.Errorf("what was kept, replayed again: %v, %v", lines, err)
	}
}

// TestReplayLanes replays a failed batch that had news of a lane of the inbox.
func TestReplayLanes(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DATA_DIR", dir)
	t.Setenv("STACK", "")
	t.Setenv("CLOCK_OFFSET", "")
	store, err := local.OpenStore(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	updates := inbox.Store{Table: store.Table, Now: time.Now, IDs: id.NewSource(time.Now)}
	lane := inbox.Lane{AccountID: 5, AgentID: 6, Channel: channel.SMS, Person: "+14155550100"}
	for _, said := range []string{"one", "two"} {
		update := channel.Update{ID: said, Text: said}
		if _, err := updates.Add(t.Context(), lane, update, 0); err != nil {
			t.Fatal(err)
		}
	}
	dead := store.Queues.Queue(queuedb.Config{Name: deadLetters})
	if err := dead.Send(t.Context(),
		queue.Outgoing{Body: `{"DDBStreamBatchInfo":{"batchSize":1}}`}); err != nil {
		t.Fatal(err)
	}
	if line := one(t, "replay"); line["lanes"] != json.Number("1") || line["kept"] != nil {
		t.Errorf("%v", line)
	}
	got, err := store.Queues.Queue(queuedb.Config{Name: inboxQueue}).Receive(t.Context(), 10, 0, 0)
	if err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	var queued inbox.Lane
	if err := json.Unmarshal([]byte(got[0].Body), &queued); err != nil || queued != lane {
		t.Errorf("%s, %v", got[0].Body, err)
	}
}

// TestNothingToReplay replays an empty queue.
func TestNothingToReplay(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	t.Setenv("STACK", "")
	t.Setenv("CLOCK_OFFSET", "")
	if lines, err := admin(t, "replay"); err != nil || lines != nil {
		t.Errorf("%v, %v", lines, err)
	}
}

// TestScanner reads the outbox of a table of DynamoDB.
func TestScanner(t *testing.T) {
	endpoint, name := emulator.DynamoDB().Endpoint(t), fmt.Sprintf("test-%d", time.Now().UnixNano())
	client := dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: &endpoint, DisableValidateResponseChecksum: true,
		Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
	})
	if err := schema.Create(t.Context(), client, name); err != nil {
		t.Fatal(err)
	}
	e := published(time.Hour, 1)
	put, err := e.Put()
	if err != nil {
		t.Fatal(err)
	}
	other := table.PutIfAbsent(table.Item{Key: table.Key{PK: "outboxes/5/1", SK: "event"}, Doc: []byte("{}")})
	if err := dynamo.New(client, name, time.Now).Transact(t.Context(), put, other); err != nil {
		t.Fatal(err)
	}
	var found []event.Event
	if err := scanner(client, name)(t.Context(), event.KeyPrefix, func(item table.Item) error {
		read, err := event.Read(item)
		found = append(found, read)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]event.Event{e}, found); diff != "" {
		t.Error(diff)
	}
}
