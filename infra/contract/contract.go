// Package contract holds the service to its API from outside: its tests need an address and a key, and a table to make
// workspaces in. They start a local service of their own, or test the one that BASE_URL and API_KEY in the environment
// name, with its table named as the functions have it. So the same tests run on the local runner, on `sam local` and on
// a deployed stack.
package contract

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// A Service is what is tested.
type Service struct {
	Base       string // ends in /api/v1/
	Table      table.Table
	workspaces *auth.Workspaces
	// callback is what the service calls the machine of the tests.
	callback string
}

// Open returns the service to test.
func Open(t testing.TB) *Service {
	t.Helper()
	if base := os.Getenv("BASE_URL"); base != "" {
		store := store.Table()
		return &Service{base, store, &auth.Workspaces{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}, os.Getenv("CALLBACK_HOST")}
	}
	service, err := local.Start(t.Context(), local.Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now, AllowHosts: "127.0.0.1",
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Close)
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	return &Service{server.URL + "/api/v1/", service.Workspaces.Table, service.Workspaces, "127.0.0.1"}
}

// A Client calls the service with the key of one workspace.
type Client struct {
	apitest.Client
}

// Client makes a workspace on a plan.
func (s *Service) Client(t testing.TB, plan string) *Client {
	t.Helper()
	account, issued, err := s.workspaces.Create(t.Context(), "Acme", plan)
	if err != nil {
		t.Fatal(err)
	}
	return &Client{apitest.Client{Base: s.Base, Key: issued.Text, Account: account.ID}}
}

// Agent makes an agent and returns the path that begins everything of it.
func (c *Client) Agent(t testing.TB, fields map[string]any) string {
	t.Helper()
	body := map[string]any{"name": "Ada"}
	for k, v := range fields {
		body[k] = v
	}
	return "/agents/" + c.Want(t, http.StatusCreated, "POST", "/agents/", body).Number("id") + "/"
}
