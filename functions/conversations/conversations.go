// Package conversations implements the REST endpoints with which members of a workspace read conversations,
// reply, and take them over from the agent.
package conversations

import (
	"context"
	"net/http"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/identity"
	"frontdesk/shared/message"
	"frontdesk/shared/opt"
	"frontdesk/shared/search"
	"frontdesk/shared/table"
)

// Service implements the conversation endpoints. It is safe for concurrent use.
type Service struct {
	Table  table.Table
	Sender *message.Sender
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /conversations/", api.Doc{
		Summary:     "List conversations",
		Description: "Newest first, of all agents or of one.",
	}, s.list)
	api.Handle(r, "GET /agents/{agent_id}/conversations/", api.Doc{
		ID:          "listAgentConversations",
		Summary:     "List the conversations of an agent",
		Description: "Newest first.",
	}, s.listOfAgent)
	api.Handle(r, "GET /conversations/{id}/", api.Doc{
		Summary: "Read a conversation",
	}, s.read)
	api.Handle(r, "GET /conversations/{id}/messages/", api.Doc{
		Summary:     "List the messages of a conversation",
		Description: "Oldest first.",
	}, s.messages)
	api.Handle(r, "POST /conversations/{id}/reply/", api.Doc{
		ID:      "replyToConversation",
		Summary: "Reply to a conversation as a person",
		Description: "The message is stored whatever the channel, and a visitor in the web chat sees it. " +
			"It takes the conversation over, as `handoff/` does, unless that is resolved: the agent is " +
			"silent until `resume-ai/`.\n\n" +
			"Over WhatsApp the message is sent, as `POST /agents/{agent_id}/messages/` sends a text, and " +
			"refused where that refuses one: the contact has opted out, or last wrote too long ago " +
			"(`window_ends_at`), or the agent is not connected. Its status is `sent` where WhatsApp " +
			"accepted it, and `queued` where it is tried again; where WhatsApp rejects it, the answer is " +
			"502 and the message is kept with the status `failed`. In a conversation that came by `POST " +
			"/agents/{agent_id}/chat/` whoever called that carries the reply.",
		Unaudited: true,
		Status:    http.StatusCreated,
		Errors:    []fault.Code{fault.ContactOptedOut, fault.Unprocessable, fault.ServerError},
	}, s.reply)
	api.Handle(r, "POST /conversations/{id}/resolve/", api.Doc{
		ID:      "resolveConversation",
		Summary: "Mark a conversation as resolved",
		Description: "The event `conversation.resolved` tells of it. A later message of the contact opens " +
			"the conversation again.",
	}, s.resolve)
	api.Handle(r, "POST /conversations/{id}/handoff/", api.Doc{
		ID:          "handOffConversation",
		Summary:     "Hand a conversation over to a person",
		Description: "The agent replies no more: messages are stored, with the action `human_handling`.",
	}, s.handOff)
	api.Handle(r, "POST /conversations/{id}/resume-ai/", api.Doc{
		ID:      "resumeConversation",
		Summary: "Hand a conversation back to the agent",
	}, s.resume)
	s.deskRoutes(r)
}

// A Conversation is the JSON form of a conversation.
type Conversation struct {
	ID             int64                       `json:"id" example:"219482113060865"`
	AgentID        int64                       `json:"agent_id" example:"219482113000001"`
	ContactID      int64                       `json:"contact_id" doc:"It may be that of a contact who was deleted since." example:"219482113060864"`
	ContactName    string                      `json:"contact_name" doc:"The contact's name; empty where it is not known." example:"Ada Lovelace"`
	Identity       identity.State              `json:"identity" doc:"Whether it is proved who the contact is (verified), only stated (claimed), or not known (anonymous)." example:"verified"`
	Claimed        identity.Claims             `json:"claimed" doc:"What the contact only stated. It opens nothing."`
	Status         conversation.Status         `json:"status" example:"open"`
	Channel        conversation.Channel        `json:"channel" example:"webchat"`
	AIEnabled      bool                        `json:"ai_enabled" doc:"False while a person handles the conversation." example:"true"`
	TakeoverMode   conversation.Takeover       `json:"takeover_mode" example:"ai"`
	Priority       conversation.Priority       `json:"priority" example:"normal"`
	HandoffSummary string                      `json:"handoff_summary" doc:"What the person who takes over is told, in the agent's language, a line each: who the contact is, what they want, what it was about, what was tried, and how they feel. Empty while the agent answers, and where the contact had written nothing." example:"Who: Grace Hopper, +442079460958\nWants: “I waited 50 minutes and the pasta was cold”\nTried: replies of the assistant: 1\nMood: upset"`
	HandoffReason  *conversation.HandoffReason `json:"handoff_reason" doc:"Why a person handles the conversation: manual (a person took it), requested (the contact asked for one), complaint, declined (the agent did not know the answer several times in a row), keyword, action (one of the agent's actions did it) or funnel (a step of a funnel did it); null while the agent does." example:"requested"`
	Unread         int64                       `json:"unread" doc:"How many messages the contact wrote since a person last read the conversation or replied." example:"1"`
	Assignee       *int64                      `json:"assignee" doc:"The member who takes care of it, null for nobody." example:"219482112000009"`
	Labels         []string                    `json:"labels" doc:"In the order in which they were set." example:"[\"refund\"]"`
	Preview        string                      `json:"preview" doc:"The beginning of the last message, at most 120 characters on one line." example:"Are you open on Sundays?"`
	WindowEndsAt   *time.Time                  `json:"window_ends_at" doc:"Until when a person may reply freely, by the rules of the channel's platform; null where there is no end, or the contact has not written." example:"2026-03-03T09:30:00Z"`
	LastMessageAt  time.Time                   `json:"last_message_at"`
	CreatedAt      time.Time                   `json:"created_at"`
}

