// Package servicetest serves endpoints over a temporary table, with real workspaces and API keys, for tests.
package servicetest

import (
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/table/sqlite"
)

// A Service serves endpoints for the duration of a test. Endpoints are added to Router before the first
// request.
type Service struct {
	Table *sqlite.Table
	// Now advances by a second with each call, so that later changes have later times.
	Now        func() time.Time
	IDs        *id.Source
	Workspaces *auth.Workspaces
	Router     *api.Router
	URL        string // without a slash at the end
}

// New starts a service without endpoints. It stops when the test ends.
func New(t testing.TB) *Service {
	t.Helper()
	var mu sync.Mutex
	clock := time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)
	tick := func(d time.Duration) time.Time {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(d)
		return clock
	}
	table, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), func() time.Time { return tick(0) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	s := &Service{Table: table, Now: func() time.Time { return tick(time.Second) }}
	s.IDs = id.NewSource(s.Now)
	s.Workspaces = &auth.Workspaces{Table: table, Now: s.Now, IDs: s.IDs}
	s.Router = &api.Router{Auth: &auth.Keys{Table: table, Now: s.Now}, Log: slog.New(slog.DiscardHandler)}
	server := httptest.NewServer(s.Router)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Client creates a workspace on a plan and returns a client with its key.
func (s *Service) Client(t testing.TB, plan string) apitest.Client {
	t.Helper()
	account, key, err := s.Workspaces.Create(t.Context(), "Acme", plan)
	if err != nil {
		t.Fatal(err)
	}
	return apitest.Client{Base: s.URL + api.Prefix + "/", Key: key.Text, Account: account.ID}
}
