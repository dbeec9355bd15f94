package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/infra/eventsource"
	"frontdesk/infra/lambda"
	"frontdesk/infra/template"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/dynamo/streams"
)

// The workers are the functions behind queues, the table's stream and schedules, which `sam local start-api` does not
// call. They run as the programs that were built, outside containers.
type workers struct {
	functions []*lambda.Function
	cancel    context.CancelFunc
	running   sync.WaitGroup
}

// A source calls a function until its context ends.
type source interface{ Run(context.Context) error }

// startWorkers starts what calls the workers.
func startWorkers(ctx context.Context, stack template.Template, s *store, out io.Writer) (*workers, error) {
	log := slog.New(slog.NewJSONHandler(out, nil))
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w := &workers{cancel: cancel}
	for _, f := range stack.Functions {
		if len(f.Queues)+len(f.Streams)+len(f.Schedules) == 0 {
			continue
		}
		sources, err := w.sources(ctx, f, s, out, log)
		if err != nil {
			w.stop()
			return nil, err
		}
		for _, source := range sources {
			w.running.Go(func() {
				if err := source.Run(ctx); err != nil {
					log.Error("worker ended", slog.String("function", f.Name), slog.String("error", err.Error()))
				}
			})
		}
	}
	return w, nil
}

// stop returns when the calls under way have ended.
func (w *workers) stop() {
	w.cancel()
	w.running.Wait()
	for _, f := range w.functions {
		f.Close()
	}
}

// sources are what calls a function.
func (w *workers) sources(ctx context.Context, f template.Function, s *store, out io.Writer, log *slog.Logger) ([]source, error) {
	program, err := programOf(ctx, f)
	if err != nil {
		return nil, err
	}
	environment := maps.Clone(f.Environment)
	maps.Copy(environment, s.environment())
	function, err := lambda.New(lambda.Config{
		Name: f.Name, Bootstrap: program, Env: environment, Timeout: time.Duration(f.Timeout) * time.Second, Output: out,
	})
	if err != nil {
		return nil, err
	}
	w.functions = append(w.functions, function)

	config := aws.Config{Region: region, Credentials: credentials.NewStaticCredentialsProvider(accessKey, secretKey, "")}
	var all []source
	for _, e := range f.Queues {
		config.BaseEndpoint = &s.elasticmq.Address
		all = append(all, &eventsource.Queue{
			Source: sqs.New(awssqs.NewFromConfig(config), s.queueURL("127.0.0.1", e.Queue)), Function: function.Invoke,
			ARN: "arn:aws:sqs:" + region + ":000000000000:" + e.Queue, BatchSize: e.BatchSize, PartialFailures: true, Log: log,
		})
	}
	for _, e := range f.Streams {
		filter, err := eventsource.ParseFilter(e.Filters...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		config.BaseEndpoint = &s.dynamodb.Address
		all = append(all, &eventsource.Stream{
			Source: streams.New(dynamodbstreams.NewFromConfig(config), tableName), Convert: dynamo.Event, Function: function.Invoke,
			Checkpoint: new(memory), ARN: "arn:aws:dynamodb:" + region + ":000000000000:table/" + tableName + "/stream/local",
			Filter: filter, BatchSize: e.BatchSize, PartialFailures: true, Bisect: true, Log: log,
		})
	}
	for _, e := range f.Schedules {
		all = append(all, &eventsource.Schedule{
			Expression: e.Expression, Function: function.Invoke, ARN: "arn:aws:events:" + region + ":000000000000:rule/" + e.Name,
			Now: time.Now, Log: log,
		})
	}
	return all, nil
}

// programOf is the path of the function's program. The one that was built for Lambda runs on Linux only; elsewhere the
// same is built for this machine.
func programOf(ctx context.Context, f template.Function) (string, error) {
	if runtime.GOOS == "linux" {
		return filepath.Join(buildDir, f.Name, "bootstrap"), nil
	}
	program := filepath.Join(dir, "native", f.Name)
	cmd := exec.CommandContext(ctx, "go", "build", "-tags=lambda.norpc", "-o", program, "./functions/"+f.Group+"/lambda")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build %s: %w", f.Name, err)
	}
	return program, nil
}

// memory is a checkpoint that lasts as long as the table in DynamoDB Local: the life of this process.
type memory struct{ position string }

func (m *memory) Load(context.Context) (string, error) { return m.position, nil }

func (m *memory) Save(_ context.Context, position string) error {
	m.position = position
	return nil
}
