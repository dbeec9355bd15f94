package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// accounts is an Authenticator that takes the account's id for the key.
type accounts struct{}

func (accounts) Authenticate(call auth.Call) (context.Context, http.Header, error) {
	ctx, authorization := call.Context(), call.Header.Get("Authorization")
	account, err := strconv.ParseInt(authorization, 10, 64)
	return context.WithValue(ctx, accounts{}, account), nil, err
}

func (accounts) Account(ctx context.Context) int64 { return ctx.Value(accounts{}).(int64) }

type orderIn struct {
	Item string `json:"item" check:"required"`
}

type order struct {
	Number int64  `json:"number"`
	Item   string `json:"item"`
}

// A desk takes orders, each of which gets the next number.
type desk struct {
	*api.Router
	log    bytes.Buffer
	clock  atomic.Int64 // seconds that the clock is ahead
	orders atomic.Int64
	// serve is what happens to an order before it has its answer.
	serve func(ctx context.Context, in orderIn) error
	// Sales are orders that are stored; before and after the storing something may happen.
	table         *sqlite.Table
	before, after func()
}

var salesKey = table.Key{PK: "sales", SK: "count"}

// sell stores a sale.
func (d *desk) sell(ctx context.Context, in orderIn) (order, error) {
	n := d.orders.Add(1)
	d.before()
	err := d.table.Transact(ctx, table.Add(salesKey, "sales", 1))
	if table.IsConditionError(err) {
		err = table.ErrBusy
	}
	d.after()
	return order{n, in.Item}, err
}

// sales is how many sales are stored.
func (d *desk) sales(t *testing.T) int64 {
	t.Helper()
	item, err := d.table.Get(t.Context(), salesKey)
	if err != nil {
		t.Fatal(err)
	}
	return item.Numbers["sales"]
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{serve: func(context.Context, orderIn) error { return nil }, before: func() {},
		after: func() {}}
	now := func() time.Time { return time.Now().Add(time.Duration(d.clock.Load()) * time.Second) }
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d.table = store
	d.Router = &api.Router{Auth: accounts{}, Answers: &api.Answers{Table: store, Now: now},
		Log: slog.New(slog.NewJSONHandler(&d.log, nil))}
	take := func(ctx context.Context, in orderIn) (order, error) {
		n := d.orders.Add(1)
		return order{n, in.Item}, d.serve(ctx, in)
	}
	api.Handle(d.Router, "POST /orders/", api.Doc{Status: 201}, take)
	api.Handle(d.Router, "POST /gifts/", api.Doc{Status: 201}, take)
	api.Handle(d.Router, "PUT /orders/", api.Doc{}, take)
	api.Handle(d.Router, "POST /sales/", api.Doc{Status: 201}, d.sell)
	return d
}

// send makes a request and returns status and body, with "again" behind them for an answer that was given
// before.
func (d *desk) send(ctx context.Context, account, method, path, key, body string) string {
	req := httptest.NewRequestWithContext(ctx, method, api.Prefix+path, strings.NewReader(body))
	req.Header.Set("Authorization", account)
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, req)
	text := fmt.Sprint(w.Code, " ", w.Body)
	if w.Header().Get("Idempotent-Replayed") == "true" {
		text += " again"
	}
	return text
}

const coffee = `{"item": "coffee"}`

