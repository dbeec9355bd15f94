package auth_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A fixture is a table with a clock that tests move.
type fixture struct {
	*auth.Workspaces
	keys  *auth.Keys
	clock atomic.Int64 // Unix nanoseconds
}

var start = time.Date(2026, time.March, 2, 9, 30, 10, 0, time.UTC)

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := new(fixture)
	w.clock.Store(start.UnixNano())
	now := func() time.Time { return time.Unix(0, w.clock.Load()) }
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w.Workspaces = &auth.Workspaces{Table: store, Now: now, IDs: id.NewSource(now)}
	w.keys = &auth.Keys{Table: store, Now: now}
	return w
}

func (w *fixture) move(d time.Duration) { w.clock.Add(int64(d)) }

// try makes a request with a key and returns the caller, the headers and the error's code.
func (w *fixture) try(t *testing.T, authorization string) (auth.Caller, http.Header, fault.Code) {
	t.Helper()
	ctx, header, err := w.keys.Authenticate(callWith(t.Context(), authorization))
	var e *fault.Error
	if errors.As(err, &e) {
		return auth.Caller{}, header, e.Code
	}
	if err != nil {
		t.Fatal(err)
	}
	return auth.CallerOf(ctx), header, ""
}

// callWith is a call with that header Authorization.
func callWith(ctx context.Context, authorization string) auth.Call {
	req, err := http.NewRequestWithContext(ctx, "GET", "/api/v1/me/", nil)
	if err != nil {
		panic(err) // the method and the address are right
	}
	req.Header.Set("Authorization", authorization)
	return auth.Call{Request: req}
}

func (w *fixture) create(t *testing.T, plan string) (auth.Account, auth.Issued) {
	t.Helper()
	account, issued, err := w.Create(t.Context(), "Acme", plan)
	if err != nil {
		t.Fatal(err)
	}
	return account, issued
}

func TestHeader(t *testing.T) {
	w := newFixture(t)
	_, issued := w.create(t, "free")
	for header, want := range map[string]fault.Code{
		"":                                    fault.AuthenticationRequired,
		"Bearer":                              fault.AuthenticationRequired,
		"Bearer ":                             fault.AuthenticationRequired,
		issued.Text:                           fault.AuthenticationRequired,
		"Basic " + issued.Text:                fault.AuthenticationRequired,
		"Bearer " + issued.Text + " x":        fault.AuthenticationRequired,
		"Bearer nonsense":                     fault.InvalidAPIKey,
		"Bearer " + strings.Repeat("k", 5000): fault.InvalidAPIKey,
		"Bearer " + issued.Text:               "",
		"bearer  " + issued.Text:              "",
	} {
		if _, _, got := w.try(t, header); got != want {
			t.Errorf("%.40q: %q, want %q", header, got, want)
		}
	}
}

func TestKeyExpires(t *testing.T) {
	w := newFixture(t)
	account, issued := w.create(t, "pro")
	w.move(auth.KeyAge - time.Second)
	if _, _, code := w.try(t, "Bearer "+issued.Text); code != "" {
		t.Errorf("a second before its 90 days: %s", code)
	}
	w.move(time.Second)
	if _, _, code := w.try(t, "Bearer "+issued.Text); code != fault.APIKeyExpired {
		t.Errorf("after 90 days: %q", code)
	}
	again, err := w.Issue(t.Context(), account.ID, "second")
	if err != nil {
		t.Fatal(err)
	}
	if caller, _, code := w.try(t, "Bearer "+again.Text); code != "" || caller.Account != account ||
		caller.Key.ID != again.Key.ID {
		t.Errorf("a new key: %q, %+v", code, caller)
	}
}

func TestRevoke(t *testing.T) {
	w := newFixture(t)
	account, issued := w.create(t, "pro")
	other, _ := w.create(t, "pro")
	if err := w.Revoke(t.Context(), other.ID, issued.Key.ID); !errors.Is(err, table.ErrNotFound) {
		t.Errorf("by another workspace: %v", err)
	}
	for range 2 {
		if err := w.Revoke(t.Context(), account.ID, issued.Key.ID); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, code := w.try(t, "Bearer "+issued.Text); code != fault.InvalidAPIKey {
		t.Errorf("a revoked key: %q", code)
	}
	if _, err := w.SetPlan(t.Context(), account.ID, "starter"); err != nil {
		t.Fatal(err)
	}
	if _, _, code := w.try(t, "Bearer "+issued.Text); code != fault.InvalidAPIKey {
		t.Errorf("a revoked key after a change of plan: %q", code)
	}
	keys, err := w.List(t.Context(), account.ID)
	if err != nil || len(keys) != 1 || !keys[0].Revoked {
		t.Errorf("listed: %+v, %v", keys, err)
	}
}

func TestPlanChanges(t *testing.T) {
	w := newFixture(t)
	account, issued := w.create(t, "widget")
	if _, _, code := w.try(t, "Bearer "+issued.Text); code != fault.Forbidden {
		t.Errorf("plan widget: %q", code)
	}
	if _, err := w.SetPlan(t.Context(), account.ID, "pro"); err != nil {
		t.Fatal(err)
	}
	caller, header, code := w.try(t, "Bearer "+issued.Text)
	if code != "" || caller.Plan.Name != "pro" || header.Get("X-RateLimit-Limit") != "1200" {
		t.Errorf("plan pro: %q, %+v, %v", code, caller.Plan, header)
	}
	if _, err := w.SetPlan(t.Context(), account.ID, "golden"); err == nil {
		t.Error("a plan that does not exist was set")
	}
}

func TestRateLimit(t *testing.T) {
	w := newFixture(t)
	_, issued := w.create(t, "free")
	const limit = 120
	var allowed, limited atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 35 {
				switch _, header, code := w.try(t, "Bearer "+issued.Text); code {
				case "":
					allowed.Add(1)
				case fault.RateLimited:
					limited.Add(1)
					if header.Get("Retry-After") != "50" || header.Get("X-RateLimit-Remaining") != "0" ||
						header.Get("X-RateLimit-Reset") != "1772443860" {
						t.Errorf("refused with %v", header)
					}
				default:
					t.Errorf("answered %s", code)
				}
			}
		})
	}
	wg.Wait()
	if allowed.Load() != limit || limited.Load() != 20 {
		t.Errorf("%d allowed and %d refused", allowed.Load(), limited.Load())
	}
	w.move(50 * time.Second)
	_, header, code := w.try(t, "Bearer "+issued.Text)
	if code != "" || header.Get("X-RateLimit-Remaining") != "119" {
		t.Errorf("in the next minute: %q, %v", code, header)
	}
}

