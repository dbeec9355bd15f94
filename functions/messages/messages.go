// Package messages implements the REST endpoints that send WhatsApp messages to contacts and that read
// messages of any conversation.
package messages

import (
	"context"
	"net/http"
	"strings"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

// Service implements the message endpoints. It is safe for concurrent use.
type Service struct {
	Table  table.Table
	Sender *message.Sender
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "POST /agents/{agent_id}/messages/", api.Doc{
		ID:      "sendMessage",
		Summary: "Send a WhatsApp message to a contact",
		Description: "A text may be sent while the contact's last WhatsApp message is less than 24 hours " +
			"old, an approved template at any time. The message joins the contact's open WhatsApp " +
			"conversation, or begins one.\n\n" +
			"WhatsApp is called before the answer. Where it accepts the message, or cannot be reached or " +
			"takes no more for the moment, the answer is 201; in the latter case the message is tried " +
			"again for an hour. It may be sent twice where WhatsApp's answer to an attempt was lost or the " +
			"service was interrupted, and its `status_detail` says so then. Where WhatsApp rejects it, the " +
			"answer is 502 and the message is kept with the status `failed`. A number that no contact of " +
			"the agent has answers 404: nobody there has opted in. Add the contact first.",
		Status: http.StatusCreated,
		Errors: []fault.Code{fault.ContactOptedOut, fault.Unprocessable, fault.ServerError},
	}, s.send)
	api.Handle(r, "POST /messages/send/", api.Doc{
		ID:      "sendLegacyMessage",
		Summary: "Send a WhatsApp text (legacy)",
		Description: "Answers once WhatsApp has accepted the text, or else with 502, and the message is " +
			"kept with the status `failed` and not tried again. Where nobody knows whether WhatsApp took " +
			"it, since no answer came or the service was interrupted, it is `failed` too, and its " +
			"`status_detail` says so. `POST /agents/{agent_id}/messages/` is to be preferred.",
		Errors: []fault.Code{fault.NotFoundCode, fault.ContactOptedOut, fault.Unprocessable,
			fault.ServerError},
	}, s.sendLegacy)
	api.Handle(r, "GET /messages/", api.Doc{
		Summary:     "List the messages of a conversation",
		Description: "Oldest first.",
	}, s.list)
	api.Handle(r, "GET /messages/{id}/", api.Doc{Summary: "Read a message"}, s.read)
	api.Handle(r, "GET /messages/{id}/attachments/{n}/", api.Doc{
		ID:      "getMessageAttachment",
		Summary: "Fetch a file that came with a message",
		Description: "From the platform of the channel, while that keeps it: WhatsApp for a week. At most " +
			"4 MB. A message without such an attachment answers 404, a file that the platform does not " +
			"give 502.",
		Errors: []fault.Code{fault.Unprocessable, fault.ServerError},
	}, s.attachment)
}

// Sent is the answer to a send.
type Sent struct {
	Status  conversation.MessageStatus `json:"status" example:"queued"`
	AgentID int64                      `json:"agent_id" example:"219482113000001"`
	To      string                     `json:"to" example:"+14155550123"`
}

// sendable is a kind of message that the API can send.
type sendable conversation.Kind

// Values implements api.Enum.
func (sendable) Values() []string {
	return []string{string(conversation.Text), string(conversation.Template)}
}

type sendIn struct {
	AgentID        int64    `path:"agent_id"`
	To             string   `json:"to" check:"required,format=e164" doc:"The phone of a contact of the agent." example:"+14155550123"`
	Type           sendable `json:"type" doc:"Default text." example:"text"`
	Text           string   `json:"text" check:"null,max=4096" doc:"Required of a text." example:"Your bicycle is ready."`
	TemplateName   string   `json:"template_name" check:"null,max=512" doc:"Required of a template: the name of an approved one." example:"order_ready"`
	TemplateParams []string `json:"template_params" check:"null,items=100,filled,max=1024" doc:"The values of the template's placeholders, in order." example:"[\"Ada\"]"`
	LanguageCode   string   `json:"language_code" check:"null,format=key" doc:"The template's language. Default en_US." example:"en_US"`
}

// request validates the input and returns the message to send. A text and a template exclude each other.
func (in sendIn) request() (message.Request, error) {
	o := message.Request{
		AgentID: in.AgentID, Channel: conversation.WhatsApp, To: in.To, Retry: message.RetryTime,
	}
	if in.Type != sendable(conversation.Template) {
		if strings.TrimSpace(in.Text) == "" {
			return o, fault.Invalid("text", "The field text is required.")
		}
		o.Text = in.Text
		return o, nil
	}
	name := strings.TrimSpace(in.TemplateName)
	if name == "" {
		return o, fault.Invalid("template_name", "The field template_name is required.")
	}
	o.Template = &conversation.TemplateRef{Name: name, Language: in.LanguageCode, Params: in.TemplateParams}
	if o.Template.Language == "" {
		o.Template.Language = "en_US"
	}
	return o, nil
}

// send calls WhatsApp once before it answers. A message that WhatsApp did not answer for is retried in the
// background until message.RetryTime has passed.
func (s *Service) send(ctx context.Context, in sendIn) (Sent, error) {
	request, err := in.request()
	if err != nil {
		return Sent{}, err
	}
	sent, err := s.Sender.Send(ctx, auth.CallerOf(ctx).Account.ID, request)
	if err != nil {
		return Sent{}, err
	}
	if err := sent.Rejected(); err != nil {
		return Sent{}, err
	}
	return Sent{conversation.Queued, in.AgentID, in.To}, nil
}

type sendLegacyIn struct {
	AgentID     int64  `json:"agent_id" check:"required" example:"219482113000001"`
	PhoneNumber string `json:"phone_number" check:"required,format=e164" doc:"The phone of a contact of the agent." example:"+14155550123"`
	Message     string `json:"message" check:"required,max=4096" example:"Your bicycle is ready."`
}

// sendLegacy sends a text with one attempt: without Retry, a message that is not accepted at once is failed.
func (s *Service) sendLegacy(ctx context.Context, in sendLegacyIn) (Sent, error) {
	sent, err := s.Sender.Send(ctx, auth.CallerOf(ctx).Account.ID, message.Request{
		Channel: conversation.WhatsApp,
		AgentID: in.AgentID, To: in.PhoneNumber, Text: in.Message,
	})
	if err != nil {
		return Sent{}, err
	}
	if refusal := sent.Refusal; refusal != nil {
		return Sent{}, fault.New(fault.ServerError, "%s", refusal.Detail)
	}
	return Sent{conversation.Sent, in.AgentID, in.PhoneNumber}, nil
}

func (s *Service) store() *conversation.Store { return &conversation.Store{Table: s.Table} }

type listIn struct {
	ConversationID int64 `query:"conversation_id" check:"required" example:"219482113060865"`
	api.PageIn
}

// list answers a conversation's messages. CountMessages refuses a conversation of another workspace.
func (s *Service) list(ctx context.Context, in listIn) (api.List[conversation.Message], error) {
	account := auth.CallerOf(ctx).Account.ID
	messages := conversation.Messages{Table: s.Table}
	return api.Paginate(ctx, messages, in.PageIn, api.Listing[conversation.Message]{
		Query: conversation.All(account, in.ConversationID),
		Count: func(ctx context.Context) (int64, error) {
			return s.store().CountMessages(ctx, account, in.ConversationID)
		},
		Item: conversation.ReadMessage,
	})
}

type messageIn struct {
	ID int64 `path:"id"`
}

func (s *Service) read(ctx context.Context, in messageIn) (conversation.Message, error) {
	return s.store().Message(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
}