func TestIdempotencyKey(t *testing.T) {
	d := newDesk(t)
	longest := strings.Repeat("é", 255)
	const otherBody = `400 {"detail":"The header Idempotency-Key was sent before with another body.","error":"validation_error","field":"Idempotency-Key"}`
	for _, test := range []struct{ name, account, method, path, key, body, want string }{
		{"first", "1", "POST", "/orders/", "k", coffee, `201 {"number":1,"item":"coffee"}`},
		{"again", "1", "POST", "/orders/", "k", coffee, `201 {"number":1,"item":"coffee"} again`},
		{"and again", "1", "POST", "/orders/", "k", coffee, `201 {"number":1,"item":"coffee"} again`},
		{"another body", "1", "POST", "/orders/", "k", `{"item": "tea"}`, otherBody},
		{"the same in other bytes", "1", "POST", "/orders/", "k", `{"item":"coffee"}`, otherBody},
		{"a malformed body", "1", "POST", "/orders/", "k", `{`, otherBody},
		{"another key", "1", "POST", "/orders/", "l", coffee, `201 {"number":2,"item":"coffee"}`},
		{"another path", "1", "POST", "/gifts/", "k", coffee, `201 {"number":3,"item":"coffee"}`},
		{"another workspace", "2", "POST", "/orders/", "k", coffee, `201 {"number":4,"item":"coffee"}`},
		{"another method", "1", "PUT", "/orders/", "k", coffee, `200 {"number":5,"item":"coffee"}`},
		{"another method again", "1", "PUT", "/orders/", "k", coffee, `200 {"number":6,"item":"coffee"}`},
		{"with an effect", "1", "POST", "/sales/", "s", coffee, `201 {"number":7,"item":"coffee"}`},
		{"with an effect, again", "1", "POST", "/sales/", "s", coffee,
			`201 {"number":7,"item":"coffee"} again`},
		{"no key", "1", "POST", "/orders/", "", coffee, `201 {"number":8,"item":"coffee"}`},
		{"the longest key", "1", "POST", "/orders/", longest, coffee, `201 {"number":9,"item":"coffee"}`},
		{"the longest key again", "1", "POST", "/orders/", longest, coffee,
			`201 {"number":9,"item":"coffee"} again`},
		{"too long a key", "1", "POST", "/orders/", longest + "x", coffee,
			`400 {"detail":"The header Idempotency-Key may have at most 255 characters.","error":"validation_error","field":"Idempotency-Key"}`},
		{"a bad body", "1", "POST", "/orders/", "m", `{}`,
			`400 {"detail":"The field item is required.","error":"validation_error","field":"item"}`},
		{"a bad body again", "1", "POST", "/orders/", "m", `{}`,
			`400 {"detail":"The field item is required.","error":"validation_error","field":"item"} again`},
	} {
		if diff := cmp.Diff(test.want, d.send(t.Context(), test.account, test.method, test.path, test.key,
			test.body)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	d.clock.Store(24*3600 + 1)
	if got := d.send(t.Context(), "1", "POST", "/orders/", "k",
		coffee); got != `201 {"number":10,"item":"coffee"}` {
		t.Errorf("a day later: %s", got)
	}
}

// TestIdempotencyTrips counts the trips to the table: none without a key, two with one.
func TestIdempotencyTrips(t *testing.T) {
	d := newDesk(t)
	for _, test := range []struct {
		name, key string
		trips     int
	}{{"no key", "", 0}, {"first", "k", 2}, {"again", "k", 2}} {
		d.log.Reset()
		d.send(t.Context(), "1", "POST", "/orders/", test.key, coffee)
		var line struct {
			Trips int `json:"round_trips"`
		}
		if err := json.Unmarshal(d.log.Bytes(), &line); err != nil || line.Trips != test.trips {
			t.Errorf("%s: %d trips, want %d, %v", test.name, line.Trips, test.trips, err)
		}
	}
}

// TestFailuresAreTriedAgain tells which answers are kept.
func TestFailuresAreTriedAgain(t *testing.T) {
	for _, test := range []struct {
		name string
		fail func() error
		kept bool
	}{
		{"402", func() error { return fault.New(fault.QuotaExceeded, "No.") }, true},
		{"404", func() error { return fault.NotFound() }, true},
		{"429", func() error { return fault.New(fault.RateLimited, "Wait.") }, false},
		{"500", func() error { return errors.New("broken") }, false},
		{"502", func() error { return fault.New(fault.ServerError, "No.") }, false},
		{"panic", func() error { panic("broken") }, false},
	} {
		d := newDesk(t)
		d.serve = func(context.Context, orderIn) error { return test.fail() }
		first := d.send(t.Context(), "1", "POST", "/orders/", "k", coffee)
		d.serve = func(context.Context, orderIn) error { return nil }
		want := `201 {"number":2,"item":"coffee"}`
		if test.kept {
			want = first + " again"
		}
		if got := d.send(t.Context(), "1", "POST", "/orders/", "k", coffee); got != want {
			t.Errorf("%s: %s, then %s", test.name, first, got)
		}
	}
}

func TestLargeAnswerIsKept(t *testing.T) {
	d := newDesk(t)
	body := `{"item": "` + strings.Repeat("é", 450_000) + `"}`
	first := d.send(t.Context(), "1", "POST", "/orders/", "k", body)
	if len(first) < 900_000 {
		t.Fatal(first)
	}
	if again := d.send(t.Context(), "1", "POST", "/orders/", "k", body); again != first+" again" {
		t.Errorf("%d bytes, then %d", len(first), len(again))
	}
}

func TestSameKeyAtOnce(t *testing.T) {
	d := newDesk(t)
	d.serve = func(context.Context, orderIn) error {
		time.Sleep(50 * time.Millisecond)
		return nil
	}
	var first, again atomic.Int64
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			switch got := d.send(context.Background(), "1", "POST", "/orders/", "k", coffee); got {
			case `201 {"number":1,"item":"coffee"}`:
				first.Add(1)
			case `201 {"number":1,"item":"coffee"} again`:
				again.Add(1)
			default:
				t.Error(got)
			}
		})
	}
	wg.Wait()
	if first.Load() != 1 || again.Load() != 11 || d.orders.Load() != 1 {
		t.Errorf("%d first answers, %d repeated, %d orders", first.Load(), again.Load(), d.orders.Load())
	}
}

