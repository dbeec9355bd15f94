package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/infra/lambda"
	"frontdesk/infra/template"
)

// starts is the number of times that each program is started.
const starts = 40

// A program is a bootstrap and an event that it answers without calling another service.
type program struct {
	name, bootstrap string
	event           []byte
	environment     map[string]string // variables that the template gives it
	answers         []time.Duration
	processor       []time.Duration
}

// coldStarts prints the time from process start to first answer of each function, relative to that of a bare
// handler.
func coldStarts(ctx context.Context, dir string) error {
	stack, err := template.Read("template.yaml")
	if err != nil {
		return err
	}
	bare := &program{name: "bare handler in Go, default configuration and build"}
	if bare.bootstrap, err = compile(ctx, "infra/bench/bare", ".", filepath.Join(dir, "bare")); err != nil {
		return err
	}
	if bare.event, err = request("/"); err != nil {
		return err
	}
	stripped := &program{name: "the same, built as the stack is", event: bare.event}
	if stripped.bootstrap, err = compile(ctx, "infra/bench/bare", ".", filepath.Join(dir, "stripped"),
		buildFlags...); err != nil {
		return err
	}
	programs := []*program{bare, stripped}
	node, err := nodeHandler(ctx, dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "NOT MEASURED: the handler in Node:", err)
	} else {
		programs = append(programs, &program{name: "the same in Node", bootstrap: node, event: bare.event})
	}
	for _, f := range stack.Functions {
		p := &program{name: f.Name, environment: f.Environment}
		for variable := range f.QueueURLs {
			p.environment[variable] = "http://127.0.0.1/x"
		}
		if p.bootstrap, err = compile(ctx, ".", "./functions/"+f.Group+"/lambda", filepath.Join(dir, f.Group),
			buildFlags...); err != nil {
			return err
		}
		p.event = []byte(`{"Records": []}`)
		if len(f.Paths) > 0 {
			if p.event, err = request(f.Paths[0]); err != nil {
				return err
			}
		}
		programs = append(programs, p)
	}
	var rounds []func() error
	for _, p := range programs {
		rounds = append(rounds, func() error { return p.start(ctx) })
	}
	if err := inTurn(ctx, starts, rounds...); err != nil {
		return err
	}
	base, baseProcessor := quantile(bare.answers, 0.5), quantile(bare.processor, 0.5)
	fmt.Printf("\nCold start: from process start to first answer, median of %d, and the processor time of "+
		"it, which depends less on what else the machine does\n\n| program | time | against the bare "+
		"handler | processor time | against the bare handler |\n|---|---|---|---|---|\n", starts)
	for _, p := range programs {
		median, processor := quantile(p.answers, 0.5), quantile(p.processor, 0.5)
		fmt.Printf("| %s | %s | %.2f | %s | %.2f |\n", p.name, milliseconds(median),
			float64(median)/float64(base), milliseconds(processor),
			float64(processor)/float64(baseProcessor))
	}
	return nil
}

// buildFlags are the go build flags that the stack uses.
var buildFlags = []string{"-trimpath", "-ldflags", "-s -w"}

// compile builds a program of a module.
func compile(ctx context.Context, module, pkg, out string, flags ...string) (string, error) {
	args := append([]string{"build", "-C", module, "-o", out}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return out, cmd.Run()
}

// nodeHandler installs the handler in Node and returns a program that starts it.
func nodeHandler(ctx context.Context, dir string) (string, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return "", errors.New("node is not installed")
	}
	home := filepath.Join(dir, "node")
	if err := os.CopyFS(home, os.DirFS("infra/bench/node")); err != nil {
		return "", err
	}
	install := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix",
		home)
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install: %w: %s", err, out)
	}
	script := filepath.Join(home, "bootstrap")
	text := fmt.Sprintf("#!/bin/sh\nexec %s %s\n", node, filepath.Join(home, "bootstrap.mjs"))
	return script, os.WriteFile(script, []byte(text), 0o755)
}

// request returns the event of an unauthenticated request to path from a client that accepts gzip.
func request(path string) ([]byte, error) {
	path = strings.NewReplacer("{agent_id}", "5", "{id}", "5").Replace(path)
	if !strings.HasSuffix(path, ".json") {
		path += "/"
	}
	return json.Marshal(events.APIGatewayProxyRequest{Path: path, HTTPMethod: "GET",
		Headers: map[string]string{"Accept-Encoding": "gzip"},
		RequestContext: events.APIGatewayProxyRequestContext{
			DomainName: "api.example.com", Path: path, RequestID: "1",
		}})
}

// start starts the program once and records the time to its first answer.
func (p *program) start(ctx context.Context) error {
	env := map[string]string{
		"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "TABLE_NAME": "x",
		"PATH": os.Getenv("PATH"), "HOME": os.Getenv("HOME"),
	}
	maps.Copy(env, p.environment)
	f, err := lambda.New(lambda.Config{Name: p.name, Bootstrap: p.bootstrap, Timeout: 20 * time.Second,
		Env: env})
	if err != nil {
		return err
	}
	_, err = f.Invoke(ctx, p.event)
	f.Close()
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	p.answers = append(p.answers, f.Starts()[0].Answer)
	p.processor = append(p.processor, f.Processor())
	return nil
}
