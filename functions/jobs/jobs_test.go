package jobs_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/functions/jobs"
	"frontdesk/functions/jobs/crawl"
	"frontdesk/functions/jobs/funnels"
	"frontdesk/functions/jobs/outbound"
	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/queue"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/worktest"
)

// TestWorkers has an event of every kind that is declared for a job reach a worker, about things that are
// gone, and so what the daily schedule sends. An event of no worker comes again, and says why.
func TestWorkers(t *testing.T) {
	store := worktest.Table(t, time.Now)
	var again queue.Sender = worktest.Queue(t, time.Now, queuedb.Config{Name: "JobsQueue"})
	var out bytes.Buffer
	log, ids, channels := slog.New(slog.NewTextHandler(&out, nil)), id.NewSource(time.Now),
		registry.New(registry.Addresses{})
	units := message.Store{Table: store, Now: time.Now, IDs: ids, Channels: channels}
	service := &jobs.Service{
		Purge: &purge.Service{
			Table: store, Queue: again, Log: log, Now: time.Now, IDs: ids, Budget: time.Minute,
		},
		Outbound: &outbound.Service{Sender: &message.Sender{Store: units, Log: log}, Queue: again},
		Funnels: &funnels.Service{
			Table: store, Now: time.Now, IDs: ids, Channels: channels, Queue: again,
		},
		Crawl: &crawl.Service{
			Table: store, Now: time.Now, IDs: ids, Queue: again, Budget: time.Minute,
		},
		Log: log,
	}
	handle := func(kind event.Kind) int {
		body, err := json.Marshal(event.Event{
			ID: ids.Next(), Kind: kind, At: time.Now(), AccountID: 5, AgentID: 6, ContactID: 7,
			ConversationID: 8, MessageID: 9, DocumentID: 10, WebsiteID: 11, WebhookID: 12, ActionID: 13,
		})
		if err != nil {
			t.Fatal(err)
		}
		response, err := service.Handle(t.Context(), events.SQSEvent{
			Records: []events.SQSMessage{{MessageId: string(kind), Body: string(body)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return len(response.BatchItemFailures)
	}
	for _, d := range event.Declarations() {
		if d.Worker == "" || d.Worker == event.Deliver {
			continue
		}
		if failed := handle(d.Kind); failed > 0 {
			t.Errorf("%s failed: %s", d.Kind, out.String())
		}
	}
	if failed := handle(event.APIKeyExpiring); failed > 0 {
		t.Errorf("what the schedule sends failed: %s", out.String())
	}
	out.Reset()
	failed := handle("nothing.known")
	if failed != 1 || !strings.Contains(out.String(), "no worker acts on") {
		t.Errorf("%d failed, %s", failed, out.String())
	}
}