// stop returns a function that waits to be ended the first time it is called, a channel that tells when it
// does, and one to close to end it.
func stop() (pause func(), stopped, end chan bool) {
	stopped, end = make(chan bool), make(chan bool)
	var called atomic.Bool
	return func() {
		if called.CompareAndSwap(false, true) {
			close(stopped)
			<-end
		}
	}, stopped, end
}

// TestCutOffBefore has a request stand still before it has an effect. Those who send it again are asked to
// wait until it can only be dead, and then it is carried out anew. Should it live after all, it has no effect
// any more.
func TestCutOffBefore(t *testing.T) {
	d := newDesk(t)
	pause, stopped, end := stop()
	d.before = pause
	first := make(chan string)
	go func() { first <- d.send(context.Background(), "1", "POST", "/sales/", "k", coffee) }()
	<-stopped
	w := httptest.NewRecorder()
	req := httptest.NewRequest("POST", api.Prefix+"/sales/", strings.NewReader(coffee))
	req.Header.Set("Authorization", "1")
	req.Header.Set("Idempotency-Key", "k")
	d.ServeHTTP(w, req)
	if w.Code != 429 || w.Header().Get("Retry-After") != "5" {
		t.Errorf("while it is under way: %d %s, Retry-After %q", w.Code, w.Body,
			w.Header().Get("Retry-After"))
	}
	d.clock.Store(60)
	if got := d.send(t.Context(), "1", "POST", "/sales/", "k",
		coffee); got != `201 {"number":2,"item":"coffee"}` {
		t.Errorf("once it can only be dead: %s", got)
	}
	close(end)
	if got := <-first; !strings.HasPrefix(got, "503") {
		t.Errorf("the first, which lived after all: %s", got)
	}
	if got := d.send(t.Context(), "1", "POST", "/sales/", "k",
		coffee); got != `201 {"number":2,"item":"coffee"} again` {
		t.Errorf("afterwards: %s", got)
	}
	if n := d.sales(t); n != 1 {
		t.Errorf("%d sales", n)
	}
}

// TestCutOffAfter has a request stand still between its effect and its answer. It is not carried out again.
func TestCutOffAfter(t *testing.T) {
	d := newDesk(t)
	pause, stopped, end := stop()
	d.after = pause
	first := make(chan string)
	go func() { first <- d.send(context.Background(), "1", "POST", "/sales/", "k", coffee) }()
	<-stopped
	d.clock.Store(60)
	if got := d.send(t.Context(), "1", "POST", "/sales/", "k", coffee); !strings.HasPrefix(got,
		`400 {"detail":"The request took effect`) ||
		!strings.Contains(got, `"error":"validation_error","field":"Idempotency-Key"`) {
		t.Errorf("once it can only be dead: %s", got)
	}
	close(end)
	if got := <-first; got != `201 {"number":1,"item":"coffee"}` {
		t.Errorf("the first, which lived after all: %s", got)
	}
	if got := d.send(t.Context(), "1", "POST", "/sales/", "k",
		coffee); got != `201 {"number":1,"item":"coffee"} again` {
		t.Errorf("afterwards: %s", got)
	}
	if n := d.sales(t); n != 1 {
		t.Errorf("%d sales", n)
	}
}

// TestCallerGoesAway has the connection end while the request is served.
func TestCallerGoesAway(t *testing.T) {
	d := newDesk(t)
	ctx, leave := context.WithCancel(t.Context())
	d.serve = func(ctx context.Context, _ orderIn) error {
		leave()
		return ctx.Err()
	}
	d.send(ctx, "1", "POST", "/orders/", "k", coffee)
	if got := d.send(t.Context(), "1", "POST", "/orders/", "k",
		coffee); got != `201 {"number":1,"item":"coffee"} again` {
		t.Error(got)
	}
}
