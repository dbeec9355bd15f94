// Package product puts all functions together over given parts, in one process: for the local runner, for the
// tests, and for what is written from the routes of all.
package product

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"frontdesk/functions/account"
	"frontdesk/functions/agents"
	"frontdesk/functions/analytics"
	"frontdesk/functions/appointments"
	"frontdesk/functions/channels"
	"frontdesk/functions/chat"
	"frontdesk/functions/console"
	"frontdesk/functions/contacts"
	"frontdesk/functions/conversations"
	"frontdesk/functions/deliver"
	"frontdesk/functions/dispatch"
	"frontdesk/functions/inbound"
	inboxworker "frontdesk/functions/inbox"
	"frontdesk/functions/jobs"
	"frontdesk/functions/jobs/crawl"
	"frontdesk/functions/jobs/funnels"
	"frontdesk/functions/jobs/outbound"
	"frontdesk/functions/jobs/purge"
	"frontdesk/functions/knowledge"
	"frontdesk/functions/messages"
	"frontdesk/functions/openapi"
	"frontdesk/functions/playbook"
	"frontdesk/functions/upload"
	"frontdesk/functions/webhooks"
	"frontdesk/functions/widget"
	"frontdesk/infra/eventsource"
	"frontdesk/shared/ai"
	"frontdesk/shared/api"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/message"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	uploads "frontdesk/shared/upload"
	"frontdesk/shared/webhook"
	"frontdesk/shared/wiring"
)

// Parts are what the functions run on.
type Parts struct {
	Table  table.Table
	Models map[string]ai.Model // beside the built-in engine
	// Deliveries is the queue of the attempts to deliver, Jobs that of the workers of functions/jobs.
	Deliveries queue.Sender
	Jobs       queue.Sender
	// DeadLetters keeps what dispatch cannot hand on.
	DeadLetters queue.Sender
	Now         func() time.Time
	IDs         *id.Source
	Log         *slog.Logger
	Web         *egress.Client
	Secrets     *secret.Keys
	// Channels are the ways by which people reach agents.
	Channels *channel.Registry
	// Inbox is the queue of lanes that have something to process.
	Inbox queue.Sender
	// PublicURL is as in api.Router.
	PublicURL string
	// ReadUpload reads the files that are uploaded as knowledge; in this process where it is nil.
	ReadUpload uploads.Reader
	// AloneSince is from when on the workers of this process are the only ones; the zero time where others
	// may run.
	AloneSince time.Time
}

// budget is shared by the table unless the workers of this process are the only ones.
func (p Parts) budget() delivery.Budget {
	if p.AloneSince.IsZero() {
		return &delivery.TableBudget{Table: p.Table, Now: p.Now}
	}
	return &delivery.LocalBudget{Now: p.Now, Patience: 250 * time.Millisecond}
}

func (p Parts) sender() *message.Sender {
	return &message.Sender{
		Store:   message.Store{Table: p.Table, Now: p.Now, IDs: p.IDs, Channels: p.Channels},
		Secrets: p.Secrets, Log: p.Log,
	}
}

func (p Parts) readUpload() uploads.Reader {
	if p.ReadUpload == nil {
		return uploads.Read
	}
	return p.ReadUpload
}

func (p Parts) inbox() *inbox.Store {
	return &inbox.Store{Table: p.Table, Now: p.Now, IDs: p.IDs, AloneSince: p.AloneSince}
}

// Check returns an error that names what a function lacks, where the parts are not complete.
func Check(p Parts) error {
	var errs []error
	for _, service := range services(p) {
		errs = append(errs, wiring.Check(service))
	}
	return errors.Join(errs...)
}

// services are the services of all functions.
func services(p Parts) []any {
	var all []any
	for _, service := range endpoints(p) {
		all = append(all, service)
	}
	for _, worker := range workers(p) {
		all = append(all, worker.service)
	}
	return all
}

// Endpoints are the functions that serve requests, by their folder under functions/.
func Endpoints(p Parts) map[string]*api.Router {
	routers := map[string]*api.Router{}
	keys := &auth.Keys{Table: p.Table, Now: p.Now}
	for group, service := range endpoints(p) {
		router := &api.Router{
			Auth: keys, Answers: &api.Answers{Table: p.Table, Now: p.Now},
			Log: p.Log, PublicURL: p.PublicURL,
		}
		service.Routes(router)
		routers[group] = router
	}
	return routers
}

// A routed service has endpoints.
type routed interface{ Routes(*api.Router) }

