// Package webhooks implements the REST endpoints for webhooks, which receive an agent's events.
package webhooks

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/opt"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
)

// Service implements the webhook endpoints. It is safe for concurrent use.
type Service struct {
	Table   table.Table
	Now     func() time.Time
	IDs     *id.Source
	Secrets *secret.Keys
	Web     *egress.Client
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /agents/{agent_id}/webhooks/",
		api.Doc{Summary: "List the webhooks of an agent", Description: "The newest first."}, s.list)
	api.Handle(r, "POST /agents/{agent_id}/webhooks/", api.Doc{
		Summary: "Register a webhook",
		Description: "Every event of the agent that it is subscribed to is sent to its `url` by POST, " +
			"signed with its `secret`, which " +
			"only this answer shows. An address on a private network is refused when it is called, not " +
			"here. No deliveries are sent for `message.received`, `conversation.opened` and " +
			"`contact.created`. " +
			"At most 50 to an agent.",
		Status: http.StatusCreated, Sealed: true,
	}, s.create)
	api.Handle(r, "GET /agents/{agent_id}/webhooks/{webhook_id}/", api.Doc{Summary: "Read a webhook"}, s.read)
	api.Handle(r, "PATCH /agents/{agent_id}/webhooks/{webhook_id}/", api.Doc{
		Summary: "Change a webhook",
		Description: "Changes what is sent and nothing else. A webhook that is switched off gets no " +
			"further attempts of deliveries under " +
			"way either; what it missed is not sent later.",
	}, s.update)
	api.Handle(r, "DELETE /agents/{agent_id}/webhooks/{webhook_id}/", api.Doc{
		Summary: "Delete a webhook", Description: "No further attempt is made to deliver anything to it.",
		Status: http.StatusNoContent,
	}, s.delete)
	api.Handle(r, "POST /agents/{agent_id}/webhooks/{webhook_id}/rotate-secret/", api.Doc{
		ID:      "rotateWebhookSecret",
		Summary: "Replace the secret of a webhook",
		Description: "The new secret is in this answer only. For 24 hours the one before it signs as well: " +
			"`webhook-signature` holds a " +
			"signature by each, with a space between. `X-Service-Signature` holds one: the first and the " +
			"third attempt of a delivery are " +
			"signed with the new secret, the second with the one before, so a receiver that knows either " +
			"gets every event.",
		Sealed: true,
	}, s.rotate)
	api.Handle(r, "POST /agents/{agent_id}/webhooks/{webhook_id}/test/", api.Doc{
		ID:      "testWebhook",
		Summary: "Send a test event",
		Description: "Sends one synthetic event at once, also to a webhook that is not active or not " +
			"subscribed to it, and says how it was " +
			"answered. It is not tried again and is not among the deliveries.",
	}, s.test)
	api.Handle(r, "GET /agents/{agent_id}/webhooks/{webhook_id}/deliveries/", api.Doc{
		Summary:     "List the deliveries to a webhook",
		Description: "The newest first. They are kept for 30 days.",
	}, s.deliveries)
	api.Handle(r, "POST /agents/{agent_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver/",
		api.Doc{
			ID:      "redeliverWebhookDelivery",
			Summary: "Send a delivery again",
			Description: "A delivery that was delivered or has failed becomes pending, with three attempts " +
				"more; they carry the same body and " +
				"`webhook-id` as those before. One that is pending stays as it is. A webhook that is not " +
				"active " +
				"answers 422.",
			Errors: []fault.Code{fault.Unprocessable},
		}, s.redeliver)
}

// basic has the fields of every form of a webhook.
type basic struct {
	ID        int64        `json:"id" example:"219482113031744"`
	AgentID   int64        `json:"agent_id" example:"219482113000001"`
	Name      string       `json:"name" doc:"The description it was registered with." example:"CRM"`
	URL       string       `json:"url" example:"https://example.com/hooks/frontdesk"`
	Events    []event.Kind `json:"events" example:"[\"conversation.resolved\"]"`
	Active    bool         `json:"active" doc:"Whether events are sent to it." example:"true"`
	CreatedAt time.Time    `json:"created_at"`
}

// health is the state of deliveries to a webhook and of its secrets.
type health struct {
	FailingSince    *time.Time `json:"failing_since" doc:"When the first delivery failed after which none was delivered. After 5 days the webhook is switched off."`
	DisabledAt      *time.Time `json:"disabled_at" doc:"When the service switched the webhook off; null where it did not."`
	DisabledReason  *string    `json:"disabled_reason" doc:"Why it did." example:"Every delivery failed for 5 days."`
	PreviousExpires *time.Time `json:"previous_secret_expires_at" doc:"Until when the secret before the last rotation signs as well; null where none does."`
}