// show converts a stored conversation to its JSON form. Zero times and ids become null.
func show(c conversation.Conversation) Conversation {
	shown := Conversation{
		ID: c.ID, AgentID: c.AgentID, ContactID: c.ContactID, ContactName: c.ContactName,
		Identity: identity.Of(c.Verified, c.Claimed), Claimed: c.Claimed, Status: c.Status,
		Channel:   c.Channel,
		AIEnabled: c.AIEnabled, TakeoverMode: c.TakeoverMode, Priority: c.Priority, Preview: c.Preview,
		LastMessageAt: c.LastMessageAt, CreatedAt: c.CreatedAt, Unread: c.Unread, Labels: c.Labels,
	}
	if !c.WindowEndsAt.IsZero() {
		shown.WindowEndsAt = &c.WindowEndsAt
	}
	if c.Labels == nil {
		shown.Labels = []string{}
	}
	if c.Assignee != 0 {
		shown.Assignee = &c.Assignee
	}
	shown.HandoffSummary = c.HandoffSummary
	if c.HandoffReason != "" {
		shown.HandoffReason = &c.HandoffReason
	}
	return shown
}

func showItem(item table.Item) (Conversation, error) {
	c, err := conversation.Read(item)
	return show(c), err
}

func (s *Service) store() *conversation.Store { return &conversation.Store{Table: s.Table} }

type listIn struct {
	AgentID opt.Value[int64]    `query:"agent_id" doc:"Only conversations of this agent." example:"219482113000001"`
	Status  conversation.Status `query:"status" doc:"Only conversations of this status." example:"open"`
	Search  string              `query:"q" check:"max=200" doc:"Only conversations in which words begin with each of these: names, addresses, labels and messages. Of the latest 1,000 of the list, and the latest 100 messages of each." example:""`
	api.PageIn
}

// list answers a page of the workspace's conversations or of one agent's. A search reads a bounded number of
// the latest conversations, and its count is that of the matches among them.
func (s *Service) list(ctx context.Context, in listIn) (api.List[Conversation], error) {
	filter := conversation.Filter{Status: in.Status}
	if q := search.Parse(in.Search); !q.Empty() {
		return s.search(ctx, in, q)
	}
	if in.AgentID.Set {
		return s.page(ctx, in.AgentID.Value, filter, in.PageIn)
	}
	account := auth.CallerOf(ctx).Account.ID
	listing := api.Listing[Conversation]{Item: showItem}
	listing.Query, listing.Also = filter.OfAccount(account)
	listing.Count, listing.Keep = s.ofAccount(account, in.Status)
	return api.Paginate(ctx, s.Table, in.PageIn, listing)
}

// ofAccount returns the count of a workspace's conversations of a status, and the filter that leaves out
// those of deleted agents.
func (s *Service) ofAccount(account int64, status conversation.Status) (func(context.Context) (int64, error),
	func(table.Item) (bool, error)) {
	count := func(counts counter.Counts) int64 { return conversation.Count(counts, status) }
	return counter.OfAllAgents(s.Table, account, count, func(item table.Item) (int64, error) {
		return conversation.ReadKeyByAccount(item.Index4)
	})
}

type listOfAgentIn struct {
	AgentID  int64               `path:"agent_id"`
	Status   conversation.Status `query:"status" doc:"Only conversations of this status." example:"open"`
	Since    string              `query:"since" check:"format=since" doc:"Only conversations created at this time or later; of a date, from the beginning of the day in UTC. ISO 8601." example:"2026-03-01T00:00:00Z"`
	Until    string              `query:"until" check:"format=until" doc:"Only conversations created at this time or before; of a date, to the end of the day in UTC. ISO 8601." example:"2099-03-31T23:59:59Z"`
	MinScore int                 `query:"lead_score_min" check:"range=0..100" doc:"Only conversations whose contact has at least this lead score." example:"0"`
	api.PageIn
}

