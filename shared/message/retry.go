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

// pause returns how long to wait after a number of attempts: 30 seconds after the first, a minute after the
// second, and twice as long each time, up to the longest delay of a queue and to the end of the time that is
// left.
func pause(attempts int, left time.Duration) time.Duration {
	wait := queue.MaxDelay
	if attempts <= 5 {
		wait = conversation.FirstRetry << (attempts - 1)
	}
	return max(conversation.FirstRetry, min(wait, left))
}

// Retry processes an event of the kind event.MessageQueued. If the message is still queued and no attempt was
// begun after that of the event, it makes the next attempt. Before the attempt it puts the event of the
// following one on the queue of jobs, which finds nothing to do if this one succeeds. So a duplicate event
// does nothing, and a process that is killed at any point leaves an event that continues.
//
// An attempt that is still recorded as under way was interrupted. The message is retried if it has time left;
// otherwise, as with Request.Retry 0, it has failed. In both cases its StatusDetail says that the platform
// may have accepted it.
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
	m.Sending.Unclear = m.Sending.Unclear || m.Sending.InFlight
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
	// errGone reports that the agent or the conversation of a message was deleted.
	errGone = errors.New("message: what the message belongs to is gone")
	// errForbidden reports that a message may not be sent any more.
	errForbidden = errors.New("message: the message may not be sent any more")
)

// retrier reads what sending a message again needs. It returns errGone, or errForbidden if the contact has
// opted out or the agent is no longer connected.
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