// TestWindowsAreSwept keeps the key's item small for a caller who comes back now and then.
func TestWindowsAreSwept(t *testing.T) {
	w := newFixture(t)
	_, issued := w.create(t, "free")
	trips := 0
	for range 100 {
		w.move(17 * time.Minute)
		ctx, meter := table.WithMeter(t.Context())
		if _, _, err := w.keys.Authenticate(callWith(ctx, "Bearer "+issued.Text)); err != nil {
			t.Fatal(err)
		}
		trips += meter.Cost().Trips
	}
	item, err := w.Workspaces.Table.Get(context.Background(), auth.APIKey(issued.Text))
	if err != nil {
		t.Fatal(err)
	}
	if len(item.Numbers) > 20 || trips > 105 {
		t.Errorf("%d numbers are left, after %d trips for 100 requests", len(item.Numbers), trips)
	}
}

func TestPeriod(t *testing.T) {
	a := auth.Account{CreatedAt: start}
	for offset, want := range map[time.Duration]int64{
		-time.Hour: 0, 0: 0, auth.PeriodLength - 1: 0, auth.PeriodLength: 1, 10 * auth.PeriodLength: 10,
	} {
		p := a.PeriodAt(start.Add(offset))
		if p.Number != want || !p.Ends.Equal(start.Add(time.Duration(want+1)*auth.PeriodLength)) {
			t.Errorf("after %v: %+v", offset, p)
		}
	}
}

func TestEnsureLocal(t *testing.T) {
	w := newFixture(t)
	first, err := w.EnsureLocal(t.Context(), "local-dev-key", start)
	if err != nil || first.Plan != "enterprise" || first.Name != "Local" {
		t.Fatalf("%+v, %v", first, err)
	}
	w.move(auth.KeyAge + time.Hour)
	if _, err := w.EnsureLocal(t.Context(), "local-dev-key", start); err != nil {
		t.Fatal(err)
	}
	if _, _, code := w.try(t, "Bearer local-dev-key"); code != fault.APIKeyExpired {
		t.Errorf("by a clock that was moved: %q", code)
	}
	second, err := w.EnsureLocal(t.Context(), "local-dev-key", start.Add(auth.KeyAge))
	if err != nil || second != first {
		t.Fatalf("%+v, %v", second, err)
	}
	caller, _, code := w.try(t, "Bearer local-dev-key")
	if code != "" {
		t.Errorf("by the clock on the wall: %q", code)
	}
	if keys, err := w.List(t.Context(), first.ID); err != nil || len(keys) != 1 || keys[0].Key != caller.Key {
		t.Errorf("listed: %+v, %v, want %+v", keys, err, caller.Key)
	}
}

// TestEnsureLocalAtOnce has several services start on one new folder.
func TestEnsureLocalAtOnce(t *testing.T) {
	w := newFixture(t)
	accounts := make([]auth.Account, 8)
	var all sync.WaitGroup
	for i := range accounts {
		all.Go(func() {
			var err error
			if accounts[i], err = w.EnsureLocal(context.Background(), "local-dev-key", start); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, a := range accounts {
		if a != accounts[0] {
			t.Errorf("there are the workspaces %+v and %+v", accounts[0], a)
		}
	}
}

// TestIssueWhileThePlanChanges makes keys beside changes of the plan: whatever comes first, a key has the
// plan of its workspace in the end.
func TestIssueWhileThePlanChanges(t *testing.T) {
	w := newFixture(t)
	for range 20 {
		account, _ := w.create(t, "starter")
		var issued auth.Issued
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := w.SetPlan(context.Background(), account.ID, "pro"); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			var err error
			if issued, err = w.Issue(context.Background(), account.ID, "laptop"); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		if caller, _, code := w.try(t, "Bearer "+issued.Text); code != "" || caller.Plan.Name != "pro" {
			t.Fatalf("%q, plan %s", code, caller.Plan.Name)
		}
	}
}
