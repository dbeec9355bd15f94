package crawl_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/functions/jobs"
	"frontdesk/functions/jobs/crawl"
	"frontdesk/shared/agent"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/website"
	"frontdesk/shared/worktest"
)

// A sent keeps the messages that a run goes on with.
type sent struct{ bodies []string }

func (s *sent) Send(_ context.Context, messages ...queue.Outgoing) error {
	for _, m := range messages {
		s.bodies = append(s.bodies, m.Body)
	}
	return nil
}

// TestCutShort has a crawl cut off at its third page, and go on from there with the same message; and goes
// through a website with one page a message, the last time until it is stopped.
func TestCutShort(t *testing.T) {
	store := worktest.Table(t, time.Now)
	ids := id.NewSource(time.Now)
	const account = 7
	a, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia", Language: agent.English}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cut := context.WithCancel(t.Context())
	asked := map[string]int{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked[req.URL.Path]++
		if req.URL.Path == "/2" && asked["/2"] == 1 {
			cut()
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<p>Page %s</p><a href="/1">1</a><a href="/2">2</a><a href="/3">3</a>`, req.URL.Path)
	}))
	defer site.Close()
	websites := &website.Store{Table: store, Now: time.Now, IDs: ids}
	w, err := websites.Create(t.Context(), account,
		website.Website{AgentID: a.ID, URL: site.URL, MaxPages: 10, MaxDepth: 3})
	if err != nil {
		t.Fatal(err)
	}
	outbox := new(sent)
	service := &crawl.Service{
		Table: store, Now: time.Now, IDs: ids, Web: egress.New(egress.Config{AllowHosts: "127.0.0.1"}),
		Queue: outbox, Budget: time.Minute,
	}
	work := &jobs.Service{Crawl: service, Log: slog.New(slog.DiscardHandler)}
	handle := func(ctx context.Context, body string) int {
		response, err := work.Handle(ctx, events.SQSEvent{Records: []events.SQSMessage{{Body: body}}})
		if err != nil {
			t.Fatal(err)
		}
		return len(response.BatchItemFailures)
	}
	message := begun(t, store)
	if handle(ctx, message) != 1 {
		t.Error("what was cut off did not fail")
	}
	if handle(t.Context(), message) != 0 {
		t.Error("it does not go on")
	}
	check := func(when string) {
		t.Helper()
		w, err = websites.Load(t.Context(), account, a.ID, w.ID)
		list, listErr := store.Query(t.Context(),
			table.Query{Index: table.Index1, PK: knowledge.DocumentKeyByAgent(account, a.ID, 0).PK})
		if err != nil || listErr != nil || w.Status != website.Done || w.Pages.Read != 4 ||
			len(list.Items) != 4 {
			t.Errorf("%s: %+v and %d documents, %v, %v", when, w, len(list.Items), err, listErr)
		}
	}
	check("cut short")
	if asked["/"] != 1 || asked["/1"] != 1 || asked["/2"] != 2 || asked["/3"] != 1 {
		t.Errorf("it asked for %v", asked)
	}

	service.Budget = 0
	if _, err := websites.Crawl(t.Context(), account, a.ID, w.ID); err != nil {
		t.Fatal(err)
	}
	handle(t.Context(), begun(t, store))
	for n := 0; n < len(outbox.bodies); n++ {
		handle(t.Context(), outbox.bodies[n])
	}
	check("with a page a message")
	if len(outbox.bodies) < 3 {
		t.Errorf("%d messages", len(outbox.bodies))
	}

	if _, err := websites.Crawl(t.Context(), account, a.ID, w.ID); err != nil {
		t.Fatal(err)
	}
	handle(t.Context(), begun(t, store)) // its first page
	if _, err := websites.Stop(t.Context(), account, a.ID, w.ID); err != nil {
		t.Fatal(err)
	}
	if handle(t.Context(), outbox.bodies[len(outbox.bodies)-1]) != 0 {
		t.Error("a run that was stopped fails")
	}
	w, err = websites.Load(t.Context(), account, a.ID, w.ID)
	if err != nil || w.Status != website.Stopped || w.Pages.Read != 1 {
		t.Errorf("stopped: %+v, %v", w, err)
	}
}

// begun is the latest event upon which a run begins, as its message.
func begun(t *testing.T, store *sqlite.Table) (body string) {
	t.Helper()
	changes, err := store.Changes(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		if change.New == nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		if e, err := event.Read(*change.New); err == nil && e.Kind == event.WebsiteCrawling {
			body = string(change.New.Doc)
		}
	}
	return body
}