// A Webhook is the JSON form of a webhook.
type Webhook struct {
	basic
	health
}

// A WebhookWithSecret is a webhook with its secret, which is shown once.
type WebhookWithSecret struct {
	basic
	Secret string `json:"secret" doc:"What deliveries are signed with. It is not shown again." example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	health
}

// basicOf returns what every answer about a webhook has. The secret is only in those that set it.
func basicOf(w webhook.Webhook) basic {
	return basic{w.ID, w.AgentID, w.Name, w.URL, w.Events, w.Active, w.CreatedAt}
}

func (s *Service) healthOf(w webhook.Webhook) health {
	h := health{FailingSince: timeOrNull(w.FailingSince), DisabledAt: timeOrNull(w.DisabledAt)}
	if w.DisabledReason != "" {
		h.DisabledReason = &w.DisabledReason
	}
	if s.Now().Before(w.PreviousUntil) {
		h.PreviousExpires = &w.PreviousUntil
	}
	return h
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (s *Service) show(w webhook.Webhook) Webhook { return Webhook{basicOf(w), s.healthOf(w)} }

// reveal returns a webhook with its secret, for the answers to calls that set the secret. It cannot be read
// again.
func (s *Service) reveal(w webhook.Webhook, text secret.Plain) WebhookWithSecret {
	return WebhookWithSecret{basicOf(w), string(text), s.healthOf(w)}
}

func (s *Service) store() *webhook.Store {
	return &webhook.Store{Table: s.Table, Now: s.Now, IDs: s.IDs, Secrets: s.Secrets}
}

func accountOf(ctx context.Context) int64 { return auth.CallerOf(ctx).Account.ID }

type agentIn struct {
	AgentID int64 `path:"agent_id"`
}

type webhookIn struct {
	agentIn
	WebhookID int64 `path:"webhook_id"`
}

type listIn struct {
	agentIn
	api.PageIn
}

func (s *Service) list(ctx context.Context, in listIn) (api.List[Webhook], error) {
	account := accountOf(ctx)
	return api.Paginate(ctx, s.Table, in.PageIn, api.Listing[Webhook]{
		Query: webhook.Query(account, in.AgentID),
		Count: func(ctx context.Context) (int64, error) { return s.store().Count(ctx, account, in.AgentID) },
		Item: func(item table.Item) (Webhook, error) {
			w, err := webhook.Read(item)
			return s.show(w), err
		},
	})
}

type createIn struct {
	agentIn
	URL         string          `json:"url" check:"required,format=url" doc:"An https address on the public internet." example:"https://example.com/hooks/frontdesk"`
	Events      []event.Kind    `json:"events" check:"required" doc:"At least one; there is no wildcard." example:"[\"conversation.resolved\"]"`
	Secret      string          `json:"secret" check:"null,max=255" doc:"What to sign with. Left out or empty, 64 hexadecimal digits are generated." example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	Description string          `json:"description" check:"null,cut=200" doc:"Becomes its name. Left out, it is called after the day." example:"CRM"`
	Active      opt.Value[bool] `json:"active" doc:"Default true." example:"true"`
}

// create registers a webhook. It is not called to verify it; the endpoint for tests does that.
func (s *Service) create(ctx context.Context, in createIn) (WebhookWithSecret, error) {
	if err := s.checkURL(in.URL); err != nil {
		return WebhookWithSecret{}, err
	}
	text := secretOrNew(in.Secret)
	w, err := s.store().Create(ctx, accountOf(ctx), webhook.Webhook{
		AgentID: in.AgentID, Name: in.Description, URL: in.URL, Events: unique(in.Events),
		Active: in.Active.Or(true),
	}, text)
	return s.reveal(w, text), err
}

// secretOrNew returns the secret that was sent, or a new one if it is blank.
func secretOrNew(sent string) secret.Plain {
	if strings.TrimSpace(sent) == "" {
		return webhook.NewSecret()
	}
	return secret.Plain(sent)
}

// checkURL refuses malformed addresses. Whether the host is public shows when it is called.
func (s *Service) checkURL(address string) error {
	if s.Web.Check(address) != nil {
		return fault.Invalid("url", "The field url must be an address that begins with https://.")
	}
	return nil
}

// unique returns the events in their order without duplicates.
func unique(events []event.Kind) []event.Kind {
	var kept []event.Kind
	for _, e := range events {
		if !slices.Contains(kept, e) {
			kept = append(kept, e)
		}
	}
	return kept
}

