// Command serve serves the product on an empty store of its own for the time of a command, which tries it,
// and ends as the command did:
//
//	serve schemathesis run functions/openapi/openapi.json
//
// The command finds the service by BASE_URL and API_KEY in its environment. Whatever it makes the service
// call stays on this machine: no name leads anywhere, and WhatsApp is a stand-in.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"frontdesk/infra/local"
	"frontdesk/infra/platforms"
	"frontdesk/shared/channel/registry"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() > 0 {
		os.Exit(ended.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command []string) error {
	if len(command) == 0 {
		return errors.New("no command")
	}
	net.DefaultResolver = &net.Resolver{PreferGo: true,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("no names are looked up here")
		}}
	folder, err := os.MkdirTemp("", "frontdesk-serve-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	graph := httptest.NewServer(new(platforms.Graph))
	defer graph.Close()
	service, err := local.Start(ctx, local.Config{
		Template: "template.yaml", DataDir: folder, Now: time.Now,
		Platforms: registry.Addresses{Graph: graph.URL},
		Log:       slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		return err
	}
	defer service.Close()
	server := httptest.NewServer(http.Handler(service))
	defer server.Close()

	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "BASE_URL="+server.URL+"/api/v1", "API_KEY="+local.Key)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	printed, readErr := os.ReadFile(log.Name())
	os.Stderr.Write(printed) // what the service itself took for a fault
	return errors.Join(err, readErr)
}
