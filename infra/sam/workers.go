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

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"frontdesk/infra/eventsource"
	"frontdesk/infra/lambda"
	"frontdesk/infra/template"
	"frontdesk/shared/table/dynamo/streams"
)

// The workers are the functions behind queues, the table's stream and schedules, which `sam local start-api`
// does not call. They run as the programs that were built, outside containers.
type workers struct {
	functions []*lambda.Function
	cancel    context.CancelFunc
	running   sync.WaitGroup
}

// workersHost is what the workers call this machine.
const workersHost = "127.0.0.1"

// startWorkers starts what calls the workers, which are the programs of that function.
func startWorkers(ctx context.Context, stack template.Template, s *store, g gates, program programs,
	out io.Writer) (*workers, error) {
	log := slog.New(slog.NewJSONHandler(out, nil))
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w := &workers{cancel: cancel}
	callers := eventsource.Stack{
		Queue:      s.queue,
		Feed:       streams.New(dynamodbstreams.NewFromConfig(s.config(s.dynamodb)), tableName),
		Checkpoint: func(string) eventsource.Checkpoint { return new(memory) },
		Now:        time.Now,
		Log:        log,
	}
	for _, f := range stack.Functions {
		if len(f.Queues)+len(f.Streams)+len(f.Schedules) == 0 {
			continue
		}
		call, err := w.function(ctx, f, s, g, program, out)
		if err != nil {
			w.stop()
			return nil, err
		}
		sources, err := callers.Sources(f, call)
		if err != nil {
			w.stop()
			return nil, err
		}
		for _, source := range sources {
			w.running.Go(func() {
				if err := source.Run(ctx); err != nil {
					log.Error("worker ended", slog.String("function", f.Name),
						slog.String("error", err.Error()))
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

// function makes a function of the template callable.
func (w *workers) function(ctx context.Context, f template.Function, s *store, g gates, program programs,
	out io.Writer) (eventsource.Function, error) {
	path, err := program(ctx, f)
	if err != nil {
		return nil, err
	}
	environment := maps.Clone(f.Environment)
	maps.Copy(environment, s.environment())
	maps.Copy(environment, g.variables(f.Name, workersHost))
	environment["WEBHOOK_ALLOW_HOSTS"] = workersHost
	function, err := lambda.New(lambda.Config{
		Name: f.Name, Bootstrap: path, Env: environment, Timeout: time.Duration(f.Timeout) * time.Second,
		Output: out,
	})
	if err != nil {
		return nil, err
	}
	w.functions = append(w.functions, function)
	return function.Invoke, nil
}

// programs returns the path of a function's program.
type programs func(context.Context, template.Function) (string, error)

// built are the programs that were built for Lambda. They run on Linux only; elsewhere the same are built for
// this machine.
func built(ctx context.Context, f template.Function) (string, error) {
	if runtime.GOOS == "linux" {
		return filepath.Join(buildDir, f.Name, "bootstrap"), nil
	}
	return native(filepath.Join(dir, "native"))(ctx, f)
}

// native builds programs for this machine, as they are built for Lambda, into a folder.
func native(folder string) programs {
	return func(ctx context.Context, f template.Function) (string, error) {
		program := filepath.Join(folder, f.Name)
		cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "./functions/"+
			f.Group+"/lambda")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("build %s: %w", f.Name, err)
		}
		return program, nil
	}
}

// memory is a checkpoint that lasts as long as the table in DynamoDB Local: the life of this process.
type memory struct{ position string }

func (m *memory) Load(context.Context) (string, error) { return m.position, nil }

func (m *memory) Save(_ context.Context, position string) error {
	m.position = position
	return nil
}
