// Package chat implements the REST endpoints that send messages to an agent and read a chat's history.
package chat

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// Service implements the chat endpoints. It is safe for concurrent use.
type Service struct {
	Table     table.Table
	Assistant *assistant.Assistant
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "POST /agents/{agent_id}/chat/", api.Doc{
		ID:      "sendChatMessage",
		Summary: "Send a message to an agent and get its reply",
		Description: "The agent answers in any of its states but `paused`. When a person has taken the " +
			"conversation over, the " +
			"message is stored, `reply` is null and `action` is `human_handling`; with `agent_paused` and " +
			"`ai_disabled` it is the agent " +
			"that does not reply. With `ai_quota_exceeded` and `server_error` the message is stored and " +
			"there is no reply.",
		Errors: []fault.Code{fault.QuotaExceeded, fault.ServerError},
	}, s.chat)
	api.Handle(r, "POST /agents/{agent_id}/chat/dry-run/", api.Doc{
		ID:      "tryChatMessage",
		Summary: "Try what an agent would reply",
		Description: "Nothing is stored and nothing is counted: no conversation, no contact, no reply of " +
			"the plan. Only what a language model costs counts towards `ai_daily_budget_usd`. Each message " +
			"stands by itself.",
		Errors: []fault.Code{fault.QuotaExceeded, fault.ServerError}, Unaudited: true,
	}, s.dryRun)
	api.Handle(r, "GET /agents/{agent_id}/chat/history/", api.Doc{
		Summary:     "Read a chat session",
		Description: "The last 50 messages, oldest first. A session that the agent never saw answers 404.",
	}, s.history)
}

type chatIn struct {
	AgentID   int64     `path:"agent_id"`
	Message   string    `json:"message" check:"required,max=4000" doc:"What the contact says." example:"Are you open on Sundays?"`
	SessionID string    `json:"session_id" check:"null,format=uuid" doc:"Continues a session. Left out, a new one is begun; one that the agent does not know begins under that id."`
	Contact   contactIn `json:"contact" check:"null" doc:"Who the contact is. By a phone the chat joins that contact's record, by an e-mail address alone it matches by that."`
	Context   string    `json:"context" check:"null,cut=2000" doc:"More for the AI to know."`
}

type contactIn struct {
	Name  string `json:"name" check:"null,cut=200" example:"Ada Lovelace"`
	Email string `json:"email" check:"null,format=email" example:"ada@example.com"`
	Phone string `json:"phone" check:"null,format=e164" example:"+14155550123"`
}

