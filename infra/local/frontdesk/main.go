// Command frontdesk serves the whole product on this machine, as `make run` starts it. It reads PORT (3000),
// DATA_DIR (.data), CLOCK_OFFSET (a duration by which the clock is moved), WEBHOOK_ALLOW_HOSTS,
// TRUSTED_PROXIES and PUBLIC_URL from the environment, and what packages models and registry read there.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud/models"
	"frontdesk/shared/upload"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	upload.ServeIsolated()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "frontdesk:", err)
		os.Exit(1)
	}
}

// shutdownTime is how long requests under way may take when the service ends.
const shutdownTime = 30 * time.Second

// gcPercent is how much the heap may grow between two collections, against what is in use: some megabytes.
// The default would collect several times a second under load, which takes a tenth of the processor.
const gcPercent = 400

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	port, err := strconv.ParseUint(cmp.Or(os.Getenv("PORT"), "3000"), 10, 16)
	if err != nil {
		return fmt.Errorf("PORT: %q is no port", os.Getenv("PORT"))
	}
	now, err := local.Clock(os.Getenv("CLOCK_OFFSET"))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer listener.Close()
	service, err := local.Start(ctx, local.Config{
		Template:       "template.yaml",
		DataDir:        cmp.Or(os.Getenv("DATA_DIR"), local.DataDir),
		Now:            now,
		AllowHosts:     os.Getenv("WEBHOOK_ALLOW_HOSTS"),
		TrustedProxies: os.Getenv("TRUSTED_PROXIES"),
		Platforms:      registry.FromEnvironment(os.Getenv),
		PublicURL:      os.Getenv("PUBLIC_URL"),
		SMTPListen:     os.Getenv("SMTP_LISTEN"),
		Models:         models.Models(),
		ReadUpload:     upload.Isolated,
		Log:            slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	})
	if err != nil {
		return err
	}
	defer service.Close()

	server := &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	link, err := service.Workspaces.OwnerLink(ctx, service.Account)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr,
		"To try WhatsApp, Messenger, Instagram, SMS and e-mail without an account there: make play.")
	greet(listener.Addr().(*net.TCPAddr), link)
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stop() // a second Ctrl-C ends it at once
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// greet prints where the service can be reached, the dashboard first.
func greet(at *net.TCPAddr, link auth.Link) {
	site := "http://" + at.String()
	// Passkeys and cookies without TLS need a name that browsers know to be this machine.
	dashboard := fmt.Sprintf("http://localhost:%d", at.Port)
	fmt.Printf("Frontdesk is running. Open the dashboard by this link, which signs you in once, "+
		"within %.0f minutes:\n\nDashboard: %s\n\nAPI: %s/api/v1/ Key: %s Chat widget: %s%s\n",
		auth.LinkAge.Minutes(), link.URL(dashboard), site, local.Key, site, local.DemoPath)
}
