package message

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// A Sender sends messages over the platforms of channels. It is safe for concurrent use.
//
// A message is stored together with an event before the platform is called, and its outcome afterwards. So no
// message is lost: wherever a process is killed, the queue of jobs gets the event, and finds out from the
// stored message whether it is still to be sent.
//
// If the platform's response was lost, or the process was killed before it recorded it, the platform may or
// may not have accepted the message. Such a message is retried while it has time left, so it may be sent
// twice; after that its status is failed although it may have been sent. StatusDetail says so in both cases.
type Sender struct {
	Store
	Secrets *secret.Keys
	Log     *slog.Logger
}

// A Sent message is a stored message with the result of the first attempt to send it. Its status is sent,
// queued or failed; Refusal says why it was not sent, and is nil if it was.
type Sent struct {
	Message conversation.Message
	Refusal *channel.Error
}

// Rejected returns the error of the API if the platform rejected the message permanently, and nil otherwise.
func (s Sent) Rejected() error {
	if s.Refusal == nil || s.Refusal.Retry() {
		return nil
	}
	return fault.New(fault.ServerError, "%s", s.Refusal.Detail)
}

// An attempt is what one attempt to send a message needs.
type attempt struct {
	provider      channel.Provider
	channel       channel.Channel
	connection    channel.Connection
	subscriptions event.Subscriptions
	contact       contact.Contact
	conversation  conversation.Conversation
	address       conversation.Address
	business      string
}

// attempt decrypts the credentials of the channel that sends a unit's message. The channel must be live.
func (s *Sender) attempt(ctx context.Context, u *Unit, ch channel.Channel) (attempt, error) {
	provider, ok := s.Channels.Provider(ch.Type)
	if !ok {
		return attempt{}, notConnected(u.Conversation.Channel)
	}
	connection, err := ch.Open(ctx, s.Secrets, u.account, u.Conversation.AgentID, "")
	return attempt{provider, ch, connection, u.Subscriptions, u.Contact, u.Conversation, u.Address,
		u.business}, err
}

// message returns what the platform is sent at a time.
func (a attempt) message(m conversation.Message, now time.Time) channel.Message {
	last, window := a.address.LastInboundAt, a.provider.Info().Window
	out := channel.Message{
		Ref: channel.NewRef(m.ID, 0), To: m.Sending.To, Text: m.Content, ByPerson: m.Sending.ByPerson,
		FromName:    a.business,
		AfterWindow: window > 0 && !last.IsZero() && now.Sub(last) >= window,
		Unprompted:  !m.Sending.Reply && !m.Sending.ByPerson,
	}
	for _, c := range m.Choices {
		out.Choices = append(out.Choices, channel.Choice(c))
	}
	if m.Sending.Channel == conversation.Email {
		mail := a.conversation.Mail
		out.Thread = &channel.Thread{
			Conversation: m.ConversationID, Subject: mail.Subject, InReplyTo: mail.MessageID,
			References: strings.Fields(mail.References),
		}
	}
	if t := m.Sending.Template; t != nil {
		out.Text, out.Template = "", &channel.Template{Name: t.Name, Language: t.Language, Params: t.Params}
	}
	return out
}

// sent returns the event of a message that the platform accepted.
func (a attempt) sent(m conversation.Message) event.Event {
	e := a.conversation.MessageEvent(m)
	e.Contact, e.ContactPhone = a.contact.ForConditions(), a.contact.Phone
	e.Action, e.Intent, e.Confidence = m.Sending.Action, m.Sending.Intent, m.Sending.Confidence
	e.ByAction = m.Sending.ByAction
	return e
}

