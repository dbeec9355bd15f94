// Command play serves the product as `make run` does, with stand-ins for the platforms of channels, and lets
// a developer write as a customer on each of them. It reads PORT (3000) and DATA_DIR (.cache/play) from the
// environment.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
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

func main() {
	command.Main("play", func(ctx context.Context, _ []string) error {
		folder := cmp.Or(os.Getenv("DATA_DIR"), filepath.Join(".cache", "play"))
		address := "127.0.0.1:" + cmp.Or(os.Getenv("PORT"), "3000")
		return run(ctx, "template.yaml", folder, address, os.Stdin, os.Stdout)
	})
}

// run serves the product on an address and plays what in says, until that or ctx ends.
func run(ctx context.Context, template, folder, address string, in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	defer listener.Close()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	graph, twilio := new(platforms.Graph), new(platforms.Twilio)
	graphServer, twilioServer := httptest.NewServer(graph), httptest.NewServer(twilio)
	defer graphServer.Close()
	defer twilioServer.Close()
	graph.URL, twilio.URL = graphServer.URL, twilioServer.URL
	mail, endMail, err := platforms.ServeMail()
	if err != nil {
		return err
	}
	defer endMail()
	dashboard := fmt.Sprintf("http://localhost:%d", listener.Addr().(*net.TCPAddr).Port)
	service, err := local.Start(ctx, local.Config{
		Template: template, DataDir: folder, Now: time.Now, AllowHosts: "127.0.0.1",
		Platforms: registry.Addresses{
			Graph: graph.URL, InstagramGraph: graph.URL, Twilio: twilio.URL, SMTP: mail.URL,
		},
		PublicURL: dashboard, // the same address for whoever asks, as a check compares it
		Log:       slog.New(slog.NewJSONHandler(log, nil)),
	})
	if err != nil {
		return err
	}
	defer service.Close()
	server := &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener) // until it is closed
	defer server.Close()

	site := "http://" + listener.Addr().String()
	link, err := service.Workspaces.OwnerLink(ctx, service.Account)
	if err != nil {
		return err
	}
	standIns := platforms.StandIns{Graph: graph, Twilio: twilio, Mail: mail}
	p := &person{
		api: site + "/api/v1", out: out, standIns: standIns, channels: standIns.Platforms(1),
		inbound: map[string]string{},
	}
	if err := p.connect(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "API: %s/api/v1/ Key: %s Agent: %d\nDashboard: %s\nLog: %s\n%s",
		site, local.Key, p.agent, link.URL(dashboard), log.Name(), help)
	return p.play(ctx, in)
}

const help = `
Write as a customer does. The first word may name the channel: whatsapp, messenger, instagram, sms, email.
#2 presses the second button of the last reply. quit ends it.
`
