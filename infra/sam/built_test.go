package main

import (
	"log/slog"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/emulator"
	"frontdesk/infra/eventsource"
	"frontdesk/infra/local"
	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
)

// A built stack is the built workers over DynamoDB Local with its Streams and ElasticMQ, with no more than
// the template's policies allow. What serves the requests runs in this process over the same table.
type builtStack struct {
	stack   template.Template
	store   *store
	gates   gates
	workers *workers
	program programs
	client  *apitest.Client // of the local workspace
	out     output
}

// maxVisibility is how many seconds at most a message stays hidden whose worker was killed, so that tests
// need not wait for the six minutes of some queues. It is more than any lease lasts.
const maxVisibility = 100

// startBuilt starts a built stack until the test ends. The platforms that channels are at are those of the
// environment. A permission that a worker lacks fails the test.
func startBuilt(t *testing.T) *builtStack {
	t.Helper()
	emulator.ElasticMQ().Endpoint(t) // fails or skips the test where none can run
	t.Chdir("../..")
	b := &builtStack{program: native(t.TempDir())}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	b.stack, err = template.Read("template.yaml")
	must(err)
	for name, q := range b.stack.Queues {
		q.VisibilityTimeout = min(q.VisibilityTimeout, maxVisibility)
		b.stack.Queues[name] = q
	}
	b.store, err = startStore(t.Context(), b.stack)
	must(err)
	t.Cleanup(b.store.stop)
	b.gates, err = openGates(b.stack, b.store, &b.out)
	must(err)
	t.Cleanup(b.gates.close)
	b.workers, err = startWorkers(t.Context(), b.stack, b.store, b.gates, b.program, &b.out)
	must(err)
	t.Cleanup(func() {
		b.workers.stop()
		if log := b.out.String(); strings.Contains(log, "access denied") || t.Failed() {
			t.Errorf("the workers print:\n%.20000s", log)
		}
	})
	environment := b.store.environment()
	variable := func(name string) string { return environment[name] }
	endpoints := product.Endpoints(product.Parts{
		Table: b.store.table(), Now: time.Now, IDs: id.NewSource(time.Now),
		Log:      slog.New(slog.DiscardHandler),
		Secrets:  &secret.Keys{Read: secret.Static(b.store.secretsKey)},
		Web:      egress.New(egress.Config{AllowHosts: workersHost}),
		Channels: registry.New(registry.FromEnvironment(variable)),
	})
	front, err := product.Front(b.stack, endpoints)
	must(err)
	server := httptest.NewServer(front)
	t.Cleanup(server.Close)
	account, err := b.store.workspaces().EnsureLocal(t.Context(), local.Key, time.Now())
	must(err)
	b.client = &apitest.Client{Base: server.URL + "/api/v1/", Key: local.Key, Account: account.ID}
	return b
}

// function is a function of the template that nobody calls here but the test, with more variables.
func (b *builtStack) function(t *testing.T, name string, more map[string]string) eventsource.Function {
	t.Helper()
	i := slices.IndexFunc(b.stack.Functions, func(f template.Function) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	f := b.stack.Functions[i]
	f.Environment = maps.Clone(f.Environment)
	maps.Copy(f.Environment, more)
	call, err := b.workers.function(t.Context(), f, b.store, b.gates, b.program, &b.out)
	if err != nil {
		t.Fatal(err)
	}
	return call
}
