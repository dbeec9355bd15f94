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

// A Sender sends messages by the platforms of channels. It is safe for concurrent use.
//
// A message is stored before a platform is called, together with an event, and afterwards what became of it.
// So none gets lost: wherever a process ends, the queue of jobs hears of the message and finds out from what
// is stored whether it is still to be sent.
//
// Where the platform's answer got lost, or the process died before it had noted it, nobody knows whether the
// platform took the message. Such a message is tried again as long as it has time, so it may be sent twice;
// when its time is over it has failed, though it may have been sent. Its StatusDetail says either.
type Sender struct {
	Store
	Secrets *secret.Keys
	Log     *slog.Logger
}

// A Sent message is one that was stored, with what became of the first attempt to send it: its status is
// sent, queued or failed, and the refusal says why it is not sent.
type Sent struct {
	Message conversation.Message
	Refusal *channel.Error
}

// Rejected is the error of the API where the platform rejected the message for good, nil otherwise.
func (s Sent) Rejected() error {
	if s.Refusal == nil || s.Refusal.Retry() {
		return nil
	}
	return fault.New(fault.ServerError, "%s", s.Refusal.Detail)
}

// An attempt is what it takes to send a message.
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

// attempt opens what a unit's message is sent by. Its channel must be live.
func (s *Sender) attempt(ctx context.Context, u *Unit, ch channel.Channel) (attempt, error) {
	provider, ok := s.Channels.Provider(ch.Type)
	if !ok {
		return attempt{}, notConnected(u.Conversation.Channel)
	}
	connection, err := ch.Open(ctx, s.Secrets, u.account, u.Conversation.AgentID, "")
	return attempt{provider, ch, connection, u.Subscriptions, u.Contact, u.Conversation, u.Address,
		u.business}, err
}

// message is what the platform gets at a time.
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

// sent is the event of a message that was accepted.
func (a attempt) sent(m conversation.Message) event.Event {
	e := a.conversation.MessageEvent(m)
	e.Contact, e.ContactPhone = a.contact.ForConditions(), a.contact.Phone
	e.Action, e.Intent, e.Confidence = m.Sending.Action, m.Sending.Intent, m.Sending.Confidence
	e.ByAction = m.Sending.ByAction
	return e
}

// first makes the first attempt to send a message that was just stored. What cannot be noted of it is logged,
// and left to the queue of jobs.
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

// send makes an attempt that was noted, and notes what became of it. Where the platform could not take the
// message for the moment, final says whether it is given up. The refusal is nil where the message was
// accepted.
func (s *Sender) send(
	ctx context.Context, account int64, a attempt, m conversation.Message, version int64, final bool,
) (conversation.Message, *channel.Error, error) {
	// The caller may go away; what was begun is brought to an end all the same.
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
		s.noteRefused(ctx, account, m.AgentID, a.channel, refusal.Detail)
	}
	if refusal.Retry() && !final {
		err := s.putOff(ctx, account, m, version, refusal.Class == channel.Unclear)
		if table.IsConditionError(err) { // whoever changed it saw to it
			err = nil
		}
		return m, refusal, err
	}
	m, err = s.fail(ctx, account, m, version, refusal.Detail)
	return m, refusal, err
}

// noteRefused notes that the platform does not accept the credentials of a channel, which has to be connected
// again. A channel that was changed since it was read stays as it is: its credentials may be others. An error
// is only logged, so that the outcome of the message is noted all the same.
func (s *Sender) noteRefused(
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

// fail notes that a message will not be tried again, and why. What is known of its attempts is in m.
func (s *Sender) fail(
	ctx context.Context, account int64, m conversation.Message, version int64, why string,
) (conversation.Message, error) {
	if m.Sending.Unclear {
		why += " " + name(m.Sending.Channel) + sentOnce
	}
	return s.SetStatus(ctx, account, m, version, Outcome{Status: conversation.Failed, Detail: why})
}

// What is said beside the status of a message of which an attempt before the last was unclear, behind the
// platform's name.
const (
	sentTwice = " may have taken the message twice: an attempt before was cut off or had no answer."
	sentOnce  = " may have taken the message all the same: an attempt before was cut off or had no answer."
)
