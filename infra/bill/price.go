package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"frontdesk/infra/costs"
	"frontdesk/infra/template"
)

// List prices of AWS in us-east-1 in dollars, of November 2026, without free tiers.
const (
	writeUnit    = 0.625e-6
	readUnit     = 0.125e-6
	gatewayCall  = 3.50e-6
	functionCall = 0.20e-6
	memoryTime   = 13.3334e-6 // a gigabyte of a function's memory for a second, on arm64
	queueRequest = 0.40e-6
	logByte      = 0.50 / (1 << 30)
	storedGB     = 0.25 + 0.20 // a month, with recovery to any second
)

// Assumptions about every request, as measured on one machine.
const (
	logLine          = 500 // bytes
	conversationSize = 6.4 * (1 << 10)
	deliveryTime     = 0.5*0.12 + 0.25*0.02 // the receiver answers within 0.1 s
	deliveryRequests = 3                    // to the queue
	deliveryCalls    = 2                    // of functions
)

// What is assumed of a function that answers a request: how many gigabytes it has, for how many seconds each
// round trip keeps it waiting, and for how long its share of a processor computes. A function of 1 GB has
// 0.58 of one, one of 512 MB 0.29. A turn takes 2 ms of a processor, measured over the embedded store, and at
// most 5 more for DynamoDB's client.
const (
	roundTrip     = 0.005
	requestMemory = 0.5
	requestWork   = 0.005
	turnMemory    = 1.0
	turnWork      = 0.012
)

// What is assumed of a person who works with the dashboard. On each of 22 days it stands open for eight
// hours: for one of them it has the focus and asks for changes every 3.5 s, for three it is visible and asks
// every 15 s, for four it is hidden and asks every 60 s (functions/console/app/state.ts). What the person
// opens and does are 300 requests a day, priced as lists of conversations; of viewing and writing in
// conversations that others may see, 150 reports a day.
const (
	workingDays   = 22
	changesLooks  = workingDays * 3600 * (1/3.5 + 3/15.0 + 4/60.0)
	dashboardUses = workingDays * 300
	reportsOfUse  = workingDays * 150
)

// pollsOfPoller is how often one of Lambda's pollers asks an empty queue in a month, for 20 s each time.
const pollsOfPoller = 30 * 24 * 3600 / 20

// pollers is how many pollers ask a queue while it is empty. Lambda scales them back from five to two, but
// not where a maximum concurrency is set:
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
func pollers(q template.QueueEvent) int {
	if q.Concurrency > 0 {
		return 5
	}
	return 2
}

// ofRequest returns the price of a request: the gateway, the function, its line in the log and the table.
func ofRequest(r costs.Row) float64 {
	return gatewayCall + functionTime(r) + logLine*logByte + r.ReadUnits*readUnit + r.WriteUnits*writeUnit
}

// functionTime returns the price of the call of a function that answers a request.
func functionTime(r costs.Row) float64 {
	memory, work := requestMemory, requestWork
	if strings.Contains(r.Request, "/chat/ ") || strings.Contains(r.Request, "/send/") {
		memory, work = turnMemory, turnWork
	}
	return functionCall + memory*(float64(r.RoundTrips)*roundTrip+work)*memoryTime
}

// ofDelivery returns the price of a delivery to a webhook.
func ofDelivery(r costs.DeliveryRow) float64 {
	return deliveryRequests*queueRequest + deliveryCalls*functionCall + deliveryTime*memoryTime +
		logLine*logByte + r.ReadUnits*readUnit + r.WriteUnits*writeUnit
}

// traffic is the monthly load of a stack.
type traffic struct {
	visits        float64 // page views with a chat box
	conversations float64 // in the chat box
	messages      float64 // of the visitor in each of them
	looks         float64 // of the chat box for news, for each of those messages
	deliveries    float64 // to webhooks, for each conversation
	people        float64 // who work with the dashboard
	months        float64 // for how long conversations have been kept
}

// A charge is a line of a bill.
type charge struct {
	what  string
	count float64
	each  float64 // dollars
}

func (c charge) total() float64 { return c.count * c.each }

// measured holds the measured costs of the product's parts.
type measured struct {
	requests []costs.Row
	delivery costs.DeliveryRow // that of one event to one webhook, at the first attempt
	pollers  int               // of the queues that feed functions
}

// row returns the measured costs of the request of that name.
func (m measured) row(name string) (costs.Row, error) {
	i := slices.IndexFunc(m.requests, func(r costs.Row) bool { return r.Request == name })
	if i < 0 {
		return costs.Row{}, fmt.Errorf("%q is not measured", name)
	}
	return m.requests[i], nil
}

// request returns the price of the request of that name.
func (m measured) request(name string) (float64, error) {
	r, err := m.row(name)
	return ofRequest(r), err
}

// bill returns the monthly charges for traffic. The chat box sends an Idempotency-Key with each message.
func (m measured) bill(t traffic) ([]charge, error) {
	charges := []charge{
		{what: "page views with a chat box", count: t.visits},
		{what: "first messages of visitors", count: t.conversations},
		{what: "further messages", count: t.conversations * max(0, t.messages-1)},
		{what: "looks for news in an open chat box", count: t.conversations * t.messages * t.looks},
		{what: "looks of the dashboard for changes", count: math.Round(t.people * changesLooks)},
		{what: "other requests of the dashboard", count: t.people * dashboardUses},
		{what: "reports of who is at a conversation", count: t.people * reportsOfUse},
	}
	for i, name := range []string{
		"GET /widget/{embed_key}/config/",
		"POST /widget/{embed_key}/send/ (first)",
		"POST /widget/{embed_key}/send/ (with an Idempotency-Key)",
		"GET /widget/{embed_key}/history/ (after the last)",
		"GET /changes/ (after)",
		"GET /agents/{agent_id}/conversations/",
		"POST /conversations/{id}/presence/",
	} {
		var err error
		if charges[i].each, err = m.request(name); err != nil {
			return nil, err
		}
	}
	stored := t.conversations * t.months * conversationSize / (1 << 30)
	return append(charges,
		charge{"deliveries to webhooks", t.conversations * t.deliveries, ofDelivery(m.delivery)},
		charge{"gigabytes stored", math.Ceil(stored*100) / 100, storedGB},
		charge{"the queues' polls, idle or not", float64(m.pollers * pollsOfPoller), queueRequest},
	), nil
}
