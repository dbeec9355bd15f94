package message

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// Reply stores the reply of a person of the business. On a platform it is sent as Send does, and retried for
// RetryTime; elsewhere it is sent once it is stored, since the visitor of a website or the caller of the API
// fetches it. The agent then stays silent in the conversation until it is handed back. author is the person's
// name, "" if that is not known.
//
// If the reply is refused, nothing is stored and the error is one of the API: conversation.ErrNotFound if the
// workspace has no such conversation; on a platform contact_opted_out, and unprocessable if the agent is not
// connected, the contact was deleted, or the channel's window is closed.
func (s *Sender) Reply(
	ctx context.Context, account, conversationID int64, text, author string,
) (Sent, error) {
	var by attempt
	var m conversation.Message
	_, err := s.Change(ctx, account, conversationID, func(u *Unit) (err error) {
		if u.Conversation.SendsByPlatform() {
			if by, err = s.replier(ctx, u); err != nil {
				return err
			}
		}
		if !u.Conversation.Ended() {
			u.Conversation.HandOver(conversation.HandoffManual)
		}
		m = u.Say(Draft{Text: text, ByPerson: true, Author: author, Attempt: true, Retry: RetryTime})
		return nil
	})
	if err != nil || m.Sending == nil {
		return Sent{Message: m}, err
	}
	return s.first(ctx, account, by, m, false), nil
}

// replier reads in one round trip what sending a person's reply needs. It returns the errors of Reply.
func (s *Sender) replier(ctx context.Context, u *Unit) (attempt, error) {
	in := u.Conversation
	agentKey := agent.Key(u.account, in.AgentID)
	channelKey := channel.Key(u.account, in.AgentID, string(in.Channel))
	items, err := u.readContact(ctx, agentKey, channelKey)
	if err != nil {
		return attempt{}, err
	}
	ch, err := readChannel(items, channelKey)
	unusable := s.usable(ch, in.Channel)
	switch {
	case err != nil:
		return attempt{}, err
	case u.contactBefore != nil && !u.Contact.OptedIn:
		return attempt{}, optedOut()
	case unusable != nil:
		return attempt{}, unusable
	case u.contactBefore == nil:
		return attempt{}, contactDeleted()
	case !u.InWindow(true):
		return attempt{}, s.windowClosed(u, true)
	}
	if err := u.readAgent(items[agentKey]); err != nil {
		return attempt{}, err
	}
	return s.attempt(ctx, u, ch)
}

func (s *Sender) windowClosed(u *Unit, byPerson bool) error {
	info := s.Channels.Info(channel.Type(u.Conversation.Channel))
	window := info.Window
	if byPerson {
		window = max(window, info.HumanWindow)
	}
	return windowClosed(u.Conversation.Channel, info.Templates, u.Address.LastInboundAt, window)
}

// readChannel decodes a channel among the items; it returns the zero Channel if it is not there.
func readChannel(items map[table.Key]table.Item, key table.Key) (channel.Channel, error) {
	item, ok := items[key]
	if !ok {
		return channel.Channel{}, nil
	}
	return channel.Read(item)
}
