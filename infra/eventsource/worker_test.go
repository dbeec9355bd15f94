package eventsource_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/emulator"
	"frontdesk/infra/eventsource"
	"frontdesk/infra/lambda"
	"frontdesk/shared/queue"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	tabledb "frontdesk/shared/table/sqlite"
)

// newWorker builds the worker of testdata and returns the function that it is.
func newWorker(t *testing.T) *lambda.Function {
	t.Helper()
	bootstrap := filepath.Join(t.TempDir(), "bootstrap")
	build := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", bootstrap, "./testdata/worker")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := lambda.New(lambda.Config{Name: "worker", Bootstrap: bootstrap, Timeout: 30 * time.Second,
		Output: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// start runs a source until the returned function is called, at the latest when the test ends.
func start(t *testing.T, source interface{ Run(context.Context) error }) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- source.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return stop
}

// TestBuiltWorkerOnSQS has a built function fed by a queue of ElasticMQ. What it fails on ends in the dead
// letters.
func TestBuiltWorkerOnSQS(t *testing.T) {
	endpoint := emulator.ElasticMQ().Endpoint(t)
	client := awssqs.New(awssqs.Options{
		Region: "us-east-1", BaseEndpoint: &endpoint,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	})
	name := "test-" + rand.Text()
	newQueue := func(name string, attributes map[string]string) queue.Queue {
		out, err := client.CreateQueue(t.Context(),
			&awssqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
		if err != nil {
			t.Fatal(err)
		}
		return sqs.New(client, *out.QueueUrl)
	}
	dead := newQueue(name+"-dead", nil)
	source := newQueue(name, map[string]string{
		"VisibilityTimeout": "1",
		"RedrivePolicy":     fmt.Sprintf(`{"deadLetterTargetArn": "arn:aws:sqs:elasticmq:000000000000:%s-dead", "maxReceiveCount": 2}`, name),
	})
	var out []queue.Outgoing
	for i := range 30 {
		out = append(out, queue.Outgoing{Body: fmt.Sprintf("%d fine", i)})
	}
	out = append(out, queue.Outgoing{Body: "poison"})
	if err := source.Send(t.Context(), out...); err != nil {
		t.Fatal(err)
	}
	worker := newWorker(t)
	failed := make(chan bool, 10)
	start(t, &eventsource.Queue{
		Source: source, ARN: "arn:aws:sqs:us-east-1:000000000000:" + name,
		PartialFailures: true, Concurrency: 2, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Function: func(ctx context.Context, payload []byte) ([]byte, error) {
			answer, err := worker.Invoke(ctx, payload)
			if strings.Contains(string(answer), "itemIdentifier") {
				failed <- true
			}
			return answer, err
		},
	})
	for range 2 {
		select {
		case <-failed:
		case <-time.After(20 * time.Second):
			t.Fatal("the function did not fail twice")
		}
	}
	// ElasticMQ moves it at the first request after its visibility has ended, which those that wait then are
	// not.
	time.Sleep(1200 * time.Millisecond)
	if got, err := source.Receive(t.Context(), 10, time.Minute, 0); err != nil || len(got) > 0 {
		t.Errorf("Receive = %v, %v, want nothing", got, err)
	}
	got, err := dead.Receive(t.Context(), 10, time.Minute, queue.MaxWait)
	if err != nil || len(got) != 1 || got[0].Body != "poison" {
		t.Fatalf("dead letters: %v, %v, want the poison", got, err)
	}
	attributes, err := client.GetQueueAttributes(t.Context(), &awssqs.GetQueueAttributesInput{
		QueueUrl:       aws.String(endpoint + "/000000000000/" + name),
		AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, hidden := attributes.Attributes["ApproximateNumberOfMessages"],
		attributes.Attributes["ApproximateNumberOfMessagesNotVisible"]; n != "0" || hidden != "0" {
		t.Errorf("%s messages and %s hidden ones are left, want none", n, hidden)
	}
}

// TestBuiltWorkerOnTable has a built function fed by the changes of a table, stops and goes on.
func TestBuiltWorkerOnTable(t *testing.T) {
	dir := t.TempDir()
	items, err := tabledb.Open(filepath.Join(dir, "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer items.Close()
	queues, err := queuedb.Open(filepath.Join(dir, "queues.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer queues.Close()
	failures := queues.Queue(queuedb.Config{Name: "failures"})
	filter, err := eventsource.ParseFilter(`{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"outbox/"}]}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	put := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			item := table.Item{Key: table.Key{PK: key, SK: "event"}, Doc: []byte(`{"n": 1}`)}
			if err := items.Transact(t.Context(), table.Put(item)); err != nil {
				t.Fatal(err)
			}
		}
	}

	worker := newWorker(t)
	batches := make(chan string, 100)
	newStream := func() *eventsource.Stream {
		readers, err := items.Readers(t.Context(), "worker")
		if err != nil {
			t.Fatal(err)
		}
		return &eventsource.Stream{
			Source: items, Convert: dynamo.Event, Filter: filter,
			ARN:             "arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/s",
			Checkpoint:      readers[0],
			PartialFailures: true, Bisect: true, Attempts: 2, OnFailure: failures,
			Poll: 10 * time.Millisecond, Pause: 10 * time.Millisecond,
			Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
			Function: func(ctx context.Context, payload []byte) ([]byte, error) {
				var event struct {
					Records []struct {
						Change struct {
							Keys map[string]struct{ S string }
						} `json:"dynamodb"`
					}
				}
				if err := json.Unmarshal(payload, &event); err != nil {
					return nil, err
				}
				var keys []string
				for _, r := range event.Records {
					keys = append(keys, strings.TrimPrefix(r.Change.Keys["pk"].S, "outbox/"))
				}
				batches <- strings.Join(keys, " ")
				return worker.Invoke(ctx, payload)
			},
		}
	}
	expect := func(want ...string) {
		t.Helper()
		var got []string
		for range want {
			select {
			case batch := <-batches:
				got = append(got, batch)
			case <-time.After(20 * time.Second):
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("batches (-want +got):\n%s", diff)
		}
	}

	put("agent/1", "outbox/1", "outbox/2", "agent/2", "outbox/poison", "outbox/3")
	put("outbox/1") // a change of it is no INSERT
	stop := start(t, newStream())
	expect("1 2 poison 3", "poison 3", "poison", "poison", "3")
	got, err := failures.Receive(t.Context(), 1, time.Minute, queue.MaxWait)
	if err != nil || len(got) != 1 {
		t.Fatalf("failures: %v, %v, want one", got, err)
	}
	stop()
	put("outbox/4", "outbox/5")
	start(t, newStream())
	expect("4 5")
}