// first makes the first attempt to send a message that was just stored. If its outcome cannot be recorded, it
// is logged and left to the queue of jobs.
func (s *Sender) first(
	ctx context.Context, account int64, a attempt, m conversation.Message, final bool,
) Sent {
	after, refusal, err := s.send(ctx, account, a, m, table.VersionOf(m.ID), final)
	if err != nil {
		s.Log.LogAttrs(ctx, slog.LevelError, "the outcome of a send could not be noted",
			slog.Int64("account", account), slog.Int64("message", m.ID), slog.String("error", err.Error()))
	}
	return Sent{after, refusal}
}

// send makes an attempt that is recorded as begun, and records its outcome. If the platform cannot accept the
// message for the moment, it is retried unless final is set. The refusal is nil if the message was accepted.
func (s *Sender) send(
	ctx context.Context, account int64, a attempt, m conversation.Message, version int64, final bool,
) (conversation.Message, *channel.Error, error) {
	// The outcome is recorded even if the caller has gone away.
	ctx = context.WithoutCancel(ctx)
	receipt, err := channel.Deliver(ctx, a.provider, a.connection, a.message(m, s.Now()))
	var refusal *channel.Error
	switch {
	case err == nil:
		e := a.sent(m)
		e.At = s.New(account).Now()
		published, err := event.Publish(s.IDs, account, a.subscriptions, e)
		if err != nil {
			return m, nil, err
		}
		accepted := Outcome{
			Status: conversation.Sent, ProviderID: receipt.ID, Segments: receipt.Segments,
		}
		if m.Sending.Unclear {
			accepted.Detail = name(m.Sending.Channel) + sentTwice
		}
		m, err = s.SetStatus(ctx, account, m, version, accepted, published...)
		return m, nil, err
	case !errors.As(err, &refusal):
		return m, nil, err
	}
	s.Log.LogAttrs(ctx, slog.LevelWarn, "message not accepted",
		slog.Int64("account", account), slog.Int64("agent", m.AgentID),
		slog.Int64("conversation", m.ConversationID), slog.Int64("message", m.ID),
		slog.Int("attempt", m.Sending.Attempts), slog.String("class", string(refusal.Class)),
		slog.String("error", refusal.Error()))
	if refusal.Class == channel.Reconnect {
		s.recordRefusal(ctx, account, m.AgentID, a.channel, refusal.Detail)
	}
	if refusal.Retry() && !final {
		err := s.postpone(ctx, account, m, version, refusal.Class == channel.Unclear)
		if table.IsConditionError(err) { // a concurrent caller handled it
			err = nil
		}
		return m, refusal, err
	}
	m, err = s.fail(ctx, account, m, version, refusal.Detail)
	return m, refusal, err
}

// recordRefusal records that the platform refused the credentials of a channel, which must be connected
// again. A channel that was changed since it was read is left unchanged, because its credentials may be new.
// An error is only logged: the outcome of the message must be recorded in any case.
func (s *Sender) recordRefusal(
	ctx context.Context, account, agentID int64, ch channel.Channel, detail string,
) {
	writes, err := ch.Refused(s.IDs, account, agentID, s.Now(), detail)
	if err == nil && len(writes) > 0 {
		err = s.Table.Transact(ctx, writes...)
	}
	if err != nil && !table.IsConditionError(err) {
		s.Log.LogAttrs(ctx, slog.LevelError, "a refused credential could not be noted",
			slog.Int64("account", account), slog.String("error", err.Error()))
	}
}

// fail records that a message will not be retried, and why. m contains what is known of its attempts.
func (s *Sender) fail(
	ctx context.Context, account int64, m conversation.Message, version int64, why string,
) (conversation.Message, error) {
	if m.Sending.Unclear {
		why += " " + name(m.Sending.Channel) + sentOnce
	}
	return s.SetStatus(ctx, account, m, version, Outcome{Status: conversation.Failed, Detail: why})
}

// What StatusDetail says, after the platform's name, of a message that had an attempt with an unknown
// outcome.
const (
	sentTwice = " may have taken the message twice: an attempt before was cut off or had no answer."
	sentOnce  = " may have taken the message all the same: an attempt before was cut off or had no answer."
)
