package widget

import (
	"context"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/change"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
	"frontdesk/shared/table"
)

// visible returns the sources that a visitor may see, without ids and without addresses other than https.
func visible(sources []conversation.Source, shown agent.Shown) []conversation.Source {
	var all []conversation.Source
	for _, source := range sources {
		source.DocumentID = 0
		if !strings.HasPrefix(source.URL, "https://") {
			source.URL = ""
		}
		known := slices.Contains(all, source) // several chunks of one document
		if source.Title != "" && !known &&
			(shown == agent.ShowAll || shown == agent.ShowPages && source.URL != "") {
			all = append(all, source)
		}
	}
	return all
}

// session reads a visitor's session. One that the agent has never seen is not found.
func (s *Service) session(ctx context.Context, in embedIn, ref agent.Ref,
	id string) (conversation.Session, error) {
	session, _, err := s.sessionOf(ctx, in, ref, id)
	return session, err
}

// sessionOf reads a visitor's session and its agent in one round trip, and checks that the widget may be
// used.
func (s *Service) sessionOf(ctx context.Context, in embedIn, ref agent.Ref, id string) (
	conversation.Session, agent.Summary, error,
) {
	agentKey, sessionKey := agent.Key(ref.AccountID, ref.AgentID),
		conversation.SessionKey(ref.AccountID, ref.AgentID, id)
	items, err := s.Table.BatchGet(ctx, agentKey, sessionKey)
	if err != nil {
		return conversation.Session{}, agent.Summary{}, err
	}
	if _, ok := items[agentKey]; !ok {
		return conversation.Session{}, agent.Summary{}, fault.NotFound()
	}
	a, err := agent.ReadSummary(items[agentKey])
	if err != nil {
		return conversation.Session{}, agent.Summary{}, err
	}
	if err := in.admit(ctx)(a); err != nil {
		return conversation.Session{}, agent.Summary{}, err
	}
	if _, ok := items[sessionKey]; !ok {
		return conversation.Session{}, agent.Summary{}, fault.NotFound()
	}
	session, err := conversation.ReadSession(items[sessionKey])
	return session, a, err
}

// historyLength is the limit of messages in one history.
const historyLength = 50

type visitorHistoryIn struct {
	embedIn
	SessionID string           `query:"session_id" check:"required,format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	After     opt.Value[int64] `query:"after" check:"range=0..9007199254740991" doc:"Only messages after the one of that id." example:"219482113064962"`
	Before    opt.Value[int64] `query:"before" check:"range=1..9007199254740991" doc:"The last 50 before the one of that id. It goes before after." example:"219482113064962"`
}

// A VisitorHistory is a part of a visitor's session.
type VisitorHistory struct {
	SessionID string                 `json:"session_id" check:"format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	Status    conversation.Status    `json:"status,omitempty" doc:"How the conversation stands. Left out with before, without a conversation, and where more than 50 messages follow." example:"open"`
	Person    bool                   `json:"person,omitempty" doc:"Whether a person of the business answers in the place of the agent; left out as status is." example:"true"`
	Writing   []string               `json:"writing,omitempty" doc:"The names of the people of the business who write at this moment, empty for one without; only with after, and while a person answers." example:"[\"Anna\"]"`
	Messages  []conversation.Message `json:"messages"`
}

// history answers messages of a session: those after one, those before one, or the latest.
func (s *Service) history(ctx context.Context, in visitorHistoryIn) (VisitorHistory, error) {
	ref, err := s.owner(ctx, in.EmbedKey, in.SessionID, reads)
	if err != nil {
		return VisitorHistory{}, err
	}
	var of agent.Summary
	_, items, err := conversation.ReadBySession(ctx, in.SessionID,
		func(ctx context.Context) (session conversation.Session, err error) {
			session, of, err = s.sessionOf(ctx, in.embedIn, ref, in.SessionID)
			return session, err
		}, func(ctx context.Context, id int64) ([]table.Item, error) {
			// Polling for new messages also reads the conversation, whose item follows its messages, and its
			// presences. If more messages follow, neither is read and status is left out.
			if in.After.Set && !in.Before.Set {
				page, err := conversation.Messages{Table: s.Table}.Query(ctx,
					conversation.SinceWithPresence(ref.AccountID, id, in.After.Value, historyLength))
				items := page.Items
				if len(items) > historyLength && !slices.ContainsFunc(items, func(item table.Item) bool {
					return conversation.IsKey(item.Key)
				}) {
					items = items[:historyLength]
				}
				return items, err
			}
			query := conversation.Latest(ref.AccountID, id, historyLength, true)
			if in.Before.Set {
				query = conversation.Before(ref.AccountID, id, in.Before.Value, historyLength)
			}
			page, err := conversation.Messages{Table: s.Table}.Query(ctx, query)
			slices.Reverse(page.Items)
			return page.Items, err
		})
	if err != nil {
		return VisitorHistory{}, err
	}
	h := VisitorHistory{SessionID: in.SessionID, Messages: []conversation.Message{}}
	return h, h.read(items, of.Box().ShowSources, s.Now())
}

// read adds messages to the history and, if they are among the items, the conversation's status and the
// members who are typing.
func (h *VisitorHistory) read(items []table.Item, shown agent.Shown, now time.Time) error {
	for _, item := range items {
		if conversation.IsPresence(item.Key) {
			p, err := change.ReadPresence(item)
			if err != nil {
				return err
			}
			if h.Person && !p.Visitor && p.Writing(now) > 0 {
				h.Writing = append(h.Writing, p.Name)
			}
			continue
		}
		if conversation.IsKey(item.Key) {
			c, err := conversation.Read(item)
			if err != nil {
				return err
			}
			h.Status, h.Person = c.Status, !c.AnsweredByAI()
			continue
		}
		message, err := conversation.ReadMessage(item)
		if err != nil {
			return err
		}
		message.Sources = visible(message.Sources, shown)
		h.Messages = append(h.Messages, message)
	}
	return nil
}
