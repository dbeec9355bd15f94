// Package local runs the whole product in one process: every function of template.yaml over the embedded
// store, invoked by package eventsource as AWS would.
package local

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"frontdesk/infra/eventsource"
	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/shared/ai"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/secret"
	tabledb "frontdesk/shared/table/sqlite"
	"frontdesk/shared/upload"
)

// Key is the API key of the workspace Local, which every local service has and no deployed one.
const Key = "local-dev-key"

// DataDir is the default folder of the store.
const DataDir = ".data"

// A Config configures a Service.
type Config struct {
	Template       string // the file template.yaml
	DataDir        string
	Now            func() time.Time
	AllowHosts     string              // as WEBHOOK_ALLOW_HOSTS
	TrustedProxies string              // as TRUSTED_PROXIES
	Platforms      registry.Addresses  // addresses of the channels' platforms
	PublicURL      string              // as PUBLIC_URL
	SMTPListen     string              // as SMTP_LISTEN; no mail is received by SMTP if ""
	Models         map[string]ai.Model // language models by service; nil for the built-in engine only
	ReadUpload     upload.Reader       // reads uploaded files; nil reads them in this process
	Log            *slog.Logger
}

// A Service is the running product.
type Service struct {
	http.Handler // the REST API, and the page at DemoPath
	Workspaces   *auth.Workspaces
	Account      int64 // the workspace Local

	store *Store
	mail  *mailServer // nil without SMTP
	stop  context.CancelFunc
	done  sync.WaitGroup
}

// Start opens the store, creates the workspace Local if it is missing, and starts the workers, which wait
// until no other process works on the store. The caller serves the Handler, and closes the Service.
func Start(ctx context.Context, c Config) (*Service, error) {
	stack, err := template.Read(c.Template)
	if err != nil {
		return nil, err
	}
	streamed, err := eventsource.StreamFilter(stack)
	if err != nil {
		return nil, err
	}
	proxies, err := trustedProxies(c.TrustedProxies)
	if err != nil {
		return nil, err
	}
	store, err := OpenStore(c.DataDir, c.Now, tabledb.FeedOnly(streamed.MayPass))
	if err != nil {
		return nil, err
	}
	s := &Service{store: store}
	ids := id.NewSource(c.Now)
	s.Workspaces = &auth.Workspaces{Table: store.Table, Now: c.Now, IDs: ids}
	account, err := s.Workspaces.EnsureLocal(ctx, Key, time.Now())
	if err != nil {
		store.Close()
		return nil, err
	}
	s.Account = account.ID
	queues := openQueues(store, stack)
	parts := c.parts(store, queues, ids)
	if err := product.Check(parts); err != nil {
		store.Close()
		return nil, err
	}
	front, err := product.Front(stack, product.Endpoints(parts))
	if err != nil {
		store.Close()
		return nil, err
	}
	if c.SMTPListen != "" {
		if s.mail, err = serveMail(c.SMTPListen, product.Inbound(parts), c.Log); err != nil {
			store.Close()
			return nil, err
		}
	}
	s.Handler = behindProxies(newDemo(front, store.Table, account.ID, c.Log), proxies)
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	w := &workers{Config: c, stack: stack, store: store, queues: queues, parts: parts}
	s.done.Go(func() {
		if err := w.run(work); err != nil && work.Err() == nil {
			c.Log.Error("the workers do not run", slog.String("error", err.Error()))
		}
	})
	return s, nil
}

func openQueues(store *Store, stack template.Template) map[string]*queuedb.Queue {
	queues := map[string]*queuedb.Queue{}
	for name, q := range stack.Queues {
		queues[name] = store.Queues.Queue(queuedb.Config{
			Name: name, Delay: time.Duration(q.Delay) * time.Second,
			Visibility:  time.Duration(q.VisibilityTimeout) * time.Second,
			MaxReceives: q.MaxReceives, DeadLetters: q.DeadLetters,
		})
	}
	return queues
}

// parts returns what the functions of the product work with.
func (c Config) parts(store *Store, queues map[string]*queuedb.Queue, ids *id.Source) product.Parts {
	return product.Parts{
		Table: store.Table, Models: c.Models, Now: c.Now, IDs: ids, Log: c.Log,
		Deliveries:  queues["DeliveriesQueue"],
		Jobs:        queues["JobsQueue"],
		Inbox:       queues["InboxQueue"],
		DeadLetters: queues["DispatchDeadLetters"],
		Secrets:     &secret.Keys{Read: store.SecretsKey},
		Web:         egress.New(egress.Config{AllowHosts: c.AllowHosts}),
		Channels:    registry.New(c.Platforms),
		ReadUpload:  c.ReadUpload,
		PublicURL:   strings.TrimRight(c.PublicURL, "/"),
	}
}

// Close stops the workers after their current work, and closes the store.
func (s *Service) Close() {
	if s.mail != nil {
		s.mail.close()
	}
	s.stop()
	s.done.Wait()
	s.store.Close()
}