func endpoints(p Parts) map[string]routed {
	visitors := &assistant.Assistant{Table: p.Table, Models: p.Models, Now: p.Now, IDs: p.IDs}
	return map[string]routed{
		"account":       &account.Service{Table: p.Table, Now: p.Now, IDs: p.IDs},
		"agents":        &agents.Service{Table: p.Table, Now: p.Now, IDs: p.IDs},
		"widget":        &widget.Service{Table: p.Table, Now: p.Now, Assistant: visitors, Secrets: p.Secrets},
		"knowledge":     &knowledge.Service{Table: p.Table, Now: p.Now, IDs: p.IDs, Web: p.Web},
		"upload":        &upload.Service{Table: p.Table, Now: p.Now, IDs: p.IDs, Read: p.readUpload()},
		"chat":          &chat.Service{Table: p.Table, Assistant: visitors},
		"conversations": &conversations.Service{Table: p.Table, Sender: p.sender()},
		"messages":      &messages.Service{Table: p.Table, Sender: p.sender()},
		"contacts":      &contacts.Service{Table: p.Table, Now: p.Now, IDs: p.IDs},
		"analytics":     &analytics.Service{Table: p.Table, Now: p.Now},
		"appointments":  &appointments.Service{Table: p.Table, Now: p.Now, IDs: p.IDs},
		"channels": &channels.Service{Table: p.Table, Now: p.Now, IDs: p.IDs, Secrets: p.Secrets,
			Channels: p.Channels},
		"playbook": &playbook.Service{Table: p.Table, Now: p.Now, IDs: p.IDs, Secrets: p.Secrets,
			Web: p.Web},
		"webhooks": &webhooks.Service{Table: p.Table, Now: p.Now, IDs: p.IDs, Secrets: p.Secrets,
			Web: p.Web},
		"openapi": &openapi.Service{},
		"console": &console.Service{},
		"inbound": Inbound(p),
	}
}

// Inbound is the service that platforms post to, for what brings messages in another way.
func Inbound(p Parts) *inbound.Service {
	return &inbound.Service{
		Table: p.Table, Secrets: p.Secrets, Channels: p.Channels, Inbox: p.inbox(),
	}
}

// Workers are the functions behind queues and streams, by their folder under functions/.
func Workers(p Parts) map[string]eventsource.Function {
	functions := map[string]eventsource.Function{}
	for group, worker := range workers(p) {
		functions[group] = worker.handle
	}
	return functions
}

// A worker is a service with its handler.
type worker struct {
	service any
	handle  eventsource.Function
}

func workerOf[E, A any](service interface {
	Handle(ctx context.Context, event E) (A, error)
}) worker {
	return worker{service, eventsource.FunctionOf(service.Handle)}
}

func workers(p Parts) map[string]worker {
	return map[string]worker{
		"dispatch": workerOf(&dispatch.Service{
			Table: p.Table, Now: p.Now, IDs: p.IDs, Deliveries: p.Deliveries, Jobs: p.Jobs, Inbox: p.Inbox,
			DeadLetters: p.DeadLetters, Channels: p.Channels, Log: p.Log,
		}),
		"deliver": workerOf(&deliver.Service{
			Table: p.Table, Now: p.Now, Secrets: p.Secrets, Web: p.Web, Log: p.Log, Budget: p.budget(),
			Queue: p.Deliveries, Timeout: webhook.Timeout, AloneSince: p.AloneSince,
		}),
		"jobs": workerOf(jobsOf(p)),
		"inbox": workerOf(&inboxworker.Service{
			Table: p.Table, Now: p.Now, IDs: p.IDs, Secrets: p.Secrets, Channels: p.Channels,
			Inbox:     p.inbox(),
			Assistant: &assistant.Assistant{Table: p.Table, Models: p.Models, Now: p.Now, IDs: p.IDs},
			Sender:    p.sender(), Queue: p.Inbox, Outbound: p.Jobs, Log: p.Log,
		}),
	}
}

// staleness is how long a search may take that has read the agent before its index was merged. Reads of the
// store of these tests are never stale.
const staleness = 100 * time.Millisecond

// jobsBudget is how long purges and crawls work on one message, as on Lambda.
const jobsBudget = 40 * time.Second

func jobsOf(p Parts) *jobs.Service {
	return &jobs.Service{
		Purge: &purge.Service{
			Table: p.Table, Queue: p.Jobs, Log: p.Log, Now: p.Now, IDs: p.IDs, Staleness: staleness,
			Budget: jobsBudget,
		},
		Outbound: &outbound.Service{Sender: p.sender(), Queue: p.Jobs},
		Funnels: &funnels.Service{
			Table: p.Table, Now: p.Now, IDs: p.IDs, Channels: p.Channels, Queue: p.Jobs,
		},
		Crawl: &crawl.Service{
			Table: p.Table, Now: p.Now, IDs: p.IDs, Web: p.Web, Queue: p.Jobs, Budget: jobsBudget,
		},
		Log: p.Log,
	}
}
