// Package courier carries messages out of the service, to the platforms of the channels that contacts are on.
//
// A message is stored before a platform is called, together with an event of the outbox, and what became of it
// afterwards. So none gets lost: whatever ends a process, the outbound queue hears of the message and finds out from what
// is stored whether it is still to be sent.
//
// Where the platform's answer got lost, or the process died before it had noted it, nobody knows whether the platform took
// the message. Such a message is tried again as long as it has time, so it may be sent twice; when its time is over it has
// failed, though it may have been sent. Either is told by its StatusDetail, and never by its status alone.
package courier

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/whatsapp"
)

// A Courier sends messages. It is safe for concurrent use.
type Courier struct {
	Table    table.Table
	Now      func() time.Time
	IDs      *id.Source
	Secrets  *secret.Keys
	WhatsApp *whatsapp.Client
	Log      *slog.Logger
}

func (c *Courier) now() time.Time { return c.Now().UTC().Truncate(time.Millisecond) }

func (c *Courier) messages() *conversation.Store {
	return &conversation.Store{Table: c.Table, Now: c.Now, IDs: c.IDs}
}

// number is what it takes to send by an agent's WhatsApp channel.
func (c *Courier) number(ctx context.Context, ch channel.Channel) (whatsapp.Number, error) {
	token, err := ch.Secret(ctx, c.Secrets, channel.AccessToken)
	return whatsapp.Number{ID: ch.Text(channel.PhoneNumberID), Token: token}, err
}

// A sender is whom a message is sent for.
type sender struct {
	number        whatsapp.Number
	subscriptions event.Subscriptions
	contact       contact.Contact
	conversation  conversation.Conversation
}

// sent is the event of a message that was accepted.
func (f sender) sent(m conversation.Message, at time.Time) event.Event {
	e := f.conversation.MessageEvent(m)
	e.At, e.Contact, e.ContactPhone = at, f.contact.ForConditions(), f.contact.Phone
	e.Action, e.Intent, e.ByAction = m.Sending.Action, m.Sending.Intent, m.Sending.ByAction
	return e
}

// carry makes an attempt that was noted, and notes what became of it. Where the platform could not take the message for
// the moment, final says whether it is given up. The refusal is nil where the message was accepted.
func (c *Courier) carry(ctx context.Context, account int64, from sender, m conversation.Message, version int64, final bool) (conversation.Message, *whatsapp.Error, error) {
	// Whoever asked for it may go away; what was begun is brought to an end all the same.
	ctx = context.WithoutCancel(ctx)
	out := whatsapp.Message{To: m.Sending.To, Text: m.Content}
	if t := m.Sending.Template; t != nil {
		out.Text, out.Template = "", &whatsapp.Template{Name: t.Name, Language: t.Language, Params: t.Params}
	}
	id, err := c.WhatsApp.Send(ctx, from.number, out)
	var refusal *whatsapp.Error
	switch {
	case err == nil:
		published, err := event.Publish(c.IDs, account, from.subscriptions, from.sent(m, c.now()))
		if err != nil {
			return m, nil, err
		}
		accepted := conversation.Outcome{Status: conversation.Sent, ProviderID: id}
		if m.Sending.Unclear {
			accepted.Detail = sentTwice
		}
		m, err = c.messages().Settle(ctx, account, m, version, accepted, published...)
		return m, nil, err
	case !errors.As(err, &refusal):
		return m, nil, err
	}
	c.Log.LogAttrs(ctx, slog.LevelWarn, "message not accepted",
		slog.Int64("account", account), slog.Int64("agent", m.AgentID), slog.Int64("conversation", m.ConversationID),
		slog.Int64("message", m.ID), slog.Int("attempt", m.Sending.Attempts), slog.Bool("transient", refusal.Transient),
		slog.String("error", refusal.Error()))
	if refusal.Transient && !final {
		err := c.messages().PutOff(ctx, account, m, version, refusal.Unclear)
		if table.IsFailed(err) { // whoever changed it saw to it
			err = nil
		}
		return m, refusal, err
	}
	m, err = c.fail(ctx, account, m, version, refusal.Detail)
	return m, refusal, err
}

// fail notes that a message will not be tried again, and why. What is known of its attempts is in m.
func (c *Courier) fail(ctx context.Context, account int64, m conversation.Message, version int64, why string) (conversation.Message, error) {
	if m.Sending.Unclear {
		why += " " + sentOnce
	}
	return c.messages().Settle(ctx, account, m, version, conversation.Outcome{Status: conversation.Failed, Detail: why})
}

// What is said beside the status of a message of which an attempt before the last was unclear.
const (
	sentTwice = "WhatsApp may have taken the message twice: an attempt before was cut off or had no answer."
	sentOnce  = "WhatsApp may have taken the message all the same: an attempt before was cut off or had no answer."
)
