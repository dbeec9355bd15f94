// Command sam runs the stack of template.yaml on this machine: the REST API by `sam local start-api`, which
// runs each function in a container, and the workers as the built programs, over DynamoDB Local and
// ElasticMQ.
//
//	sam                   runs until it is interrupted
//	sam go test ./infra   runs until the command ends, and ends as it did
//
// Beside a command, platforms of channels are called at addresses of this machine, where it may serve
// stand-ins: they are in META_GRAPH_URL and its like. What platforms are told to call is in PUBLIC_URL, where
// it may serve a proxy before the API.
//
// It runs in the folder of template.yaml, serves on PORT (3001 when that is not set) and calls the SAM CLI by
// the name in SAM. The container engine is the one that DOCKER_HOST names, else Docker, else a Podman of its
// own. What another process needs to speak to the stack is in the environment of the command, and in the file
// .cache/sam-local/env.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"frontdesk/infra/command"
	"frontdesk/infra/local"
	"frontdesk/infra/template"
)

// dir holds what is built and written for the stack.
const dir = ".cache/sam-local"

// logFile is where the functions and the SAM CLI print beside a command, which has the terminal to itself.
var logFile = filepath.Join(dir, "log")

func main() { command.Main("sam", run) }

// run runs the stack until ctx or the command ends, or a part of the stack does.
func run(ctx context.Context, args []string) error {
	stack, err := template.Read("template.yaml")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	engine, err := findEngine(ctx)
	if err != nil {
		return err
	}
	defer engine.stop()

	if err := build(ctx); err != nil {
		return err
	}
	say("starting DynamoDB Local and ElasticMQ")
	store, err := startStore(ctx, stack)
	if err != nil {
		return err
	}
	defer store.stop()

	var out io.WriteCloser = os.Stderr
	if len(args) > 0 {
		if out, err = prepareCommand(); err != nil {
			return err
		}
		defer out.Close()
	}
	gates, err := openGates(stack, store, out)
	if err != nil {
		return err
	}
	defer gates.close()

	say("starting the API")
	api, err := startAPI(ctx, engine, store, gates, out)
	if err != nil {
		return err
	}
	defer api.stop()
	workers, err := startWorkers(ctx, stack, store, gates, built, out)
	if err != nil {
		return err
	}
	defer workers.stop()
	environment := store.environment()
	maps.Copy(environment, map[string]string{
		"STACK": "sam-local", "BASE_URL": api.base, "API_KEY": local.Key,
		"CALLBACK_HOST": engine.thisMachine, "DOCKER_HOST": engine.host,
	})
	if err := writeEnvironment(environment); err != nil {
		return err
	}
	defer os.Remove(environmentFile)
	say("the API is at %s and its key is %s", api.base, local.Key)
	return api.serve(ctx, args, environment)
}

// prepareCommand reserves what the tests of a command stand in for, and returns the file that the functions
// print to while it runs.
func prepareCommand() (io.WriteCloser, error) {
	if err := reserveStandIns(); err != nil {
		return nil, err
	}
	say("the functions print to %s", logFile)
	return os.Create(logFile)
}

// serve runs the command of args, or serves until ctx ends where there is none. It returns early where the
// SAM CLI ends.
func (a *api) serve(ctx context.Context, args []string, environment map[string]string) error {
	serving, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	go func() {
		<-a.ended
		fail(fmt.Errorf("the SAM CLI ended: %w", a.err))
	}()
	if len(args) > 0 {
		err := command.Run(serving, args, environment)
		if serving.Err() != nil {
			return context.Cause(serving)
		}
		return err
	}
	<-serving.Done()
	if ctx.Err() != nil {
		return nil // by Ctrl-C
	}
	return context.Cause(serving)
}

// environmentFile has the variables by which other processes find the running stack, in the form that a shell
// reads.
var environmentFile = filepath.Join(dir, "env")

// writeEnvironment writes environmentFile. None of the values needs quotes.
func writeEnvironment(variables map[string]string) error {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		fmt.Fprintf(&text, "%s=%s\n", name, variables[name])
	}
	return os.WriteFile(environmentFile, []byte(text.String()), 0o600)
}
