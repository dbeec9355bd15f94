package courier

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// pause is how long a message waits after so many attempts: 30 seconds, a minute, and twice as long each time, but no
// longer than a queue can wait, and not past the end of the time that it has.
func pause(attempts int, left time.Duration) time.Duration {
	wait := queue.MaxDelay
	if attempts <= 5 {
		wait = conversation.FirstRetry << (attempts - 1)
	}
	return max(conversation.FirstRetry, min(wait, left))
}

// Retry looks at a message again, as an event of the kind event.MessageQueued asks for: where it is still queued, and no
// attempt was begun beyond those of the event, it makes the next. Before that it puts the event of the following one on
// the outbound queue, to be found settled where there is nothing left to do. So of events that come twice one does the
// work, and wherever a process ends, an event is left that goes on. An attempt that is still noted as under way was cut
// off: the message is tried again where it has time left, and has failed where it has none, as the one of Order.Retry 0;
// in either case its StatusDetail says that WhatsApp may have taken it.
func (c *Courier) Retry(ctx context.Context, outbound queue.Sender, e event.Event) error {
	item, err := c.Table.Get(ctx, conversation.MessageKey(e.AccountID, e.ConversationID, e.MessageID))
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
	from, err := c.sender(ctx, e.AccountID, m)
	now := c.now()
	switch {
	case errors.Is(err, errGone):
		return nil
	case errors.Is(err, errForbidden):
		_, err := c.fail(ctx, e.AccountID, m, item.Version, "The contact wants no messages any more, or the agent is not connected to WhatsApp.")
		return err
	case err == nil && !now.Before(m.Sending.Until):
		_, err := c.fail(ctx, e.AccountID, m, item.Version, "The time in which the message was to be sent is over.")
		return err
	case err != nil:
		return err
	}
	e.Attempt++
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := outbound.Send(ctx, queue.Outgoing{Body: string(body), Delay: pause(e.Attempt, m.Sending.Until.Sub(now))}); err != nil {
		return err
	}
	m, version, err := c.messages().Claim(ctx, e.AccountID, m, item.Version)
	if table.IsFailed(err) {
		return nil
	}
	if err != nil {
		return err
	}
	_, _, err = c.carry(ctx, e.AccountID, from, m, version, false)
	return err
}

var (
	// errGone says that the agent or the conversation of a message was deleted.
	errGone = errors.New("courier: what the message belongs to is gone")
	// errForbidden says that a message may not be sent any more.
	errForbidden = errors.New("courier: the message may not be sent any more")
)

// sender is whom a message is sent for, if that may still be done: the agent is connected, and the contact has not opted
// out.
func (c *Courier) sender(ctx context.Context, account int64, m conversation.Message) (sender, error) {
	agentKey := agent.Key(account, m.AgentID)
	conversationKey := conversation.Key(account, m.ConversationID)
	channelKey := channel.Key(account, m.AgentID, string(m.Sending.Channel))
	items, err := c.Table.BatchGet(ctx, agentKey, conversationKey, channelKey)
	if err != nil {
		return sender{}, err
	}
	talk, ok := items[conversationKey]
	summary, exists := items[agentKey]
	if !exists || !ok {
		return sender{}, errGone
	}
	item, ok := items[channelKey]
	if !ok {
		return sender{}, errForbidden
	}
	ch, err := channel.Read(item)
	if err != nil {
		return sender{}, err
	}
	in, err := conversation.Read(talk)
	if err != nil {
		return sender{}, err
	}
	item, err = c.Table.Get(ctx, contact.Key(account, in.ContactID))
	if errors.Is(err, table.ErrNotFound) {
		return sender{}, errForbidden
	}
	if err != nil {
		return sender{}, err
	}
	to, err := contact.Read(item)
	if err != nil {
		return sender{}, err
	}
	if !to.OptedIn && !m.Sending.Reply || !ch.Live() {
		return sender{}, errForbidden
	}
	number, err := c.number(ctx, ch)
	return sender{number, event.SubscriptionsOf(summary.Numbers), to, in}, err
}
