package inbox

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/inbox"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

const (
	// echoTime is the maximum delay of an echo after its message.
	echoTime = 10 * time.Minute
	// echoed is the number of latest messages that an echo is compared with.
	echoed = 10
)

// echo stores a message that a person of the business wrote in the platform's own app. The agent stays
// silent from then on until the conversation is handed back. If no conversation with the contact is open,
// one begins with this message.
func (s *Service) echo(ctx context.Context, lane inbox.Lane, entry inbox.Entry) error {
	own := conversation.MessageKeyByProviderID(lane.AccountID, lane.AgentID, string(lane.Channel),
		entry.MessageID)
	page, err := s.Table.Query(ctx, table.Query{Index: table.Index2, PK: own.PK, Limit: 1})
	if err != nil || len(page.Items) > 0 {
		return err // it was sent by this service
	}
	known, _, err := s.address(ctx, lane, entry.From)
	if err != nil {
		return err
	}
	if known.ConversationID != 0 {
		if ours, err := s.sentByUs(ctx, lane, known.ConversationID, entry); err != nil || ours {
			return err
		}
	}
	return table.Retry(ctx, func() error {
		u, err := s.open(ctx, lane, known.ConversationID)
		if err == nil && u == nil {
			u, err = s.begin(ctx, lane, entry)
		}
		if err != nil || u == nil {
			return err
		}
		u.Conversation.HandOver(conversation.HandoffManual)
		u.Echo(part(entry.Update), entry.MessageID)
		return u.Commit(ctx)
	})
}

// open loads the open conversation with a person, nil if there is none.
func (s *Service) open(ctx context.Context, lane inbox.Lane, id int64) (*message.Unit, error) {
	if id == 0 {
		return nil, nil
	}
	u, err := s.Sender.Load(ctx, lane.AccountID, id)
	if errors.Is(err, conversation.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	idle := s.Channels.Info(lane.Channel).Idle
	if u.Conversation.Ended() || idle > 0 && u.Now().Sub(u.Conversation.LastMessageAt) >= idle {
		return nil, nil
	}
	return u, nil
}

// begin begins a conversation with the recipient of an echo, and creates the contact if needed. It returns
// nil if the echo cannot begin one, such as a reaction, and if the agent was deleted.
func (s *Service) begin(ctx context.Context, lane inbox.Lane, entry inbox.Entry) (*message.Unit, error) {
	switch entry.Type {
	case channel.ReactionMessage, channel.EditedMessage, channel.DeletedMessage:
		return nil, nil
	}
	agentKey := agent.Key(lane.AccountID, lane.AgentID)
	keys := []table.Key{agentKey, keyOf(lane, entry.From.Address)}
	for _, alias := range entry.From.Aliases {
		keys = append(keys, keyOf(lane, alias))
	}
	items, err := s.Table.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	summary, ok := items[agentKey]
	if !ok {
		return nil, nil
	}
	u := s.Sender.New(lane.AccountID)
	u.Subscriptions = event.SubscriptionsOf(summary.Numbers)
	if item, ok := items[keys[1]]; ok {
		if err := u.ReadAddress(item); err != nil {
			return nil, err
		}
	}
	if err := s.readContact(ctx, u, lane, entry.From); err != nil {
		return nil, err
	}
	u.Begin(lane.AgentID, conversation.Channel(lane.Channel), entry.From.Address)
	u.Add(table.Check(agentKey))
	for _, key := range keys[2:] {
		item, err := u.Address.Item(key, items[key].Version)
		if err != nil {
			return nil, err
		}
		u.Add(table.PutAsRead(item))
	}
	return u, nil
}

// readContact sets the contact of a person in a unit: the one with one of their addresses or their phone
// number, or else a new one.
func (s *Service) readContact(
	ctx context.Context, u *message.Unit, lane inbox.Lane, from channel.Person,
) error {
	known, _, err := s.address(ctx, lane, from)
	if err != nil {
		return err
	}
	c := contact.New(s.IDs.Next(), lane.AgentID, u.Now())
	c.Name = from.Name
	item, err := s.Table.Get(ctx, contact.Key(lane.AccountID, known.ContactID))
	if errors.Is(err, table.ErrNotFound) && from.Phone != "" { // it may be known from another channel
		c.Phone = from.Phone
		contacts := &contact.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
		if c, _, err = contacts.Upsert(ctx, lane.AccountID, c); err != nil {
			return err
		}
		item, err = s.Table.Get(ctx, contact.Key(lane.AccountID, c.ID))
	}
	if errors.Is(err, table.ErrNotFound) {
		u.SetNewContact(c)
		return nil
	}
	if err != nil {
		return err
	}
	return u.ReadContact(item)
}

// sentByUs reports whether an echo is of a message that this service sent although its id is unknown: the
// echo arrived before the response to the send was stored, the response was lost, or the message is one part
// of a long one. Not every platform returns our reference, so texts are compared. If the response was lost,
// the message is recorded as sent.
func (s *Service) sentByUs(
	ctx context.Context, lane inbox.Lane, conversationID int64, entry inbox.Entry,
) (bool, error) {
	page, err := s.Table.Query(ctx, conversation.Latest(lane.AccountID, conversationID, echoed, false))
	if err != nil {
		return false, err
	}
	limit, text := s.Channels.Info(lane.Channel).Text, strings.TrimSpace(entry.Text)
	for _, item := range page.Items {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			return false, err
		}
		if m.Sending == nil || s.Now().Sub(m.CreatedAt) > echoTime {
			continue
		}
		parts := channel.Split(limit, m.Content)
		known := m.Sending.ProviderID != "" && len(parts) == 1
		switch {
		case m.Sending.ProviderID == entry.MessageID:
			return true, nil
		case known || !slices.Contains(parts, text):
			continue
		case len(parts) == 1 && !m.Sending.InFlight:
			accepted := entry.Update
			accepted.Status = channel.Accepted
			return true, s.forward(ctx, lane, m, accepted)
		}
		return true, nil
	}
	return false, nil
}
