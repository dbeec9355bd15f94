package costs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/infra/eventsource"
	"frontdesk/infra/product"
	"frontdesk/shared/agent"
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/webhook"
)

// A DeliveryRow is the average cost of a delivery to a webhook when several are made together, from the
// event in the table's stream on.
type DeliveryRow struct {
	Delivery string
	// Queue is the number of requests to SQS: to send messages, and those with which Lambda receives and
	// deletes them.
	Queue float64
	// Table is the cost of the requests to the table.
	Table      float64
	ReadUnits  float64
	WriteUnits float64
}

// MeasureDeliveries makes deliveries with the functions of the product, over an empty table.
func MeasureDeliveries(ctx context.Context, store table.Table) ([]DeliveryRow, error) {
	var rows []DeliveryRow
	for _, kind := range []struct {
		name             string
		events, webhooks int
		failures         int // attempts that fail before one succeeds
	}{
		{"alone", 1, 1, 0},
		{"alone, at the second attempt", 1, 1, 1},
		{"alone, at the third attempt", 1, 1, 2},
		{"of ten of one event, to as many webhooks", 1, 10, 0},
		{"of ten to one webhook, of as many events", 10, 1, 0},
	} {
		m, err := newMailroom(ctx, store, kind.webhooks, kind.failures)
		if err != nil {
			return nil, err
		}
		cost, err := m.deliver(ctx, kind.events)
		m.receiver.Close()
		if err != nil {
			return nil, fmt.Errorf("a delivery %s: %w", kind.name, err)
		}
		n := float64(kind.events * kind.webhooks)
		rows = append(rows, DeliveryRow{
			kind.name, float64(m.requests) / n, float64(cost.Requests) / n, cost.ReadUnits / n,
			cost.WriteUnits / n,
		})
	}
	return rows, nil
}

// A mailroom is an agent with webhooks, and the functions that deliver events to them.
type mailroom struct {
	product.Parts
	account, agent int64
	receiver       *httptest.Server
	messages       []queue.Outgoing // waiting in all queues
	requests       int              // to the queues
}

// newMailroom returns a mailroom whose receiver refuses a number of attempts per delivery.
func newMailroom(ctx context.Context, store table.Table, webhooks, refusals int) (*mailroom, error) {
	ids := id.NewSource(time.Now)
	m := &mailroom{account: ids.Next()}
	var mu sync.Mutex
	m.receiver = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if refusals > 0 {
			refusals--
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	m.Parts = product.Parts{
		Table: store, Now: time.Now, IDs: ids, Log: slog.New(slog.DiscardHandler),
		Deliveries: m,
		Secrets:    &secret.Keys{Read: secret.Static(secret.NewKey())},
		Web:        egress.New(egress.Config{AllowHosts: "127.0.0.1"}),
	}
	made, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(ctx, m.account,
		agent.Agent{Summary: agent.Summary{Name: "Ada"}}, 1)
	if err != nil {
		return nil, err
	}
	m.agent = made.ID
	// The first delivery of a workspace creates
	budget := delivery.TableBudget{Table: store, Now: time.Now}
	if _, err := budget.Take(ctx, delivery.Receiver{AccountID: m.account}, delivery.Limits{}, 1); err != nil {
		return nil, err
	}
	registered := &webhook.Store{Table: store, Now: time.Now, IDs: ids, Secrets: m.Secrets}
	for range webhooks {
		_, err := registered.Create(ctx, m.account, webhook.Webhook{
			AgentID: m.agent, URL: m.receiver.URL, Events: []event.Kind{event.ConversationResolved},
			Active: true,
		}, webhook.NewSecret())
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Send implements queue.Sender.
func (m *mailroom) Send(_ context.Context, messages ...queue.Outgoing) error {
	m.requests += (len(messages) + queue.MaxReceive - 1) / queue.MaxReceive
	m.messages = append(m.messages, messages...)
	return nil
}

// deliver delivers a number of events from the stream to their webhooks, and returns the cost.
func (m *mailroom) deliver(ctx context.Context, n int) (table.Cost, error) {
	workers := product.Workers(m.Parts)
	ctx, meter := table.WithMeter(ctx)
	var changes []table.Change
	for i := range n {
		happened, err := event.Event{
			ID: m.IDs.Next(), Kind: event.ConversationResolved, At: time.Now(), AccountID: m.account,
			AgentID:        m.agent,
			ConversationID: 219482113062976,
		}.Put()
		if err != nil {
			return table.Cost{}, err
		}
		changes = append(changes, table.Change{Position: strconv.Itoa(i + 1), New: &happened.Item})
	}
	if err := call(ctx, workers["dispatch"], dynamo.Event(changes)); err != nil {
		return table.Cost{}, err
	}
	for len(m.messages) > 0 {
		var batch events.SQSEvent
		for i, message := range m.messages[:min(len(m.messages), queue.MaxReceive)] {
			batch.Records = append(batch.Records,
				events.SQSMessage{MessageId: strconv.Itoa(i), Body: message.Body})
		}
		m.messages = slices.Clone(m.messages[len(batch.Records):])
		m.requests += 2
		if err := call(ctx, workers["deliver"], batch); err != nil {
			return table.Cost{}, err
		}
	}
	return meter.Cost(), nil
}

// call invokes a function with an event, and fails if it reports a failed item.
func call(ctx context.Context, function eventsource.Function, event any) error {
	payload, err := json.Marshal(event)
	if err != nil {
		return err
	}
	answer, err := function(ctx, payload)
	if err != nil {
		return err
	}
	var report struct {
		BatchItemFailures []json.RawMessage `json:"batchItemFailures"`
	}
	if err := json.Unmarshal(answer, &report); err != nil || len(report.BatchItemFailures) > 0 {
		return fmt.Errorf("%s %w", answer, err)
	}
	return nil
}
