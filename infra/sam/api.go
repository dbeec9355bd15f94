package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// buildDir is where the SAM CLI puts the built functions and their template.
var buildDir = filepath.Join(dir, "build")

// architecture is the processor of this machine, as Lambda calls it.
func architecture() string {
	if runtime.GOARCH == "arm64" {
		return "arm64"
	}
	return "x86_64"
}

// build builds the functions for this machine.
func build(ctx context.Context) error {
	say("building the functions")
	cmd := exec.CommandContext(ctx, "infra/sam/build", architecture(), buildDir)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build: %w", err)
	}
	return nil
}

// An api is a running `sam local start-api`.
type api struct {
	*process
	base string // the base address of the API
}

// answerTime is how long the first answer may take: the SAM CLI makes an image of its base image first.
const answerTime = 3 * time.Minute

// startAPI starts the API over the store and returns when it answers.
func startAPI(ctx context.Context, e *engine, s *store, g gates, out io.Writer) (*api, error) {
	variables := s.variables(e.thisMachine)
	// A webhook is tested from a container, and called by a worker, which runs on this machine itself.
	variables["WEBHOOK_ALLOW_HOSTS"] = e.thisMachine + "," + workersHost
	// What package models reads, for those who try a language model.
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"} {
		if value := os.Getenv(name); value != "" {
			variables[name] = strings.Replace(value, "127.0.0.1", e.thisMachine, 1)
		}
	}
	overrides := map[string]any{"Parameters": variables} // of every function that declares them
	for function := range g {
		overrides[function] = g.variables(function, e.thisMachine)
	}
	text, err := json.Marshal(overrides)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "variables.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	port := cmp.Or(os.Getenv("PORT"), "3001")
	cmd := exec.Command(cmp.Or(os.Getenv("SAM"), "sam"), append([]string{
		"local", "start-api", "--template", filepath.Join(buildDir, "template.yaml"), "--port", port,
		"--parameter-overrides", "Architecture=" + architecture(), "--env-vars", file, "--region", region,
		"--warm-containers", "LAZY", "--no-watch", "--skip-pull-image",
	}, e.arguments...)...)
	cmd.Env = append(os.Environ(), "DOCKER_HOST="+e.host, "SAM_CLI_TELEMETRY=0",
		"AWS_ACCESS_KEY_ID="+accessKey, "AWS_SECRET_ACCESS_KEY="+secretKey, "AWS_SESSION_TOKEN=")
	p, err := start(cmd, out)
	if err != nil {
		return nil, err
	}
	a := &api{p, "http://127.0.0.1:" + port + "/api/v1/"}
	if err := a.awaitAnswer(ctx); err != nil {
		a.stop()
		return nil, err
	}
	return a, nil
}

// awaitAnswer returns when the document of the API can be read, which takes a container and a function.
func (a *api) awaitAnswer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"openapi.json", nil)
	if err != nil {
		return err
	}
	for {
		last := error(nil)
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
			last = fmt.Errorf("%s", response.Status)
		} else {
			last = err
		}
		select {
		case <-a.ended:
			return fmt.Errorf("the SAM CLI ended at its start: %w", a.err)
		case <-ctx.Done():
			return fmt.Errorf("the API does not answer: %w", last)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
