package inbox

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/assistant"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/inbox"
	"frontdesk/shared/message"
)

// answer passes messages of one person to the agent and sends the reply. One transaction stores the
// messages, removes them from the lane, and stores the reply with an event from which it is sent even if
// this worker ends first. So the messages are answered once.
func (s *Service) answer(ctx context.Context, lane inbox.Lane, group []inbox.Entry) error {
	info := s.Channels.Info(lane.Channel)
	latest := group[len(group)-1]
	in := assistant.Message{
		AccountID: lane.AccountID, AgentID: lane.AgentID, Channel: conversation.Channel(lane.Channel),
		Sender: &assistant.Sender{
			Address: latest.From.Address, Aliases: latest.From.Aliases, Idle: info.Idle,
			Window: max(info.Window, info.HumanWindow),
		},
		Contact: assistant.Identity{
			Name: latest.From.Name, Email: cmp.Or(latest.From.Email, latest.From.Claimed),
			Phone: latest.From.Phone,
		},
		Proved: latest.From.Claimed == "", Silent: true, NeedsWords: true,
	}
	if err := s.thread(ctx, lane, latest, in.Sender); err != nil {
		return err
	}
	in.Text = gather(&in, group, s.Now())
	if latest.Mail != nil && !in.Silent {
		answered, err := s.Inbox.Count(ctx, lane)
		if err != nil {
			return err
		}
		in.Silent = answered > mailsPerHour
	}
	if !in.Silent {
		defer s.mark(ctx, lane, latest)()
	}
	answer, err := s.Assistant.Turn(ctx, in)
	var refusal *fault.Error
	switch {
	case errors.Is(err, agent.ErrNotFound):
		return s.drop(ctx, group)
	case errors.As(err, &refusal) && answer.ConversationID != 0: // stored, but not answered
		s.Log.LogAttrs(ctx, slog.LevelWarn, "inbound message not answered", slog.Int64("account",
			lane.AccountID),
			slog.Int64("agent", lane.AgentID), slog.Int64("conversation",
				answer.ConversationID), slog.String("error", err.Error()))
		return nil
	case err != nil:
		return err
	case answer.MessageID == nil:
		return nil
	}
	return s.Sender.Retry(ctx, s.Outbound, event.Event{
		Kind: event.MessageQueued, At: s.Now(), AccountID: lane.AccountID, AgentID: lane.AgentID,
		ConversationID: answer.ConversationID, MessageID: *answer.MessageID,
	})
}

// drop removes messages from the lane of a deleted agent.
func (s *Service) drop(ctx context.Context, group []inbox.Entry) error {
	for _, entry := range group {
		if err := s.Inbox.Remove(ctx, entry); err != nil {
			return err
		}
	}
	return nil
}

// gather combines the messages of a group into the one message that is answered, and returns their texts.
func gather(in *assistant.Message, group []inbox.Entry, now time.Time) string {
	var texts, pressed []string
	for _, entry := range group {
		at := entry.At
		if at.IsZero() || at.After(now) {
			at = entry.ReceivedAt
		}
		if at.After(in.Sender.WroteAt) {
			in.Sender.WroteAt = at
		}
		in.Parts = append(in.Parts, part(entry.Update))
		in.With = append(in.With, entry.Done())
		if from := entry.Source; from != nil && in.Source == (contact.Referral{}) {
			in.Source = contact.Referral{Type: from.Type, ID: from.ID, URL: from.URL, Headline: from.Headline}
		}
		in.Silent = in.Silent && entry.Silent
		in.NeedsWords = in.NeedsWords && (entry.NeedsWords || entry.Silent)
		if !entry.Silent && !entry.NeedsWords {
			texts, pressed = append(texts, words(entry.Update)), append(pressed, entry.Choice)
		}
	}
	if len(texts) == 1 {
		in.Choice = pressed[0]
	}
	in.NeedsWords = in.NeedsWords && !in.Silent
	return strings.Join(texts, "\n")
}

// part returns a message as it is stored.
func part(u channel.Update) message.Part {
	p := message.Part{Kind: conversation.Kind(u.Type), Content: content(u)}
	for _, a := range u.Attachments {
		p.Attachments = append(p.Attachments, conversation.Attachment{
			Type: conversation.Kind(a.Type), Name: a.Name, ContentType: a.ContentType,
		})
		p.Files = append(p.Files, conversation.File{ID: a.ID, URL: a.URL})
	}
	if u.Mail != nil {
		p.Subject, p.ProviderID = cmp.Or(u.Mail.Subject, conversation.NoSubject), u.MessageID
	}
	return p
}

// content returns the stored text of a message.
func content(u channel.Update) string {
	if strings.TrimSpace(u.Text) == "" {
		return "[" + string(u.Type) + "]"
	}
	return u.Text
}

// words returns the text of a message without notes on its attachments.
func words(u channel.Update) string {
	if u.Type == channel.TextMessage {
		return u.Text
	}
	if note, rest, ok := strings.Cut(u.Text, "] "); ok && strings.HasPrefix(note, "[") {
		return rest
	}
	return u.Text
}

// markTime limits the call that shows the typing indicator.
const markTime = 2 * time.Second

// mark shows the person that the message was read and a reply is being written, if the platform supports it.
// It runs concurrently; the returned function waits for its end.
func (s *Service) mark(ctx context.Context, lane inbox.Lane, latest inbox.Entry) (wait func()) {
	provider, ok := s.Channels.Provider(lane.Channel)
	marker, can := provider.(channel.Marker)
	if !ok || !can {
		return func() {}
	}
	var marking sync.WaitGroup
	marking.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, markTime)
		defer cancel()
		connected, err := channel.Load(ctx, s.Table, lane.AccountID, lane.AgentID, lane.Channel)
		if err != nil || !connected.Live() {
			return
		}
		open, err := connected.Open(ctx, s.Secrets, lane.AccountID, lane.AgentID, "")
		if err == nil {
			err = marker.Mark(ctx, open, latest.From.Address, latest.MessageID)
		}
		if err != nil {
			s.Log.LogAttrs(ctx, slog.LevelInfo, "message not marked as read", slog.Int64("agent",
				lane.AgentID),
				slog.String("error", err.Error()))
		}
	})
	return marking.Wait
}
