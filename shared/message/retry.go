package message

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// pause is how long a message waits after so many attempts: 30 seconds, a minute, and twice as long each
// time, but no longer than a queue can wait, and not past the end of the time that it has.
func pause(attempts int, left time.Duration) time.Duration {
	wait := queue.MaxDelay
	if attempts <= 5 {
		wait = conversation.FirstRetry << (attempts - 1)
	}
	return max(conversation.FirstRetry, min(wait, left))
}

// Retry looks at a message again, as an event of the kind event.MessageQueued asks for: where it is still
// queued, and no attempt was begun beyond those of the event, it makes the next. Before that it puts the
// event of the following one on the queue of jobs, which finds nothing left to do where this one succeeds.
// So of events that come twice one does the work, and wherever a process ends, an event is left that goes on.
// An attempt that is still noted as under way was cut off: the message is tried again where it has time left,
// and has failed where it has none, as the one of Request.Retry 0; in either case its StatusDetail says that
// the platform may have taken it.
func (s *Sender) Retry(ctx context.Context, outbound queue.Sender, e event.Event) error {
	item, err := s.Table.Get(ctx, conversation.MessageKey(e.AccountID, e.ConversationID, e.MessageID))
	if errors.Is(err, table.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	m, err := conversation.ReadMessage(item)
	if err != nil {
		return err
	}
	if m.Status != conversation.Queued || m.Sending.Attempts != e.Attempt {
		return nil
	}
	m.Sending.Unclear = m.Sending.Unclear || m.Sending.UnderWay
	by, err := s.retrier(ctx, e.AccountID, m)
	now := s.New(e.AccountID).Now()
	switch {
	case errors.Is(err, errGone):
		return nil
	case errors.Is(err, errForbidden):
		_, err := s.fail(ctx, e.AccountID, m, item.Version, "The contact wants no messages any more, "+
			"or the agent is not connected to "+name(m.Sending.Channel)+".")
		return err
	case err == nil && !now.Before(m.Sending.Until):
		_, err := s.fail(ctx, e.AccountID, m, item.Version,
			"The time in which the message was to be sent is over.")
		return err
	case err != nil:
		return err
	}
	e.Attempt++
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	next := queue.Outgoing{Body: string(body), Delay: pause(e.Attempt, m.Sending.Until.Sub(now))}
	if err := outbound.Send(ctx, next); err != nil {
		return err
	}
	m, version, err := s.claim(ctx, e.AccountID, m, item.Version)
	if table.IsConditionError(err) {
		return nil
	}
	if err != nil {
		return err
	}
	_, _, err = s.send(ctx, e.AccountID, by, m, version, false)
	return err
}

var (
	// errGone says that the agent or the conversation of a message was deleted.
	errGone = errors.New("message: what the message belongs to is gone")
	// errForbidden says that a message may not be sent any more.
	errForbidden = errors.New("message: the message may not be sent any more")
)

// retrier is what a message is sent by, if that may still be done: the agent is connected, and the contact
// has not opted out.
func (s *Sender) retrier(ctx context.Context, account int64, m conversation.Message) (attempt, error) {
	agentKey, conversationKey := agent.Key(account, m.AgentID), conversation.Key(account, m.ConversationID)
	channelKey := channel.Key(account, m.AgentID, string(m.Sending.Channel))
	items, err := s.Table.BatchGet(ctx, agentKey, conversationKey, channelKey)
	if err != nil {
		return attempt{}, err
	}
	summary, exists := items[agentKey]
	talk, ok := items[conversationKey]
	if !exists || !ok {
		return attempt{}, errGone
	}
	ch, err := readChannel(items, channelKey)
	if err != nil {
		return attempt{}, err
	}
	u := s.New(account)
	if err := u.ReadConversation(talk); err != nil {
		return attempt{}, err
	}
	if _, err := u.readContact(ctx); err != nil {
		return attempt{}, err
	}
	if u.contactBefore == nil || !u.Contact.OptedIn && !m.Sending.Reply || !ch.Live() {
		return attempt{}, errForbidden
	}
	if err := u.readAgent(summary); err != nil {
		return attempt{}, err
	}
	return s.attempt(ctx, u, ch)
}
