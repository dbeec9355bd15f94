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

// Serve puts the endpoints of a template together over a table, with a log that tells what each request cost.
// What they call outside is stood in for, until the process ends.
func Serve(templateFile string, store table.Table) (http.Handler, *Recorder, error) {
	return serve(templateFile, store, &secret.Keys{Read: secret.Static(secret.NewKey())})
}

// serve is Serve with the keys that secrets are sealed with.
func serve(templateFile string, store table.Table, keys *secret.Keys) (http.Handler, *Recorder, error) {
	stack, err := template.Read(templateFile)
	if err != nil {
		return nil, nil, err
	}
	log := new(Recorder)
	graph := new(platforms.Graph)
	graph.URL = httptest.NewServer(graph).URL
	graph.Keep("picture", platforms.GraphFile{Type: "image/png", Content: []byte("picture")})
	service, err := product.Front(stack, product.Endpoints(product.Parts{
		Table: store, Now: time.Now, IDs: id.NewSource(time.Now), Log: slog.New(log),
		Web:      egress.New(egress.Config{}),
		Secrets:  keys,
		Channels: registry.New(registry.Addresses{Graph: graph.URL}),
		Inbox:    unread{},
	}))
	return service, log, err
}

// MeasureRequests measures the requests of a workspace of its own, which it makes on the plan pro in a store
// that is otherwise not used meanwhile.
func MeasureRequests(ctx context.Context, templateFile string, store table.Table) ([]Row, error) {
	service, log, err := Serve(templateFile, store)
	if err != nil {
		return nil, err
	}
	to, err := newWorkspace(ctx, store, "pro")
	if err != nil {
		return nil, err
	}
	return Measure(ctx, service, log, to)
}

// newWorkspace makes a workspace on a plan.
func newWorkspace(ctx context.Context, store table.Table, plan string) (Workspace, error) {
	workspaces := auth.Workspaces{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}
	account, key, err := workspaces.Create(ctx, "Acme", plan)
	return Workspace{store, account.ID, key.Text}, err
}

// unread is a queue that nobody reads.
type unread struct{}

func (unread) Send(context.Context, ...queue.Outgoing) error { return nil }
