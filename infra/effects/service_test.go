package effects

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/functions/dispatch"
	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/openai"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/id"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/sqlite"
)

type object = map[string]any

// noon is when the visits take place: on a Friday, by the clock of UTC.
var noon = time.Date(2026, time.March, 6, 12, 0, 0, 0, time.UTC)

// A service is the whole product with a language model beside it. What follows from events follows when a
// test says so.
type service struct {
	*apitest.Client
	model    *model
	store    *sqlite.Table
	dispatch *dispatch.Service
	read     string // how far the events have been dispatched, as a position of the table's feed
}

func serve(t *testing.T) *service {
	t.Helper()
	var mu sync.Mutex
	clock := noon
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(time.Millisecond)
		return clock
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	queues, err := queuedb.Open(filepath.Join(t.TempDir(), "queues.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queues.Close() })
	idle := queues.Queue(queuedb.Config{Name: "idle"}) // what waits there is for workers that are not here
	stack, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t)
	ids := id.NewSource(now)
	front, err := product.Front(stack, product.Endpoints(product.Parts{
		Table: store, Models: map[string]ai.Model{ai.OpenAI: m.engine}, Now: now, IDs: ids,
		Log: slog.New(slog.DiscardHandler),
	}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(front)
	t.Cleanup(server.Close)
	_, key, err := (&auth.Workspaces{Table: store, Now: now, IDs: ids}).Create(t.Context(), "Acme",
		"enterprise")
	if err != nil {
		t.Fatal(err)
	}
	return &service{
		Client: &apitest.Client{Base: server.URL + api.Prefix + "/", Key: key.Text}, model: m, store: store,
		dispatch: &dispatch.Service{Table: store, Now: now, IDs: ids, Jobs: idle,
			Channels: registry.New(registry.Addresses{}),
			Log:      slog.New(slog.DiscardHandler)},
	}
}

// act has the actions run that what happened sets off.
func (s *service) act(t *testing.T) {
	t.Helper()
	for {
		changes, err := s.store.Changes(t.Context(), s.read, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			return
		}
		s.read = changes[len(changes)-1].Position
		if response, err := s.dispatch.Handle(t.Context(), dynamo.Event(changes)); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
	}
}

// outOfOrder is the name of a language model that fails.
const outOfOrder = "out-of-order"

// A model is a service of language models that always says the same, and keeps what it was told.
type model struct {
	engine ai.Model
	mu     sync.Mutex
	heard  string
}

func newModel(t *testing.T) *model {
	m := &model{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		var prompt struct {
			Model    string
			Messages []struct{ Content string }
		}
		if err == nil {
			err = json.Unmarshal(body, &prompt)
		}
		if err != nil {
			t.Error(err)
		}
		var said strings.Builder
		for _, message := range prompt.Messages {
			said.WriteString(message.Content + "\n")
		}
		m.mu.Lock()
		m.heard = said.String()
		m.mu.Unlock()
		if prompt.Model == outOfOrder {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, chunk := range []string{
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"answer","arguments":"{\"action\":\"respond\",\"intent\":\"question\",\"confidence\":0.9,\"sources\":[],\"reply\":\"The model has replied.\"}"}}]},"finish_reason":null}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`[DONE]`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", chunk)
		}
	}))
	t.Cleanup(server.Close)
	m.engine = llm.New(openai.New(server.URL, func(context.Context) (string, error) { return "", nil }))
	return m
}

// last is what the model was told last; nothing from then on.
func (m *model) last() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.heard = "" }()
	return m.heard
}