func (s *Service) read(ctx context.Context, in webhookIn) (Webhook, error) {
	w, err := s.store().Load(ctx, accountOf(ctx), in.AgentID, in.WebhookID)
	return s.show(w), err
}

type updateIn struct {
	webhookIn
	URL         opt.Value[string]       `json:"url" check:"filled,format=url" doc:"An https address on the public internet." example:"https://example.com/hooks/frontdesk"`
	Events      opt.Value[[]event.Kind] `json:"events" doc:"At least one; there is no wildcard." example:"[\"conversation.resolved\"]"`
	Active      opt.Value[bool]         `json:"active" doc:"True also switches on again what the service switched off." example:"true"`
	Description opt.Value[string]       `json:"description" check:"null,cut=200" doc:"Becomes its name. Empty, it is called after the day on which it was registered." example:"CRM"`
}

// update changes the fields that were sent. A new URL resets the failures, and active set to true also
// revives a webhook that the service has switched off.
func (s *Service) update(ctx context.Context, in updateIn) (Webhook, error) {
	if in.URL.Set {
		if err := s.checkURL(in.URL.Value); err != nil {
			return Webhook{}, err
		}
	}
	if in.Events.Set && len(in.Events.Value) == 0 {
		return Webhook{}, fault.Invalid("events", "The field events may not be empty.")
	}
	// The edit may run again after a conflict, so it depends on nothing but the request and the webhook.
	w, err := s.store().Change(ctx, accountOf(ctx), in.AgentID, in.WebhookID, func(w *webhook.Webhook) error {
		if in.URL.Set {
			w.MoveTo(in.URL.Value)
		}
		if in.Active.Set {
			w.Switch(in.Active.Value)
		}
		if in.Events.Set {
			w.Events = unique(in.Events.Value)
		}
		in.Description.To(&w.Name)
		if w.Name == "" {
			w.Name = w.DefaultName()
		}
		return nil
	})
	return s.show(w), err
}

func (s *Service) delete(ctx context.Context, in webhookIn) (api.None, error) {
	return api.None{}, s.store().Delete(ctx, accountOf(ctx), in.AgentID, in.WebhookID)
}

type rotateIn struct {
	webhookIn
	Secret string `json:"secret" check:"null,max=255" doc:"The new secret. Left out or empty, 64 hexadecimal digits are generated."`
}

func (s *Service) rotate(ctx context.Context, in rotateIn) (WebhookWithSecret, error) {
	text := secretOrNew(in.Secret)
	w, err := s.store().Rotate(ctx, accountOf(ctx), in.AgentID, in.WebhookID, text)
	return s.reveal(w, text), err
}

type testIn struct {
	webhookIn
	EventType event.Kind `json:"event_type" doc:"Default message.received." example:"message.received"`
}

// A TestResult is the outcome of a test delivery.
type TestResult struct {
	Delivered  bool   `json:"delivered" doc:"It was answered with a status below 400 within 10 seconds." example:"true"`
	HTTPStatus int    `json:"http_status,omitempty" doc:"Of the answer, where it was delivered." example:"200"`
	Error      string `json:"error,omitempty" doc:"Why it was not."`
}

// test sends a synthetic event at once, within the request. A failure of the receiver is a result, not an
// error.
func (s *Service) test(ctx context.Context, in testIn) (TestResult, error) {
	w, err := s.store().Load(ctx, accountOf(ctx), in.AgentID, in.WebhookID)
	if err != nil {
		return TestResult{}, err
	}
	if in.EventType == "" {
		in.EventType = event.MessageReceived
	}
	now := s.Now()
	secrets, err := w.Secrets(ctx, s.Secrets, now)
	if err != nil {
		return TestResult{}, err
	}
	call, err := webhook.Test(w, in.EventType, webhook.Signature{Secrets: secrets, At: now, Attempt: 1})
	if err != nil {
		return TestResult{}, err
	}
	answer, err := s.Web.Do(ctx, call)
	var failure *egress.Error
	switch {
	case errors.As(err, &failure):
		return TestResult{Error: failure.Error()}, nil
	case err != nil:
		return TestResult{}, err
	case !webhook.Delivered(answer.Status):
		return TestResult{Error: webhook.Refusal(answer.Status)}, nil
	}
	return TestResult{Delivered: true, HTTPStatus: answer.Status}, nil
}

// receiver returns the webhook as deliveries identify it.
func (in webhookIn) receiver(ctx context.Context) delivery.Receiver {
	return delivery.Receiver{AccountID: accountOf(ctx), AgentID: in.AgentID, WebhookID: in.WebhookID}
}