// A Reply is the outcome of a message.
type Reply struct {
	Reply            *string               `json:"reply" doc:"Null where nobody replied by themselves; action says why." example:"Yes, on Sundays we are open from 10 to 16."`
	Choices          []conversation.Choice `json:"choices" doc:"The answers that the reply offers, for buttons; empty where it offers none. To choose one send its label or its value as the next message; its number, from 1, is understood too."`
	Cards            []conversation.Card   `json:"cards" doc:"The products that the reply offers and that have a picture or a page."`
	Action           string                `json:"action" doc:"respond, fallback (the agent says that it does not know), handoff, human_handling, agent_paused or ai_disabled." example:"respond"`
	Intent           string                `json:"intent" doc:"What the contact wants; empty without a reply." example:"question"`
	Confidence       float64               `json:"confidence" check:"range=0..1" example:"0.87"`
	SessionID        string                `json:"session_id" check:"format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	ConversationID   int64                 `json:"conversation_id" example:"219482113060865"`
	ContactID        int64                 `json:"contact_id" example:"219482113060864"`
	MessageID        *int64                `json:"message_id" doc:"The reply's message; null without one." example:"219482113064962"`
	InboundMessageID int64                 `json:"inbound_message_id" example:"219482113064961"`
	Sources          []conversation.Source `json:"sources" doc:"The knowledge documents that the reply draws on."`
	DelaySeconds     int                   `json:"delay_seconds" doc:"How long to wait before the reply is shown: the agent's response_delay_seconds. The answer itself does not wait." example:"0"`
}

// chat runs one turn of the conversation. The caller's API key vouches for the contact's data (Proved), which
// therefore count as verified.
func (s *Service) chat(ctx context.Context, in chatIn) (Reply, error) {
	answer, err := s.Assistant.Turn(ctx, assistant.Message{
		AccountID: auth.CallerOf(ctx).Account.ID,
		Account:   auth.CallerOf(ctx).Account,
		AgentID:   in.AgentID,
		Channel:   conversation.API,
		SessionID: in.SessionID,
		Contact: assistant.Identity{
			Name: in.Contact.Name, Email: in.Contact.Email, Phone: in.Contact.Phone,
		},
		Proved:  true,
		Text:    in.Message,
		Context: in.Context,
	})
	if err != nil {
		return Reply{}, err
	}
	return Reply{
		Reply: answer.Reply, Choices: answer.Choices, Cards: answer.Cards,
		Action: answer.Action, Intent: answer.Intent, Confidence: answer.Confidence,
		SessionID: answer.SessionID, ConversationID: answer.ConversationID, ContactID: answer.ContactID,
		MessageID: answer.MessageID, InboundMessageID: answer.InboundMessageID, Sources: sourcesOf(answer),
		DelaySeconds: int(answer.Delay / time.Second),
	}, nil
}

type dryRunIn struct {
	AgentID int64  `path:"agent_id"`
	Message string `json:"message" check:"required,max=4000" doc:"What a contact might say." example:"Are you open on Sundays?"`
}

// A Trial is the outcome of a message that is not stored.
type Trial struct {
	Reply      *string               `json:"reply" doc:"Null where nobody would reply by themselves; action says why." example:"Yes, on Sundays we are open from 10 to 16."`
	Choices    []conversation.Choice `json:"choices" doc:"The answers that the reply offers."`
	Action     string                `json:"action" doc:"As of a chat message." example:"respond"`
	Intent     string                `json:"intent" example:"question"`
	Confidence float64               `json:"confidence" check:"range=0..1" example:"0.87"`
	Sources    []conversation.Source `json:"sources" doc:"The knowledge documents that the reply draws on."`
}

// dryRun answers a message without storing anything. It goes the way of chat, and what a language model costs
// is counted in the agent's budget all the same.
func (s *Service) dryRun(ctx context.Context, in dryRunIn) (Trial, error) {
	answer, err := s.Assistant.DryRun(ctx, assistant.Message{
		AccountID: auth.CallerOf(ctx).Account.ID, Account: auth.CallerOf(ctx).Account,
		AgentID: in.AgentID, Channel: conversation.API, Text: in.Message,
	})
	if err != nil {
		return Trial{}, err
	}
	return Trial{
		Reply: answer.Reply, Choices: answer.Choices, Action: answer.Action, Intent: answer.Intent,
		Confidence: answer.Confidence, Sources: sourcesOf(answer),
	}, nil
}

// sourcesOf returns the answer's sources as a list that is never nil, since JSON must have [] for none.
func sourcesOf(answer assistant.Answer) []conversation.Source {
	return append([]conversation.Source{}, answer.Sources...)
}

// historyLength is the number of latest messages that the history shows.
const historyLength = 50

type historyIn struct {
	AgentID   int64  `path:"agent_id"`
	SessionID string `query:"session_id" check:"required,format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
}

// A History is the latest part of a chat session, oldest message first.
type History struct {
	SessionID      string                 `json:"session_id" check:"format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	ConversationID int64                  `json:"conversation_id" example:"219482113060865"`
	ContactID      int64                  `json:"contact_id" example:"219482113060864"`
	Messages       []conversation.Message `json:"messages"`
}

// history answers the latest messages of a session. The agent is read with the session, so that one request
// finds out that either is missing.
func (s *Service) history(ctx context.Context, in historyIn) (History, error) {
	account := auth.CallerOf(ctx).Account.ID
	session, page, err := conversation.ReadBySession(ctx, in.SessionID,
		func(ctx context.Context) (conversation.Session, error) {
			agentKey, sessionKey := agent.Key(account, in.AgentID),
				conversation.SessionKey(account, in.AgentID, in.SessionID)
			items, err := s.Table.BatchGet(ctx, agentKey, sessionKey)
			if err != nil {
				return conversation.Session{}, err
			}
			if len(items) < 2 {
				return conversation.Session{}, fault.NotFound()
			}
			return conversation.ReadSession(items[sessionKey])
		}, func(ctx context.Context, id int64) (table.Page, error) {
			return conversation.Messages{Table: s.Table}.Query(ctx,
				conversation.Latest(account, id, historyLength, false))
		})
	if err != nil {
		return History{}, err
	}
	h := History{in.SessionID, session.ConversationID, session.ContactID, []conversation.Message{}}
	// The query returns the newest first.
	for _, item := range slices.Backward(page.Items) {
		message, err := conversation.ReadMessage(item)
		if err != nil {
			return History{}, err
		}
		h.Messages = append(h.Messages, message)
	}
	return h, nil
}