// listOfAgent answers a page of an agent's conversations. The ids are time-ordered, so since and until become
// bounds of the keys and cost no filter.
func (s *Service) listOfAgent(ctx context.Context, in listOfAgentIn) (api.List[Conversation], error) {
	filter := conversation.Filter{Status: in.Status, MinScore: in.MinScore}
	if in.Since != "" {
		since, err := time.Parse(time.RFC3339, in.Since)
		if err != nil {
			return api.List[Conversation]{}, err
		}
		// Conversations are created at whole milliseconds, so the bound is rounded up to the next one.
		filter.From = id.First(since.Add(time.Millisecond - time.Nanosecond).Truncate(time.Millisecond))
	}
	if in.Until != "" {
		until, err := time.Parse(time.RFC3339, in.Until)
		if err != nil {
			return api.List[Conversation]{}, err
		}
		filter.To = id.Last(until)
	}
	return s.page(ctx, in.AgentID, filter, in.PageIn)
}

// page answers a page of one agent's conversations.
func (s *Service) page(ctx context.Context, agentID int64, filter conversation.Filter,
	in api.PageIn) (api.List[Conversation], error) {
	account := auth.CallerOf(ctx).Account.ID
	query, also := filter.OfAgent(account, agentID)
	listing := api.Listing[Conversation]{Query: query, Also: also, Item: showItem}
	listing.Count = func(ctx context.Context) (int64, error) {
		// Counters exist per status only. Any other filter is counted by a query.
		if filter != (conversation.Filter{Status: filter.Status}) {
			return filter.Count(ctx, s.Table, account, agentID)
		}
		counts, err := counter.OfAgent(ctx, s.Table, account, agentID)
		return conversation.Count(counts, filter.Status), err
	}
	// The index is ordered by time and its keys carry the score, so Keep needs no further read.
	if filter.MinScore > 0 {
		listing.Keep = filter.Keep
	}
	return api.Paginate(ctx, s.Table, in, listing)
}

type conversationIn struct {
	ID int64 `path:"id"`
}

func (s *Service) read(ctx context.Context, in conversationIn) (Conversation, error) {
	c, err := s.store().Load(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
	return show(c), err
}

type messagesIn struct {
	conversationIn
	api.PageIn
}

// messages lists a conversation's messages. CountMessages refuses a conversation of another workspace.
func (s *Service) messages(ctx context.Context, in messagesIn) (api.List[conversation.Message], error) {
	account := auth.CallerOf(ctx).Account.ID
	messages := conversation.Messages{Table: s.Table}
	return api.Paginate(ctx, messages, in.PageIn, api.Listing[conversation.Message]{
		Query: conversation.All(account, in.ID),
		Count: func(ctx context.Context) (int64, error) {
			return s.store().CountMessages(ctx, account,
				in.ID)
		},
		Item: conversation.ReadMessage,
	})
}

type replyIn struct {
	conversationIn
	Message string `json:"message" check:"required,cut=4000" example:"We kept the table for you."`
}

// reply stores a person's reply and sends it over the conversation's channel. A message that the platform
// rejects is stored as failed before the error is answered.
func (s *Service) reply(ctx context.Context, in replyIn) (conversation.Message, error) {
	sent, err := s.Sender.Reply(ctx, auth.CallerOf(ctx).Account.ID, in.ID, in.Message, author(ctx))
	if err != nil {
		return conversation.Message{}, err
	}
	return sent.Message, sent.Rejected()
}

// resolve also marks the conversation as read, since it needs no more attention.
func (s *Service) resolve(ctx context.Context, in conversationIn) (Conversation, error) {
	return s.change(ctx, in.ID, func(u *message.Unit) {
		u.Resolve()
		u.Conversation.Unread = 0
	})
}

func (s *Service) handOff(ctx context.Context, in conversationIn) (Conversation, error) {
	return s.change(ctx, in.ID, func(u *message.Unit) { u.Conversation.HandOver(conversation.HandoffManual) })
}

func (s *Service) resume(ctx context.Context, in conversationIn) (Conversation, error) {
	return s.change(ctx, in.ID, func(u *message.Unit) { u.Conversation.HandBack() })
}

// change edits a conversation in one transaction with its events and counters; edit may run again after a
// conflict.
func (s *Service) change(ctx context.Context, id int64, edit func(*message.Unit)) (Conversation, error) {
	c, err := s.Sender.Change(ctx, auth.CallerOf(ctx).Account.ID, id, func(u *message.Unit) error {
		edit(u)
		return nil
	})
	return show(c), err
}
