// Command serve serves the product on an empty store of its own for the time of a command, which tries it,
// and ends as the command did:
//
//	serve schemathesis run functions/openapi/openapi.json
//
// The command finds the service by BASE_URL and API_KEY in its environment. Whatever it makes the service
// call stays on this machine: no name leads anywhere, and WhatsApp is a stand-in. The service believes the
// command's X-Forwarded-For.
package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"frontdesk/infra/command"
	"frontdesk/infra/local"
	"frontdesk/infra/platforms"
	"frontdesk/shared/channel/registry"
)

func main() { command.Main("serve", run) }

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
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
		Platforms: registry.Addresses{Graph: graph.URL}, TrustedProxies: "127.0.0.1",
		Log: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		return err
	}
	defer service.Close()
	server := httptest.NewServer(http.Handler(service))
	defer server.Close()

	err = command.Run(ctx, args,
		map[string]string{"BASE_URL": server.URL + "/api/v1", "API_KEY": local.Key})
	printed, readErr := os.ReadFile(log.Name())
	os.Stderr.Write(printed) // what the service itself took for a fault
	return errors.Join(err, readErr)
}
