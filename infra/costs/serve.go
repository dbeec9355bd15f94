package costs

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"time"

	"frontdesk/infra/platforms"
	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Serve serves the endpoints of a template over a table, with a log of the cost of each request. External
// services are replaced by stand-ins until the process ends.
func Serve(templateFile string, store table.Table) (http.Handler, *Recorder, error) {
	keys := &secret.Keys{Read: secret.Static(secret.NewKey())}
	return serve(templateFile, store, keys, id.NewSource(time.Now))
}

// serve is Serve with the keys that secrets are sealed with, and the source of ids.
func serve(
	templateFile string, store table.Table, keys *secret.Keys, ids *id.Source,
) (http.Handler, *Recorder, error) {
	stack, err := template.Read(templateFile)
	if err != nil {
		return nil, nil, err
	}
	log := new(Recorder)
	graph := new(platforms.Graph)
	graph.URL = httptest.NewServer(graph).URL
	graph.Keep("picture", platforms.GraphFile{Type: "image/png", Content: []byte("picture")})
	service, err := product.Front(stack, product.Endpoints(product.Parts{
		Table: store, Now: time.Now, IDs: ids, Log: slog.New(log),
		Web:      egress.New(egress.Config{}),
		Secrets:  keys,
		Channels: registry.New(registry.Addresses{Graph: graph.URL}),
		Inbox:    unread{},
	}))
	return service, log, err
}

// MeasureRequests measures the requests of a workspace that it creates, on the plan pro, in a store that
// nothing else uses meanwhile.
func MeasureRequests(ctx context.Context, templateFile string, store table.Table) ([]Row, error) {
	ids := id.NewSource(time.Now)
	ids.Rand = new(even)
	keys := &secret.Keys{Read: secret.Static(secret.NewKey())}
	service, log, err := serve(templateFile, store, keys, ids)
	if err != nil {
		return nil, err
	}
	to, err := newWorkspace(ctx, store, "pro")
	if err != nil {
		return nil, err
	}
	return Measure(ctx, service, log, to)
}

// newWorkspace creates a workspace on a plan.
func newWorkspace(ctx context.Context, store table.Table, plan string) (Workspace, error) {
	workspaces := auth.Workspaces{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}
	account, key, err := workspaces.Create(ctx, "Acme", plan)
	return Workspace{store, account.ID, key.Text}, err
}

// even makes all ids end alike, so that all conversations of the story are in one shard of their lists: the
// spread changes what a list costs.
type even struct{ last uint16 }

// Read implements io.Reader, for two bytes.
func (e *even) Read(p []byte) (int, error) {
	e.last += 8
	p[0], p[1] = byte(e.last>>8), byte(e.last)
	return 2, nil
}

// unread is a queue without a consumer.
type unread struct{}

func (unread) Send(context.Context, ...queue.Outgoing) error { return nil }
